/* SPDX-License-Identifier: Apache-2.0
 *
 * FP32 division and reciprocal. Instructions, on the straight path and in the slow arm (which ends on the same path):
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
 * - y = MUFU.RCP(b) (or expand_start.c), |1 - b y| <= 2^-23. q0 = a y is within 3 units. r0 = a - b q0 and r0 y are
 * relatively good to 2^-22, so that q1 = q0 + r0 y is within 1/2 + 2^-19 units of a / b, and equal to it where a / b
 * has no more than 24 bits. So r1 = a - b q1 is exact.
 *
 * - Directed: q1 + r1 y lies on the side of q1 on which a / b is, less than a unit away, and falls as a / b does.
 *
 * - To nearest: y1 = y + y (1 - b y) is 1 / b correctly rounded (above), so that |1 - b y1| b <= 1 - 2^-23. The
 *   distance of a / b to the middle between two numbers is n / 2b for some integer n >= 1; that of q1 to a / b is
 *   1/2 - n / 2b or, when q1 lies on the wrong side, 1/2 + n / 2b. r1 y1 is off by that times |1 - b y1|, at most
 *   (1 - 2^-23) (1 + n / b) / 2b, which is less than n / 2b: q1 + r1 y1 is on the right side of the middle. */
#include "expand_f32.h"

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
