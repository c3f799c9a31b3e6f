/* SPDX-License-Identifier: Apache-2.0
 * An operation of the table as C. `q` points at the registers of the thread, or of the function that it is in. */
#include "tests/twin/write.h"

#include <inttypes.h>
#include <string.h>

static void area(const struct twin_operand *o, char *text, size_t size) {
  switch (o->sub) {
  case 'G':
    (void)snprintf(text, size, "q->in");
    break;
  case 'O':
    (void)snprintf(text, size, "q->out");
    break;
  case 'S':
    (void)snprintf(text, size, "q->slot");
    break;
  case 'L':
    (void)snprintf(text, size, "q->local");
    break;
  case 'Y':
    (void)snprintf(text, size, "q->generic");
    break;
  default:
    (void)snprintf(text, size, "constants");
  }
}

static void address(const struct twin_operand *o, unsigned bytes, char *text, size_t size) {
  char base[24];
  if (o->cls == 'P') {
    (void)snprintf(text, size, "(parameters + %u)", 8 * (unsigned)o->sub + (unsigned)o->bits);
    return;
  }
  area(o, base, sizeof base);
  if (o->reg == TWIN_NONE)
    (void)snprintf(text, size, "(%s + %u)", base, (unsigned)o->bits);
  else
    (void)snprintf(text, size, "(%s + (q->%c[%u] & %uu) + %u)", base, o->invert ? 'n' : 'r', o->reg,
                   twin_index_mask(o, bytes), (unsigned)o->bits);
}

static void source(const struct twin_operand *o, unsigned bytes, char *text, size_t size) {
  if (strchr("GOSLCPYA", o->cls)) {
    address(o, bytes, text, size);
  } else if (o->imm) {
    bool wide = strchr("dgD", o->cls) != NULL, narrow = strchr("hH", o->cls) != NULL;
    (void)snprintf(text, size,
                   wide     ? "UINT64_C(0x%" PRIx64 ")"
                   : narrow ? "(uint16_t)0x%" PRIx64 "u"
                            : "0x%" PRIx64 "u",
                   o->bits);
  } else if (strchr("HRD", o->cls)) {
    char c = o->cls == 'H' ? 'h' : o->cls == 'R' ? 'r' : 'd';
    (void)snprintf(text, size, c == 'h' ? "(uint16_t)(q->%c[%u] | 1)" : "(q->%c[%u] | 1)", c, o->reg);
  } else {
    (void)snprintf(text, size, "%sq->%c[%u]", o->cls == 'p' && o->invert ? "!" : "", o->cls, o->reg);
  }
}

static const char *type_of(char c) {
  return strchr("he", c) ? "uint16_t" : strchr("dg", c) ? "uint64_t" : c == 'p' ? "bool" : "uint32_t";
}

struct filled {
  const struct variant_text *v;
  const struct twin_node *n;
  char (*text)[64];
};

/* The template with its names filled in. */
static void fill(const struct cw *w, const char *c, const struct filled *x) {
  for (; *c; c++) {
    if (*c == '%' && c[1] >= '1' && c[1] <= '3')
      fputs(x->v->word[*++c - '1'], w->to);
    else if (*c == '$' && c[1] == 'm')
      fprintf(w->to, "(%s)", x->v->modifiers), c++;
    else if (*c == '$' && c[1] >= '1' && c[1] <= '5')
      fputs(x->text[*++c - '1'], w->to);
    else if (*c == '$') {
      const struct twin_operand *d = &x->n->dst[*++c - 'a'];
      fprintf(w->to, "q->%c[%u]", d->cls, d->reg);
    } else
      fputc(*c, w->to);
  }
}

static void call(const struct cw *w, const char *c, const struct filled *x) {
  fprintf(w->to, "%s%s%s(", c, x->v->word[0], x->v->word[1]);
  for (unsigned k = 0; k < 5 && x->n->src[k].cls; k++) fprintf(w->to, "%s%s", k ? ", " : "", x->text[k]);
  if (x->v->has_modifiers) fprintf(w->to, ", %s", x->v->modifiers);
  fprintf(w->to, ")");
}

void twin_c_op(const struct cw *w, const struct twin_node *n) {
  char text[5][64];
  struct variant_text v;
  const char *c = twin_rows[n->v.row].c;
  variant_expand(&n->v, &v);
  const struct filled x = {&v, n, text};
  bool wrong = w->wrong && strncmp(v.ptx, w->wrong, strlen(w->wrong)) == 0;
  for (unsigned k = 0; k < 5 && n->src[k].cls; k++) source(&n->src[k], v.bytes, text[k], sizeof text[k]);
  fprintf(w->to, "  ");
  if (n->guard != TWIN_NONE) fprintf(w->to, "if (%sq->p[%u]) ", n->guard_invert ? "!" : "", n->guard);
  fprintf(w->to, "{ ");
  if (*c == '=') {
    fill(w, c + 1, &x);
  } else {
    fprintf(w->to, "q->%c[%u] = (%s)(", n->dst[0].cls, n->dst[0].reg, type_of(n->dst[0].cls));
    if (strchr(c, '$'))
      fill(w, c, &x);
    else
      call(w, c, &x);
    fprintf(w->to, ");");
  }
  if (wrong && n->dst[0].cls) fprintf(w->to, " q->%c[%u] ^= 1;", n->dst[0].cls, n->dst[0].reg);
  fprintf(w->to, " } /* %s */\n", v.ptx);
}

/* A chain's steps share the carry. */
void twin_c_carry(const struct cw *w, const struct twin_node *n) {
  char c = n->k[2] ? 'd' : 'r', a[64], b[64];
  unsigned bits = n->k[2] ? 64 : 32;
  const char *sign = n->k[3] & 1 ? "s" : "u";
  fprintf(w->to, "  { bool cf = false;\n");
  for (unsigned k = 0; k < n->k[0]; k++) {
    source(&n->src[k], 0, a, sizeof a);
    source(&n->src[k + 1], 0, b, sizeof b);
    fprintf(w->to, "    q->%c[%u] = (%s)", c, n->dst[k].reg, type_of(c));
    if (n->k[1] == 0)
      fprintf(w->to, "add_carry(%s, %s, %u, &cf);\n", a, b, bits);
    else if (n->k[1] == 1)
      fprintf(w->to, "sub_borrow(%s, %s, %u, &cf);\n", a, b, bits);
    else
      fprintf(w->to, "add_carry(mul_%s_%s%u(%s, %s), q->%c[%u], %u, &cf);\n", k == 0 ? "lo" : "hi", sign, bits, a, b, c,
              n->src[4].reg, bits);
  }
  fprintf(w->to, "  }\n");
}
