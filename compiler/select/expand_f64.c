/* SPDX-License-Identifier: Apache-2.0
 *
 * FP64 division, reciprocal and root.
 */
#include "compiler/select/expand.h"

enum { F64_FIELD = 20, F64_ONE = 0x3ff00000, F64_LEAST = 0x00100000 }; /* upper words of 1 and 2^-1022 */

/* -b q + a */
static inline struct mir_operand ex_rest64(struct mir_builder *m, struct mir_operand b, struct mir_operand q,
                                           struct mir_operand a) {
  return ex_f64(m, ISA_OP_DFMA, ISA_RND_RN, ex_neg(b), q, a);
}

/* p * q + p */
static inline struct mir_operand ex_grow64(struct mir_builder *m, unsigned rnd, struct mir_operand p,
                                           struct mir_operand q) {
  return ex_f64(m, ISA_OP_DFMA, rnd, p, q, p);
}

/* flag: the exponent field of hi is below `from` or at least `to`, or (sign) x is negative */
static void ex_range64(struct mir_builder *m, struct mir_operand flag, struct mir_operand x, unsigned from, unsigned to,
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

/* 1 / b from {MUFU.RCP64H : y}: once refined, or twice, so that it is correctly rounded. */
static struct mir_operand ex_refine64(struct mir_builder *m, struct mir_operand b, struct mir_operand y, bool twice) {
  const struct mir_operand one = mir_imm_f64(F64_ONE);
  struct mir_operand e = ex_rest64(m, b, y, one);
  y = ex_grow64(m, ISA_RND_RN, y, ex_grow64(m, ISA_RND_RN, e, e));
  return twice ? ex_grow64(m, ISA_RND_RN, y, ex_rest64(m, b, y, one)) : y;
}

static struct mir_operand ex_start64(struct mir_builder *m, unsigned function, struct mir_operand x, uint32_t low) {
  struct mir_operand y = mir_new(m->f, MIR_R, 2);
  mir_set(mir_add(m, ISA_OP_MUFU, mir_word(y, 1), mir_none(), mir_word(x, 1), mir_none()), ISA_F_MUFU, function);
  ex_mov(m, mir_word(y, 0), low ? mir_imm(low) : mir_zero());
  return y;
}

/* FP64 division for operands and results anywhere in the format, in any rounding: what expand_f32.c says, with
 * 2^54 for subnormal operands, and upper words for the exponents.
 *
 * Special operands: A * Y, where Y is MUFU.RCP64H of B with zeros below, or B itself if that is NaN; the dividend's NaN
 * counts first (tests/silicon/nan.txt), so it is the second factor (isa/doc/08). */

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

/* a / b for any operands into `result`; a is 1 when `a` is mir_none(). Only where there is no guard. */
static void ex_divide_scaled64(struct mir_builder *m, struct mir_operand result, unsigned rnd, struct mir_operand a,
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

/* FP64 division and reciprocal. Instructions, on the straight path and in the slow arm (which ends on the same path):
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

/* FP64 square root and reciprocal square root. Instructions, on the straight path and in the slow arm:
 *
 *   sqrt.rn 17 + 28      .rm .rp .rz 19 + 30      rsqrt.approx 13 + 24      rsqrt.approx.ftz 2
 *
 * Root. Let 1 <= a < 4, s its root; units are those of the last place of s (2^-52).
 *
 * - w0 = MUFU.RSQ64H / 2 with 2^31 below has 22 bits: t = w0^2 is exact; r = 1/2 - 2 a t, |r| < 2^-20.5.
 *   w = w0 (1 + r + 3/2 r^2) is within 1/2 + 2^-7 units in its own last place of 1 / 2s.
 *
 * - g = 2 a w is d units from s, |d| < 1/2 + a/4 (1 + 2^-6). The result is g + (a - g^2) w, rounded. Before it is
 *   rounded it misses s by less than (4 d^2 + 2 |d| s^2 (1 + 2^-6) + 8) 2^-55 / s units (the 8 when a - g^2 has lost
 *   bits, for |d| > 1/2).
 *
 * - The middle between two numbers is away from s by |c| 2^-55 / s units with an integer c = 1 modulo 8: with x twice
 *   the middle in units, x^2 - 4 a 2^104 = c. Where d is near 1/2 the miss is less than 10 of these, where d is near
 *   3/2 (a near 4) less than 30, so that only |c| < 30 is in doubt. tests/compiler/select/test_expand_f64.c finds every
 * a with |c| < 8192 and tries it.
 *
 * - Other roundings: of that result g1 in turn, a - g1^2 is exact, and g1 + (a - g1^2) w lies on the right side.
 *
 * Reciprocal root: y0 (1 + r + 3/2 r^2) with zeros below y0, within 0.53 units of the true value: equal to what
 * silicon returns (PTX allows more). */

/* The factor that y0 = MUFU.RSQ64H lacks, less 1: with r = (1 - a y0^2) / 2, |r| < 2^-19, 1 / sqrt(1 - 2 r) is
 * 1 + r + 3/2 r^2 + 5/2 r^3 ...; without the last one the error is below 2^-55. */
static struct mir_operand series(struct mir_builder *m, struct mir_operand r) {
  struct mir_operand t = ex_f64(m, ISA_OP_DMUL, ISA_RND_RN, r, mir_imm_f64(0x3ff80000), mir_none());
  return ex_f64(m, ISA_OP_DFMA, ISA_RND_RN, t, r, r);
}

static struct mir_operand root(struct mir_builder *m, unsigned rnd, struct mir_operand a) {
  const unsigned rn = ISA_RND_RN;
  struct mir_operand w = ex_start64(m, ISA_MUFU_RSQ64H, a, 0x80000000), top = mir_word(w, 1);
  mir_add(m, ISA_OP_IADD3, top, top, mir_imm(0u - (1u << F64_FIELD)), mir_zero()); /* half of it */
  struct mir_operand twice = ex_f64(m, ISA_OP_DADD, rn, a, a, mir_none()),
                     t = ex_f64(m, ISA_OP_DMUL, rn, w, w, mir_none());
  w = ex_grow64(m, rn, w, series(m, ex_rest64(m, twice, t, mir_imm_f64(0x3fe00000))));
  struct mir_operand g = ex_f64(m, ISA_OP_DMUL, rn, twice, w, mir_none());
  g = ex_f64(m, ISA_OP_DFMA, rn, ex_rest64(m, g, g, a), w, g);
  return rnd == rn ? g : ex_f64(m, ISA_OP_DFMA, rnd, ex_rest64(m, g, g, a), w, g);
}

static struct mir_operand reciprocal_root(struct mir_builder *m, struct mir_operand a) {
  const unsigned rn = ISA_RND_RN;
  const struct mir_operand half = mir_imm_f64(0x3fe00000);
  struct mir_operand y = ex_start64(m, ISA_MUFU_RSQ64H, a, 0), t = ex_f64(m, ISA_OP_DMUL, rn, y, y, mir_none());
  struct mir_operand r = ex_rest64(m, ex_f64(m, ISA_OP_DMUL, rn, a, half, mir_none()), t, half);
  return ex_grow64(m, rn, y, series(m, r));
}

/* a, or a * 2^128 where its exponent field is below `below` */
static struct mir_operand scaled(struct mir_builder *m, struct mir_operand a, unsigned below,
                                 struct mir_operand small) {
  struct mir_operand s = mir_new(m->f, MIR_R, 2);
  ex_test(m, ISA_OP_DSETP, ISA_FCMP_LT, small, a, mir_imm_f64(below << F64_FIELD));
  for (unsigned w = 0; w < 2; w++) ex_mov(m, mir_word(s, w), mir_word(a, w));
  ex_if(m, small, ISA_OP_DMUL, s, a, mir_imm_f64((1023 + 128) << F64_FIELD), mir_none());
  return s;
}

/* Where s (a, scaled) is no positive number: {high : 0}, or a itself where that is `cmp` 0. */
static void patch_special(struct mir_builder *m, struct mir_operand result, struct mir_operand s, struct mir_operand a,
                          unsigned cmp, struct mir_operand high) {
  struct mir_operand none = mir_new(m->f, MIR_P, 1), same = mir_new(m->f, MIR_P, 1);
  ex_range64(m, none, s, 1, 0x7ff, true);
  ex_test(m, ISA_OP_DSETP, cmp, same, a, mir_zero())->ps[0] = none;
  ex_mov_if(m, none, mir_word(result, 0), mir_zero());
  ex_mov_if(m, none, mir_word(result, 1), high);
  ex_if(m, same, ISA_OP_DADD, result, a, mir_imm_f64(0x80000000), mir_none()); /* + -0: a, quieted */
}

struct mir_operand expand_sqrt_f64(struct mir_builder *m, const struct ir_insn *i, struct mir_operand a) {
  a = ex_in(m, a, 2);
  struct mir_operand slow = ex_flag(m);
  ex_range64(m, slow, a, 0x035, 0x7fe, true); /* below: a - g^2 may lose bits; above: 2 a is infinite */
  struct mir_operand g = root(m, i->arithmetic.round, a);
  struct ex_fork fork = ex_fork_begin(m, slow, true);
  struct mir_operand small = mir_new(m->f, MIR_P, 1), big = mir_new(m->f, MIR_P, 1), s = scaled(m, a, 0x035, small);
  ex_test(m, ISA_OP_DSETP, ISA_FCMP_GE, big, a, mir_imm_f64(0x7fe << F64_FIELD));
  ex_if(m, big, ISA_OP_DMUL, s, a, mir_imm_f64((1023 - 128) << F64_FIELD), mir_none());
  struct mir_operand r = root(m, i->arithmetic.round, s);
  for (unsigned w = 0; w < 2; w++) ex_mov(m, mir_word(g, w), mir_word(r, w));
  ex_if(m, small, ISA_OP_DMUL, g, g, mir_imm_f64((1023 - 64) << F64_FIELD), mir_none());
  ex_if(m, big, ISA_OP_DMUL, g, g, mir_imm_f64((1023 + 64) << F64_FIELD), mir_none());
  /* zeros, infinity and NaN are their own roots, negative numbers have none */
  patch_special(m, g, s, a, ISA_FCMP_GEU, mir_imm(0xfff80000));
  ex_fork_end(m, &fork);
  return g;
}

struct mir_operand expand_rsqrt_f64(struct mir_builder *m, const struct ir_insn *i, struct mir_operand a) {
  a = ex_in(m, a, 2);
  if (i->arithmetic.ftz) return ex_start64(m, ISA_MUFU_RSQ64H, a, 0);
  struct mir_operand slow = ex_flag(m);
  ex_range64(m, slow, a, 1, 0x7ff, true);
  struct mir_operand y = reciprocal_root(m, a);
  struct ex_fork fork = ex_fork_begin(m, slow, true);
  struct mir_operand small = mir_new(m->f, MIR_P, 1), s = scaled(m, a, 1, small), r = reciprocal_root(m, s);
  for (unsigned w = 0; w < 2; w++) ex_mov(m, mir_word(y, w), mir_word(r, w));
  ex_if(m, small, ISA_OP_DMUL, y, y, mir_imm_f64((1023 + 64) << F64_FIELD), mir_none());
  /* MUFU knows the roots of zeros and infinity; to negative numbers it gives another NaN */
  struct mir_operand high = ex_mufu(m, ISA_MUFU_RSQ64H, mir_word(s, 1)), negative = mir_new(m->f, MIR_P, 1);
  ex_test(m, ISA_OP_DSETP, ISA_FCMP_LT, negative, s, mir_zero());
  ex_mov_if(m, negative, high, mir_imm(0xfff80000));
  patch_special(m, y, s, a, ISA_FCMP_NAN, high);
  ex_fork_end(m, &fork);
  return y;
}
