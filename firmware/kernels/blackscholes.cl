/* SPDX-License-Identifier: Apache-2.0
 *
 * European options by Black and Scholes: call and put. `blackscholes` has its own exp and log, so that every bit is
 * known; `blackscholes_clc` those of the OpenCL library, and the normal distribution by its erfc. */
#include "blackscholes.h"
#pragma OPENCL FP_CONTRACT OFF

float exp_of(float x) {
  const float n = rint(x * BS_LOG2_E);
  if (n < -125.0f) return 0.0f;
  const float r = fma(n, -BS_LN2_LOW, fma(n, -BS_LN2_HIGH, x));
  float y = fma(BS_EXP7, r, BS_EXP6);
  y = fma(y, r, BS_EXP5);
  y = fma(y, r, BS_EXP4);
  y = fma(y, r, BS_EXP3);
  y = fma(y, r, BS_EXP2);
  y = fma(y, r * r, r) + 1.0f;
  return as_float(as_int(y) + ((int)n << 23));
}

float log_of(float x) {
  const int n = (as_int(x) - 0x3f3504f3) >> 23;
  const float m = as_float(as_int(x) - (n << 23));
  const float s = (m - 1.0f) / (m + 1.0f), z = s * s;
  float y = fma(BS_LOG9, z, BS_LOG7);
  y = fma(y, z, BS_LOG5);
  y = fma(y, z, BS_LOG3);
  y = fma(y, z, 2.0f);
  return fma((float)n, BS_LN2_HIGH, fma((float)n, BS_LN2_LOW, y * s));
}

float normal_of(float d) {
  const float k = 1.0f / fma(BS_CND_P, fabs(d), 1.0f);
  const float sum = fma(k, fma(k, fma(k, fma(k, BS_CND5, BS_CND4), BS_CND3), BS_CND2), BS_CND1) * k;
  const float tail = BS_ROOT_2PI * exp_of(-0.5f * d * d) * sum;
  return d > 0.0f ? 1.0f - tail : tail;
}

float normal_clc(float d) {
  return 0.5f * erfc(-0.70710678118654752440f * d);
}

#define OPTION(EXP, LOG, NORMAL)                                                                                       \
  do {                                                                                                                 \
    const float s = price[i], x = strike[i], t = years[i];                                                             \
    const float root = volatility * sqrt(t);                                                                           \
    const float d1 = (LOG(s / x) + fma(0.5f * volatility, volatility, rate) * t) / root, d2 = d1 - root;               \
    const float n1 = NORMAL(d1), n2 = NORMAL(d2), discounted = x * EXP(-rate * t);                                     \
    call[i] = s * n1 - discounted * n2;                                                                                \
    put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);                                                               \
  } while (0)

#define OPTIONS(NAME, EXP, LOG, NORMAL)                                                                                \
  __kernel void NAME(__global const float *price, __global const float *strike, __global const float *years,           \
                     __global float *call, __global float *put, uint n, float rate, float volatility) {                \
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) OPTION(EXP, LOG, NORMAL);                          \
  }

OPTIONS(blackscholes, exp_of, log_of, normal_of)
OPTIONS(blackscholes_clc, exp, log, normal_clc)
