/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of integers.
 */
#include "compiler/select/select.h"

static void sel_mulhi64(struct select *s, struct mir_operand rd, struct ir_operand a, struct ir_operand b,
                        bool is_signed);

static void sel_mul64(struct select *s, struct mir_operand rd, struct ir_operand a, struct ir_operand b,
                      struct mir_operand c);

/* Sums and differences of integers. IADD3 adds three; products and shifted numbers are added where they are made. */

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

/* Sums with carries as values: add.cc, addc, sub.cc, subc, mad.cc, madc. A borrow is what the machine calls no carry.
 */

/* The carry of destination 1, or NONE. */
static struct mir_operand new_carry(struct select *s) {
  return s->insn->dsts > 1 ? sel_new_predicate(s) : mir_none();
}

static void give_carry(struct select *s, struct mir_operand p, bool borrow) {
  if (s->insn->dsts < 2) return;
  if (borrow) p = mir_not(p);
  if (!sel_is(s, 1, p)) sel_plop3(s, sel_dst(s, 1), p, mir_none(), mir_none(), 0xf0);
}

/* rd = a + b (+ in), one word; in NONE: none comes in. */
static void add_word(struct select *s, struct mir_operand rd, struct mir_operand out, struct mir_operand a,
                     struct mir_operand b, struct mir_operand in) {
  if (in.kind == MIR_NONE)
    sel_iadd(s, rd, out, a, b, mir_zero());
  else
    sel_iaddx(s, rd, out, a, b, mir_zero(), in);
}

/* A word of what is added: ~b for a difference. */
static struct mir_operand added(struct select *s, struct mir_operand b, bool minus) {
  if (!minus) return b;
  return sel_neg(b.kind == MIR_IMM ? sel_reg(s, b) : b);
}

struct words {
  struct mir_operand a[2], b[2];
  unsigned n;
};

static void multiply_words(struct select *s, struct words *w) {
  const struct ir_insn *i = s->insn;
  struct mir_operand t = sel_new(s, w->n);
  if (w->n == 2) {
    if (i->arithmetic.high)
      sel_mulhi64(s, t, i->src[0], i->src[1], sel_is_signed(i->type));
    else
      sel_mul64(s, t, i->src[0], i->src[1], mir_zero());
  } else if (i->arithmetic.high) {
    struct mir_insn *m = sel_swap(s, ISA_OP_IMAD_HI, t, sel_low(s, i->src[0]), sel_low(s, i->src[1]), mir_zero());
    mir_set(m, ISA_F_SIGN, sel_is_signed(i->type) ? ISA_SIGN_S32 : ISA_SIGN_U32);
  } else {
    sel_imad(s, t, sel_low(s, i->src[0]), sel_low(s, i->src[1]), mir_zero());
  }
  for (unsigned k = 0; k < w->n; k++) {
    w->a[k] = mir_word(t, k);
    w->b[k] = sel_word(s, i->src[2], k);
  }
}

void select_carry(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool minus = i->op == IR_SUBC;
  const unsigned fixed = i->op == IR_MADC ? 3 : 2;
  struct words w = {.n = sel_is_64(i->type) ? 2 : 1};
  struct mir_operand in = i->sources > fixed ? sel_predicate(s, i->src[fixed]) : mir_none();
  if (minus && in.kind != MIR_NONE) in = mir_not(in);
  if (i->op == IR_MADC) {
    multiply_words(s, &w);
  } else {
    for (unsigned k = 0; k < w.n; k++) {
      w.a[k] = sel_word(s, i->src[0], k);
      w.b[k] = added(s, sel_word(s, i->src[1], k), minus);
    }
  }
  struct mir_operand d = sel_new(s, w.n), out = new_carry(s);
  for (unsigned k = 0; k < w.n; k++) {
    struct mir_operand to = k + 1 < w.n ? sel_new_predicate(s) : out;
    add_word(s, mir_word(d, k), to, w.a[k], w.b[k], in);
    in = to;
  }
  sel_finish(s, 0, d);
  give_carry(s, out, minus);
}

/* Products of integers, with and without a sum behind. */

static bool is_zero_operand(struct mir_operand x) {
  return x.kind == MIR_ZERO;
}

static void sel_mul64(struct select *s, struct mir_operand rd, struct ir_operand a, struct ir_operand b,
                      struct mir_operand c) {
  bool both_signed = sel_extended(s, &a, true) && sel_extended(s, &b, true);
  struct mir_operand al = sel_low(s, a), bl = sel_low(s, b);
  if (both_signed) {
    sel_imad_wide(s, rd, al, bl, c, true);
    return;
  }
  sel_imad_wide(s, rd, al, bl, c, false);
  if (!sel_extended(s, &b, false)) sel_imad(s, mir_word(rd, 1), al, sel_high(s, b), mir_word(rd, 1));
  if (!sel_extended(s, &a, false)) sel_imad(s, mir_word(rd, 1), bl, sel_high(s, a), mir_word(rd, 1));
}

/* MUL, MAD: the low words. */
void select_mul(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool mad = i->op == IR_MAD;
  const struct ir_operand zero = ir_bits(0);
  if (!sel_is_64(i->type) || sel_narrow(s, 0)) {
    struct mir_operand a = sel_low(s, i->src[0]), c = sel_low(s, mad ? i->src[2] : zero);
    if (i->src[1].kind == IR_CONST && !is_zero_operand(c))
      sel_mad_low(s, sel_dst(s, 0), a, (uint32_t)i->src[1].bits, c);
    else
      sel_imad(s, sel_dst(s, 0), a, sel_low(s, i->src[1]), c);
    return;
  }
  struct mir_operand c = mad ? sel_pair(s, i->src[2]) : mir_zero();
  sel_touch(s);
  struct mir_operand d = sel_dst_late(s, 0);
  sel_mul64(s, d, i->src[0], i->src[1], c);
  sel_finish(s, 0, d);
}

/* rd -= a where `sign` is negative. */
static void subtract_where(struct select *s, struct mir_operand rd, struct mir_operand sign, struct mir_operand al,
                           struct mir_operand ah) {
  struct mir_operand mask = sel_new(s, 1), l = sel_new(s, 1), h = sel_new(s, 1), carry = sel_new_predicate(s);
  (void)sel_shf(s, mask, mir_zero(), mir_imm(31), sign, true, ISA_SHTYPE_S32, true);
  sel_lop3(s, l, mask, al, mir_zero(), 0xc0);
  sel_lop3(s, h, mask, ah, mir_zero(), 0xc0);
  sel_iadd(s, mir_word(rd, 0), carry, mir_word(rd, 0), sel_neg(l), mir_zero());
  sel_iaddx(s, mir_word(rd, 1), mir_none(), mir_word(rd, 1), sel_neg(h), mir_zero(), carry);
}

/* The upper 64 of 128 bits: four products, carried along in the addends; then a signed one is set right. */
static void sel_mulhi64(struct select *s, struct mir_operand rd, struct ir_operand a, struct ir_operand b,
                        bool is_signed) {
  struct mir_operand al = sel_low(s, a), ah = sel_high(s, a), bl = sel_low(s, b), bh = sel_high(s, b),
                     carry = sel_new_predicate(s);
  struct mir_operand t = sel_new(s, 2), u = sel_new(s, 2), v = sel_new(s, 2);
  sel_imad_wide(s, t, al, bl, mir_zero(), false);
  sel_imad_wide(s, u, ah, bl, sel_join(s, mir_word(t, 1), mir_zero()), false);
  sel_imad_wide(s, v, al, bh, sel_join(s, mir_word(u, 0), mir_zero()), false);
  sel_imad_wide(s, rd, ah, bh, sel_join(s, mir_word(u, 1), mir_zero()), false);
  sel_iadd(s, mir_word(rd, 0), carry, mir_word(rd, 0), mir_word(v, 1), mir_zero());
  sel_iaddx(s, mir_word(rd, 1), mir_none(), mir_word(rd, 1), mir_zero(), mir_zero(), carry);
  if (!is_signed) return;
  subtract_where(s, rd, ah, bl, bh);
  subtract_where(s, rd, bh, al, ah);
}

/* MULHI, MADHI */
void select_mulhi(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool mad = i->op == IR_MADHI, is_signed = sel_is_signed(i->type);
  if (sel_is_64(i->type)) {
    struct mir_operand h = sel_new(s, 2);
    sel_mulhi64(s, h, i->src[0], i->src[1], is_signed);
    if (mad) {
      struct mir_operand carry = sel_new_predicate(s), lo = sel_low(s, i->src[2]), hi = sel_high(s, i->src[2]);
      sel_iadd(s, mir_word(h, 0), carry, mir_word(h, 0), lo, mir_zero());
      sel_iaddx(s, mir_word(h, 1), mir_none(), mir_word(h, 1), hi, mir_zero(), carry);
    }
    sel_finish(s, 0, h);
    return;
  }
  struct mir_operand a = sel_low(s, i->src[0]), b = sel_low(s, i->src[1]), c = mad ? sel_low(s, i->src[2]) : mir_zero();
  struct mir_operand h = mad ? sel_new(s, 1) : sel_dst(s, 0);
  struct mir_insn *m = sel_swap(s, ISA_OP_IMAD_HI, h, a, b, mir_zero());
  mir_set(m, ISA_F_SIGN, is_signed ? ISA_SIGN_S32 : ISA_SIGN_U32);
  if (mad) sel_iadd(s, sel_dst(s, 0), mir_none(), h, c, mir_zero());
}

/* MULWIDE, MADWIDE: factors of 32 bits, the rest of 64. */
void select_mulwide(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool mad = i->op == IR_MADWIDE, is_signed = sel_is_signed(i->type);
  if (ptx_type_bytes((enum ptx_type)i->type) != 4) {
    sel_refuse(s, "factors of this type");
    return;
  }
  if (mad && i->src[1].kind == IR_CONST && !(i->src[1].bits >> 31)) {
    sel_add_scaled(s, (struct sel_scaled){i->src[0], is_signed, (uint32_t)i->src[1].bits}, i->src[2]);
    return;
  }
  struct mir_operand a = sel_low(s, i->src[0]), b = sel_low(s, i->src[1]);
  if (sel_narrow(s, 0)) {
    sel_imad(s, sel_dst(s, 0), a, b, mad ? sel_low(s, i->src[2]) : mir_zero());
    return;
  }
  const bool in_registers = a.kind == MIR_REG && b.kind == MIR_REG && s->wide_addends;
  struct mir_operand c = !mad ? mir_zero() : in_registers ? sel_wide(s, i->src[2]) : sel_pair(s, i->src[2]);
  sel_imad_wide(s, sel_dst(s, 0), a, b, c, is_signed);
}

/* Integer division, absolute values and differences, minimum and maximum. */

/* As expansions take them: a 64-bit constant of one word is an immediate. */
static struct mir_operand factor(struct select *s, struct ir_operand o, bool wide) {
  if (!wide) return sel_low(s, o);
  return o.kind == IR_CONST && !(o.bits >> 32) ? sel_imm((uint32_t)o.bits) : sel_pair(s, o);
}

void select_divide(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool wide = sel_is_64(i->type);
  struct mir_operand a = factor(s, i->src[0], wide), b = factor(s, i->src[1], wide);
  sel_finish(s, 0, expand_div_int(&s->m, (enum ptx_type)i->type, i->op == IR_REM, a, b));
}

/* p = a < b, 64 bits. */
static struct mir_operand less(struct select *s, const struct ir_insn *i, struct mir_operand a[2],
                               struct mir_operand b[2]) {
  struct mir_operand q = sel_new_predicate(s), p = sel_new_predicate(s);
  struct mir_operand al = sel_reg(s, a[0]), ah = sel_reg(s, a[1]);
  struct mir_insn *m = sel_op(s, ISA_OP_ISETP, mir_none(), al, b[0], mir_none());
  mir_set(m, ISA_F_ICMP, ISA_ICMP_LT);
  mir_set(m, ISA_F_SIGN, ISA_SIGN_U32);
  m->pd[0] = q;
  m = sel_op(s, ISA_OP_ISETP_EX, mir_none(), ah, b[1], mir_none());
  mir_set(m, ISA_F_ICMP, ISA_ICMP_LT);
  mir_set(m, ISA_F_SIGN, sel_is_signed(i->type) ? ISA_SIGN_S32 : ISA_SIGN_U32);
  m->ps[2] = q;
  m->pd[0] = p;
  return p;
}

static void operand_words(struct select *s, struct ir_operand o, struct mir_operand w[2]) {
  for (unsigned k = 0; k < 2; k++) w[k] = sel_word(s, o, k);
}

void select_minmax(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool max = i->op == IR_MAX;
  if (!sel_is_64(i->type)) {
    struct mir_insn *m =
        sel_swap(s, ISA_OP_IMNMX, sel_dst(s, 0), sel_low(s, i->src[0]), sel_low(s, i->src[1]), mir_none());
    mir_set(m, ISA_F_SIGN, sel_is_signed(i->type) ? ISA_SIGN_S32 : ISA_SIGN_U32);
    m->ps[0] = sel_choice(!max);
    return;
  }
  struct mir_operand a[2], b[2];
  operand_words(s, i->src[0], a);
  operand_words(s, i->src[1], b);
  struct mir_operand p = less(s, i, a, b), d = sel_dst(s, 0);
  for (unsigned k = 0; k < d.words; k++) sel_sel(s, mir_word(d, k), max ? b[k] : a[k], max ? a[k] : b[k], p);
}

void select_abs(struct select *s) {
  const struct ir_insn *i = s->insn;
  if (!sel_is_64(i->type)) {
    (void)sel_op(s, ISA_OP_IABS, sel_dst(s, 0), mir_none(), sel_low(s, i->src[0]), mir_none());
    return;
  }
  struct mir_operand a[2], p = sel_new_predicate(s), carry = sel_new_predicate(s), n = sel_new(s, 2);
  operand_words(s, i->src[0], a);
  struct mir_insn *m = sel_op(s, ISA_OP_ISETP, mir_none(), a[1], mir_zero(), mir_none());
  mir_set(m, ISA_F_ICMP, ISA_ICMP_LT);
  m->pd[0] = p;
  sel_iadd(s, mir_word(n, 0), carry, sel_neg(sel_reg(s, a[0])), mir_zero(), mir_zero());
  sel_iaddx(s, mir_word(n, 1), mir_none(), sel_neg(sel_reg(s, a[1])), mir_zero(), mir_zero(), carry);
  struct mir_operand d = sel_dst(s, 0);
  for (unsigned k = 0; k < d.words; k++) sel_sel(s, mir_word(d, k), mir_word(n, k), a[k], p);
}

/* |a - b| + c */
void select_sad(struct select *s) {
  const struct ir_insn *i = s->insn;
  if (!sel_is_64(i->type)) {
    struct mir_operand x[3];
    for (unsigned k = 0; k < 3; k++) x[k] = sel_low(s, i->src[k]);
    struct mir_insn *m = sel_swap(s, ISA_OP_VABSDIFF, sel_dst(s, 0), x[0], x[1], x[2]);
    mir_set(m, ISA_F_SIGN, sel_is_signed(i->type) ? ISA_SIGN_S32 : ISA_SIGN_U32);
    return;
  }
  struct mir_operand a[2], b[2], c[2], more = sel_new(s, 2), fewer = sel_new(s, 2);
  operand_words(s, i->src[0], a);
  operand_words(s, i->src[1], b);
  operand_words(s, i->src[2], c);
  struct mir_operand p = less(s, i, a, b), carry = sel_new_predicate(s), t = sel_new(s, 2);
  for (unsigned k = 0; k < 2; k++) {
    sel_sel(s, mir_word(more, k), b[k], a[k], p);
    sel_sel(s, mir_word(fewer, k), a[k], b[k], p);
  }
  sel_iadd(s, mir_word(t, 0), carry, mir_word(more, 0), sel_neg(mir_word(fewer, 0)), mir_zero());
  sel_iaddx(s, mir_word(t, 1), mir_none(), mir_word(more, 1), sel_neg(mir_word(fewer, 1)), mir_zero(), carry);
  carry = sel_new_predicate(s);
  struct mir_operand d = sel_dst_pair(s, 0);
  sel_iadd(s, mir_word(d, 0), carry, mir_word(t, 0), c[0], mir_zero());
  sel_iaddx(s, mir_word(d, 1), mir_none(), mir_word(t, 1), c[1], mir_zero(), carry);
}
