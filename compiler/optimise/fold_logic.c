/* SPDX-License-Identifier: Apache-2.0
 *
 * Bitwise operations. Every one is a table over its operands, in the order of LOP3's index (a << 2 | b << 1 | c); one
 * whose operand is computed by another, wanted by nobody else, takes its place over the other's operands, as long as
 * three suffice. Tables that are plain operations are written as such.
 */
#include "compiler/optimise/fold.h"

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
