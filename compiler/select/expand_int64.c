/* SPDX-License-Identifier: Apache-2.0
 *
 * Integer division and remainder of 64 bits. Both upper words zero: the 32-bit sequence, 19 instructions in all. Else
 * 39 (remainder 35), signed 52 (48). Of these two to four are MOVs that the allocator may join.
 *
 * The wide arm. b' is b rounded up to 24 bits. y = MUFU.RCP(b') less one unit in the last place is at most 1/b and,
 * MUFU being within 0.975 units, at least (1 - h)/b with h < 1.975 2^-23 when b < 2^24 (b' = b), else 2.975 2^-23.
 * A digit: the rest r cut to 24 bits, times y, cut to 24 bits, cut to an integer n; r -= n b. The first two cuts lose
 * less than 2^-22 of the quotient. So the rest over b falls from R to less than R s + 1, with s < 3.98 2^-23 for
 * b < 2^24 and s < 4.98 2^-23 else. From R < 2^64/b three digits lead to less than 1 + s + s^2 + s^3 2^64/b, that is
 *
 * - for 2 <= b < 2^24 less than 1 + 2^-20 + 1.98/b < 2,
 * - for b = 1, where MUFU is exact and s < 2.6 2^-23, less than 1.6,
 * - for b >= 2^24 less than 1.001:
 *
 * the quotient is what the digits sum up to, or one more. The third digit is below 2^24. */
#include "compiler/select/expand.h"

struct wide {
  struct mir_operand a, b; /* magnitudes */
  struct mir_operand nb;   /* -b */
  struct mir_operand y;    /* a float a little below 1/b */
  struct mir_operand q, r;
};

static struct mir_operand low(struct mir_operand x) {
  return mir_word(x, 0);
}
static struct mir_operand high(struct mir_operand x) {
  return mir_word(x, 1);
}

/* d = -x */
static void negate(struct mir_builder *m, struct mir_operand d, struct mir_operand carry_out, struct mir_operand x) {
  struct mir_operand c = mir_new(m->f, MIR_P, 1);
  ex_add(m, low(d), c, mir_zero(), ex_neg(low(x)));
  ex_addx(m, high(d), carry_out, mir_zero(), ex_neg(high(x)), c);
}

static void negate_if(struct mir_builder *m, struct mir_operand flag, struct mir_operand x) {
  struct mir_operand c = mir_new(m->f, MIR_P, 1);
  ex_if(m, flag, ISA_OP_IADD3, low(x), mir_zero(), ex_neg(low(x)), mir_zero())->pd[0] = c;
  struct mir_insn *i = ex_if(m, flag, ISA_OP_IADD3_X, high(x), mir_zero(), ex_neg(high(x)), mir_zero());
  i->ps[0] = c;
  i->ps[1] = mir_not(mir_zero());
}

/* x += v (one word or two) */
static void add_to(struct mir_builder *m, struct mir_operand x, struct mir_operand v) {
  struct mir_operand c = mir_new(m->f, MIR_P, 1);
  ex_add(m, low(x), c, low(x), low(v));
  ex_addx(m, high(x), mir_none(), high(x), v.words == 2 ? high(v) : mir_zero(), c);
}

static void reciprocal(struct mir_builder *m, struct wide *w, struct mir_operand zero) {
  w->nb = mir_new(m->f, MIR_R, 2);
  struct mir_operand f = ex_1(m, ISA_OP_I2F, mir_none(), w->b, mir_none());
  mir_set(ex_last(m), ISA_F_ISRC, ISA_ITYPE_U64);
  mir_set(ex_last(m), ISA_F_RND, ISA_RND_RP);
  w->y = ex_1(m, ISA_OP_IADD3, ex_mufu(m, ISA_MUFU_RCP, f), mir_imm(0xffffffff), mir_zero());
  negate(m, w->nb, zero, w->b); /* carries when b is 0 */
}

static struct mir_operand next_digit(struct mir_builder *m, const struct wide *w, unsigned type) {
  struct mir_operand f = ex_1(m, ISA_OP_I2F, mir_none(), w->r, mir_none());
  mir_set(ex_last(m), ISA_F_ISRC, ISA_ITYPE_U64);
  mir_set(ex_last(m), ISA_F_RND, ISA_RND_RZ);
  f = ex_f32(m, ISA_OP_FMUL, ISA_RND_RZ, f, w->y, mir_none());
  struct mir_operand k = mir_new(m->f, MIR_R, type == ISA_ITYPE_U64 ? 2 : 1);
  struct mir_insn *i = mir_add(m, ISA_OP_F2I, k, mir_none(), f, mir_none());
  mir_set(i, ISA_F_DINT, type);
  mir_set(i, ISA_F_IRND, ISA_IRND_TRUNC);
  return k;
}

/* r -= k b */
static void take_off(struct mir_builder *m, struct wide *w, struct mir_operand k) {
  struct mir_operand r = ex_2(m, ISA_OP_IMAD_WIDE, low(k), low(w->nb), w->r);
  mir_set(ex_last(m), ISA_F_SIGN, ISA_SIGN_U32);
  mir_add(m, ISA_OP_IMAD, high(r), low(k), high(w->nb), high(r));
  if (k.words == 2) mir_add(m, ISA_OP_IMAD, high(r), high(k), low(w->nb), high(r));
  w->r = r;
}

/* r - b, and whether it is not negative */
static void last_correction(struct mir_builder *m, struct wide *w, bool remainder) {
  struct mir_operand t = mir_new(m->f, MIR_R, 2), c = mir_new(m->f, MIR_P, 1), more = mir_new(m->f, MIR_P, 1);
  ex_add(m, low(t), c, low(w->r), low(w->nb));
  ex_addx(m, high(t), more, high(w->r), high(w->nb), c);
  if (remainder) {
    ex_mov_if(m, more, low(w->r), low(t));
    ex_mov_if(m, more, high(w->r), high(t));
    return;
  }
  mir_add(m, ISA_OP_IADD3_X, low(w->q), low(w->q), mir_zero(), mir_zero());
  ex_last(m)->ps[0] = more;
  ex_last(m)->ps[1] = mir_not(mir_zero());
  ex_last(m)->pd[0] = c;
  ex_addx(m, high(w->q), mir_none(), high(w->q), mir_zero(), c);
}

static struct mir_operand divide_wide(struct mir_builder *m, bool remainder, struct mir_operand a, struct mir_operand b,
                                      struct mir_operand zero) {
  struct wide w = {.a = a, .b = b, .r = a};
  reciprocal(m, &w, zero);
  w.q = next_digit(m, &w, ISA_ITYPE_U64);
  take_off(m, &w, w.q);
  for (unsigned k = 0; k < 2; k++) {
    struct mir_operand digit = next_digit(m, &w, k == 0 ? ISA_ITYPE_U64 : ISA_ITYPE_U32);
    take_off(m, &w, digit);
    if (!remainder) add_to(m, w.q, digit);
  }
  last_correction(m, &w, remainder);
  return remainder ? w.r : w.q;
}

/* |x|; flag: x is negative */
static struct mir_operand magnitude(struct mir_builder *m, struct mir_operand x) {
  struct mir_operand r = mir_new(m->f, MIR_R, 2), negative = mir_new(m->f, MIR_P, 1);
  ex_test(m, ISA_OP_ISETP, ISA_ICMP_LT, negative, high(x), mir_zero());
  ex_mov(m, low(r), low(x));
  ex_mov(m, high(r), high(x));
  negate_if(m, negative, r);
  return r;
}

static struct mir_operand signed_wide(struct mir_builder *m, bool remainder, struct mir_operand a, struct mir_operand b,
                                      struct mir_operand zero) {
  struct mir_operand r = divide_wide(m, remainder, magnitude(m, a), magnitude(m, b), zero);
  struct mir_operand negative = mir_new(m->f, MIR_P, 1);
  if (remainder) {
    ex_test(m, ISA_OP_ISETP, ISA_ICMP_LT, negative, high(a), mir_zero());
  } else {
    struct mir_insn *i = mir_add(m, ISA_OP_LOP3_LUT, mir_zero(), high(a), high(b), mir_imm(0x80000000));
    mir_set(i, ISA_F_LUT, 0x28); /* (a ^ b) & c */
    i->pd[0] = negative;
  }
  negate_if(m, negative, r);
  return r;
}

static void all_ones_if(struct mir_builder *m, struct mir_operand zero, struct mir_operand x) {
  ex_mov_if(m, zero, low(x), mir_imm(0xffffffff));
  ex_mov_if(m, zero, high(x), mir_imm(0xffffffff));
}

struct mir_operand ex_divide_64(struct mir_builder *m, bool is_signed, bool remainder, struct mir_operand a,
                                struct mir_operand b) {
  struct mir_operand wide = ex_flag(m), zero, result = mir_new(m->f, MIR_R, 2);
  struct mir_insn *i = mir_add(m, ISA_OP_LOP3_LUT, mir_zero(), high(a), high(b), mir_zero());
  mir_set(i, ISA_F_LUT, 0xfc); /* a | b */
  i->pd[0] = wide;
  i->keeps_old = i->guard.kind != MIR_NONE;
  struct ex_fork fork = ex_fork_begin(m, wide, false);
  zero = mir_new(m->f, MIR_P, 1);
  struct mir_operand r = is_signed ? signed_wide(m, remainder, a, b, zero) : divide_wide(m, remainder, a, b, zero);
  ex_mov(m, low(result), low(r));
  ex_mov(m, high(result), high(r));
  all_ones_if(m, zero, result);
  ex_fork_else(m, &fork);
  r = ex_divide_u32(m, remainder, low(a), low(b), &zero);
  ex_mov(m, low(result), r);
  ex_mov(m, high(result), mir_zero());
  all_ones_if(m, zero, result);
  ex_fork_end(m, &fork);
  return result;
}
