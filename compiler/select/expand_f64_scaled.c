/* SPDX-License-Identifier: Apache-2.0
 *
 * FP64 division for operands and results anywhere in the format, in any rounding: what expand_f32_scaled.c says, with
 * 2^54 for subnormal operands, and upper words for the exponents.
 *
 * Special operands: A * Y, where Y is MUFU.RCP64H of B with zeros below, or B itself if that is NaN; the dividend's NaN
 * counts first (tests/silicon/nan.txt), so it is the second factor (isa/doc/08). */
#include "compiler/select/expand_f64.h"

struct operand {
  struct mir_operand x;     /* significand with sign, or the special value */
  struct mir_operand e;     /* exponent field in place of the upper word */
  struct mir_operand small; /* predicate: x was subnormal and has been multiplied by 2^54 */
  struct mir_operand special;
};

static struct mir_operand low(struct mir_operand x) {
  return mir_word(x, 0);
}
static struct mir_operand high(struct mir_operand x) {
  return mir_word(x, 1);
}

static struct operand split_operand(struct mir_builder *m, struct mir_operand x) {
  struct operand o = {
      .x = mir_new(m->f, MIR_R, 2), .small = mir_new(m->f, MIR_P, 1), .special = mir_new(m->f, MIR_P, 1)};
  ex_test(m, ISA_OP_DSETP, ISA_FCMP_LT, o.small, ex_abs(x), mir_imm_f64(F64_LEAST));
  ex_mov(m, low(o.x), low(x));
  ex_mov(m, high(o.x), high(x));
  ex_if(m, o.small, ISA_OP_DMUL, o.x, x, mir_imm_f64((1023 + 54) << F64_FIELD), mir_none());
  o.e = ex_1(m, ISA_OP_LOP3_LUT, high(o.x), mir_imm(0x7ff00000), mir_zero());
  mir_set(ex_last(m), ISA_F_LUT, 0xc0);
  ex_range64(m, o.special, o.x, 1, 2047, false);
  ex_if(m, mir_not(o.special), ISA_OP_IADD3, high(o.x), high(o.x), ex_neg(o.e), mir_imm(F64_ONE));
  return o;
}

/* k: the difference of the exponents, cut to +-1300 before 54 is added or subtracted */
static struct mir_operand exponent_distance(struct mir_builder *m, const struct operand *a, const struct operand *b) {
  enum { FAR = 1300 << F64_FIELD, STEP = 54 << F64_FIELD };
  if (a->e.kind == MIR_IMM) {
    struct mir_operand k = ex_1(m, ISA_OP_IADD3, ex_neg(b->e), a->e, mir_zero());
    ex_if(m, b->small, ISA_OP_IADD3, k, k, mir_imm(STEP), mir_zero());
    return k;
  }
  struct mir_operand k = ex_1(m, ISA_OP_IADD3, a->e, ex_neg(b->e), mir_zero());
  mir_add(m, ISA_OP_IMNMX, k, k, mir_imm(FAR), mir_none());
  mir_add(m, ISA_OP_IMNMX, k, k, mir_imm(0u - FAR), mir_none())->ps[0] = mir_not(mir_zero());
  ex_if(m, a->small, ISA_OP_IADD3, k, k, mir_imm(0u - STEP), mir_zero());
  ex_if(m, b->small, ISA_OP_IADD3, k, k, mir_imm(STEP), mir_zero());
  return k;
}

/* 2^k = 2^h 2^(k-h): h in place, and the second factor as a number */
static struct mir_operand halves(struct mir_builder *m, struct mir_operand k, struct mir_operand factor) {
  struct mir_operand h = ex_1(m, ISA_OP_SHF, mir_zero(), mir_imm(1), k);
  mir_set(ex_last(m), ISA_F_SHDIR, ISA_SHDIR_R);
  mir_set(ex_last(m), ISA_F_SHTYPE, ISA_SHTYPE_S32);
  mir_set(ex_last(m), ISA_F_SHHI, ISA_HI_HI);
  mir_add(m, ISA_OP_LOP3_LUT, h, h, mir_imm(0xfff00000), mir_zero());
  mir_set(ex_last(m), ISA_F_LUT, 0xc0);
  mir_add(m, ISA_OP_IADD3, high(factor), k, ex_neg(h), mir_imm(F64_ONE));
  ex_mov(m, low(factor), mir_zero());
  return h;
}

/* Replaces the result up to 2^-1022: from the quotient cut to 53 bits and what is left of it. Changes `factor`. */
static void subnormal(struct mir_builder *m, struct mir_operand result, unsigned rnd, struct mir_operand h,
                      struct mir_operand factor, struct mir_operand cut, struct mir_operand rest) {
  struct mir_operand inexact = mir_new(m->f, MIR_P, 1), tiny = mir_new(m->f, MIR_P, 1), c = mir_new(m->f, MIR_P, 1);
  ex_test(m, ISA_OP_DSETP, ISA_FCMP_NEU, inexact, rest, mir_zero());
  /* factor less 2^-53 of it, cut up by one unit */
  ex_mov_if(m, inexact, low(factor), mir_imm(0xffffffff));
  ex_if(m, inexact, ISA_OP_IADD3, high(factor), high(factor), mir_imm(0xffffffff), mir_zero());
  ex_if(m, inexact, ISA_OP_IADD3, low(cut), low(cut), mir_imm(1), mir_zero())->pd[0] = c;
  struct mir_insn *i = ex_if(m, inexact, ISA_OP_IADD3_X, high(cut), high(cut), mir_zero(), mir_zero());
  i->ps[0] = c;
  i->ps[1] = mir_not(mir_zero());
  mir_add(m, ISA_OP_IADD3, high(cut), high(cut), h, mir_zero());
  ex_test(m, ISA_OP_DSETP, ISA_FCMP_LE, tiny, ex_abs(result), mir_imm_f64(F64_LEAST));
  mir_set(ex_if(m, tiny, ISA_OP_DMUL, result, cut, factor, mir_none()), ISA_F_RND, rnd);
}

static void copy_if(struct mir_builder *m, struct mir_operand flag, struct mir_operand d, struct mir_operand x) {
  ex_mov_if(m, flag, low(d), low(x));
  ex_mov_if(m, flag, high(d), high(x));
}

void ex_divide_scaled64(struct mir_builder *m, struct mir_operand result, unsigned rnd, struct mir_operand a,
                        struct mir_operand b) {
  const unsigned rn = ISA_RND_RN;
  const bool one = a.kind == MIR_NONE;
  struct operand sa = {.e = mir_imm(F64_ONE)}, sb = split_operand(m, b);
  if (one)
    sa.x = mir_wide(m, (uint64_t)F64_ONE << 32);
  else
    sa = split_operand(m, a);
  struct mir_operand factor = mir_new(m->f, MIR_R, 2), h = halves(m, exponent_distance(m, &sa, &sb), factor);
  struct mir_operand y0 = ex_start64(m, ISA_MUFU_RCP64H, sb.x, 0x80000000), nan = mir_new(m->f, MIR_P, 1);
  struct mir_operand y = ex_refine64(m, sb.x, y0, true);
  struct mir_operand q = ex_f64(m, ISA_OP_DMUL, rn, sa.x, y, mir_none());
  q = ex_f64(m, ISA_OP_DFMA, rn, ex_rest64(m, sb.x, q, sa.x), y, q);
  struct mir_operand r = ex_rest64(m, sb.x, q, sa.x);
  struct mir_operand rounded = ex_f64(m, ISA_OP_DFMA, rnd, r, y, q), cut = ex_f64(m, ISA_OP_DFMA, ISA_RND_RZ, r, y, q);
  mir_add(m, ISA_OP_IADD3, high(rounded), high(rounded), h, mir_zero());
  mir_set(mir_add(m, ISA_OP_DMUL, result, rounded, factor, mir_none()), ISA_F_RND, rnd);
  struct mir_operand rest = ex_rest64(m, sb.x, cut, sa.x);
  subnormal(m, result, rnd, h, factor, cut, rest);
  ex_test(m, ISA_OP_DSETP, ISA_FCMP_NAN, nan, sb.x, sb.x);
  ex_mov(m, low(y0), mir_zero());
  copy_if(m, nan, y0, sb.x);
  struct mir_operand product = ex_f64(m, ISA_OP_DMUL, rn, y0, sa.x, mir_none());
  if (!one) copy_if(m, sa.special, result, product);
  copy_if(m, sb.special, result, product);
}
