/* SPDX-License-Identifier: Apache-2.0
 *
 * What the RTL lacks: conversions and comparisons.
 */
#include "compiler/select/substitute.h"

/* What the RTL lacks: conversions between FP32 and integers that are not of 32 bits; FMNMX.NAN; FP32 to
 * FP64. */

enum { AND = 0xc0, OR = 0xfc, XOR = 0x3c, MASK_OR = 0xea }; /* MASK_OR: (a & b) | c */
enum { F32_NAN = 0x7fffffff, F32_ONE = 0x3f800000, F32_BIAS = 127, F32_PART = 23 };
enum { F32_2_31 = 0x4f000000, F32_2_63 = 0x5f000000, F32_2_64 = 0x5f800000 };

static struct mir_operand sub_compare_float(struct substitute *s, unsigned cmp, struct mir_operand a,
                                            struct mir_operand b) {
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

/* F2F from FP32 to FP64 */
static bool sub_double(struct substitute *s) {
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

/* What the RTL lacks: conversions between FP16 and FP32. */

enum { F32_HALF = 0x3f000000, F32_2_112 = 0x77800000 };
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

/* What the RTL lacks: comparisons of upper words, FCHK.DIVIDE; and rounding to an integral float. */

static struct mir_insn *compare_into(struct substitute *s, enum heddle_isa_op op, struct mir_operand pd,
                                     struct mir_operand a, struct mir_operand b) {
  (void)sub_1(s, op, a, b, mir_none());
  struct mir_insn *i = sub_made(s);
  i->rd = mir_none();
  i->pd[0] = pd;
  return i;
}

struct mir_operand sub_compare(struct substitute *s, unsigned cmp, bool is_signed, struct mir_operand a,
                               struct mir_operand b) {
  struct mir_operand p = mir_new(s->f, MIR_P, 1);
  struct mir_insn *i = compare_into(s, ISA_OP_ISETP, p, a, b);
  mir_set(i, ISA_F_ICMP, cmp);
  mir_set(i, ISA_F_SIGN, is_signed ? ISA_SIGN_S32 : ISA_SIGN_U32);
  return p;
}

/* pd0, pd1 of the instruction: table of r and its ps0 */
static void combine(struct substitute *s, struct mir_operand r) {
  static const uint8_t plain[3] = {0xc0, 0xfc, 0x3c}, other[3] = {0x0c, 0xcf, 0xc3};
  const struct mir_insn *old = s->insn;
  const unsigned how = (unsigned)sub_field(old, ISA_F_BOOL) % 3;
  (void)sub_1(s, ISA_OP_PLOP3_LUT, mir_none(), mir_none(), mir_none());
  struct mir_insn *i = sub_made(s);
  i->rd = mir_none();
  for (unsigned k = 0; k < 2; k++) i->pd[k] = old->pd[k];
  i->ps[0] = r;
  i->ps[1] = old->ps[0];
  i->keeps_old = old->keeps_old;
  mir_set(i, ISA_F_PLUT0, plain[how]);
  mir_set(i, ISA_F_PLUT1, other[how]);
}

/* (a = b) and the verdict of the low words, or a stands to b in the strict relation. */
bool sub_compare_high(struct substitute *s) {
  const struct mir_insn *i = s->insn;
  const unsigned cmp = (unsigned)sub_field(i, ISA_F_ICMP);
  const bool less = cmp == ISA_ICMP_LT || cmp == ISA_ICMP_LE, more = cmp == ISA_ICMP_GT || cmp == ISA_ICMP_GE;
  if (cmp == ISA_ICMP_F || cmp == ISA_ICMP_T) return false;
  struct mir_operand same = sub_compare(s, ISA_ICMP_EQ, false, i->src[0], i->src[1]);
  sub_made(s)->ps[0] = i->ps[2];
  if (cmp == ISA_ICMP_EQ) {
    combine(s, same);
    return true;
  }
  struct mir_operand r = sub_compare(s,
                                     less   ? ISA_ICMP_LT
                                     : more ? ISA_ICMP_GT
                                            : ISA_ICMP_NE,
                                     sub_field(i, ISA_F_SIGN) == ISA_SIGN_S32, i->src[0], i->src[1]);
  mir_set(sub_made(s), ISA_F_BOOL, ISA_BOOL_OR);
  sub_made(s)->ps[0] = same;
  combine(s, r);
  return true;
}

/* Below 2^23 through an integer, with the sign; above it is one already (and a NaN becomes the one of all results). */
bool sub_round(struct substitute *s) {
  enum { SIGN_OR = 0xea }; /* index: x, the sign bit, r: (x and sign) or r */
  const struct mir_insn *i = s->insn;
  const uint64_t ftz = sub_field(i, ISA_F_FTZ);
  if (sub_field(i, ISA_F_RINT) != ISA_RINT_F32) return false;
  struct mir_operand x = sub_1(s, ISA_OP_FMUL, i->src[1], mir_imm(0x3f800000), mir_none());
  mir_set(sub_made(s), ISA_F_FTZ, ftz);
  struct mir_operand n = sub_1(s, ISA_OP_F2I, mir_none(), x, mir_none());
  mir_set(sub_made(s), ISA_F_DINT, ISA_ITYPE_S32);
  mir_set(sub_made(s), ISA_F_IRND, sub_field(i, ISA_F_IRND));
  struct mir_operand r = sub_1(s, ISA_OP_I2F, mir_none(), n, mir_none());
  mir_set(sub_made(s), ISA_F_ISRC, ISA_ITYPE_S32);
  r = sub_lop3(s, x, sub_reg(s, mir_imm(0x80000000)), r, SIGN_OR);
  struct mir_operand small = mir_new(s->f, MIR_P, 1), size = x;
  size.abs = true;
  mir_set(compare_into(s, ISA_OP_FSETP, small, size, mir_imm(0x4b000000)), ISA_F_FCMP, ISA_FCMP_LT);
  sub_last(s, ISA_OP_SEL, r, x, mir_none())->ps[0] = small;
  return true;
}

static struct mir_operand exponent(struct substitute *s, struct mir_operand x) {
  x = sub_reg(s, x);
  x.neg = x.abs = false;
  return sub_shift(s, sub_shift(s, x, 1, false, false), 24, true, false);
}

/* Another range test: p and (x - least) <= most - least, without sign */
static struct mir_operand within(struct substitute *s, struct mir_operand p, struct mir_operand x, uint32_t least,
                                 uint32_t most) {
  struct mir_operand d = sub_1(s, ISA_OP_IADD3, x, mir_imm(0u - least), mir_zero());
  struct mir_operand q = sub_compare(s, ISA_ICMP_LE, false, d, mir_imm(most - least));
  sub_made(s)->ps[0] = p;
  return q;
}

bool sub_check_divide(struct substitute *s) {
  const struct mir_insn *i = s->insn;
  struct mir_operand a = exponent(s, i->src[0]), b = exponent(s, i->src[1]), minus = b;
  minus.neg = true;
  struct mir_operand fine = within(s, mir_none(), a, 25, 254);
  fine = within(s, fine, b, 2, 252);
  fine = within(s, fine, sub_1(s, ISA_OP_IADD3, a, minus, mir_zero()), 0u - 100, 125);
  (void)sub_1(s, ISA_OP_PLOP3_LUT, mir_none(), mir_none(), mir_none());
  struct mir_insn *m = sub_made(s);
  m->rd = mir_none();
  m->pd[0] = i->pd[0];
  m->ps[0] = fine;
  m->keeps_old = i->keeps_old;
  mir_set(m, ISA_F_PLUT0, 0x0f);
  return true;
}
