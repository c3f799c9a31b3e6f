/* SPDX-License-Identifier: Apache-2.0
 *
 * 1 / x to start from, also where the machine has no MUFU: 12 instructions instead of one, 17 with special numbers.
 *
 * The difference of a constant and the bits of |x| is within 13% of 1 / |x| (both exponent and fraction are roughly
 * logarithms). Each Newton step y + y (1 - x y) squares the error, the fourth leaves that of its own rounding: |1 - x
 * y|
 * <= 2^-24 rounded to nearest, <= 2^-23 upward. What the expansions count on beside (expand_f32.c): y + y (1 - x y) is
 * 1 / x correctly rounded, in the three directions after a last step to nearest, to nearest after a last step upward;
 * tried for all significands (tests/compiler). (To nearest after to nearest fails for 2 - 2^-23 alone.)
 */
#include "compiler/select/expand.h"

static bool has_mufu(const struct mir_function *f) {
  struct mir_insn i = {.op = ISA_OP_MUFU, .rd = mir_zero(), .src = {mir_none(), mir_zero(), mir_none()}};
  mir_set(&i, ISA_F_MUFU, ISA_MUFU_RCP);
  return mir_usable(f, &i);
}

static struct mir_operand logic(struct mir_builder *m, struct mir_operand a, struct mir_operand b, struct mir_operand c,
                                unsigned lut) {
  struct mir_operand r = ex_1(m, ISA_OP_LOP3_LUT, a, b, c);
  mir_set(ex_last(m), ISA_F_LUT, lut);
  return r;
}

static void patch_special(struct mir_builder *m, struct mir_operand y, struct mir_operand size, uint32_t x,
                          struct mir_operand result) {
  struct mir_operand p = ex_flag(m);
  mir_set(ex_test(m, ISA_OP_ISETP, ISA_ICMP_EQ, p, size, x ? mir_imm(x) : mir_zero()), ISA_F_SIGN, ISA_SIGN_U32);
  ex_mov_if(m, p, y, result);
}

struct mir_operand ex_reciprocal(struct mir_builder *m, struct mir_operand x, unsigned rnd, bool all) {
  enum { AND = 0xc0, AND_OR = 0xea, STEPS = 4, MAGIC = 0x7ef311c7, INFINITE = 0x7f800000 };
  if (has_mufu(m->f)) return ex_mufu(m, ISA_MUFU_RCP, x);
  const unsigned last = rnd == ISA_RND_RN ? ISA_RND_RP : ISA_RND_RN;
  struct mir_operand size = logic(m, x, mir_imm(0x7fffffff), mir_zero(), AND);
  struct mir_operand y = ex_1(m, ISA_OP_IADD3, ex_neg(size), mir_imm(MAGIC), mir_zero());
  for (unsigned k = 0; k < STEPS; k++) {
    struct mir_operand e = ex_f32(m, ISA_OP_FFMA, ISA_RND_RN, ex_neg(size), y, mir_imm(0x3f800000));
    y = ex_f32(m, ISA_OP_FFMA, k + 1 == STEPS ? last : ISA_RND_RN, y, e, y);
  }
  if (all) {
    patch_special(m, y, size, 0, mir_imm(INFINITE));
    patch_special(m, y, size, INFINITE, mir_zero());
  }
  struct mir_operand sign = mir_new(m->f, MIR_R, 1);
  ex_mov(m, sign, mir_imm(0x80000000));
  y = logic(m, x, sign, y, AND_OR);
  return all ? ex_f32(m, ISA_OP_FMUL, ISA_RND_RN, y, mir_imm(0x3f800000), mir_none()) : y; /* a NaN has no sign */
}

/* y + y/2 (1 - x y y); the first value from the bits again. */
struct mir_operand ex_reciprocal_root(struct mir_builder *m, struct mir_operand x) {
  enum { STEPS = 4, MAGIC = 0x5f3759df, HALF = 0x3f000000 };
  if (has_mufu(m->f)) return ex_mufu(m, ISA_MUFU_RSQ, x);
  struct mir_operand half = ex_1(m, ISA_OP_SHF, mir_zero(), mir_imm(1), x);
  mir_set(ex_last(m), ISA_F_SHDIR, ISA_SHDIR_R);
  mir_set(ex_last(m), ISA_F_SHTYPE, ISA_SHTYPE_U32);
  mir_set(ex_last(m), ISA_F_SHHI, ISA_HI_HI);
  struct mir_operand y = ex_1(m, ISA_OP_IADD3, ex_neg(half), mir_imm(MAGIC), mir_zero());
  for (unsigned k = 0; k < STEPS; k++) {
    struct mir_operand g = ex_f32(m, ISA_OP_FMUL, ISA_RND_RN, x, y, mir_none());
    struct mir_operand e = ex_f32(m, ISA_OP_FFMA, ISA_RND_RN, ex_neg(g), y, mir_imm(0x3f800000));
    struct mir_operand h = ex_f32(m, ISA_OP_FMUL, ISA_RND_RN, y, mir_imm(HALF), mir_none());
    y = ex_f32(m, ISA_OP_FFMA, ISA_RND_RN, h, e, y);
  }
  return y;
}

/* Not the root of a positive number: zeros, infinity, NaN stay, negative numbers have none. */
void ex_root_special(struct mir_builder *m, struct mir_operand root, struct mir_operand x) {
  enum { NAN_BITS = 0x7fffffff, INFINITE = 0x7f800000 };
  struct mir_operand p = ex_flag(m), t;
  if (has_mufu(m->f)) {
    ex_test(m, ISA_OP_FSETP, ISA_FCMP_NAN, p, root, root);
    mir_set(ex_if(m, p, ISA_OP_MUFU, root, mir_none(), x, mir_none()), ISA_F_MUFU, ISA_MUFU_SQRT);
    return;
  }
  t = ex_1(m, ISA_OP_IADD3, x, mir_imm(0xffffffff), mir_zero());
  mir_set(ex_test(m, ISA_OP_ISETP, ISA_ICMP_GE, p, t, mir_imm(INFINITE - 1)), ISA_F_SIGN, ISA_SIGN_U32);
  ex_if(m, p, ISA_OP_FMUL, root, x, mir_imm(0x3f800000), mir_none());
  p = ex_flag(m);
  ex_test(m, ISA_OP_FSETP, ISA_FCMP_LT, p, x, mir_zero());
  ex_mov_if(m, p, root, mir_imm(NAN_BITS));
}
