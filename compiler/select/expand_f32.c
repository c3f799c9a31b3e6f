/* SPDX-License-Identifier: Apache-2.0
 *
 * FP32 division, reciprocal and root, and the approximate special functions.
 */
#include "compiler/select/expand.h"

#define F32_ONE 0x3f800000u
#define F32_LEAST 0x00800000u /* 2^-126, the least normal number */

/* r = -b q + a, which is exact for a q next to a / b. */
static inline struct mir_operand ex_rest(struct mir_builder *m, struct mir_operand b, struct mir_operand q,
                                         struct mir_operand a) {
  return ex_f32(m, ISA_OP_FFMA, ISA_RND_RN, ex_neg(b), q, a);
}

/* FP32 division for operands and results anywhere in the format, in any rounding.
 *
 * Subnormal operands are made normal by 2^24. Then a = A 2^i, b = B 2^j with 1 <= |A|, |B| < 2, and a / b = A / B 2^k.
 * k is kept in place of an exponent field (times 2^23), cut to +-200 first: beyond that the result overflows or is far
 * below the least subnormal number, and rounds as it would at 200. 2^k is multiplied as two factors, normal numbers
 * both.
 *
 * A / B lies in (1/2, 2) and is rounded to 24 bits, correctly (below), twice:
 *
 * - In the wanted direction. If the product with 2^k is above 2^-126 it is the result: 2^k then rounds no more, or
 *   overflows as the exact quotient does.
 *
 * - Towards zero, Z, for results up to 2^-126. If Z is not exact, the quotient lies strictly between Z and the next
 *   number U (one unit up, no power of two). So does U (1 - 2^-24): it is less than U by more than half a unit and
 *   by less than a whole one (a whole one only for a power of two). The product U 2^h * (1 - 2^-24) 2^(k-h) is
 *   rounded once, by FMUL, and falls as the quotient does, since no rounding boundary lies between Z and U.
 *
 * - .FTZ: the first, and FMUL.FTZ makes zero of what is tiny after rounding to 24 bits, as always (isa/doc/02).
 *
 * Zeros, infinities and NaNs stay as they are instead of A and B, and A * MUFU.RCP(B) is the result. */

enum { FRACTION = 23 };

struct operand {
  struct mir_operand x;     /* significand with sign, or the special value */
  struct mir_operand e;     /* exponent field in place */
  struct mir_operand small; /* predicate: x was subnormal and has been multiplied by 2^24 */
  struct mir_operand special;
};

static struct operand split_operand(struct mir_builder *m, bool ftz, struct mir_operand x) {
  struct operand o = {.special = mir_new(m->f, MIR_P, 1)};
  if (ftz) {
    o.x = ex_1(m, ISA_OP_FMUL, x, mir_imm(F32_ONE), mir_none());
    mir_set(ex_last(m), ISA_F_FTZ, 1);
  } else {
    o.small = mir_new(m->f, MIR_P, 1);
    o.x = mir_new(m->f, MIR_R, 1);
    ex_test(m, ISA_OP_FSETP, ISA_FCMP_LT, o.small, ex_abs(x), mir_imm(F32_LEAST));
    ex_mov(m, o.x, x);
    ex_if(m, o.small, ISA_OP_FMUL, o.x, x, mir_imm(0x4b800000), mir_none());
  }
  o.e = ex_1(m, ISA_OP_LOP3_LUT, o.x, mir_imm(0x7f800000), mir_zero());
  mir_set(ex_last(m), ISA_F_LUT, 0xc0);
  /* field 0 or 255 */
  struct mir_operand t = ex_1(m, ISA_OP_IADD3, o.e, mir_imm(0u - F32_LEAST), mir_zero());
  mir_set(ex_test(m, ISA_OP_ISETP, ISA_ICMP_GE, o.special, t, mir_imm(254u << FRACTION)), ISA_F_SIGN, ISA_SIGN_U32);
  ex_if(m, mir_not(o.special), ISA_OP_IADD3, o.x, o.x, ex_neg(o.e), mir_imm(F32_ONE));
  return o;
}

/* k: the difference of the exponents */
static struct mir_operand exponent_distance(struct mir_builder *m, const struct operand *a, const struct operand *b) {
  enum { FAR = 200 << FRACTION, STEP = 24 << FRACTION };
  if (a->e.kind == MIR_IMM) {
    struct mir_operand k = ex_1(m, ISA_OP_IADD3, ex_neg(b->e), a->e, mir_zero());
    if (b->small.kind == MIR_REG) ex_if(m, b->small, ISA_OP_IADD3, k, k, mir_imm(STEP), mir_zero());
    return k;
  }
  struct mir_operand k = ex_1(m, ISA_OP_IADD3, a->e, ex_neg(b->e), mir_zero());
  mir_add(m, ISA_OP_IMNMX, k, k, mir_imm(FAR), mir_none());
  mir_add(m, ISA_OP_IMNMX, k, k, mir_imm(0u - FAR), mir_none())->ps[0] = mir_not(mir_zero());
  if (a->small.kind == MIR_REG) ex_if(m, a->small, ISA_OP_IADD3, k, k, mir_imm(0u - STEP), mir_zero());
  if (b->small.kind == MIR_REG) ex_if(m, b->small, ISA_OP_IADD3, k, k, mir_imm(STEP), mir_zero());
  return k;
}

/* Two numbers with 2^k = 2^high 2^low, in place */
struct factors {
  struct mir_operand high, low;
};

static struct factors halves(struct mir_builder *m, struct mir_operand k) {
  struct factors f;
  f.high = ex_1(m, ISA_OP_SHF, mir_zero(), mir_imm(1), k);
  mir_set(ex_last(m), ISA_F_SHDIR, ISA_SHDIR_R);
  mir_set(ex_last(m), ISA_F_SHTYPE, ISA_SHTYPE_S32);
  mir_set(ex_last(m), ISA_F_SHHI, ISA_HI_HI);
  mir_add(m, ISA_OP_LOP3_LUT, f.high, f.high, mir_imm(0xff800000), mir_zero());
  mir_set(ex_last(m), ISA_F_LUT, 0xc0);
  f.low = ex_1(m, ISA_OP_IADD3, k, ex_neg(f.high), mir_zero());
  return f;
}

/* Replaces the result where it is subnormal: from the quotient cut to 24 bits and what is left of it. */
static void subnormal(struct mir_builder *m, struct mir_operand result, unsigned rnd, const struct factors *f,
                      struct mir_operand cut, struct mir_operand rest) {
  struct mir_operand inexact = mir_new(m->f, MIR_P, 1), tiny = mir_new(m->f, MIR_P, 1);
  struct mir_operand other = ex_1(m, ISA_OP_IADD3, f->low, mir_imm(F32_ONE), mir_zero());
  ex_test(m, ISA_OP_FSETP, ISA_FCMP_NEU, inexact, rest, mir_zero());
  ex_if(m, inexact, ISA_OP_IADD3, other, other, mir_imm(0xffffffff), mir_zero());
  mir_add(m, ISA_OP_IADD3, cut, cut, f->high, mir_zero());
  ex_if(m, inexact, ISA_OP_IADD3, cut, cut, mir_imm(1), mir_zero());
  ex_test(m, ISA_OP_FSETP, ISA_FCMP_LE, tiny, ex_abs(result), mir_imm(F32_LEAST));
  mir_set(ex_if(m, tiny, ISA_OP_FMUL, result, cut, other, mir_none()), ISA_F_RND, rnd);
}

/* a / b for any operands into `result`; a is 1 when `a` is mir_none(). No branch. Only where there is no guard. */
static void ex_divide_scaled(struct mir_builder *m, struct mir_operand result, unsigned rnd, bool ftz,
                             struct mir_operand a, struct mir_operand b) {
  const unsigned rn = ISA_RND_RN;
  const bool one = a.kind == MIR_NONE;
  struct operand sa = {.x = mir_imm(F32_ONE), .e = mir_imm(F32_ONE)}, sb = split_operand(m, ftz, b);
  if (one)
    sa.x = mir_reg(m, sa.x);
  else
    sa = split_operand(m, ftz, a);
  struct factors f = halves(m, exponent_distance(m, &sa, &sb));
  struct mir_operand y = ex_reciprocal(m, sb.x, rn, true);
  struct mir_operand e = ex_f32(m, ISA_OP_FFMA, rn, ex_neg(sb.x), y, mir_imm(F32_ONE));
  struct mir_operand y1 = ex_f32(m, ISA_OP_FFMA, rn, y, e, y);
  struct mir_operand special = one ? y : ex_f32(m, ISA_OP_FMUL, rn, sa.x, y, mir_none());
  struct mir_operand q = ex_f32(m, ISA_OP_FFMA, rn, ex_rest(m, sb.x, special, sa.x), y1, special);
  struct mir_operand r = ex_rest(m, sb.x, q, sa.x);
  struct mir_operand rounded = ex_f32(m, ISA_OP_FFMA, rnd, r, y1, q);
  mir_add(m, ISA_OP_IADD3, rounded, rounded, f.high, mir_zero());
  struct mir_operand other = ex_1(m, ISA_OP_IADD3, f.low, mir_imm(F32_ONE), mir_zero());
  struct mir_insn *i = mir_add(m, ISA_OP_FMUL, result, rounded, other, mir_none());
  mir_set(i, ISA_F_RND, rnd);
  mir_set(i, ISA_F_FTZ, ftz);
  if (!ftz) {
    struct mir_operand cut = ex_f32(m, ISA_OP_FFMA, ISA_RND_RZ, r, y1, q);
    subnormal(m, result, rnd, &f, cut, ex_rest(m, sb.x, cut, sa.x));
  }
  if (!one) ex_mov_if(m, sa.special, result, special);
  ex_mov_if(m, sb.special, result, special);
}

/* FP32 division and reciprocal. Instructions, on the straight path and in the slow arm (which ends on the same path):
 *
 *   div.rn               12   + 44    div.rn.ftz             12   + 29
 *   div.rm .rp .rz       10   + 44    .ftz                   10   + 29
 *   rcp, all roundings    8   + 33    .ftz                    4
 *   div.approx 5 (7)  .ftz 2     div.full 8 (10)  .ftz 5 (7)     rcp.approx 6  .ftz 1
 *                (in brackets with the MOVs that stay when an operand is needed later)
 *
 * Reciprocal: y + y (1 - b y) with y = MUFU.RCP(b) is correctly rounded in all four directions: tried for all 2^23
 * significands b (tests/compiler); others are the same times powers of two, as long as y is a normal number.
 *
 * The quotient, where FCHK.DIVIDE finds nothing: then no step overflows, underflows or loses bits below the least
 * subnormal number. Scaled by powers of two, b is an integer, 2^23 <= b < 2^24. A unit is one in the last place of
 * the quotient.
 *
 * - y = MUFU.RCP(b) (or expand.c), |1 - b y| <= 2^-23. q0 = a y is within 3 units. r0 = a - b q0 and r0 y are
 * relatively good to 2^-22, so that q1 = q0 + r0 y is within 1/2 + 2^-19 units of a / b, and equal to it where a / b
 * has no more than 24 bits. So r1 = a - b q1 is exact.
 *
 * - Directed: q1 + r1 y lies on the side of q1 on which a / b is, less than a unit away, and falls as a / b does.
 *
 * - To nearest: y1 = y + y (1 - b y) is 1 / b correctly rounded (above), so that |1 - b y1| b <= 1 - 2^-23. The
 *   distance of a / b to the middle between two numbers is n / 2b for some integer n >= 1; that of q1 to a / b is
 *   1/2 - n / 2b or, when q1 lies on the wrong side, 1/2 + n / 2b. r1 y1 is off by that times |1 - b y1|, at most
 *   (1 - 2^-23) (1 + n / b) / 2b, which is less than n / 2b: q1 + r1 y1 is on the right side of the middle. */

/* div.approx, div.full: (a s) MUFU.RCP(b s), s = 2^24 for subnormal b and, .full, 2^-2 for |b| > 2^126. */
static struct mir_operand divide_approx(struct mir_builder *m, const struct ir_insn *i, struct mir_operand a,
                                        struct mir_operand b) {
  static const struct {
    uint32_t limit, factor;
    uint8_t cmp;
  } scale[] = {{F32_LEAST, 0x4b800000, ISA_FCMP_LT}, {0x7e800000, 0x3e800000, ISA_FCMP_GT}};
  struct mir_operand x = a, y = b;
  if (!i->arithmetic.ftz || i->arithmetic.full) {
    x = mir_new(m->f, MIR_R, 1);
    y = mir_new(m->f, MIR_R, 1);
    ex_mov(m, x, a);
    ex_mov(m, y, b);
  }
  for (unsigned k = 0; k < 2; k++) {
    if (k == 0 ? i->arithmetic.ftz : !i->arithmetic.full) continue;
    struct mir_operand p = ex_flag(m);
    ex_test(m, ISA_OP_FSETP, scale[k].cmp, p, ex_abs(b), mir_imm(scale[k].limit));
    mir_set(ex_if(m, p, ISA_OP_FMUL, x, a, mir_imm(scale[k].factor), mir_none()), ISA_F_FTZ, i->arithmetic.ftz);
    ex_if(m, p, ISA_OP_FMUL, y, b, mir_imm(scale[k].factor), mir_none());
  }
  struct mir_operand r = ex_1(m, ISA_OP_FMUL, x, ex_mufu(m, ISA_MUFU_RCP, y), mir_none());
  mir_set(ex_last(m), ISA_F_FTZ, i->arithmetic.ftz);
  return r;
}

struct mir_operand expand_div_f32(struct mir_builder *m, const struct ir_insn *i, struct mir_operand a,
                                  struct mir_operand b) {
  const unsigned rn = ISA_RND_RN;
  a = ex_in(m, a, 1);
  b = ex_in(m, b, 1);
  if (i->arithmetic.approx || i->arithmetic.full) return divide_approx(m, i, a, b);
  struct mir_operand slow = ex_flag(m), y = ex_reciprocal(m, b, i->arithmetic.round, false), y1 = y;
  ex_test(m, ISA_OP_FCHK_DIVIDE, 0, slow, a, b);
  struct mir_operand q0 = ex_f32(m, ISA_OP_FMUL, rn, a, y, mir_none());
  if (i->arithmetic.round == IR_RN)
    y1 = ex_f32(m, ISA_OP_FFMA, rn, y, ex_f32(m, ISA_OP_FFMA, rn, ex_neg(b), y, mir_imm(F32_ONE)), y);
  struct mir_operand q1 = ex_f32(m, ISA_OP_FFMA, rn, ex_rest(m, b, q0, a), y, q0);
  struct mir_operand q = ex_f32(m, ISA_OP_FFMA, i->arithmetic.round, ex_rest(m, b, q1, a), y1, q1);
  struct ex_fork fork = ex_fork_begin(m, slow, true);
  ex_divide_scaled(m, q, i->arithmetic.round, i->arithmetic.ftz, a, b);
  ex_fork_end(m, &fork);
  return q;
}

/* MUFU.RCP(x s) s with s = 2^-2 from 1 on and 2^24 below: only the ends of the range come out otherwise than by MUFU
 * alone, since all other products with powers of two are exact. */
static struct mir_operand reciprocal_approx(struct mir_builder *m, bool ftz, struct mir_operand x) {
  if (ftz) return ex_mufu(m, ISA_MUFU_RCP, x);
  struct mir_operand big = ex_flag(m), s = mir_new(m->f, MIR_R, 1);
  ex_mov(m, s, mir_imm(0x4b800000));
  ex_test(m, ISA_OP_FSETP, ISA_FCMP_GE, big, ex_abs(x), mir_imm(F32_ONE));
  ex_mov_if(m, big, s, mir_imm(0x3e800000));
  struct mir_operand y = ex_mufu(m, ISA_MUFU_RCP, ex_f32(m, ISA_OP_FMUL, ISA_RND_RN, x, s, mir_none()));
  return ex_f32(m, ISA_OP_FMUL, ISA_RND_RN, y, s, mir_none());
}

/* Subnormals count as zero and give infinity; results that are tiny are zero: both as MUFU has it. There, and for
 * infinities and NaN, 1 - b y is NaN, and y stays. */
static struct mir_operand reciprocal_ftz(struct mir_builder *m, const struct ir_insn *i, struct mir_operand b) {
  struct mir_operand number = ex_flag(m), y = ex_mufu(m, ISA_MUFU_RCP, b);
  struct mir_operand e = ex_1(m, ISA_OP_FFMA, ex_neg(b), y, mir_imm(F32_ONE));
  mir_set(ex_last(m), ISA_F_FTZ, 1);
  ex_test(m, ISA_OP_FSETP, ISA_FCMP_NUM, number, e, e);
  mir_set(ex_if(m, number, ISA_OP_FFMA, y, y, e, y), ISA_F_RND, i->arithmetic.round);
  return y;
}

struct mir_operand expand_rcp_f32(struct mir_builder *m, const struct ir_insn *i, struct mir_operand b) {
  b = ex_in(m, b, 1);
  if (i->arithmetic.approx) return reciprocal_approx(m, i->arithmetic.ftz, b);
  if (i->arithmetic.ftz) return reciprocal_ftz(m, i, b);
  struct mir_operand slow = ex_flag(m);
  /* exponent field 0, or 253 and above: the result may be subnormal */
  struct mir_operand t = ex_1(m, ISA_OP_LEA, b, mir_imm(0u - (1u << 24)), mir_none());
  mir_set(ex_last(m), ISA_F_SH5, 1);
  mir_set(ex_test(m, ISA_OP_ISETP, ISA_ICMP_GE, slow, t, mir_imm(252u << 24)), ISA_F_SIGN, ISA_SIGN_U32);
  struct mir_operand y = ex_reciprocal(m, b, i->arithmetic.round, false);
  struct mir_operand e = ex_f32(m, ISA_OP_FFMA, ISA_RND_RN, ex_neg(b), y, mir_imm(F32_ONE));
  struct mir_operand r = ex_f32(m, ISA_OP_FFMA, i->arithmetic.round, y, e, y);
  struct ex_fork fork = ex_fork_begin(m, slow, true);
  ex_divide_scaled(m, r, i->arithmetic.round, false, mir_none(), b);
  ex_fork_end(m, &fork);
  return r;
}

/* FP32 square root, and the approximate special functions (tests/silicon/mufu/SPEC.md: the forms without .ftz).
 * Instructions, no branch: sqrt.rn and .rp 11, .rm and .rz 13, each with or without .ftz. sqrt.approx, rsqrt, lg2,
 * ex2: 5, with .ftz 1; sin, cos 2; tanh 1. (All above 2 with one MOV that goes away when the operand is not needed
 * any more.)
 *
 * Below 2^-100 the operand is multiplied by 2^64 and the root by 2^-32, both exactly, so that no rest below loses bits.
 *
 * - y = MUFU.RSQ(a) (or expand.c); g = a y; h = y / 2; g1 = g + (a - g^2) h, within 1/2 + 2^-19 units of the root
 * in its last place.
 *
 * - To nearest and upward g1, rounded so, is the result: tried for all operands of [1, 4) (tests/compiler), of which
 * the others are multiples by 4^n. Downward it may miss a root that is a number.
 *
 * - Downward and towards zero: a - g1^2 (g1 to nearest) is exact, so is its sign, and g1 + (a - g1^2) h lies on the
 *   root's side of g1, within a unit.
 *
 * - Of zeros, infinity, negative numbers and NaN g1 is NaN (0 * infinity): there MUFU.SQRT has the result. */

/* a where p is false, a * factor where it is true */
static struct mir_operand scaled(struct mir_builder *m, struct mir_operand p, struct mir_operand a, uint32_t factor,
                                 bool ftz) {
  struct mir_operand r = mir_new(m->f, MIR_R, 1);
  ex_mov(m, r, a);
  mir_set(ex_if(m, p, ISA_OP_FMUL, r, a, mir_imm(factor), mir_none()), ISA_F_FTZ, ftz);
  return r;
}

static void scale_result(struct mir_builder *m, struct mir_operand p, struct mir_operand r, uint32_t factor) {
  ex_if(m, p, ISA_OP_FMUL, r, r, mir_imm(factor), mir_none());
}

/* Subnormals times 2^24, and the function by MUFU. */
static struct mir_operand approximate(struct mir_builder *m, bool ftz, unsigned function, struct mir_operand x,
                                      uint32_t back) {
  if (ftz) return ex_mufu(m, function, x);
  struct mir_operand small = ex_flag(m);
  ex_test(m, ISA_OP_FSETP, ISA_FCMP_LT, small, ex_abs(x), mir_imm(F32_LEAST));
  struct mir_operand r = ex_mufu(m, function, scaled(m, small, x, 0x4b800000, false));
  if (function == ISA_MUFU_LG2)
    ex_if(m, small, ISA_OP_FADD, r, r, mir_imm(0xc1c00000), mir_none()); /* -24 */
  else
    scale_result(m, small, r, back);
  return r;
}

/* Below -126: the square of ex2 of the half. */
static struct mir_operand compute_ex2(struct mir_builder *m, bool ftz, struct mir_operand x) {
  if (ftz) return ex_mufu(m, ISA_MUFU_EX2, x);
  struct mir_operand low = ex_flag(m);
  ex_test(m, ISA_OP_FSETP, ISA_FCMP_LT, low, x, mir_imm(0xc2fc0000));
  struct mir_operand r = ex_mufu(m, ISA_MUFU_EX2, scaled(m, low, x, 0x3f000000, false));
  ex_if(m, low, ISA_OP_FMUL, r, r, r, mir_none());
  return r;
}

/* MUFU wants turns. */
static struct mir_operand circle(struct mir_builder *m, unsigned function, struct mir_operand x) {
  return ex_mufu(m, function, ex_f32(m, ISA_OP_FMUL, ISA_RND_RZ, x, mir_imm(0x3e22f983), mir_none()));
}

struct mir_operand expand_special_f32(struct mir_builder *m, const struct ir_insn *i, struct mir_operand x) {
  x = ex_in(m, x, 1);
  switch ((enum ir_op)i->op) {
  case IR_RSQRT:
    return approximate(m, i->arithmetic.ftz, ISA_MUFU_RSQ, x, 0x45800000); /* 2^12 */
  case IR_LG2:
    return approximate(m, i->arithmetic.ftz, ISA_MUFU_LG2, x, 0);
  case IR_EX2:
    return compute_ex2(m, i->arithmetic.ftz, x);
  case IR_SIN:
    return circle(m, ISA_MUFU_SIN, x);
  case IR_COS:
    return circle(m, ISA_MUFU_COS, x);
  default:
    return ex_mufu(m, ISA_MUFU_TANH, x);
  }
}

struct mir_operand expand_sqrt_f32(struct mir_builder *m, const struct ir_insn *i, struct mir_operand a) {
  const unsigned rn = ISA_RND_RN;
  a = ex_in(m, a, 1);
  if (i->arithmetic.approx) return approximate(m, i->arithmetic.ftz, ISA_MUFU_SQRT, a, 0x39800000); /* 2^-12 */
  struct mir_operand small = ex_flag(m);
  ex_test(m, ISA_OP_FSETP, ISA_FCMP_LT, small, a, mir_imm(0x0d800000));
  struct mir_operand s = scaled(m, small, a, 0x5f800000, i->arithmetic.ftz), y = ex_reciprocal_root(m, s);
  struct mir_operand g = ex_f32(m, ISA_OP_FMUL, rn, s, y, mir_none());
  struct mir_operand h = ex_f32(m, ISA_OP_FMUL, rn, y, mir_imm(0x3f000000), mir_none());
  const bool down = i->arithmetic.round == IR_RM || i->arithmetic.round == IR_RZ;
  g = ex_f32(m, ISA_OP_FFMA, down ? rn : i->arithmetic.round, ex_f32(m, ISA_OP_FFMA, rn, ex_neg(g), g, s), h, g);
  if (down) g = ex_f32(m, ISA_OP_FFMA, i->arithmetic.round, ex_f32(m, ISA_OP_FFMA, rn, ex_neg(g), g, s), h, g);
  scale_result(m, small, g, 0x2f800000);
  ex_root_special(m, g, s);
  return g;
}
