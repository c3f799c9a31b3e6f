/* SPDX-License-Identifier: Apache-2.0
 * Random operations with their operands. */
#include "tests/twin/twin.h"

#include <assert.h>
#include <string.h>

uint8_t twin_register(struct twin *t, const struct twin_scope *s, char letter) {
  const uint8_t *count = s->in_function ? t->fcount : t->count;
  return (uint8_t)twin_below(t, count[twin_class(letter)]);
}

static unsigned area_bytes(char area) {
  return area == 'G' ? 4096 : area == 'O' ? TWIN_OUT_SCRATCH : area == 'C' ? TWIN_CONST : TWIN_SLOT;
}

/* With an index: in the lower half of the area, the offset in steps through the upper one. Some are aligned to more
 * than the access. */
unsigned twin_index_mask(const struct twin_operand *address, unsigned bytes) {
  return (area_bytes(address->sub) / 2 - 1) & ~((address->reg & 1 ? 16 : bytes) - 1);
}

static void make_address(struct twin *t, const struct twin_scope *s, struct twin_operand *o, unsigned bytes) {
  static const char generic[] = "OSL";
  o->reg = TWIN_NONE;
  if (o->cls == 'P') { /* the parameter's number in `sub` */
    o->sub = (char)twin_below(t, TWIN_PARAMS);
    o->bits = twin_below(t, 8 / bytes) * bytes;
    return;
  }
  o->sub = o->cls == 'Y' || o->cls == 'A' ? generic[twin_below(t, o->cls == 'Y' ? 3 : 2)] : o->cls;
  if (s->in_function && o->cls == 'Y') o->sub = 'Y';
  unsigned all = area_bytes(o->sub);
  if (twin_chance(t, 40)) o->reg = twin_register(t, s, twin_chance(t, 50) ? 'n' : 'r');
  if (o->reg != TWIN_NONE) {
    o->invert = twin_chance(t, 50); /* the index is an n, else an r */
    o->reg = twin_register(t, s, o->invert ? 'n' : 'r');
    o->bits = twin_below(t, all / 2 / bytes) * bytes;
  } else {
    o->bits = twin_below(t, all / bytes) * bytes;
  }
}

static unsigned class_bytes(char c) {
  return strchr("he", c) ? 2 : strchr("rnxf", c) ? 4 : 8;
}

static void make_divisor(struct twin *t, const struct twin_scope *s, struct twin_operand *o) {
  char plain = o->cls == 'H' ? 'h' : o->cls == 'R' ? 'r' : 'd';
  o->reg = twin_register(t, s, plain);
  if (!twin_chance(t, 40)) return;
  o->imm = true;
  o->bits = twin_integer(&t->rng, class_bytes(plain));
  if (o->bits == 0) o->bits = 3;
}

static void make_number(struct twin *t, const struct twin_scope *s, struct twin_operand *o) {
  bool wide = o->cls == 'r' && twin_chance(t, 20);
  o->reg = twin_register(t, s, wide ? 'n' : o->cls);
  if (wide) o->cls = 'n';
  if (o->cls == 'n' && twin_chance(t, 15)) { /* any number as a count */
    o->cls = 'r';
    o->reg = twin_register(t, s, 'r');
  }
  if (!strchr("hrdnfg", o->cls) || !twin_chance(t, o->cls == 'n' ? 45 : 15)) return;
  o->imm = true;
  o->bits = o->cls == 'n'          ? twin_below(t, 72)
            : strchr("fg", o->cls) ? twin_float(&t->rng, class_bytes(o->cls))
                                   : twin_integer(&t->rng, class_bytes(o->cls));
}

static void make_source(struct twin *t, const struct twin_scope *s, struct twin_operand *o, unsigned bytes) {
  static const uint8_t masks[] = {7, 15, 31, 63, 127, 255};
  if (strchr("GOSLCPYA", o->cls))
    make_address(t, s, o, bytes);
  else if (strchr("HRD", o->cls))
    make_divisor(t, s, o);
  else if (o->cls == 'i' || o->cls == 'k') {
    o->imm = true;
    o->bits = o->cls == 'i' ? twin_below(t, 256) : masks[twin_below(t, sizeof masks)];
  } else if (o->cls == 'p' || o->cls == 'q') {
    o->invert = o->cls == 'q' && twin_chance(t, 40);
    o->cls = 'p';
    o->reg = twin_register(t, s, 'p');
  } else
    make_number(t, s, o);
}

/* Destinations of a vector, or of a pair, are different registers. */
static void make_destinations(struct twin *t, const struct twin_scope *s, struct twin_node *n, const char *sig) {
  unsigned k = 0;
  for (; *sig != '='; sig++) {
    if (*sig == '{' || *sig == '}') continue;
    char c = *sig == '2' ? 'p' : *sig;
    unsigned copies = *sig == '2' ? 2 : 1, all = (s->in_function ? t->fcount : t->count)[twin_class(c)];
    for (; copies > 0; copies--, k++) {
      n->dst[k].cls = c;
      n->dst[k].reg = k ? (uint8_t)((n->dst[0].reg + k) % all) : twin_register(t, s, c);
    }
  }
}

static bool fits(const struct twin_scope *s, const struct twin_row *r) {
  return !s->in_function || !strpbrk(strchr(r->sig, '=') ? r->sig : "", "GOSPA");
}

static void draw_variant(struct twin *t, const struct twin_scope *s, struct variant *v) {
  unsigned all = 0;
  for (unsigned k = 0; k < twin_row_count; k++) all += twin_rows[k].weight;
  do {
    unsigned at = twin_below(t, all);
    *v = (struct variant){0};
    for (; at >= twin_rows[v->row].weight; v->row++) at -= twin_rows[v->row].weight;
  } while (!fits(s, &twin_rows[v->row]));
  unsigned group = 0;
  for (const char *p = twin_rows[v->row].ptx; *p; p++) {
    if (*p != '{' && *p != '<') continue;
    unsigned n = 1;
    for (p++; *p != '}' && *p != '>'; p++) n += *p == ',';
    assert(group < TWIN_CHOICES);
    v->choice[group++] = (uint8_t)twin_below(t, n);
  }
}

static void pick_variant(struct twin *t, const struct twin_scope *s, struct variant *v) {
  if (t->forced < t->forced_end && twin_chance(t, 50)) {
    *v = twin_variant(t->forced % twin_variants());
    const bool legal = variant_legal(v);
    if (!legal || fits(s, &twin_rows[v->row])) t->forced++;
    if (legal && fits(s, &twin_rows[v->row])) return;
  }
  do draw_variant(t, s, v);
  while (!variant_legal(v));
}

void twin_make_op(struct twin *t, const struct twin_scope *s, struct twin_node *n) {
  struct variant_text text;
  pick_variant(t, s, &n->v);
  variant_expand(&n->v, &text);
  const char *sig = twin_rows[n->v.row].sig;
  make_destinations(t, s, n, sig);
  const bool field = strncmp(text.ptx, "bfe", 3) == 0 || strncmp(text.ptx, "bfi", 3) == 0;
  unsigned k = 0;
  for (sig = strchr(sig, '=') + 1; *sig; sig++) {
    if (*sig == '{' || *sig == '}') continue;
    n->src[k].cls = *sig;
    make_source(t, s, &n->src[k], text.bytes);
    if (field && *sig == 'n' && n->src[k].imm) n->src[k].bits &= 255; /* what PTX takes for a position or a length */
    k++;
  }
  n->guard = TWIN_NONE;
  if (twin_chance(t, 12)) {
    n->guard = twin_register(t, s, 'p');
    n->guard_invert = twin_chance(t, 50);
  }
}

static struct twin_operand *address_of(struct twin_node *n) {
  for (unsigned k = 0; k < sizeof n->src / sizeof *n->src; k++)
    if (n->src[k].cls && strchr("GOSLY", n->src[k].cls)) return &n->src[k];
  return NULL;
}

bool twin_make_neighbour(struct twin *t, const struct twin_scope *s, struct twin_node *n, const struct twin_node *of,
                         unsigned steps) {
  struct variant_text text;
  *n = *of;
  struct twin_operand *a = of->kind == N_OP && of->guard == TWIN_NONE ? address_of(n) : NULL;
  if (!a) return false;
  variant_expand(&n->v, &text);
  const unsigned all = area_bytes(a->sub) / (a->reg == TWIN_NONE ? 1 : 2);
  a->bits = (a->bits + steps * text.bytes) % all;
  make_destinations(t, s, n, twin_rows[n->v.row].sig);
  for (unsigned k = 0; k < sizeof n->src / sizeof *n->src; k++)
    if (n->src[k].cls && &n->src[k] != a && !n->src[k].imm) n->src[k].reg = twin_register(t, s, n->src[k].cls);
  return true;
}
