/* SPDX-License-Identifier: Apache-2.0
 * What the RTL lacks: conversions between FP16 and FP32. */
#include "compiler/select/substitute.h"

enum { AND = 0xc0, OR = 0xfc, MASK_OR = 0xea }; /* MASK_OR: (a & b) | c */
enum { F32_ONE = 0x3f800000, F32_HALF = 0x3f000000, F32_2_112 = 0x77800000 };
enum { F32_LEAST_HALF = 0x38800000, F16_INFINITE = 0x7c00, F16_MOST = 0x7bff, F16_NAN = 0x7fff }; /* 2^-14 */

/* ---- F2F from FP16: its bits as those of an FP32 number, which is too small by 2^112; from 2^16 on it stood for
 * infinity or no number, and the sum makes every NaN the one of all results. */

static bool from_half(struct substitute *s) {
  const struct mir_insn *i = s->insn;
  const struct mir_operand x = i->src[1];
  if (sub_field(i, ISA_F_SAT) != 0 || x.neg || x.abs) return false;
  struct mir_operand h = sub_reg(s, x);
  const bool upper = h.part == ISA_HALF1_H1;
  h.part = 0;
  struct mir_operand sign = upper ? h : sub_shift(s, h, 16, false, false);
  struct mir_operand f = upper ? sub_shift(s, h, 3, true, false) : sub_shift(s, h, 13, false, false);
  f = sub_lop3(s, f, mir_imm(0x0fffe000), mir_zero(), AND);
  f = sub_1(s, ISA_OP_FMUL, f, mir_imm(F32_2_112), mir_none());
  struct mir_operand huge = sub_compare_float(s, ISA_FCMP_GE, f, mir_imm(0x47800000));
  f = sub_choose(s, huge, sub_lop3(s, f, mir_imm(0x7f800000), mir_zero(), OR), f);
  f = sub_lop3(s, sign, mir_imm(0x80000000), f, MASK_OR);
  struct mir_operand minus_zero = mir_zero();
  minus_zero.neg = true;
  (void)sub_last(s, ISA_OP_FADD, f, minus_zero, mir_none());
  return true;
}

/* ---- to FP16. The bits of an FP32 number, rounded behind the tenth of the fraction, less 112 of the exponent; below
 * 2^-14 a sum with 0.5 rounds to multiples of 2^-24, which is what the last bit of that sum is worth. */

static struct mir_operand normal(struct substitute *s, struct mir_operand size, bool nearest) {
  if (nearest) {
    struct mir_operand last = sub_lop3(s, sub_shift(s, size, 13, true, false), mir_imm(1), mir_zero(), AND);
    size = sub_add(s, size, mir_imm(0xfff), last);
  }
  return sub_add(s, sub_shift(s, size, 13, true, false), mir_imm(0u - (112u << 10)), mir_zero());
}

static struct mir_operand tiny(struct substitute *s, struct mir_operand size, uint64_t round) {
  struct mir_operand sum = sub_1(s, ISA_OP_FADD, size, mir_imm(F32_HALF), mir_none());
  mir_set(sub_made(s), ISA_F_RND, round);
  return sub_add(s, sum, mir_imm(0u - F32_HALF), mir_zero());
}

/* In the low half, zeros above. Numbers too large are infinite, or the largest one. */
static struct mir_operand to_half(struct substitute *s, struct mir_operand x, uint64_t round) {
  const bool nearest = round == ISA_RND_RN;
  if (x.neg || x.abs)
    x = sub_1(s, ISA_OP_FMUL, x, mir_imm(F32_ONE), mir_none());
  else
    x = sub_reg(s, x);
  struct mir_operand size = sub_lop3(s, x, mir_imm(0x7fffffff), mir_zero(), AND);
  struct mir_operand r =
      sub_extreme(s, normal(s, size, nearest), mir_imm(nearest ? F16_INFINITE : F16_MOST), false, false);
  if (!nearest) {
    struct mir_operand finite = sub_compare(s, ISA_ICMP_NE, false, size, mir_imm(0x7f800000));
    r = sub_choose(s, mir_not(finite), sub_reg(s, mir_imm(F16_INFINITE)), r);
  }
  struct mir_operand below = sub_compare(s, ISA_ICMP_LT, false, size, mir_imm(F32_LEAST_HALF));
  r = sub_choose(s, below, tiny(s, size, round), r);
  r = sub_lop3(s, sub_shift(s, x, 16, true, false), mir_imm(0x8000), r, MASK_OR);
  struct mir_operand number = sub_compare(s, ISA_ICMP_LE, false, size, mir_imm(0x7f800000));
  return sub_choose(s, number, r, mir_imm(F16_NAN));
}

bool sub_half(struct substitute *s) {
  const struct mir_insn *i = s->insn;
  const uint64_t from = sub_field(i, ISA_F_FSRC), to = sub_field(i, ISA_F_FDST), round = sub_field(i, ISA_F_RND);
  if (sub_field(i, ISA_F_SAT) != 0) return false;
  if (from == ISA_FTO_F16 && to == ISA_FTO_F32) return from_half(s);
  if (from == ISA_FTO_F32 && to == ISA_FTO_F64) return sub_double(s);
  if (from != ISA_FTO_F32 || to != ISA_FTO_F16 || (round != ISA_RND_RN && round != ISA_RND_RZ)) return false;
  sub_move(s, to_half(s, i->src[1], round));
  return true;
}

bool sub_halves(struct substitute *s) {
  const struct mir_insn *i = s->insn;
  const uint64_t round = sub_field(i, ISA_F_RND);
  if ((round != ISA_RND_RN && round != ISA_RND_RZ) || sub_field(i, ISA_F_RELU) != 0) return false;
  struct mir_operand upper = to_half(s, i->src[0], round), lower = to_half(s, i->src[1], round);
  sub_move(s, sub_lop3(s, sub_shift(s, upper, 16, false, false), lower, mir_zero(), OR));
  return true;
}
