/* SPDX-License-Identifier: Apache-2.0
 *
 * Integer division and remainder.
 */
#include "compiler/select/expand.h"

static struct mir_operand ex_divide_const(struct mir_builder *m, bool is_signed, bool remainder, struct mir_operand a,
                                          uint32_t d);

static struct mir_operand ex_divide_64(struct mir_builder *m, bool is_signed, bool remainder, struct mir_operand a,
                                       struct mir_operand b);

/* Integer division and remainder of 32 bits: 12 instructions unsigned, 16 signed, no branch.
 *
 * With Y = 2^32 / b: I2F rounds b up, MUFU.RCP is within one unit in the last place, two units are taken off and the
 * exponent raised by 32: the result y0, cut to an integer, is Y - d with 0 <= d < 1 + Y 2^-20.9. e = 2^32 - b y0 = b d.
 * y1 = y0 + floor((y0 + 1) e / 2^32) = floor(Y - d (d - 1) / Y). This is floor(Y), or Y - 1 when b is a power of two:
 * for other b the fraction of Y is at least 1/b, and d (d - 1) / Y is less than the fraction, since
 *   d < 1: it is negative;  1 <= d < 2: d = 1 + fraction, and d < Y;
 *   d >= 2: then Y > 2^20, so d < 2 Y 2^-20.9, and d^2 < 2^32 / b^2.
 * So Y - y1 <= 1, a y1 / 2^32 is less than a / b by less than 1, and q = floor(a y1 / 2^32) is the quotient or one
 * less. (Tried for every b, too, with the largest multiple of b as a.)
 *
 * A divisor of 0 gives all ones, quotient and remainder (tests/silicon/ops); -2^31 / -1 gives -2^31. */

/* I2F.U32.RP; MUFU.RCP; less two units, times 2^32; F2I.U32.TRUNC */
static void start_value(struct mir_builder *m, struct mir_operand b, struct mir_operand y0) {
  struct mir_operand f = ex_1(m, ISA_OP_I2F, mir_none(), b, mir_none());
  mir_set(ex_last(m), ISA_F_ISRC, ISA_ITYPE_U32);
  mir_set(ex_last(m), ISA_F_RND, ISA_RND_RP);
  struct mir_operand r = ex_reciprocal(m, f, ISA_RND_RZ, false);
  r = ex_1(m, ISA_OP_IADD3, r, mir_imm((32u << 23) - 2), mir_zero());
  struct mir_insn *i = mir_add(m, ISA_OP_F2I, y0, mir_none(), r, mir_none());
  mir_set(i, ISA_F_DINT, ISA_ITYPE_U32);
  mir_set(i, ISA_F_IRND, ISA_IRND_TRUNC);
}

static struct mir_operand high_product(struct mir_builder *m, struct mir_operand a, struct mir_operand b,
                                       struct mir_operand c, unsigned sign) {
  struct mir_operand r = ex_1(m, ISA_OP_IMAD_HI, a, b, c);
  mir_set(ex_last(m), ISA_F_SIGN, sign);
  return r;
}

static struct mir_operand ex_divide_u32(struct mir_builder *m, bool remainder, struct mir_operand a,
                                        struct mir_operand b, struct mir_operand *zero) {
  struct mir_operand w = mir_new(m->f, MIR_R, 2), nb = mir_new(m->f, MIR_R, 1), none = mir_none();
  *zero = ex_flag(m);
  start_value(m, b, mir_word(w, 1));
  ex_add(m, nb, *zero, mir_zero(), ex_neg(b)); /* carries when b is 0 */
  m->b->last->keeps_old = m->guard.kind != MIR_NONE;
  mir_add(m, ISA_OP_IMAD, mir_word(w, 0), mir_word(w, 1), nb, mir_zero());
  struct mir_operand y = high_product(m, mir_word(w, 1), mir_word(w, 0), w, ISA_SIGN_U32); /* w = {y0 : e} */
  struct mir_operand q = high_product(m, a, y, mir_zero(), ISA_SIGN_U32);
  struct mir_operand r = ex_1(m, ISA_OP_IMAD, q, nb, a);
  if (remainder) { /* the smaller of r and r - b, which wraps when it is negative */
    struct mir_operand t = ex_1(m, ISA_OP_IADD3, r, nb, mir_zero());
    mir_add(m, ISA_OP_IMNMX, r, r, t, none);
    mir_set(ex_last(m), ISA_F_SIGN, ISA_SIGN_U32);
    return r;
  }
  struct mir_operand more = ex_flag(m);
  mir_set(ex_test(m, ISA_OP_ISETP, ISA_ICMP_GE, more, r, b), ISA_F_SIGN, ISA_SIGN_U32);
  ex_if(m, more, ISA_OP_IADD3, q, q, mir_imm(1), mir_zero());
  return q;
}

static struct mir_operand magnitude(struct mir_builder *m, struct mir_operand x) {
  return ex_1(m, ISA_OP_IABS, mir_none(), x, mir_none());
}

/* The remainder has the dividend's sign; the quotient is negative when the signs differ. */
static struct mir_operand divide_s32(struct mir_builder *m, bool remainder, struct mir_operand a, struct mir_operand b,
                                     struct mir_operand *zero) {
  struct mir_operand r = ex_divide_u32(m, remainder, magnitude(m, a), magnitude(m, b), zero), negative = ex_flag(m);
  if (remainder) {
    ex_test(m, ISA_OP_ISETP, ISA_ICMP_LT, negative, a, mir_zero());
  } else {
    struct mir_insn *i = mir_add(m, ISA_OP_LOP3_LUT, mir_zero(), a, b, mir_imm(0x80000000));
    mir_set(i, ISA_F_LUT, 0x28); /* (a ^ b) & c */
    i->pd[0] = negative;
    i->keeps_old = i->guard.kind != MIR_NONE;
  }
  ex_if(m, negative, ISA_OP_IADD3, r, mir_zero(), ex_neg(r), mir_zero());
  return r;
}

struct mir_operand expand_div_int(struct mir_builder *m, enum ptx_type t, bool remainder, struct mir_operand a,
                                  struct mir_operand b) {
  const bool is_signed = t == PTX_S32 || t == PTX_S64, wide = t == PTX_S64 || t == PTX_U64 || t == PTX_B64;
  struct mir_operand zero;
  if (wide) return ex_divide_64(m, is_signed, remainder, ex_in(m, a, 2), ex_in(m, b, 2));
  if (b.kind == MIR_IMM) return ex_divide_const(m, is_signed, remainder, ex_in(m, a, 1), b.imm);
  a = ex_in(m, a, 1);
  b = ex_in(m, b, 1);
  struct mir_operand r = is_signed ? divide_s32(m, remainder, a, b, &zero) : ex_divide_u32(m, remainder, a, b, &zero);
  ex_mov_if(m, zero, r, mir_imm(0xffffffff));
  return r;
}

/* Integer division and remainder of 64 bits. Both upper words zero: the 32-bit sequence, 19 instructions in all. Else
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
static struct mir_operand wide_magnitude(struct mir_builder *m, struct mir_operand x) {
  struct mir_operand r = mir_new(m->f, MIR_R, 2), negative = mir_new(m->f, MIR_P, 1);
  ex_test(m, ISA_OP_ISETP, ISA_ICMP_LT, negative, high(x), mir_zero());
  ex_mov(m, low(r), low(x));
  ex_mov(m, high(r), high(x));
  negate_if(m, negative, r);
  return r;
}

static struct mir_operand signed_wide(struct mir_builder *m, bool remainder, struct mir_operand a, struct mir_operand b,
                                      struct mir_operand zero) {
  struct mir_operand r = divide_wide(m, remainder, wide_magnitude(m, a), wide_magnitude(m, b), zero);
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

static struct mir_operand ex_divide_64(struct mir_builder *m, bool is_signed, bool remainder, struct mir_operand a,
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

/* 32-bit integer division by a constant: shifts for powers of two, else a multiplication by the reciprocal with the
 * upper word of the product (Granlund and Montgomery, "Division by invariant integers using multiplication", 1994).
 * Unsigned 1, 2 or 4 instructions, signed 3 to 5; one more for the remainder. */

static struct mir_operand shift_right(struct mir_builder *m, struct mir_operand x, unsigned n, unsigned type) {
  if (n == 0) return x;
  struct mir_operand r = ex_1(m, ISA_OP_SHF, mir_zero(), mir_imm(n), x);
  mir_set(ex_last(m), ISA_F_SHDIR, ISA_SHDIR_R);
  mir_set(ex_last(m), ISA_F_SHTYPE, type);
  mir_set(ex_last(m), ISA_F_SHHI, ISA_HI_HI);
  return r;
}

/* b + (x >> (32 - n)), the shift unsigned */
static struct mir_operand add_top_bits(struct mir_builder *m, struct mir_operand x, unsigned n, struct mir_operand b) {
  struct mir_operand r = ex_1(m, ISA_OP_LEA_HI, x, b, mir_zero());
  mir_set(ex_last(m), ISA_F_SH5, n);
  return r;
}

static struct mir_operand bit_and(struct mir_builder *m, struct mir_operand x, uint32_t mask) {
  struct mir_operand r = ex_1(m, ISA_OP_LOP3_LUT, x, mir_imm(mask), mir_zero());
  mir_set(ex_last(m), ISA_F_LUT, 0xc0);
  return r;
}

/* a - q d, or q */
static struct mir_operand quotient_or_rest(struct mir_builder *m, bool remainder, struct mir_operand q,
                                           struct mir_operand a, uint32_t d) {
  return remainder ? ex_1(m, ISA_OP_IMAD, q, mir_imm(0u - d), a) : q;
}

static unsigned log2_floor(uint32_t x) {
  unsigned n = 0;
  while (x >>= 1) n++;
  return n;
}

/* 2^s < d < 2^(s + 1). m = floor(2^(32 + s) / d) has 32 bits and lacks e = rest / d of the true value. Rounded up, m +
 * 1 serves every a < 2^32 if (m + 1) d - 2^(32 + s) <= 2^s; else m with a + 1 in place of a does: the rest is then at
 * most 2^s (d - rest > 2^s, d < 2^(s + 1)). */
static struct mir_operand divide_u32_by(struct mir_builder *m, struct mir_operand a, uint32_t d) {
  unsigned s = log2_floor(d);
  uint64_t power = UINT64_C(1) << (32 + s);
  uint32_t k = (uint32_t)(power / d), missing = d - (uint32_t)(power % d);
  struct mir_operand q;
  if (missing <= UINT32_C(1) << s) {
    k++;
    while (s > 0 && k % 2 == 0) { /* the same factor with a shorter shift */
      k /= 2;
      s--;
    }
    q = high_product(m, a, mir_imm(k), mir_zero(), ISA_SIGN_U32);
  } else { /* a k + k */
    q = high_product(m, a, mir_imm(k), mir_wide(m, k), ISA_SIGN_U32);
  }
  return shift_right(m, q, s, ISA_SHTYPE_U32);
}

/* The power of two above and the factor for a signed d, |d| >= 3 and no power of two: the least p >= 32 with
 * 2^p > nc (|d| - 2^p mod |d|), nc the largest value whose rest is |d| - 1; factor (2^p + |d| - 2^p mod |d|) / |d|. */
static void signed_magic(uint32_t ad, uint32_t *factor, unsigned *shift) {
  uint64_t top = UINT64_C(1) << 31, nc = top - 1 - top % ad;
  for (unsigned p = 32; p < 64; p++) {
    uint64_t power = UINT64_C(1) << p, lack = ad - power % ad;
    if (power / nc < lack || (power / nc == lack && power % nc == 0)) continue; /* 2^p > nc lack */
    *factor = (uint32_t)((power + lack) / ad);
    *shift = p - 32;
    return;
  }
}

static struct mir_operand negated(struct mir_builder *m, struct mir_operand x) {
  return ex_1(m, ISA_OP_IADD3, mir_zero(), ex_neg(x), mir_zero());
}

static struct mir_operand divide_s32_by(struct mir_builder *m, struct mir_operand a, uint32_t ad, bool negative) {
  uint32_t k = 0;
  unsigned s = 0;
  signed_magic(ad, &k, &s);
  struct mir_operand q = high_product(m, a, mir_imm(k), mir_zero(), ISA_SIGN_S32);
  if (k >> 31) q = ex_1(m, ISA_OP_IADD3, q, a, mir_zero()); /* the factor counted as k - 2^32 */
  struct mir_operand floor = shift_right(m, q, s, ISA_SHTYPE_S32);
  q = add_top_bits(m, floor, 1, floor); /* towards zero: one more when negative */
  return negative ? negated(m, q) : q;
}

/* Negative dividends get |d| - 1 more, so that the shift rounds towards zero. */
static struct mir_operand power_s32(struct mir_builder *m, bool remainder, struct mir_operand a, unsigned n,
                                    bool negative) {
  struct mir_operand u = add_top_bits(m, shift_right(m, a, 31, ISA_SHTYPE_S32), n, a);
  if (remainder) return ex_1(m, ISA_OP_IADD3, a, ex_neg(bit_and(m, u, ~UINT32_C(0) << n)), mir_zero());
  u = shift_right(m, u, n, ISA_SHTYPE_S32);
  return negative ? negated(m, u) : u;
}

/* NONE when it is not worth while. */
static struct mir_operand ex_divide_const(struct mir_builder *m, bool is_signed, bool remainder, struct mir_operand a,
                                          uint32_t d) {
  bool negative = is_signed && d >> 31;
  uint32_t ad = negative ? 0u - d : d;
  if (d == 0) return ex_in(m, mir_imm(0xffffffff), 1);
  if (ad == 1) return remainder ? ex_in(m, mir_imm(0), 1) : negative ? negated(m, a) : a;
  if ((ad & (ad - 1)) == 0) {
    unsigned n = log2_floor(ad);
    if (is_signed) return power_s32(m, remainder, a, n, negative);
    return remainder ? bit_and(m, a, ad - 1) : shift_right(m, a, n, ISA_SHTYPE_U32);
  }
  struct mir_operand q = is_signed ? divide_s32_by(m, a, ad, negative) : divide_u32_by(m, a, ad);
  return quotient_or_rest(m, remainder, q, a, d);
}
