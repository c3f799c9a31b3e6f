/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside sem/ only: a * b + c on binary64 numbers in integers of 128 bits, in
 * every direction; for what the host cannot do. Nothing here is vector code.
 *
 * Product and addend are numbers of 126 bits whose highest one is bit 125 or
 * 124. The smaller is shifted right by the difference of the exponents; ones
 * that fall out leave a one in bit 0. That one cannot mislead: when any fall
 * out, the exponents differ by more than 20 (a product has 20 zeros below, an
 * addend 73), so that a difference loses one leading bit at most and bit 0
 * stays far below the last place.
 */
#ifndef HEDDLE_SEM_FP64_EXACT_H
#define HEDDLE_SEM_FP64_EXACT_H

#include "cmodel/sem/fp64.h"

__extension__ typedef unsigned __int128 u128;

/* negative ? -v : v, v = m * 2^e. Zero: m = 0. */
struct f64_parts {
  u128 m;
  int32_t e;
  uint64_t negative;
};

/* A finite number, with the highest one of m at bit 52. */
static inline struct f64_parts f64_split(uint64_t u) {
  const uint64_t field = u >> 52 & 0x7ff, fraction = u & (F64_INF ^ ~F64_SIGN);
  struct f64_parts r = {.m = fraction, .e = -1074, .negative = u >> 63};
  if (field != 0) {
    r.m = fraction | UINT64_C(1) << 52;
    r.e = (int32_t)field - 1075;
  } else if (fraction != 0) {
    const int up = __builtin_clzll(fraction) - 11;
    r.m = (u128)fraction << up;
    r.e -= up;
  }
  return r;
}

/* m >> n, with a one in bit 0 for ones that fall out. */
static inline u128 shift_right_jam(u128 m, int32_t n) {
  if (n <= 0) return m;
  if (n > 127) return m != 0;
  return m >> n | ((m & (((u128)1 << n) - 1)) != 0);
}

static inline int u128_leading_zeros(u128 m) {
  const uint64_t high = (uint64_t)(m >> 64);
  return high != 0 ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)m);
}

/* x (not zero) rounded to binary64. */
static inline uint64_t f64_round_parts(struct f64_parts x, enum sem_round rnd) {
  const int up = u128_leading_zeros(x.m);
  const int32_t top = x.e + 127 - up;                  /* exponent of the highest one */
  const int32_t below = top < -1022 ? -1022 - top : 0; /* places that a subnormal number lacks */
  const u128 m = shift_right_jam(x.m << up, below);    /* the last place is bit 75 */
  const uint64_t whole = (uint64_t)(m >> 75);
  const u128 rest = m & (((u128)1 << 75) - 1), half = (u128)1 << 74;
  const uint64_t nearest_up = rest > half || (rest == half && (whole & 1) != 0);
  const uint64_t away = f32_away(rnd, (uint32_t)x.negative);
  const uint64_t sign = x.negative << 63;
  const int32_t field = top < -1022 ? 0 : top + 1022; /* the highest one of `whole` adds the last */
  const uint64_t r = ((uint64_t)field << 52) + whole + (rnd == SEM_RN ? nearest_up : away & (rest != 0));
  if (r < F64_INF) return sign | r;
  return sign | (rnd == SEM_RN || away != 0 ? F64_INF : F64_INF - 1);
}

/* x + y, either zero or with the highest one at bit 124 or 125; the sum not zero. */
static inline struct f64_parts f64_add_parts(struct f64_parts x, struct f64_parts y) {
  if (x.m == 0) return y;
  if (y.m == 0) return x;
  if (x.e < y.e) {
    const struct f64_parts t = x;
    x = y;
    y = t;
  }
  const u128 small = shift_right_jam(y.m, x.e - y.e);
  if (x.negative == y.negative) {
    x.m += small;
  } else if (x.m >= small) {
    x.m -= small;
  } else {
    x.m = small - x.m;
    x.negative ^= 1;
  }
  return x;
}

/* a * b + c. A NaN result is F64_NAN, whatever the operands' NaNs. */
static inline uint64_t f64_fma_exact(uint64_t a, uint64_t b, uint64_t c, enum sem_round rnd) {
  const uint64_t ma = a & ~F64_SIGN, mb = b & ~F64_SIGN, mc = c & ~F64_SIGN, sign = (a ^ b) & F64_SIGN;
  if (ma > F64_INF || mb > F64_INF || mc > F64_INF) return F64_NAN;
  if (ma == F64_INF || mb == F64_INF) {
    const uint64_t p = F64_INF | sign;
    return ma == 0 || mb == 0 || (mc == F64_INF && c != p) ? F64_NAN : p;
  }
  if (mc == F64_INF) return c;
  const struct f64_parts x = f64_split(a), y = f64_split(b);
  struct f64_parts z = f64_split(c);
  struct f64_parts product = {.m = x.m * y.m << 20, .e = x.e + y.e - 20, .negative = sign >> 63};
  z.m <<= 73;
  z.e -= 73;
  const struct f64_parts sum = f64_add_parts(product, z);
  if (sum.m != 0) return f64_round_parts(sum, rnd);
  const uint64_t cs = c & F64_SIGN;
  return product.m == 0 && z.m == 0 && cs == sign ? sign : (rnd == SEM_RM ? F64_SIGN : 0);
}

#endif
