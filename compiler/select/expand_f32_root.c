/* SPDX-License-Identifier: Apache-2.0
 *
 * FP32 square root, and the approximate special functions (tests/silicon/mufu/SPEC.md: the forms without .ftz).
 * Instructions, no branch: sqrt.rn and .rp 11, .rm and .rz 13, each with or without .ftz. sqrt.approx, rsqrt, lg2,
 * ex2: 5, with .ftz 1; sin, cos 2; tanh 1. (All above 2 with one MOV that goes away when the operand is not needed
 * any more.)
 *
 * Below 2^-100 the operand is multiplied by 2^64 and the root by 2^-32, both exactly, so that no rest below loses bits.
 *
 * - y = MUFU.RSQ(a) (or expand_start.c); g = a y; h = y / 2; g1 = g + (a - g^2) h, within 1/2 + 2^-19 units of the root
 * in its last place.
 *
 * - To nearest and upward g1, rounded so, is the result: tried for all operands of [1, 4) (tests/compiler), of which
 * the others are multiples by 4^n. Downward it may miss a root that is a number.
 *
 * - Downward and towards zero: a - g1^2 (g1 to nearest) is exact, so is its sign, and g1 + (a - g1^2) h lies on the
 *   root's side of g1, within a unit.
 *
 * - Of zeros, infinity, negative numbers and NaN g1 is NaN (0 * infinity): there MUFU.SQRT has the result. */
#include "compiler/select/expand_f32.h"

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
