/* SPDX-License-Identifier: Apache-2.0
 *
 * FP64 square root and reciprocal square root. Instructions, on the straight path and in the slow arm:
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
 *   3/2 (a near 4) less than 30, so that only |c| < 30 is in doubt. tests/compiler/test_expand_f64.c finds every a with
 *   |c| < 8192 and tries it.
 *
 * - Other roundings: of that result g1 in turn, a - g1^2 is exact, and g1 + (a - g1^2) w lies on the right side.
 *
 * Reciprocal root: y0 (1 + r + 3/2 r^2) with zeros below y0, within 0.53 units of the true value: equal to what
 * silicon returns (PTX allows more). */
#include "compiler/select/expand_f64.h"

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
