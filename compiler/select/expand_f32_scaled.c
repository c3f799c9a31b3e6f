/* SPDX-License-Identifier: Apache-2.0
 *
 * FP32 division for operands and results anywhere in the format, in any rounding.
 *
 * Subnormal operands are made normal by 2^24. Then a = A 2^i, b = B 2^j with 1 <= |A|, |B| < 2, and a / b = A / B 2^k.
 * k is kept in place of an exponent field (times 2^23), cut to +-200 first: beyond that the result overflows or is far
 * below the least subnormal number, and rounds as it would at 200. 2^k is multiplied as two factors, normal numbers
 * both.
 *
 * A / B lies in (1/2, 2) and is rounded to 24 bits, correctly (expand_f32.c), twice:
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
#include "compiler/select/expand_f32.h"

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

void ex_divide_scaled(struct mir_builder *m, struct mir_operand result, unsigned rnd, bool ftz, struct mir_operand a,
                      struct mir_operand b) {
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
