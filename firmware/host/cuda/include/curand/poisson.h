/* SPDX-License-Identifier: Apache-2.0
 * Poisson's distribution. Below a mean of 64 by the product of uniform numbers, as the GPU does (Knuth, "The art of
 * computer programming", volume 2, 3.4.1). From there on by PTRS, another method than the GPU's, with other numbers:
 * Hoermann, "The transformed rejection method for generating Poisson random variables", Insurance: Mathematics and
 * Economics 12 (1), 1993. */
#ifndef HEDDLE_CURAND_POISSON_H
#define HEDDLE_CURAND_POISSON_H

#include "normal.h"

template <class S> __heddle_fn unsigned __heddle_poisson_small(S *s, float mean) {
  unsigned n = 0;
  for (float p = expf(mean); (p *= curand_uniform(s)) > 1.0f;) n++;
  return n;
}
/* The logarithm of how probable k is, by Stirling's series: no difference of great numbers but of their ratio. */
__heddle_fn float __heddle_poisson_log(float k, float mean) {
  if (k < 1) return -mean;
  const float away = (mean - k) / k;
  return k * (log1pf(away) - away) - 0.5f * logf((float)__HEDDLE_TAU * k) - 1 / (12 * k) + 1 / (360 * k * k * k);
}
template <class S> __heddle_fn unsigned __heddle_poisson_middle(S *s, float mean) {
  const float b = 0.931f + 2.53f * sqrtf(mean), a = -0.059f + 0.02483f * b;
  const float scale = logf(1.1239f + 1.1328f / (b - 3.4f)), sure = 0.9277f - 3.6224f / (b - 2);
  for (;;) {
    const float u = curand_uniform(s) - 0.5f;
    const float v = curand_uniform(s);
    const float edge = 0.5f - fabsf(u);
    const float k = floorf((2 * a / edge + b) * u + mean + 0.43f);
    if (edge >= 0.07f && v <= sure) return (unsigned)k;
    if (k < 0 || edge <= 0 || (edge < 0.013f && v > edge)) continue;
    if (logf(v) + scale - logf(a / (edge * edge) + b) <= __heddle_poisson_log(k, mean)) return (unsigned)k;
  }
}
template <class S> __heddle_fn unsigned curand_poisson(S *s, double mean) {
  if (mean < 64) return __heddle_poisson_small(s, (float)mean);
  if (mean <= 4000) return __heddle_poisson_middle(s, (float)mean);
  return (unsigned)fmax(mean + sqrt(mean) * curand_normal_double(s) + 0.5, 0.0);
}
__heddle_fn uint4 curand_poisson4(curandStatePhilox4_32_10 *s, double mean) {
  const unsigned x = curand_poisson(s, mean);
  const unsigned y = curand_poisson(s, mean);
  const unsigned z = curand_poisson(s, mean);
  const unsigned w = curand_poisson(s, mean);
  return {x, y, z, w};
}

/* ---- refused ---- */

typedef struct curandDiscreteDistribution_st *curandDiscreteDistribution_t;
template <class S>
__attribute__((unavailable("tables of discrete distributions are not there: curand_poisson, or curand_uniform")))
__device__ unsigned
curand_discrete(S *s, curandDiscreteDistribution_t distribution);

#endif
