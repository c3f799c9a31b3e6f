/* SPDX-License-Identifier: Apache-2.0
 * An operation of the table as PTX. */
#include "tests/twin/write.h"

#include <inttypes.h>
#include <string.h>

static unsigned class_bits(char c) {
  return strchr("heH", c) ? 16 : strchr("dgD", c) ? 64 : 32;
}

/* Negative numbers are written so now and then. */
void twin_ptx_number(const struct twin_operand *o, char *text, size_t size) {
  unsigned bits = class_bits(o->cls);
  int64_t v = (int64_t)(o->bits << (64 - bits)) >> (64 - bits);
  if (o->cls == 'f')
    (void)snprintf(text, size, "0f%08" PRIX64, o->bits);
  else if (o->cls == 'g')
    (void)snprintf(text, size, "0d%016" PRIX64, o->bits);
  else if (v < 0 && v > -70000 && bits > 16)
    (void)snprintf(text, size, "%" PRId64, v);
  else if (o->bits > 9999)
    (void)snprintf(text, size, "0x%" PRIx64, o->bits);
  else
    (void)snprintf(text, size, "%" PRIu64, o->bits);
}

/* The register that holds an area's base, in the size that its space has. */
static const char *base_of(const struct ptx *w, const struct twin_operand *o) {
  bool generic = o->cls == 'Y' || o->cls == 'A';
  if (o->sub == 'Y') return "%yf";
  switch (o->sub) {
  case 'G':
    return "%ag";
  case 'O':
    return generic ? "%yo" : "%ao";
  case 'S':
    return generic ? "%ys" : "%as";
  case 'L':
    return generic ? "%yl" : w->in_function ? "floc" : o->bits & 8 ? "loc" : "%al";
  default:
    return "ctab";
  }
}

static void address(const struct ptx *w, const struct twin_operand *o, unsigned bytes, char *text, size_t size) {
  if (o->cls == 'P') {
    (void)snprintf(text, size, "[pv%d+%u]", o->sub, (unsigned)o->bits);
    return;
  }
  const char *base = base_of(w, o);
  if (o->reg == TWIN_NONE) {
    (void)snprintf(text, size, "[%s+%u]", base, (unsigned)o->bits);
    return;
  }
  bool wide = o->cls == 'G' || o->cls == 'O' || o->cls == 'Y' || o->cls == 'A';
  fprintf(w->to, "  and.b32 %%t0, %%%c%u, %u;\n", o->invert ? 'n' : 'r', o->reg, twin_index_mask(o, bytes));
  if (wide)
    fprintf(w->to, "  cvt.u64.u32 %%u0, %%t0;\n  add.s64 %%u0, %%u0, %s;\n", base);
  else if (base[0] == '%')
    fprintf(w->to, "  add.u32 %%t0, %%t0, %s;\n", base);
  else
    fprintf(w->to, "  mov.u32 %%t1, %s;\n  add.u32 %%t0, %%t0, %%t1;\n", base);
  (void)snprintf(text, size, "[%%%s+%u]", wide ? "u0" : "t0", (unsigned)o->bits);
}

static void source(const struct ptx *w, const struct twin_operand *o, unsigned bytes, char *text, size_t size) {
  if (strchr("GOSLCPYA", o->cls)) {
    address(w, o, bytes, text, size);
  } else if (o->imm) {
    twin_ptx_number(o, text, size);
  } else if (strchr("HRD", o->cls)) { /* not 0 */
    const char *temp = o->cls == 'H' ? "%th" : o->cls == 'R' ? "%t2" : "%u1";
    char c = o->cls == 'H' ? 'h' : o->cls == 'R' ? 'r' : 'd';
    fprintf(w->to, "  or.b%u %s, %%%c%u, 1;\n", class_bits(o->cls), temp, c, o->reg);
    (void)snprintf(text, size, "%s", temp);
  } else {
    (void)snprintf(text, size, "%s%%%c%u", o->cls == 'p' && o->invert ? "!" : "", o->cls, o->reg);
  }
}

static void destinations(const struct ptx *w, const struct twin_node *n, const char *sig) {
  bool vector = sig[0] == '{';
  if (vector) fprintf(w->to, "{");
  for (unsigned k = 0; k < 4 && n->dst[k].cls; k++)
    fprintf(w->to, "%s%%%c%u", k == 0 ? "" : vector ? ", " : "|", n->dst[k].cls, n->dst[k].reg);
  if (vector) fprintf(w->to, "}");
}

void twin_ptx_op(const struct ptx *w, const struct twin_node *n) {
  char text[5][48];
  struct variant_text v;
  const char *sig = twin_rows[n->v.row].sig, *right = strchr(sig, '=') + 1;
  variant_expand(&n->v, &v);
  for (unsigned k = 0; k < 5 && n->src[k].cls; k++) source(w, &n->src[k], v.bytes, text[k], sizeof text[k]);
  fprintf(w->to, "  ");
  if (n->guard != TWIN_NONE) fprintf(w->to, "@%s%%p%u ", n->guard_invert ? "!" : "", n->guard);
  fprintf(w->to, "%s ", v.ptx);
  bool first = sig[0] == '=', behind_bracket = false;
  if (!first) destinations(w, n, sig);
  for (unsigned k = 0; *right; right++) {
    if (*right == '{') {
      fprintf(w->to, "%s{", first ? "" : ", ");
      behind_bracket = true;
    } else if (*right == '}') {
      fprintf(w->to, "}");
    } else {
      fprintf(w->to, "%s%s", first || behind_bracket ? "" : ", ", text[k++]);
      behind_bracket = false;
    }
    first = false;
  }
  fprintf(w->to, ";\n");
}

void twin_ptx_carry(const struct ptx *w, const struct twin_node *n) {
  static const char *const begin[] = {"add.cc", "sub.cc", "mad.lo.cc"}, *const middle[] = {"addc", "subc", "madc.hi"};
  char c = n->k[2] ? 'd' : 'r', a[48], b[48];
  for (unsigned k = 0; k < n->k[0]; k++) {
    bool last = k + 1u == n->k[0];
    source(w, &n->src[k], 0, a, sizeof a);
    source(w, &n->src[k + 1], 0, b, sizeof b);
    fprintf(w->to, "  %s%s.%c%u %%%c%u, %s, %s", k == 0 ? begin[n->k[1]] : middle[n->k[1]], k > 0 && !last ? ".cc" : "",
            n->k[3] & 1 ? 's' : 'u', n->k[2] ? 64 : 32, c, n->dst[k].reg, a, b);
    if (n->k[1] == 2) fprintf(w->to, ", %%%c%u", c, n->src[4].reg);
    fprintf(w->to, ";\n");
  }
}
