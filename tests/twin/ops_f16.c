/* SPDX-License-Identifier: Apache-2.0
 * The twin's half floats: exact sums and products in doubles (of a product and a sum: rounded to odd), then one
 * rounding. Every NaN is 0x7fff. Pairs are two halves. */
#include "tests/twin/ops_float.h"

static double number16(uint16_t a, uint64_t m) {
  bool sign;
  uint64_t mant;
  int e;
  if ((a & 0x7fff) == 0x7c00) return a >> 15 ? -__builtin_inf() : __builtin_inf();
  if (!take_apart(&half_format, a, &sign, &mant, &e) || (m & M_ftz && !(a & 0x7c00))) return a >> 15 ? -0.0 : 0.0;
  double d = (double)mant;
  for (; e < 0; e++) d /= 2;
  for (; e > 0; e--) d *= 2;
  return sign ? -d : d;
}

static uint16_t made16(double r, uint64_t m) {
  uint64_t bits = bits64(r), mant;
  bool sign;
  int e;
  uint16_t h;
  if (nan64(bits)) return m & M_sat ? 0 : NAN16;
  if ((bits & INT64_MAX) == format_infinity(&double_format))
    h = (uint16_t)(bits >> 63 ? 0xfc00 : 0x7c00);
  else if (take_apart(&double_format, bits, &sign, &mant, &e))
    h = (uint16_t)round_to(&half_format, sign, mant, e, m & M_ftz);
  else
    h = (uint16_t)(bits >> 63 << 15);
  if (m & (M_sat | M_relu) && h >> 15) return 0;
  return m & M_sat && h > 0x3c00 ? 0x3c00 : h;
}

static bool any_nan(uint16_t a, uint16_t b, uint16_t c) {
  return nan16(a) || nan16(b) || nan16(c);
}
static uint16_t no_number(uint64_t m) {
  return m & M_sat ? 0 : NAN16;
}

uint16_t add_f16(uint16_t a, uint16_t b, uint64_t m) {
  return any_nan(a, b, 0) ? no_number(m) : made16(number16(a, m) + number16(b, m), m);
}
uint16_t sub_f16(uint16_t a, uint16_t b, uint64_t m) {
  return any_nan(a, b, 0) ? no_number(m) : made16(number16(a, m) - number16(b, m), m);
}
uint16_t mul_f16(uint16_t a, uint16_t b, uint64_t m) {
  return any_nan(a, b, 0) ? no_number(m) : made16(number16(a, m) * number16(b, m), m);
}
uint16_t fma_f16(uint16_t a, uint16_t b, uint16_t c, uint64_t m) {
  if (any_nan(a, b, c)) return no_number(m);
  double product = number16(a, m) * number16(b, m);
  /* An infinite or an exact result is what the host says; the direction only matters to what is cut off. */
  double plain = product + number16(c, m);
  if (plain == 0 || plain - plain != 0) return made16(plain, m);
  return made16(odd_sum(product, number16(c, m)), m);
}

static uint16_t extreme(uint16_t a, uint16_t b, bool least, uint64_t m) {
  if (m & M_ftz && !(a & 0x7c00)) a &= 0x8000;
  if (m & M_ftz && !(b & 0x7c00)) b &= 0x8000;
  if ((nan16(a) && nan16(b)) || (m & M_NaN && (nan16(a) || nan16(b)))) return NAN16;
  if (nan16(a) || nan16(b)) return nan16(a) ? b : a;
  int x = a >> 15 ? -(a & 0x7fff) - 1 : a, y = b >> 15 ? -(b & 0x7fff) - 1 : b;
  return (x < y) == least ? a : b;
}
uint16_t min_f16(uint16_t a, uint16_t b, uint64_t m) {
  return extreme(a, b, true, m);
}
uint16_t max_f16(uint16_t a, uint16_t b, uint64_t m) {
  return extreme(a, b, false, m);
}
static uint16_t signless(uint16_t a, uint16_t sign, uint64_t m) {
  if (nan16(a)) return NAN16;
  return m & M_ftz && !(a & 0x7c00) ? sign : (uint16_t)((a & 0x7fff) | sign);
}
uint16_t abs_f16(uint16_t a, uint64_t m) {
  return signless(a, 0, m);
}
uint16_t neg_f16(uint16_t a, uint64_t m) {
  return signless(a, (uint16_t)(~a & 0x8000), m);
}
bool cmp_f16(uint16_t a, uint16_t b, uint64_t m) {
  double x = number16(nan16(a) ? 0 : a, m), y = number16(nan16(b) ? 0 : b, m);
  return relation_float(x < y, x == y, nan16(a) || nan16(b), m);
}

#define LOW(a) ((uint16_t)(a))
#define HIGH(a) ((uint16_t)((a) >> 16))
#define PAIR(low, high) ((uint32_t)(high) << 16 | (low))
#define TWO(OP)                                                                                                        \
  uint32_t OP##_f16x2(uint32_t a, uint32_t b, uint64_t m) {                                                            \
    return PAIR(OP##_f16(LOW(a), LOW(b), m), OP##_f16(HIGH(a), HIGH(b), m));                                           \
  }
#define ONE(OP)                                                                                                        \
  uint32_t OP##_f16x2(uint32_t a, uint64_t m) {                                                                        \
    return PAIR(OP##_f16(LOW(a), m), OP##_f16(HIGH(a), m));                                                            \
  }
TWO(add)
TWO(sub)
TWO(mul)
TWO(min)
TWO(max)
ONE(abs)
ONE(neg)
uint32_t fma_f16x2(uint32_t a, uint32_t b, uint32_t c, uint64_t m) {
  return PAIR(fma_f16(LOW(a), LOW(b), LOW(c), m), fma_f16(HIGH(a), HIGH(b), HIGH(c), m));
}
