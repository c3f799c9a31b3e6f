/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside sem/ only: binary16 numbers, computed in binary32.
 *
 * Every half is a binary32 number, and a product of two is exact there (22 bits of 24). A sum of two, rounded to
 * binary32 and then to binary16, is correct, since 24 >= 2 * 11 + 2 (Figueroa, "When is double rounding innocuous?").
 * Sums that are subnormal halves are exact. A product plus a half is rounded to odd first, for which 24 >= 11 + 2 is
 * enough (see fp32.h); nothing overflows or underflows between 2^-48 and 2^33. Compilers turn all of this into vector
 * code.
 */
#ifndef HEDDLE_SEM_HALF_H
#define HEDDLE_SEM_HALF_H

#include "cmodel/sem/fp32.h"

#define F16_SIGN 0x8000u
#define F16_INF 0x7c00u
#define F16_NAN 0x7fffu /* every NaN result */
#define F16_ONE 0x3c00u

/* Shift of an operand to the right that brings the half named by its part for half `k` of the result to the low end. */
static inline uint32_t half_shift(uint8_t part, unsigned k) {
  if (part == ISA_HALVES_H0_H0) return 0;
  if (part == ISA_HALVES_H1_H1) return 16;
  return k * 16;
}

/* The parts of all operands, as pick functions want them. */
static inline void half_parts(const struct heddle_isa_dec *dec, struct sem_par *p) {
  for (unsigned k = 0; k < 3; k++) p->part[k] = dec->src[k].part;
}

static inline uint32_t f16_is_nan(uint32_t h) {
  return (h & 0x7fffu) > F16_INF;
}

/* Zero of the same sign when the exponent field is 0. `ftz` is 0 or ~0. */
static inline uint32_t f16_flush(uint32_t h, uint32_t ftz) {
  const uint32_t small = (h & F16_INF) == 0 ? ftz : 0;
  return h & ~(small & 0x7fffu);
}

/* The same number in binary32; a NaN keeps sign and payload. Only the low 16 bits of h count. */
static inline uint32_t f16_widen(uint32_t h) {
  const uint32_t m = h & 0x7fffu, sign = (h & F16_SIGN) << 16;
  const uint32_t small = bits_of((float)(int32_t)m * 0x1p-24f);
  const uint32_t normal = (m << 13) + (112u << 23), special = (m << 13) | F32_INF;
  const uint32_t finite = m < 0x0400u ? small : normal;
  return sign | (m < F16_INF ? finite : special);
}

/* A binary32 number rounded to the nearest half. */
static inline uint32_t f16_nearest(uint32_t u) {
  const uint32_t m = u & ~F32_SIGN, sign = u >> 16 & F16_SIGN;
  const uint32_t small = bits_of(f32_of(m) + 0.5f) - bits_of(0.5f);           /* steps of 2^-24 in [0.5, 1) */
  const uint32_t normal = (m - (112u << 23) + 0xfffu + (m >> 13 & 1u)) >> 13; /* 65520 and more: infinity */
  const uint32_t finite = m < (113u << 23) ? small : normal;
  const uint32_t number = sign | (m < (143u << 23) ? finite : F16_INF);
  return m > F32_INF ? F16_NAN : number;
}

/* The same with flush: to 11 bits without a least exponent, 2^-14 - 2^-26 is the tie that goes to 2^-14. */
static inline uint32_t f16_nearest_flush(uint32_t u, uint32_t ftz) {
  const uint32_t tiny = (u & ~F32_SIGN) < 0x387ff000u;
  return f16_nearest(u) & ~(mask_if(tiny) & ftz & 0x7fffu);
}

/* Saturate, or keep what is not negative. `sat` and `relu` are 0 or ~0; a NaN is canonical by now. */
static inline uint32_t f16_finish(uint32_t h, uint32_t sat, uint32_t relu) {
  const uint32_t positive = h & ~mask_if(h >> 15 & (relu | sat) & 1u);
  const uint32_t clamped = (positive > F16_ONE ? F16_ONE : positive) & ~mask_if(f16_is_nan(positive));
  return blend(sat, clamped, positive);
}

enum half_op { HALF_ADD, HALF_MUL, HALF_FMA };

/* x + z rounded to odd: toward zero, then a one in the last place. */
static inline uint32_t f32_sum_to_odd(float x, float z) {
  const float s = x + z;
  const float zz = s - x;
  const float e = (x - (s - zz)) + (z - zz);
  const uint32_t u = bits_of(s), ue = bits_of(e);
  const uint32_t finite = (u << 1) < F32_INF << 1, some = (ue << 1) != 0;
  const uint32_t inexact = finite & some, inward = (u ^ ue) >> 31; /* the error points to zero */
  return (u - (inexact & inward)) | inexact;
}

/* A signed integer in the order of the values; the zeros are distinct (-0 < +0). */
static inline int32_t f16_order(uint32_t h) {
  return (int32_t)((h & 0x7fffu) ^ mask_if(h >> 15 & 1u));
}

/* Both zeros alike: +0. */
static inline uint32_t f16_one_zero(uint32_t h) {
  const uint32_t some = (h & 0x7fffu) != 0;
  return h & mask_if(some);
}

#endif
