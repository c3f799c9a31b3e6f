/* SPDX-License-Identifier: Apache-2.0
 * Uniform numbers in (0, 1]. */
#ifndef HEDDLE_CURAND_UNIFORM_H
#define HEDDLE_CURAND_UNIFORM_H

#include "mrg32k3a.h"
#include "philox.h"
#include "xorwow.h"

/* In the middle of its interval, and rounded: the uppermost becomes 1. */
__heddle_fn float __heddle_uniform(unsigned x) {
  return x * 0x1p-32f + 0x1p-33f;
}
__heddle_fn double __heddle_uniform_double(unsigned x, unsigned y) {
  return (x ^ (unsigned long long)y << 21) * 0x1p-53 + 0x1p-54;
}
/* Rounded by itself: doubled, it would be contracted with the addition that it then becomes. */
__heddle_fn double __heddle_mrg_uniform(curandStateMRG32k3a *s) {
  return __dmul_rn(__heddle_mrg_next(s), 1 / 4294967087.0);
}

template <class S> __heddle_fn float curand_uniform(S *s) {
  return __heddle_uniform(curand(s));
}
__heddle_fn float curand_uniform(curandStateMRG32k3a *s) {
  return (float)__heddle_mrg_uniform(s);
}
__heddle_fn float4 curand_uniform4(curandStatePhilox4_32_10 *s) {
  const uint4 r = curand4(s);
  return {__heddle_uniform(r.x), __heddle_uniform(r.y), __heddle_uniform(r.z), __heddle_uniform(r.w)};
}

__heddle_fn double curand_uniform_double(curandStateXORWOW *s) {
  const unsigned x = curand(s);
  const unsigned y = curand(s);
  return __heddle_uniform_double(x, y);
}
__heddle_fn double curand_uniform_double(curandStateMRG32k3a *s) {
  return __heddle_mrg_uniform(s);
}
/* From 32 bits; two at a time have 53. */
__heddle_fn double curand_uniform_double(curandStatePhilox4_32_10 *s) {
  return curand(s) * 0x1p-32 + 0x1p-32;
}
__heddle_fn double2 curand_uniform2_double(curandStatePhilox4_32_10 *s) {
  const uint4 r = curand4(s);
  return {__heddle_uniform_double(r.x, r.y), __heddle_uniform_double(r.z, r.w)};
}
__heddle_fn double4 curand_uniform4_double(curandStatePhilox4_32_10 *s) {
  const double2 a = curand_uniform2_double(s);
  const double2 b = curand_uniform2_double(s);
  return {a.x, a.y, b.x, b.y};
}

#endif
