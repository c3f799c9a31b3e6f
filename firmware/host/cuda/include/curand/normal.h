/* SPDX-License-Identifier: Apache-2.0
 * Normal and log-normal numbers: Box and Muller, "A note on the generation of random normal deviates", Annals of
 * Mathematical Statistics 29 (2), 1958. As on the GPU, sine and cosine of a float are the special function unit's. */
#ifndef HEDDLE_CURAND_NORMAL_H
#define HEDDLE_CURAND_NORMAL_H

#include "uniform.h"

/* A uniform number, and 2 pi times a second one. */
__heddle_fn float2 __heddle_box_muller(float u, float angle) {
  const float radius = sqrtf(-2.0f * logf(u));
  float sine, cosine;
  __sincosf(angle, &sine, &cosine);
  return {radius * sine, radius * cosine};
}
__heddle_fn double2 __heddle_box_muller_double(double u, double turns) {
  const double radius = sqrt(-2.0 * log(u));
  double sine, cosine;
  sincospi(2.0 * turns, &sine, &cosine);
  return {radius * sine, radius * cosine};
}
#define __HEDDLE_TAU 6.28318530717958647692

__heddle_fn float2 __heddle_normal2(unsigned x, unsigned y) {
  const float unit = (float)(0x1p-32 * __HEDDLE_TAU);
  return __heddle_box_muller(__heddle_uniform(x), y * unit + unit / 2);
}
template <class S> __heddle_fn float2 curand_normal2(S *s) {
  const unsigned x = curand(s);
  const unsigned y = curand(s);
  return __heddle_normal2(x, y);
}
__heddle_fn float2 curand_normal2(curandStateMRG32k3a *s) {
  const float u = curand_uniform(s);
  const float v = curand_uniform(s);
  return __heddle_box_muller(u, v * (float)__HEDDLE_TAU);
}
__heddle_fn float4 curand_normal4(curandStatePhilox4_32_10 *s) {
  const uint4 r = curand4(s);
  const float2 a = __heddle_normal2(r.x, r.y), b = __heddle_normal2(r.z, r.w);
  return {a.x, a.y, b.x, b.y};
}
__heddle_fn double2 curand_normal2_double(curandStateXORWOW *s) {
  const double u = curand_uniform_double(s);
  const double v = curand_uniform_double(s);
  return __heddle_box_muller_double(u, v);
}
__heddle_fn double2 curand_normal2_double(curandStateMRG32k3a *s) {
  const double u = curand_uniform_double(s);
  const double v = curand_uniform_double(s);
  return __heddle_box_muller_double(u, v);
}
__heddle_fn double2 curand_normal2_double(curandStatePhilox4_32_10 *s) {
  const double2 u = curand_uniform2_double(s);
  return __heddle_box_muller_double(u.x, u.y);
}
__heddle_fn double4 curand_normal4_double(curandStatePhilox4_32_10 *s) {
  const double2 a = curand_normal2_double(s);
  const double2 b = curand_normal2_double(s);
  return {a.x, a.y, b.x, b.y};
}

/* One at a time: the second of a pair is the next. */
template <class S> __heddle_fn float curand_normal(S *s) {
  s->boxmuller_flag = !s->boxmuller_flag;
  if (!s->boxmuller_flag) return s->boxmuller_extra;
  const float2 pair = curand_normal2(s);
  s->boxmuller_extra = pair.y;
  return pair.x;
}
template <class S> __heddle_fn double curand_normal_double(S *s) {
  s->boxmuller_flag_double = !s->boxmuller_flag_double;
  if (!s->boxmuller_flag_double) return s->boxmuller_extra_double;
  const double2 pair = curand_normal2_double(s);
  s->boxmuller_extra_double = pair.y;
  return pair.x;
}

/* ---- e to the power of a normal number of that mean and deviation ---- */

template <class S> __heddle_fn float curand_log_normal(S *s, float mean, float deviation) {
  return expf(mean + deviation * curand_normal(s));
}
template <class S> __heddle_fn double curand_log_normal_double(S *s, double mean, double deviation) {
  return exp(mean + deviation * curand_normal_double(s));
}
template <class S> __heddle_fn float2 curand_log_normal2(S *s, float mean, float deviation) {
  const float2 n = curand_normal2(s);
  return {expf(mean + deviation * n.x), expf(mean + deviation * n.y)};
}
template <class S> __heddle_fn double2 curand_log_normal2_double(S *s, double mean, double deviation) {
  const double2 n = curand_normal2_double(s);
  return {exp(mean + deviation * n.x), exp(mean + deviation * n.y)};
}
__heddle_fn float4 curand_log_normal4(curandStatePhilox4_32_10 *s, float mean, float deviation) {
  const float4 n = curand_normal4(s);
  return {expf(mean + deviation * n.x), expf(mean + deviation * n.y), expf(mean + deviation * n.z),
          expf(mean + deviation * n.w)};
}
__heddle_fn double4 curand_log_normal4_double(curandStatePhilox4_32_10 *s, double mean, double deviation) {
  const double4 n = curand_normal4_double(s);
  return {exp(mean + deviation * n.x), exp(mean + deviation * n.y), exp(mean + deviation * n.z),
          exp(mean + deviation * n.w)};
}

#endif
