/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums and differences of integers. IADD3 adds three; products and shifted numbers are added where they are made.
 */
#include "compiler/select/select.h"

struct term {
  struct ir_operand o;
  bool neg;
};

struct sum {
  struct term term[3];
  unsigned n;
};

static void add_term(struct sum *t, struct ir_operand o, bool neg) {
  t->term[t->n++] = (struct term){o, neg};
}

static void terms_of(const struct ir_insn *i, struct sum *t, bool neg) {
  add_term(t, i->src[0], i->op == IR_NEG ? !neg : neg);
  if (i->op != IR_NEG) add_term(t, i->src[1], i->op == IR_SUB ? !neg : neg);
}

/* A sum that is read here alone: its terms instead. */
static void expand_terms(struct select *s, struct sum *t) {
  for (unsigned k = 0; k < t->n; k++) {
    const struct term old = t->term[k];
    const struct ir_insn *i = sel_from_once(s, &old.o, IR_ADD);
    if (!i) i = sel_from_once(s, &old.o, IR_SUB);
    if (!i) i = sel_from_op(s, &old.o, IR_NEG);
    if (!i || sel_is_float(i->type) || (i->op != IR_NEG && t->n == 3)) continue;
    t->term[k] = t->term[--t->n];
    terms_of(i, t, old.neg);
  }
}

static uint64_t negative(const struct term *t) {
  return t->o.kind == IR_CONST && t->neg ? 0 - t->o.bits : t->o.bits;
}

/* The term as an operand: constants carry their own sign. */
static struct mir_operand low_of(struct select *s, const struct term *t) {
  if (t->o.kind == IR_CONST) return sel_imm((uint32_t)negative(t));
  struct mir_operand x = sel_low(s, t->o);
  if (x.kind == MIR_IMM)
    x.imm = t->neg ? 0 - x.imm : x.imm;
  else
    x.neg = t->neg;
  return x;
}

/* a * b + other */
static bool low_product(struct select *s, const struct term *product, const struct term *other) {
  const struct ir_insn *i = sel_from_once(s, &product->o, IR_MUL);
  if (!i || sel_is_float(i->type)) return false;
  struct ir_operand b = i->src[1];
  if (product->neg) {
    if (b.kind != IR_CONST) return false;
    b.bits = (uint32_t)(0 - b.bits);
  }
  struct mir_operand c = low_of(s, other), a = sel_low(s, i->src[0]);
  if (b.kind == IR_CONST)
    sel_mad_low(s, sel_dst(s, 0), a, (uint32_t)b.bits, c);
  else
    sel_imad(s, sel_dst(s, 0), a, sel_low(s, b), c);
  return true;
}

/* (a << n) + other */
static bool low_shifted(struct select *s, const struct term *shifted, const struct term *other) {
  const struct ir_insn *i = sel_from_op(s, &shifted->o, IR_SHL);
  if (!i || shifted->neg || i->src[1].kind != IR_CONST || i->src[1].bits > 31) return false;
  struct mir_operand c = low_of(s, other);
  if (c.neg) return false;
  struct mir_insn *m = sel_op(s, ISA_OP_LEA, sel_dst(s, 0), sel_reg(s, sel_low(s, i->src[0])), c, mir_none());
  mir_set(m, ISA_F_SH5, i->src[1].bits);
  return true;
}

/* One word: 32-bit numbers, or the lower words of 64-bit ones. */
static void add_low(struct select *s, struct sum *t) {
  for (unsigned k = 0; k < 2 && t->n == 2; k++)
    if (low_product(s, &t->term[k], &t->term[1 - k]) || low_shifted(s, &t->term[k], &t->term[1 - k])) return;
  expand_terms(s, t);
  struct mir_operand x[3] = {mir_zero(), mir_zero(), mir_zero()};
  for (unsigned k = 0; k < t->n; k++) x[k] = low_of(s, &t->term[k]);
  sel_iadd(s, sel_dst(s, 0), mir_none(), x[0], x[1], x[2]);
}

static bool add_scaled(struct select *s, const struct sum *t) {
  struct sel_scaled x;
  for (unsigned k = 0; k < 2 && t->n == 2; k++) {
    if (t->term[0].neg || t->term[1].neg || !sel_scaled(s, &t->term[k].o, &x)) continue;
    /* A plain extension is worth while only where it is not at hand. */
    if (x.scale == 1 && !x.is_signed) continue;
    sel_add_scaled(s, x, t->term[1 - k].o);
    return true;
  }
  return false;
}

static struct mir_operand term_word(struct select *s, const struct term *t, unsigned word) {
  if (t->o.kind == IR_CONST) return sel_imm((uint32_t)(negative(t) >> (32 * word)));
  struct mir_operand x = sel_word(s, t->o, word);
  if (t->neg && x.kind == MIR_IMM) x = sel_reg(s, x);
  x.neg = t->neg;
  return x;
}

/* Both words of one are read before the other one is written: upper words are read behind lower ones only. */
static void add_wide(struct select *s, const struct sum *t) {
  const struct term none = {ir_bits(0), false};
  const struct term *a = &t->term[0], *b = t->n > 1 ? &t->term[1] : &none;
  struct mir_operand al = term_word(s, a, 0), ah = term_word(s, a, 1), bl = term_word(s, b, 0), bh = term_word(s, b, 1);
  struct mir_operand d = sel_dst(s, 0), carry = sel_new_predicate(s);
  bool no_carry = bl.kind == MIR_ZERO && !bl.neg && !al.neg;
  if (no_carry) {
    sel_mov(s, mir_word(d, 0), al);
    sel_iadd(s, mir_word(d, 1), mir_none(), ah, bh, mir_zero());
    return;
  }
  sel_iadd(s, mir_word(d, 0), carry, al, bl, mir_zero());
  sel_iaddx(s, mir_word(d, 1), mir_none(), ah, bh, mir_zero(), carry);
}

void select_add(struct select *s) {
  struct sum t = {.n = 0};
  terms_of(s->insn, &t, false);
  if (!sel_is_64(s->insn->type) || sel_narrow(s, 0))
    add_low(s, &t);
  else if (!add_scaled(s, &t))
    add_wide(s, &t);
}
