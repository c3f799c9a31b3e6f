/* SPDX-License-Identifier: Apache-2.0
 * 32-bit integer division by a constant: shifts for powers of two, else a multiplication by the reciprocal with the
 * upper word of the product (Granlund and Montgomery, "Division by invariant integers using multiplication", 1994).
 * Unsigned 1, 2 or 4 instructions, signed 3 to 5; one more for the remainder. */
#include "compiler/select/expand.h"

static struct mir_operand shift_right(struct mir_builder *m, struct mir_operand x, unsigned n, unsigned type) {
  if (n == 0) return x;
  struct mir_operand r = ex_1(m, ISA_OP_SHF, mir_zero(), mir_imm(n), x);
  mir_set(ex_last(m), ISA_F_SHDIR, ISA_SHDIR_R);
  mir_set(ex_last(m), ISA_F_SHTYPE, type);
  mir_set(ex_last(m), ISA_F_SHHI, ISA_HI_HI);
  return r;
}

/* b + (x >> (32 - n)), the shift unsigned */
static struct mir_operand add_top_bits(struct mir_builder *m, struct mir_operand x, unsigned n, struct mir_operand b) {
  struct mir_operand r = ex_1(m, ISA_OP_LEA_HI, x, b, mir_zero());
  mir_set(ex_last(m), ISA_F_SH5, n);
  return r;
}

static struct mir_operand bit_and(struct mir_builder *m, struct mir_operand x, uint32_t mask) {
  struct mir_operand r = ex_1(m, ISA_OP_LOP3_LUT, x, mir_imm(mask), mir_zero());
  mir_set(ex_last(m), ISA_F_LUT, 0xc0);
  return r;
}

static struct mir_operand high_product(struct mir_builder *m, struct mir_operand a, uint32_t k, struct mir_operand c,
                                       unsigned sign) {
  struct mir_operand r = ex_1(m, ISA_OP_IMAD_HI, a, mir_imm(k), c);
  mir_set(ex_last(m), ISA_F_SIGN, sign);
  return r;
}

/* a - q d, or q */
static struct mir_operand quotient_or_rest(struct mir_builder *m, bool remainder, struct mir_operand q,
                                           struct mir_operand a, uint32_t d) {
  return remainder ? ex_1(m, ISA_OP_IMAD, q, mir_imm(0u - d), a) : q;
}

static unsigned log2_floor(uint32_t x) {
  unsigned n = 0;
  while (x >>= 1) n++;
  return n;
}

/* 2^s < d < 2^(s + 1). m = floor(2^(32 + s) / d) has 32 bits and lacks e = rest / d of the true value. Rounded up, m +
 * 1 serves every a < 2^32 if (m + 1) d - 2^(32 + s) <= 2^s; else m with a + 1 in place of a does: the rest is then at
 * most 2^s (d - rest > 2^s, d < 2^(s + 1)). */
static struct mir_operand divide_u32(struct mir_builder *m, struct mir_operand a, uint32_t d) {
  unsigned s = log2_floor(d);
  uint64_t power = UINT64_C(1) << (32 + s);
  uint32_t k = (uint32_t)(power / d), missing = d - (uint32_t)(power % d);
  struct mir_operand q;
  if (missing <= UINT32_C(1) << s) {
    k++;
    while (s > 0 && k % 2 == 0) { /* the same factor with a shorter shift */
      k /= 2;
      s--;
    }
    q = high_product(m, a, k, mir_zero(), ISA_SIGN_U32);
  } else { /* a k + k */
    q = high_product(m, a, k, mir_wide(m, k), ISA_SIGN_U32);
  }
  return shift_right(m, q, s, ISA_SHTYPE_U32);
}

/* The power of two above and the factor for a signed d, |d| >= 3 and no power of two: the least p >= 32 with
 * 2^p > nc (|d| - 2^p mod |d|), nc the largest value whose rest is |d| - 1; factor (2^p + |d| - 2^p mod |d|) / |d|. */
static void signed_magic(uint32_t ad, uint32_t *factor, unsigned *shift) {
  uint64_t top = UINT64_C(1) << 31, nc = top - 1 - top % ad;
  for (unsigned p = 32; p < 64; p++) {
    uint64_t power = UINT64_C(1) << p, lack = ad - power % ad;
    if (power / nc < lack || (power / nc == lack && power % nc == 0)) continue; /* 2^p > nc lack */
    *factor = (uint32_t)((power + lack) / ad);
    *shift = p - 32;
    return;
  }
}

static struct mir_operand negated(struct mir_builder *m, struct mir_operand x) {
  return ex_1(m, ISA_OP_IADD3, mir_zero(), ex_neg(x), mir_zero());
}

static struct mir_operand divide_s32(struct mir_builder *m, struct mir_operand a, uint32_t ad, bool negative) {
  uint32_t k = 0;
  unsigned s = 0;
  signed_magic(ad, &k, &s);
  struct mir_operand q = high_product(m, a, k, mir_zero(), ISA_SIGN_S32);
  if (k >> 31) q = ex_1(m, ISA_OP_IADD3, q, a, mir_zero()); /* the factor counted as k - 2^32 */
  struct mir_operand floor = shift_right(m, q, s, ISA_SHTYPE_S32);
  q = add_top_bits(m, floor, 1, floor); /* towards zero: one more when negative */
  return negative ? negated(m, q) : q;
}

/* Negative dividends get |d| - 1 more, so that the shift rounds towards zero. */
static struct mir_operand power_s32(struct mir_builder *m, bool remainder, struct mir_operand a, unsigned n,
                                    bool negative) {
  struct mir_operand u = add_top_bits(m, shift_right(m, a, 31, ISA_SHTYPE_S32), n, a);
  if (remainder) return ex_1(m, ISA_OP_IADD3, a, ex_neg(bit_and(m, u, ~UINT32_C(0) << n)), mir_zero());
  u = shift_right(m, u, n, ISA_SHTYPE_S32);
  return negative ? negated(m, u) : u;
}

struct mir_operand ex_divide_const(struct mir_builder *m, bool is_signed, bool remainder, struct mir_operand a,
                                   uint32_t d) {
  bool negative = is_signed && d >> 31;
  uint32_t ad = negative ? 0u - d : d;
  if (d == 0) return ex_in(m, mir_imm(0xffffffff), 1);
  if (ad == 1) return remainder ? ex_in(m, mir_imm(0), 1) : negative ? negated(m, a) : a;
  if ((ad & (ad - 1)) == 0) {
    unsigned n = log2_floor(ad);
    if (is_signed) return power_s32(m, remainder, a, n, negative);
    return remainder ? bit_and(m, a, ad - 1) : shift_right(m, a, n, ISA_SHTYPE_U32);
  }
  struct mir_operand q = is_signed ? divide_s32(m, a, ad, negative) : divide_u32(m, a, ad);
  return quotient_or_rest(m, remainder, q, a, d);
}
