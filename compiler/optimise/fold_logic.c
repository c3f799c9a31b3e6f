/* SPDX-License-Identifier: Apache-2.0
 *
 * Bitwise operations, comparisons, selections, predicates.
 */
#include "compiler/optimise/fold.h"

/* Bitwise operations. Every one is a table over its operands, in the order of LOP3's index (a << 2 | b << 1 | c); one
 * whose operand is computed by another, wanted by nobody else, takes its place over the other's operands, as long as
 * three suffice. Tables that are plain operations are written as such. */

/* Up to three inputs and a table over them. Inputs that are not there do not matter to the table. */
struct table {
  struct ir_operand in[4];
  unsigned inputs;
  uint8_t lut;
};

enum { A = 0xf0, B = 0xcc, C = 0xaa };
static const uint8_t columns[3] = {A, B, C};

static bool is_logic(const struct ir_insn *i) {
  return i->op == IR_AND || i->op == IR_OR || i->op == IR_XOR || i->op == IR_NOT || i->op == IR_LOP3;
}

static struct table table_of(const struct ir_insn *i) {
  struct table t = {.inputs = i->sources};
  for (unsigned k = 0; k < i->sources; k++) t.in[k] = i->src[k];
  switch (i->op) {
  case IR_AND:
    t.lut = A & B;
    break;
  case IR_OR:
    t.lut = A | B;
    break;
  case IR_XOR:
    t.lut = A ^ B;
    break;
  case IR_NOT:
    t.lut = (uint8_t)~A;
    break;
  default:
    t.lut = i->lut;
    break;
  }
  return t;
}

/* The table when input k is always 0 or always 1. */
static uint8_t with(uint8_t lut, unsigned k, bool one) {
  unsigned by = 4u >> k;
  uint8_t part = lut & (one ? columns[k] : (uint8_t)~columns[k]);
  return (uint8_t)(part | (one ? part >> by : part << by));
}

static bool matters(uint8_t lut, unsigned k) {
  return with(lut, k, false) != with(lut, k, true);
}

/* Exchanges two inputs. */
static uint8_t exchange_inputs(uint8_t lut, unsigned j, unsigned k) {
  uint8_t r = 0;
  for (unsigned n = 0; n < 8; n++) {
    unsigned bj = n >> (2 - j) & 1, bk = n >> (2 - k) & 1;
    unsigned m = (n & ~(1u << (2 - j)) & ~(1u << (2 - k))) | bj << (2 - k) | bk << (2 - j);
    r |= (uint8_t)((lut >> m & 1) << n);
  }
  return r;
}

static void drop_input(struct table *t, unsigned k) {
  for (; k + 1 < t->inputs; k++) {
    t->lut = exchange_inputs(t->lut, k, k + 1);
    struct ir_operand o = t->in[k];
    t->in[k] = t->in[k + 1];
    t->in[k + 1] = o;
  }
  t->inputs--;
}

/* Zeros, all ones, equal inputs and those that do not matter leave; constants go last. */
static void reduce(struct table *t, unsigned bits) {
  for (unsigned k = 0; k < t->inputs; k++) {
    const struct ir_operand *o = &t->in[k];
    if (fold_is(o, 0) || fold_is(o, fold_mask(bits))) t->lut = with(t->lut, k, o->bits != 0);
    for (unsigned j = 0; j < k; j++) {
      if (!pass_same(o, &t->in[j])) continue;
      uint8_t both = with(with(t->lut, j, true), k, true), none = with(with(t->lut, j, false), k, false);
      t->lut = (uint8_t)((both & columns[j]) | (none & ~columns[j]));
    }
  }
  for (unsigned k = t->inputs; k-- > 0;)
    if (!matters(t->lut, k)) drop_input(t, k);
  for (unsigned k = 0; k + 1 < t->inputs; k++)
    if (t->in[k].kind == IR_CONST && t->in[k + 1].kind != IR_CONST) {
      struct ir_operand o = t->in[k];
      t->in[k] = t->in[k + 1];
      t->in[k + 1] = o;
      t->lut = exchange_inputs(t->lut, k, k + 1);
    }
}

/* Puts `inner` in the place of input k. False: more than three inputs. */
static bool substitute(struct table *outer, unsigned k, const struct table *inner) {
  struct table t = {.inputs = 0};
  unsigned where[3] = {0}, of[3] = {0}; /* of the outer's and the inner's inputs, among t's */
  for (unsigned n = 0; n < outer->inputs + inner->inputs; n++) {
    bool is_outer = n < outer->inputs;
    unsigned index = is_outer ? n : n - outer->inputs, at = 0;
    if (is_outer && index == k) continue;
    const struct ir_operand *o = is_outer ? &outer->in[index] : &inner->in[index];
    while (at < t.inputs && !pass_same(&t.in[at], o)) at++;
    if (at == 3) return false;
    if (at == t.inputs) t.in[t.inputs++] = *o;
    if (is_outer)
      where[index] = at;
    else
      of[index] = at;
  }
  for (unsigned n = 0; n < 8; n++) {
    unsigned in_outer = 0, in_inner = 0;
    for (unsigned j = 0; j < inner->inputs; j++) in_inner |= (n >> (2 - of[j]) & 1) << (2 - j);
    for (unsigned j = 0; j < outer->inputs; j++)
      in_outer |= ((j == k ? (unsigned)inner->lut >> in_inner : n >> (2 - where[j])) & 1) << (2 - j);
    t.lut |= (uint8_t)((outer->lut >> in_outer & 1) << n);
  }
  *outer = t;
  return true;
}

/* Writes the table as an instruction; false: it is that already. */
static bool write_table(struct fold *c, struct ir_insn *i, const struct table *t) {
  enum ptx_type type = (enum ptx_type)i->type;
  uint64_t ones = fold_mask(fold_bits(type));
  if (t->inputs == 0) return fold_equal(c, i, ir_bits(t->lut ? ones : 0));
  if (t->inputs == 1 && t->lut == A) return fold_equal(c, i, t->in[0]);
  enum ir_op op = t->inputs == 1                        ? IR_NOT
                  : t->inputs == 2 && t->lut == (A & B) ? IR_AND
                  : t->inputs == 2 && t->lut == (A | B) ? IR_OR
                  : t->inputs == 2 && t->lut == (A ^ B) ? IR_XOR
                                                        : IR_LOP3;
  if (op == IR_LOP3 && fold_bits(type) != 32) return false;
  unsigned sources = op == IR_LOP3 ? 3 : t->inputs;
  struct ir_operand in[3];
  for (unsigned k = 0; k < 3; k++) in[k] = k < t->inputs ? t->in[k] : ir_bits(0);
  bool same = i->op == op && i->sources == sources && (op != IR_LOP3 || i->lut == t->lut);
  for (unsigned k = 0; k < sources && same; k++) same = pass_same(&i->src[k], &in[k]);
  if (same) return false;
  fold_become(c, i, op, type, sources, in[0], in[1], in[2]);
  if (op == IR_LOP3) i->lut = t->lut;
  return true;
}

static unsigned constants(const struct table *t) {
  unsigned n = 0;
  for (unsigned k = 0; k < t->inputs; k++) n += t->in[k].kind == IR_CONST;
  return n;
}

static bool absorb(struct fold *c, const struct ir_insn *i, struct table *t) {
  unsigned bits = fold_bits(i->type);
  for (unsigned k = 0; k < t->inputs; k++) {
    const struct ir_insn *d = t->in[k].kind == IR_VALUE ? t->in[k].value->def : NULL;
    if (!d || d->guard || !is_logic(d) || fold_bits(d->type) != bits || d->dst[0] != t->in[k].value) continue;
    if (d->op != IR_NOT && !fold_once(c, &t->in[k])) continue;
    struct table inner = table_of(d), merged = *t;
    if (!substitute(&merged, k, &inner)) continue;
    reduce(&merged, bits);
    if (constants(&merged) > 1) continue; /* an instruction has one at most */
    if (bits != 32 && merged.inputs > 0 && merged.lut != A && merged.lut != (uint8_t)~A && merged.lut != (A & B) &&
        merged.lut != (A | B) && merged.lut != (A ^ B))
      continue;
    *t = merged;
    return true;
  }
  return false;
}

/* (x & c) & d and the like: two constants that are one. */
static bool join_constants(struct fold *c, struct ir_insn *i) {
  if (i->sources != 2 || i->src[1].kind != IR_CONST) return false;
  const struct ir_insn *d = fold_from(&i->src[0], (enum ir_op)i->op, PTX_NO_TYPE);
  if (!d || d->src[1].kind != IR_CONST || fold_bits(d->type) != fold_bits(i->type)) return false;
  uint64_t x = d->src[1].bits, y = i->src[1].bits;
  uint64_t r = i->op == IR_AND ? x & y : i->op == IR_OR ? x | y : x ^ y;
  return fold_become(c, i, (enum ir_op)i->op, (enum ptx_type)i->type, 2, d->src[0], ir_bits(r), fold_none());
}

/* x & c where c has all the bits that x can have. */
static bool is_covered(const struct ir_insn *i) {
  if (i->op != IR_AND || fold_bits(i->type) != 32 || i->src[1].kind != IR_CONST || i->src[0].kind == IR_CONST)
    return false;
  uint64_t can = fold_mask(fold_known_bits(&i->src[0]));
  return (i->src[1].bits & can) == can;
}

bool fold_logic(struct fold *c, struct ir_insn *i) {
  if (!is_logic(i) || (!fold_integer(i->type) && i->type != PTX_PRED)) return false;
  if (is_covered(i)) return fold_equal(c, i, i->src[0]);
  if (i->op != IR_LOP3 && join_constants(c, i)) return true;
  struct table t = table_of(i);
  unsigned bits = fold_bits(i->type);
  reduce(&t, bits);
  absorb(c, i, &t);
  return write_table(c, i, &t);
}

/* Comparisons, selections, predicates. */

static unsigned fold_swapped(unsigned cmp) {
  static const uint8_t swapped[] = {
      [IR_EQ] = IR_EQ,   [IR_NE] = IR_NE,   [IR_LT] = IR_GT,   [IR_LE] = IR_GE,   [IR_GT] = IR_LT,
      [IR_GE] = IR_LE,   [IR_EQU] = IR_EQU, [IR_NEU] = IR_NEU, [IR_LTU] = IR_GTU, [IR_LEU] = IR_GEU,
      [IR_GTU] = IR_LTU, [IR_GEU] = IR_LEU, [IR_NUM] = IR_NUM, [IR_NAN] = IR_NAN};
  return swapped[cmp];
}

/* a cmp b == b fold_swapped(cmp) a; !(a cmp b) == a fold_inverted(cmp) b, NaNs included (`real`: floats). */
static unsigned fold_inverted(unsigned cmp, bool real) {
  static const uint8_t integer[] = {
      [IR_EQ] = IR_NE, [IR_NE] = IR_EQ, [IR_LT] = IR_GE, [IR_LE] = IR_GT, [IR_GT] = IR_LE, [IR_GE] = IR_LT};
  static const uint8_t other[] = {
      [IR_EQ] = IR_NEU, [IR_NE] = IR_EQU, [IR_LT] = IR_GEU,  [IR_LE] = IR_GTU, [IR_GT] = IR_LEU,
      [IR_GE] = IR_LTU, [IR_EQU] = IR_NE, [IR_NEU] = IR_EQ,  [IR_LTU] = IR_GE, [IR_LEU] = IR_GT,
      [IR_GTU] = IR_LE, [IR_GEU] = IR_LT, [IR_NUM] = IR_NAN, [IR_NAN] = IR_NUM};
  return real || cmp > IR_GE ? other[cmp] : integer[cmp];
}

static bool is_plain(const struct ir_insn *d) {
  return d && d->comparison.combine == IR_B_NONE && d->dsts == 1;
}

static bool swap_sides(struct ir_insn *i) {
  if (i->src[0].kind != IR_CONST || i->src[1].kind == IR_CONST) return false;
  struct ir_operand t = i->src[0];
  i->src[0] = i->src[1];
  i->src[1] = t;
  i->comparison.cmp = (uint8_t)fold_swapped(i->comparison.cmp);
  return true;
}

/* Relations that every number has to itself, or to the ends of the range. */
static bool is_settled(const struct ir_insn *i, bool *r) {
  uint64_t ones = fold_mask(fold_bits(i->type));
  *r = i->comparison.cmp == IR_EQ || i->comparison.cmp == IR_LE || i->comparison.cmp == IR_GE;
  if (pass_same(&i->src[0], &i->src[1])) return true;
  if (fold_signed(i->type) || i->src[1].kind != IR_CONST) return false;
  if (i->src[1].bits == 0 && (i->comparison.cmp == IR_LT || i->comparison.cmp == IR_GE)) return true;
  return i->src[1].bits == ones && (i->comparison.cmp == IR_GT || i->comparison.cmp == IR_LE);
}

/* x - y against zero, x ^ y against zero: x against y, for equality. */
static bool compare_difference(struct ir_insn *i) {
  if ((i->comparison.cmp != IR_EQ && i->comparison.cmp != IR_NE) || !fold_is(&i->src[1], 0)) return false;
  const struct ir_insn *d = fold_from(&i->src[0], IR_SUB, PTX_NO_TYPE);
  if (d && d->arithmetic.sat) return false;
  if (!d) d = fold_from(&i->src[0], IR_XOR, PTX_NO_TYPE);
  if (!d || !fold_integer(d->type) || fold_bits(d->type) != fold_bits(i->type)) return false;
  i->src[0] = d->src[0];
  i->src[1] = d->src[1];
  return true;
}

/* A number that was chosen from two constants by a predicate: the predicate, its opposite, or neither matters. */
static bool compare_choice(struct fold *c, struct ir_insn *i) {
  const struct ir_insn *d = fold_from(&i->src[0], IR_SELP, PTX_NO_TYPE);
  if (!d || i->src[1].kind != IR_CONST || d->src[0].kind != IR_CONST || d->src[1].kind != IR_CONST) return false;
  bool yes = fold_compare(i->comparison.cmp, i->type, d->src[0].bits, i->src[1].bits);
  bool no = fold_compare(i->comparison.cmp, i->type, d->src[1].bits, i->src[1].bits);
  if (yes == no) return fold_equal(c, i, ir_bits(yes));
  if (yes) return fold_equal(c, i, d->src[2]);
  return fold_become(c, i, IR_NOT, PTX_PRED, 1, d->src[2], fold_none(), fold_none());
}

/* The instruction that extends a word. */
static const struct ir_insn *extension(const struct ir_operand *o) {
  const struct ir_insn *d = fold_from(o, IR_CVT, PTX_NO_TYPE);
  return d && !d->arithmetic.sat && fold_integer(d->type) && fold_integer(d->type2) && fold_bits(d->type) == 64 &&
                 fold_bits(d->type2) == 32
             ? d
             : NULL;
}

/* Both sides were extended the same way, or one is a constant that fits. Zero-extended words compare alike signed and
 * unsigned; sign-extended ones as unsigned numbers keep their order too. */
static bool compare_words(struct ir_insn *i) {
  const struct ir_insn *a = extension(&i->src[0]), *b = extension(&i->src[1]);
  if (fold_bits(i->type) != 64 || !a) return false;
  bool s = fold_signed(a->type2);
  struct ir_operand right;
  if (i->src[1].kind == IR_CONST) {
    right = ir_bits(i->src[1].bits & UINT32_MAX);
    if (i->src[1].bits != (s ? fold_extend(right.bits, 32) : right.bits)) return false;
  } else {
    if (!b || fold_signed(b->type2) != s) return false;
    right = b->src[0];
  }
  i->type = s && fold_signed(i->type) ? PTX_S32 : PTX_U32;
  i->src[0] = a->src[0];
  i->src[1] = right;
  return true;
}

/* a + b == c as a == c - b, where the sum is made for that: an exit test between two trips of a loop (unroll.c). */
static bool compare_sum(const struct fold *c, struct ir_insn *i) {
  const struct ir_insn *d = fold_from(&i->src[0], IR_ADD, PTX_NO_TYPE);
  if ((i->comparison.cmp != IR_EQ && i->comparison.cmp != IR_NE) || i->src[1].kind != IR_CONST) return false;
  if (!d || !fold_integer(d->type) || d->arithmetic.sat || fold_bits(d->type) != fold_bits(i->type)) return false;
  if (d->src[1].kind != IR_CONST || !fold_once(c, &i->src[0])) return false;
  i->src[1] = ir_bits((i->src[1].bits - d->src[1].bits) & fold_mask(fold_bits(i->type)));
  i->src[0] = d->src[0];
  return true;
}

static bool fold_setp(struct fold *c, struct ir_insn *i) {
  bool r;
  if (swap_sides(i)) return true;
  if (i->comparison.combine != IR_B_NONE && i->src[2].kind == IR_CONST) {
    bool q = (i->src[2].bits & 1) != i->comparison.combine_invert;
    if ((i->comparison.combine == IR_B_AND) == q && i->comparison.combine != IR_B_XOR) { /* and true, or false */
      i->comparison.combine = IR_B_NONE;
      i->comparison.combine_invert = false;
      i->sources = 2;
      return true;
    }
    if (i->comparison.combine != IR_B_XOR && i->dsts == 1) return fold_equal(c, i, ir_bits(q));
  }
  if (!fold_integer(i->type)) return false;
  if (compare_difference(i) || compare_words(i) || compare_sum(c, i)) return true;
  if (!is_plain(i)) return false;
  if (is_settled(i, &r)) return fold_equal(c, i, ir_bits(r));
  if (!fold_signed(i->type) && fold_is(&i->src[1], 0) && (i->comparison.cmp == IR_GT || i->comparison.cmp == IR_LE)) {
    i->comparison.cmp = i->comparison.cmp == IR_GT ? IR_NE : IR_EQ;
    return true;
  }
  return compare_choice(c, i);
}

/* A minimum or maximum written as a choice. */
static bool choose_extreme(struct fold *c, struct ir_insn *i) {
  const struct ir_insn *d = fold_from(&i->src[2], IR_SETP, PTX_NO_TYPE);
  if (!is_plain(d) || (d->type != PTX_S32 && d->type != PTX_U32) || d->comparison.cmp == IR_EQ ||
      d->comparison.cmp == IR_NE)
    return false;
  bool straight = pass_same(&i->src[0], &d->src[0]) && pass_same(&i->src[1], &d->src[1]);
  bool crossed = pass_same(&i->src[0], &d->src[1]) && pass_same(&i->src[1], &d->src[0]);
  if (!straight && !crossed) return false;
  bool less = d->comparison.cmp == IR_LT || d->comparison.cmp == IR_LE;
  return fold_become(c, i, less == straight ? IR_MIN : IR_MAX, (enum ptx_type)d->type, 2, d->src[0], d->src[1],
                     fold_none());
}

static bool fold_selp(struct fold *c, struct ir_insn *i) {
  const struct ir_insn *d;
  if (pass_same(&i->src[0], &i->src[1])) return fold_equal(c, i, i->src[0]);
  if (i->src[2].kind == IR_CONST) return fold_equal(c, i, i->src[2].bits & 1 ? i->src[0] : i->src[1]);
  if ((d = fold_from(&i->src[2], IR_NOT, PTX_PRED)) != NULL)
    return fold_become(c, i, IR_SELP, (enum ptx_type)i->type, 3, i->src[1], i->src[0], d->src[0]);
  for (unsigned k = 0; k < 2; k++) { /* a choice by the same predicate inside */
    d = fold_from(&i->src[k], IR_SELP, PTX_NO_TYPE);
    if (!d || !pass_same(&d->src[2], &i->src[2]) || fold_bits(d->type) != fold_bits(i->type)) continue;
    i->src[k] = d->src[k];
    return true;
  }
  return choose_extreme(c, i);
}

/* A comparison that only this instruction wants. */
static struct ir_insn *own_comparison(const struct fold *c, const struct ir_operand *o) {
  struct ir_insn *d = fold_from(o, IR_SETP, PTX_NO_TYPE);
  return is_plain(d) && fold_once(c, o) ? d : NULL;
}

static bool is_half(const struct ir_insn *d) {
  return d->type == PTX_F16 || d->type == PTX_F16X2;
}

static void become_comparison(struct fold *c, struct ir_insn *i, const struct ir_insn *d) {
  bool ftz = d->comparison.ftz;
  unsigned cmp = d->comparison.cmp;
  fold_become(c, i, IR_SETP, (enum ptx_type)d->type, 2, d->src[0], d->src[1], fold_none());
  i->comparison.ftz = ftz;
  i->comparison.cmp = (uint8_t)cmp;
}

/* !(a < b), (a < b) && q: the comparison does it by itself. */
static bool fold_predicate(struct fold *c, struct ir_insn *i) {
  if (i->type != PTX_PRED) return false;
  if (i->op == IR_NOT) {
    const struct ir_insn *d = own_comparison(c, &i->src[0]);
    if (!d || is_half(d)) return false;
    become_comparison(c, i, d);
    i->comparison.cmp = (uint8_t)fold_inverted(d->comparison.cmp, !fold_integer(d->type));
    return true;
  }
  if (i->op != IR_AND && i->op != IR_OR && i->op != IR_XOR) return false;
  for (unsigned k = 2; k-- > 0;) {
    const struct ir_insn *d = own_comparison(c, &i->src[k]);
    struct ir_operand q = i->src[1 - k];
    if (!d || is_half(d) || q.kind == IR_CONST) continue;
    unsigned combine = i->op == IR_AND ? IR_B_AND : i->op == IR_OR ? IR_B_OR : IR_B_XOR;
    become_comparison(c, i, d);
    i->comparison.combine = (uint8_t)combine;
    i->sources = 3;
    i->src[2] = q;
    return true;
  }
  return false;
}

/* A comparison combined with the opposite of a predicate. */
static bool combine_not(struct ir_insn *i) {
  const struct ir_insn *d = i->op == IR_SETP && i->comparison.combine != IR_B_NONE && i->sources == 3
                                ? fold_from(&i->src[2], IR_NOT, PTX_PRED)
                                : NULL;
  if (!d) return false;
  i->src[2] = d->src[0];
  i->comparison.combine_invert = !i->comparison.combine_invert;
  return true;
}

bool fold_choice(struct fold *c, struct ir_insn *i) {
  if (combine_not(i)) return true;
  switch (i->op) {
  case IR_SETP:
    return fold_setp(c, i);
  case IR_SELP:
    return fold_selp(c, i);
  default:
    return fold_predicate(c, i);
  }
}
