/* SPDX-License-Identifier: Apache-2.0
 *
 * FP64 division and reciprocal. Instructions, on the straight path and in the slow arm (which ends on the same path):
 *
 *   div, all roundings   14  + 58        rcp, all roundings   12  + 47        rcp.approx.ftz   2
 *
 * Notation: significands in [1, 2); B = b 2^52, an integer; k = 2^53 - B; units of the last place of what is computed.
 *
 * - y0 = MUFU.RCP64H with 2^31 below: |e0| = |1 - b y0| < 2^-20.6. y1 = y0 + y0 (e0 + e0^2) = (1 - e0^3) / b, within
 *   1/2 + 2^-9 units. e1 = 1 - b y1 is exact; y2 = y1 + y1 e1 = (1 - e1^2) / b before it is rounded.
 *
 * - 1/b is neither a number nor the middle of two, unless b is a power of two. Its distance to a middle is n / 2B
 *   units, n >= 1. Where that matters (n small) y1 is at most 1/2 + n / 2B units away, and the term e1^2 / b amounts
 *   to b (1 + n / B)^2 2^-55 units. That is less than n / 2B = n / (b 2^53), except for n = 1, k = 1, when it may be
 *   equal; but for k = 1 y0 is above 1/b, y1 is the upper neighbour, and y2 comes out right (tests/compiler).
 *   So y2 is 1/b rounded to nearest. Directed: y1 + y1 e1 lies on the side of y1 on which 1/b is.
 *
 * - div.rn: q0 = a y2 is within 1/2 + a/4 < 1 unit of a/b for a >= b, else within 1/2 + a/2. r0 = a - b q0.
 *   At most one unit away, r0 is exact, and r0 y2 is off by the distance times |1 - b y2|, where |1 - b y2| B is at
 *   most b^2 / 4 <= 1 - 2^-52 + 2^-106. Near a middle the distance is 1/2 +- n / 2B: the error is less than
 *   (1 - 2^-52 + 2^-106) (1 + n / B) / 2B < n / 2B, and q0 + r0 y2 falls as a/b does.
 *   More than one unit away (a < b), r0 may have lost its last bit: the error is up to 2.5 / B. The next middle is
 *   1/2 or 3/2 units from q0. That 3/2 is nearly reached needs a and b within a few 2^-52 of 2; then a/b is within
 *   2^-48 units of a number and far from every middle.
 *
 * - Other roundings: q1 = q0 + r0 y1 with q0 = a y1 is within 1/2 + 2^-50 units, and equal to a/b if that is a
 *   number; r1 = a - b q1 is exact, and q1 + r1 y1 is on the right side of q1, less than a unit away.
 *
 * FCHK.DIVIDE sees the upper words: the upper 8 of the 11 exponent bits are its exponent fields. What it lets pass
 * has a quotient in [2^-808, 2^1008), a of at least 2^-823, and b in [2^-1007, 2^1001): no step overflows, and all
 * rests are exact. */
#include "expand_f64.h"

struct mir_operand ex_start64(struct mir_builder *m, unsigned function, struct mir_operand x, uint32_t low) {
  struct mir_operand y = mir_new(m->f, MIR_R, 2);
  mir_set(mir_add(m, ISA_OP_MUFU, mir_word(y, 1), mir_none(), mir_word(x, 1), mir_none()), ISA_F_MUFU, function);
  ex_mov(m, mir_word(y, 0), low ? mir_imm(low) : mir_zero());
  return y;
}

struct mir_operand ex_refine64(struct mir_builder *m, struct mir_operand b, struct mir_operand y, bool twice) {
  const struct mir_operand one = mir_imm_f64(F64_ONE);
  struct mir_operand e = ex_rest64(m, b, y, one);
  y = ex_grow64(m, ISA_RND_RN, y, ex_grow64(m, ISA_RND_RN, e, e));
  return twice ? ex_grow64(m, ISA_RND_RN, y, ex_rest64(m, b, y, one)) : y;
}

void ex_range64(struct mir_builder *m, struct mir_operand flag, struct mir_operand x, unsigned from, unsigned to,
                bool sign) {
  struct mir_operand t;
  if (sign) {
    t = ex_1(m, ISA_OP_IADD3, mir_word(x, 1), mir_imm(0u - (from << F64_FIELD)), mir_zero());
  } else {
    t = ex_1(m, ISA_OP_LEA, mir_word(x, 1), mir_imm(0u - (from << (F64_FIELD + 1))), mir_none());
    mir_set(ex_last(m), ISA_F_SH5, 1);
  }
  unsigned room = (to - from) << (F64_FIELD + (sign ? 0 : 1));
  mir_set(ex_test(m, ISA_OP_ISETP, ISA_ICMP_GE, flag, t, mir_imm(room)), ISA_F_SIGN, ISA_SIGN_U32);
}

struct mir_operand expand_div_f64(struct mir_builder *m, const struct ir_insn *i, struct mir_operand a,
                                  struct mir_operand b) {
  const bool nearest = i->arithmetic.round == IR_RN;
  a = ex_in(m, a, 2);
  b = ex_in(m, b, 2);
  struct mir_operand slow = ex_flag(m);
  ex_test(m, ISA_OP_FCHK_DIVIDE, 0, slow, mir_word(a, 1), mir_word(b, 1));
  struct mir_operand y = ex_refine64(m, b, ex_start64(m, ISA_MUFU_RCP64H, b, 0x80000000), nearest);
  struct mir_operand q = ex_f64(m, ISA_OP_DMUL, ISA_RND_RN, a, y, mir_none());
  q = ex_f64(m, ISA_OP_DFMA, ISA_RND_RN, ex_rest64(m, b, q, a), y, q);
  if (!nearest) q = ex_f64(m, ISA_OP_DFMA, i->arithmetic.round, ex_rest64(m, b, q, a), y, q);
  struct ex_fork fork = ex_fork_begin(m, slow, true);
  ex_divide_scaled64(m, q, i->arithmetic.round, a, b);
  ex_fork_end(m, &fork);
  return q;
}

struct mir_operand expand_rcp_f64(struct mir_builder *m, const struct ir_insn *i, struct mir_operand b) {
  b = ex_in(m, b, 2);
  if (i->arithmetic.approx) return ex_start64(m, ISA_MUFU_RCP64H, b, 0);
  struct mir_operand slow = ex_flag(m);
  ex_range64(m, slow, b, 1, 2045, false); /* from 2^1022 on the result may be subnormal */
  struct mir_operand y = ex_refine64(m, b, ex_start64(m, ISA_MUFU_RCP64H, b, 0x80000000), false);
  y = ex_grow64(m, i->arithmetic.round, y, ex_rest64(m, b, y, mir_imm_f64(F64_ONE)));
  struct ex_fork fork = ex_fork_begin(m, slow, true);
  ex_divide_scaled64(m, y, i->arithmetic.round, mir_none(), b);
  ex_fork_end(m, &fork);
  return y;
}
