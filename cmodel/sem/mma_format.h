/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside sem/ only: the number formats of matrix instructions, taken apart.
 */
#ifndef HEDDLE_SEM_MMA_FORMAT_H
#define HEDDLE_SEM_MMA_FORMAT_H

#include "cmodel/sem/mma.h"

/* A format with sign, exponent, fraction from the top, above `unused` low bits. */
struct mma_format {
  unsigned unused, fraction, exponent;
  int32_t bias;
  bool infinite;   /* the largest exponent is infinity and NaN; else only its largest fraction is a NaN */
  bool normalised; /* subnormal numbers are taken as normal ones, of a smaller exponent */
};

static const struct mma_format mma_f16 = {0, 10, 5, 15, true, false};
static const struct mma_format mma_bf16 = {0, 7, 8, 127, true, false};
static const struct mma_format mma_tf32 = {13, 10, 8, 127, true, false};
static const struct mma_format mma_e4m3 = {0, 3, 4, 7, false, true};
static const struct mma_format mma_e5m2 = {0, 2, 5, 15, true, false};
static const struct mma_format mma_f32 = {0, 23, 8, 127, true, false};

/* Exponent of a zero: so small that it is never the largest, and that what is cut leaves nothing. */
#define MMA_NOWHERE (-4096)

/* One element: significand * 2^exponent. Subnormal numbers keep the smallest exponent, unless they are normalised. */
struct mma_number {
  int32_t exponent;
  uint32_t significand; /* an integer in units of the fraction's last bit */
  uint32_t negative;    /* 0 or ~0 */
  uint32_t special;     /* 1: NaN or infinity, and the rest does not count */
};

/* Fields of an element. */
static inline uint32_t mma_fraction(uint32_t raw, struct mma_format f) {
  return (raw >> f.unused) & ((1u << f.fraction) - 1u);
}

static inline uint32_t mma_exponent_field(uint32_t raw, struct mma_format f) {
  return (raw >> (f.unused + f.fraction)) & ((1u << f.exponent) - 1u);
}

static inline uint32_t mma_is_special(uint32_t fraction, uint32_t field, struct mma_format f) {
  const uint32_t top = field == (1u << f.exponent) - 1u, largest = fraction == (1u << f.fraction) - 1u;
  return f.infinite ? top : top & largest;
}

static inline struct mma_number mma_split(uint32_t raw, struct mma_format f) {
  const uint32_t fraction = mma_fraction(raw, f), field = mma_exponent_field(raw, f);
  const uint32_t normal = field != 0 ? 1u << f.fraction : 0;
  uint32_t significand = fraction | normal;
  int32_t exponent = (int32_t)(field != 0 ? field : 1u) - f.bias;
  for (unsigned k = 0; f.normalised && k < f.fraction; k++) {
    const uint32_t up = (significand >> f.fraction & 1u) ^ 1u;
    significand <<= up;
    exponent -= (int32_t)up;
  }
  return (struct mma_number){.exponent = significand == 0 ? MMA_NOWHERE : exponent,
                             .significand = significand,
                             .negative = mask_if((raw >> (f.unused + f.fraction + f.exponent)) & 1u),
                             .special = mma_is_special(fraction, field, f)};
}

/* What a number is, where that matters; 0 for finite ones that are not zero. */
enum { MMA_NAN = 1, MMA_INF = 2, MMA_ZERO = 4 };

static inline uint32_t mma_kind(uint32_t raw, struct mma_format f) {
  const uint32_t fraction = mma_fraction(raw, f), field = mma_exponent_field(raw, f);
  const uint32_t infinite = f.infinite && fraction == 0 ? MMA_INF : MMA_NAN;
  const uint32_t zero = (fraction | field) == 0 ? MMA_ZERO : 0;
  return mma_is_special(fraction, field, f) != 0 ? infinite : zero;
}

#endif
