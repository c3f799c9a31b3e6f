/* SPDX-License-Identifier: Apache-2.0
 * What the RTL lacks: conversions between FP32 and integers that are not of 32 bits; FMNMX.NAN; FP32 to
 * FP64. */
#include "compiler/select/substitute.h"

enum { AND = 0xc0, OR = 0xfc, XOR = 0x3c, MASK_OR = 0xea }; /* MASK_OR: (a & b) | c */
enum { F32_NAN = 0x7fffffff, F32_ONE = 0x3f800000, F32_BIAS = 127, F32_PART = 23 };
enum { F32_2_31 = 0x4f000000, F32_2_63 = 0x5f000000, F32_2_64 = 0x5f800000 };

struct mir_operand sub_compare_float(struct substitute *s, unsigned cmp, struct mir_operand a, struct mir_operand b) {
  struct mir_operand p = mir_new(s->f, MIR_P, 1);
  (void)sub_1(s, ISA_OP_FSETP, a, b, mir_none());
  struct mir_insn *i = sub_made(s);
  i->rd = mir_none();
  i->pd[0] = p;
  mir_set(i, ISA_F_FCMP, cmp);
  return p;
}

static struct mir_operand to_word(struct substitute *s, struct mir_operand x, bool is_signed) {
  struct mir_operand n = sub_1(s, ISA_OP_F2I, mir_none(), x, mir_none());
  mir_set(sub_made(s), ISA_F_DINT, is_signed ? ISA_ITYPE_S32 : ISA_ITYPE_U32);
  mir_set(sub_made(s), ISA_F_IRND, sub_field(s->insn, ISA_F_IRND));
  mir_set(sub_made(s), ISA_F_FTZ, sub_field(s->insn, ISA_F_FTZ));
  return n;
}

static struct mir_operand from_word(struct substitute *s, struct mir_operand x, bool is_signed, uint64_t round) {
  struct mir_operand f = sub_1(s, ISA_OP_I2F, mir_none(), x, mir_none());
  mir_set(sub_made(s), ISA_F_ISRC, is_signed ? ISA_ITYPE_S32 : ISA_ITYPE_U32);
  mir_set(sub_made(s), ISA_F_RND, round);
  return f;
}

/* How many bits the number has, without sign; 0 has at most 0. */
static struct mir_operand length(struct substitute *s, struct mir_operand x) {
  struct mir_operand e = sub_shift(s, from_word(s, x, false, ISA_RND_RZ), F32_PART, true, false);
  return sub_extreme(s, sub_add(s, e, mir_imm(0u - (F32_BIAS - 1)), mir_zero()), mir_zero(), true, true);
}

/* ---- I2F: the upper 32 bits that count, the lowest of them set where one below it is, times a power of two. Of at
 * least 31 bits the lowest is below every halfway point, and both it and what it stands for lie on the same side. */

bool sub_from_integer(struct substitute *s) {
  const struct mir_insn *i = s->insn;
  const uint64_t from = sub_field(i, ISA_F_ISRC);
  const bool is_signed = from == ISA_ITYPE_S64;
  if ((!is_signed && from != ISA_ITYPE_U64) || sub_field(i, ISA_F_FLT) != ISA_FTYPE_F32) return false;
  struct mir_operand wide = i->src[1], lo = sub_reg(s, mir_word(wide, 0)), hi = sub_reg(s, mir_word(wide, 1)), top = hi;
  if (is_signed) { /* bits 62 to 31, all turned round where the number is negative */
    struct mir_operand sign = sub_shift(s, hi, 31, true, true);
    top = sub_funnel(s, lo, mir_imm(1), hi, false, ISA_SHTYPE_U64, true);
    top = sub_lop3(s, top, sign, mir_zero(), XOR);
  }
  struct mir_operand by = length(s, top), word = sub_funnel(s, lo, by, hi, true, ISA_SHTYPE_U64, false);
  struct mir_operand rest = sub_add(s, sub_minus(by), mir_imm(32), mir_zero());
  rest = sub_funnel(s, lo, rest, mir_zero(), false, ISA_SHTYPE_U32, false);
  struct mir_operand lost = sub_compare(s, ISA_ICMP_NE, false, rest, mir_zero());
  word = sub_choose(s, lost, sub_lop3(s, word, mir_imm(1), mir_zero(), OR), word);
  struct mir_operand f = from_word(s, word, is_signed, sub_field(i, ISA_F_RND));
  struct mir_operand scale = sub_add(s, sub_shift(s, by, F32_PART, false, false), mir_imm(F32_ONE), mir_zero());
  (void)sub_last(s, ISA_OP_FMUL, f, scale, mir_none());
  return true;
}

/* ---- F2I ---- */

static void to_narrow(struct substitute *s, unsigned bits, bool is_signed) {
  const uint32_t most = (UINT32_C(1) << (bits - is_signed)) - 1;
  struct mir_operand n = to_word(s, s->insn->src[1], true);
  n = sub_extreme(s, n, is_signed ? mir_imm(~most) : mir_zero(), true, true);
  sub_move(s, sub_extreme(s, n, mir_imm(most), true, false));
}

struct pair {
  struct mir_operand lo, hi;
};

static void give_pair(struct substitute *s, struct pair v) {
  struct mir_operand rd = s->insn->rd;
  const struct mir_operand part[2] = {v.lo, v.hi};
  for (unsigned k = 0; k < 2; k++) {
    sub_move(s, part[k]);
    if (rd.kind == MIR_REG) sub_made(s)->rd = mir_word(rd, k);
  }
}

static struct pair choose_pair(struct substitute *s, struct mir_operand p, struct pair yes, struct pair no) {
  return (struct pair){sub_choose(s, p, yes.lo, no.lo), sub_choose(s, p, yes.hi, no.hi)};
}

/* |x| of 2^31 and more: the fraction, moved to the left. */
static struct pair magnitude(struct substitute *s, struct mir_operand x) {
  struct mir_operand part = sub_lop3(s, x, mir_imm(0x7fffff), sub_reg(s, mir_imm(0x800000)), MASK_OR);
  struct mir_operand e = sub_shift(s, sub_shift(s, x, 1, false, false), 24, true, false);
  struct mir_operand by = sub_add(s, e, mir_imm(0u - (F32_BIAS + F32_PART)), mir_zero());
  return (struct pair){sub_funnel(s, part, by, mir_zero(), false, ISA_SHTYPE_U64, false),
                       sub_funnel(s, part, by, mir_zero(), false, ISA_SHTYPE_U64, true)};
}

/* -v where sign is all ones */
static struct pair with_sign(struct substitute *s, struct pair v, struct mir_operand sign) {
  struct mir_operand carry = mir_new(s->f, MIR_P, 1);
  struct mir_operand lo = sub_lop3(s, v.lo, sign, mir_zero(), XOR), hi = sub_lop3(s, v.hi, sign, mir_zero(), XOR);
  lo = sub_add(s, lo, sub_shift(s, sign, 31, true, false), mir_zero()); /* less -1 would carry for 0 too */
  sub_made(s)->pd[0] = carry;
  hi = sub_1(s, ISA_OP_IADD3_X, hi, mir_zero(), mir_zero());
  sub_made(s)->ps[0] = carry;
  sub_made(s)->ps[1] = mir_not(mir_zero());
  return (struct pair){lo, hi};
}

/* The operand in a register, its signs carried out: times one. Only the second factor can be a constant. */
static struct mir_operand plain_operand(struct substitute *s, struct mir_operand x) {
  struct mir_operand one = mir_imm(F32_ONE);
  if (x.kind == MIR_REG) return sub_1(s, ISA_OP_FMUL, x, one, mir_none());
  return sub_1(s, ISA_OP_FMUL, sub_reg(s, one), x, mir_none());
}

static void to_wide(struct substitute *s, bool is_signed) {
  struct mir_operand x = plain_operand(s, s->insn->src[1]), size = x;
  size.abs = true;
  struct mir_operand small = sub_compare_float(s, ISA_FCMP_LT, is_signed ? size : x, mir_imm(F32_2_31));
  struct mir_operand nan = sub_compare_float(s, ISA_FCMP_NAN, x, x);
  struct mir_operand big = sub_compare_float(s, ISA_FCMP_GE, size, mir_imm(is_signed ? F32_2_63 : F32_2_64));
  struct mir_operand n = to_word(s, x, is_signed);
  const struct pair word = {n, is_signed ? sub_shift(s, n, 31, true, true) : mir_zero()};
  struct mir_operand ones = sub_reg(s, mir_imm(UINT32_MAX));
  struct pair v = magnitude(s, x), most = {ones, ones};
  if (is_signed) {
    struct mir_operand sign = sub_shift(s, x, 31, true, true);
    v = with_sign(s, v, sign);
    most.lo = sub_lop3(s, sign, mir_zero(), mir_zero(), 0x0f);
    most.hi = sub_lop3(s, sign, mir_imm(0x7fffffff), mir_zero(), XOR);
  }
  v = choose_pair(s, big, most, v);
  v = choose_pair(s, small, word, v);
  give_pair(s, choose_pair(s, nan, (struct pair){mir_zero(), sub_reg(s, mir_imm(0x80000000))}, v));
}

bool sub_to_integer(struct substitute *s) {
  if (sub_field(s->insn, ISA_F_FLT) != ISA_FTYPE_F32) return false;
  switch (sub_field(s->insn, ISA_F_DINT)) {
  case ISA_ITYPE_S8:
    to_narrow(s, 8, true);
    return true;
  case ISA_ITYPE_U8:
    to_narrow(s, 8, false);
    return true;
  case ISA_ITYPE_S16:
    to_narrow(s, 16, true);
    return true;
  case ISA_ITYPE_U16:
    to_narrow(s, 16, false);
    return true;
  case ISA_ITYPE_S64:
    to_wide(s, true);
    return true;
  case ISA_ITYPE_U64:
    to_wide(s, false);
    return true;
  default:
    return false;
  }
}

/* ---- F2F to FP64: the same bits with 896 more of the exponent. A subnormal number is a whole number times 2^-149; an
 * infinite one has all bits of the exponent in either format, and a NaN keeps its own but for the one that says quiet.
 */

enum { F64_PART = 20, F64_MORE = 896 << F64_PART, F64_SPECIAL = 1792 << F64_PART, F64_QUIET = 1 << 19 };

bool sub_double(struct substitute *s) {
  const struct mir_insn *i = s->insn;
  if (i->src[1].neg || i->src[1].abs || sub_field(i, ISA_F_FTZ) != 0) return false;
  struct mir_operand x = sub_reg(s, i->src[1]), size = sub_lop3(s, x, mir_imm(0x7fffffff), mir_zero(), AND);
  struct mir_operand tiny = sub_compare(s, ISA_ICMP_LT, false, size, mir_imm(0x00800000));
  struct mir_operand huge = sub_compare(s, ISA_ICMP_GE, false, size, mir_imm(0x7f800000));
  struct mir_operand nan = sub_compare(s, ISA_ICMP_GT, false, size, mir_imm(0x7f800000));
  struct mir_operand some = sub_compare(s, ISA_ICMP_NE, false, size, mir_zero());
  struct mir_operand part = sub_choose(s, tiny, from_word(s, size, false, ISA_RND_RN), size);
  struct mir_operand more = sub_choose(s, tiny, sub_reg(s, mir_imm(F64_MORE - (149 << F64_PART))), mir_imm(F64_MORE));
  more = sub_choose(s, huge, sub_reg(s, mir_imm(F64_SPECIAL)), more);
  struct mir_operand hi = sub_add(s, sub_shift(s, part, 3, true, false), more, mir_zero());
  hi = sub_choose(s, nan, sub_lop3(s, hi, mir_imm(F64_QUIET), mir_zero(), OR), hi);
  hi = sub_choose(s, some, hi, mir_zero());
  hi = sub_lop3(s, x, mir_imm(0x80000000), hi, MASK_OR);
  give_pair(s, (struct pair){sub_shift(s, part, 29, false, false), hi});
  return true;
}

/* ---- FMNMX.NAN ---- */

bool sub_extreme_nan(struct substitute *s) {
  const struct mir_insn *i = s->insn;
  struct mir_operand r = sub_1(s, ISA_OP_FMNMX, i->src[0], i->src[1], mir_none());
  mir_set(sub_made(s), ISA_F_FTZ, sub_field(i, ISA_F_FTZ));
  sub_made(s)->ps[0] = i->ps[0];
  struct mir_operand nan = sub_compare_float(s, ISA_FCMP_NAN, i->src[0], i->src[1]);
  sub_last(s, ISA_OP_SEL, r, mir_imm(F32_NAN), mir_none())->ps[0] = mir_not(nan);
  return true;
}
