/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside sem/ only: binary64 numbers in pairs of rows, their NaNs, and sums
 * rounded in any direction.
 *
 * Operands come raw (ISA_MODIFY_OWN), since a NaN ignores abs and neg. The host's
 * choice among NaNs is never used.
 */
#ifndef HEDDLE_SEM_FP64_H
#define HEDDLE_SEM_FP64_H

#include "cmodel/sem/fp32.h"

#define F64_SIGN (UINT64_C(1) << 63)
#define F64_INF UINT64_C(0x7ff0000000000000)
#define F64_QUIET UINT64_C(0x0008000000000000)
#define F64_NAN UINT64_C(0xfff8000000000000) /* where no operand was one */
#define F64_ONE UINT64_C(0x3ff0000000000000)

static inline uint64_t mask64_if(uint64_t cond) {
  return 0u - cond;
}

static inline uint64_t blend64(uint64_t on, uint64_t yes, uint64_t no) {
  return (yes & on) | (no & ~on);
}

static inline uint64_t f64_is_nan(uint64_t u) {
  return (u & ~F64_SIGN) > F64_INF;
}

/* Lane i of a pair of rows. */
static inline uint64_t pair_get(const uint32_t *row, unsigned i) {
  return row[i] | (uint64_t)row[SEM_LANES + i] << 32;
}

static inline void pair_put(uint32_t *row, unsigned i, uint32_t on, uint64_t v) {
  row[i] = blend(on, (uint32_t)v, row[i]);
  row[SEM_LANES + i] = blend(on, (uint32_t)(v >> 32), row[SEM_LANES + i]);
}

/* Effect of abs and neg on an operand. */
struct f64_sign {
  uint64_t keep, flip;
};

/* Pick functions of ISA_MODIFY_OWN: which operands have a minus or bars. */
static inline void own_signs(const struct heddle_isa_dec *dec, struct sem_par *p) {
  for (unsigned k = 0; k < 3; k++) {
    p->minus |= (uint8_t)(dec->src[k].neg << k);
    p->absolute |= (uint8_t)(dec->src[k].abs << k);
  }
}

static inline struct f64_sign f64_sign(const struct sem_par *p, unsigned k) {
  return (struct f64_sign){.keep = (p->absolute >> k & 1) != 0 ? ~F64_SIGN : ~UINT64_C(0),
                           .flip = (p->minus >> k & 1) != 0 ? F64_SIGN : 0};
}

static inline uint64_t f64_modify(uint64_t raw, struct f64_sign s) {
  return (raw & s.keep) ^ s.flip;
}

/* r, unless an operand is NaN: then the first of them, quiet and otherwise as it was. Two operands: x = y. */
static inline uint64_t f64_choose_nan(uint64_t r, uint64_t first, uint64_t x, uint64_t y) {
  const uint64_t own = f64_is_nan(r) != 0 ? F64_NAN : r;
  const uint64_t r2 = f64_is_nan(y) != 0 ? y | F64_QUIET : own;
  const uint64_t r1 = f64_is_nan(x) != 0 ? x | F64_QUIET : r2;
  return f64_is_nan(first) != 0 ? first | F64_QUIET : r1;
}

/* x + z in direction rnd; any NaN when it is one. The error of the host's sum to nearest is exact with the greater
 * magnitude first (Dekker, "A floating-point technique for extending the available precision"). The result in
 * another direction is that sum or its neighbour. */
static inline uint64_t f64_sum(uint64_t ux, uint64_t uz, enum sem_round rnd) {
  const uint64_t swap = mask64_if((ux << 1) < (uz << 1));
  const double large = f64_of(blend64(swap, uz, ux)), small = f64_of(blend64(swap, ux, uz));
  const double s = large + small;
  const double e = small - (s - large);
  const uint64_t u = bits64_of(s), ue = bits64_of(e);
  const uint64_t overflow = ((u << 1) == F64_INF << 1) & ((ux << 1) < F64_INF << 1) & ((uz << 1) < F64_INF << 1);
  const uint64_t finite = (u << 1) < F64_INF << 1;
  const uint64_t inexact = finite & ((ue << 1) != 0), inward = (u ^ ue) >> 63;
  const uint64_t away = f32_away(rnd, (uint32_t)(u >> 63));
  const uint64_t directed = u + (inexact & (inward ^ 1) & away) - (((inexact & inward) | overflow) & (away ^ 1));
  const uint64_t down = rnd == SEM_RM;
  const uint64_t zero = ((ux & uz) | ((ux | uz) & mask64_if(down))) & F64_SIGN;
  const uint64_t r = rnd == SEM_RN ? u : directed;
  return (u << 1) == 0 ? zero : r;
}

/* A * b + c on binary64 numbers in integers of 128 bits, in every direction, where the host cannot. Nothing here is
 * vector code.
 *
 * Product and addend are numbers of 126 bits with their highest one in bit 125 or 124. The smaller is shifted right
 * by the difference of the exponents; ones that fall out leave a one in bit 0. That one cannot mislead. When any
 * fall out, the exponents differ by more than 20 (a product has 20 zeros below, an addend 73). So a difference loses
 * one leading bit at most and bit 0 stays far below the last place. */

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
