/* SPDX-License-Identifier: Apache-2.0
 * Options: every bit by the polynomials of blackscholes.h; by the OpenCL library within a bound of what double
 * precision gives. */
#include <math.h>
#include <string.h>

#include "firmware/kernels/blackscholes.h"
#include "firmware/kernels/case.h"
#include "firmware/kernels/host/host.h"

#define RATE 0.02f
#define VOLATILITY 0.30f

struct price {
  float call, put;
};

static uint32_t bits_of(float f) {
  uint32_t b;
  memcpy(&b, &f, sizeof b);
  return b;
}

static float float_of(uint32_t b) {
  float f;
  memcpy(&f, &b, sizeof f);
  return f;
}

static float horner(const float *factor, unsigned n, float x) {
  float y = factor[0];
  for (unsigned i = 1; i < n; i++) y = fmaf(y, x, factor[i]);
  return y;
}

static float exponential(float x) {
  static const float factor[] = {BS_EXP7, BS_EXP6, BS_EXP5, BS_EXP4, BS_EXP3, BS_EXP2};
  const float n = nearbyintf(x * BS_LOG2_E);
  if (n < -125.0f) return 0.0f;
  const float r = fmaf(n, -BS_LN2_LOW, fmaf(n, -BS_LN2_HIGH, x));
  const float y = fmaf(horner(factor, 6, r), r * r, r) + 1.0f;
  return ldexpf(y, (int)n);
}

static float logarithm(float x) {
  static const float factor[] = {BS_LOG9, BS_LOG7, BS_LOG5, BS_LOG3, 2.0f};
  int n = (int)(bits_of(x) >> 23) - 127;
  float m = float_of((bits_of(x) & 0x7fffff) | 0x3f800000);
  if (bits_of(m) >= 0x3fb504f3) m = m / 2, n++; /* from root 2 on */
  const float s = (m - 1.0f) / (m + 1.0f);
  const float y = horner(factor, 5, s * s) * s;
  return fmaf((float)n, BS_LN2_HIGH, fmaf((float)n, BS_LN2_LOW, y));
}

static float normal(float d) {
  static const float factor[] = {BS_CND5, BS_CND4, BS_CND3, BS_CND2, BS_CND1};
  const float k = 1.0f / fmaf(BS_CND_P, fabsf(d), 1.0f);
  const float tail = BS_ROOT_2PI * exponential(-0.5f * d * d) * (horner(factor, 5, k) * k);
  return d > 0.0f ? 1.0f - tail : tail;
}

static struct price exact(float s, float x, float t) {
  const float root = VOLATILITY * sqrtf(t);
  const float growth = fmaf(0.5f * VOLATILITY, VOLATILITY, RATE) * t;
  const float d1 = (logarithm(s / x) + growth) / root, d2 = d1 - root;
  const float n1 = normal(d1), n2 = normal(d2), later = x * exponential(-RATE * t);
  return (struct price){s * n1 - later * n2, later * (1.0f - n2) - s * (1.0f - n1)};
}

static struct price precise(double s, double x, double t) {
  const double v = VOLATILITY, r = RATE, root = v * sqrt(t);
  const double d1 = (log(s / x) + (0.5 * v * v + r) * t) / root, d2 = d1 - root;
  const double n1 = 0.5 * erfc(-sqrt(0.5) * d1), n2 = 0.5 * erfc(-sqrt(0.5) * d2), later = x * exp(-r * t);
  return (struct price){(float)(s * n1 - later * n2), (float)(later * (1 - n2) - s * (1 - n1))};
}

static void launch_options(struct kernel_case *c, const char *entry, unsigned call, uint32_t threads, uint32_t n) {
  struct kernel_launch *l = case_launch(c, entry);
  launch_line(l, threads, 64);
  for (unsigned k = 0; k < 3; k++) launch_buffer(l, k);
  launch_buffer(l, call);
  launch_buffer(l, call + 1);
  launch_u32(l, n);
  launch_float(l, RATE);
  launch_float(l, VOLATILITY);
}

bool blackscholes_prepare(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const uint32_t n = scale ? 1013 * scale : 150;
  float *s = case_buffer(c, CASE_IN, n * 4), *x = case_buffer(c, CASE_IN, n * 4), *t = case_buffer(c, CASE_IN, n * 4);
  for (unsigned k = 0; k < 4; k++) case_buffer(c, CASE_OUT, n * 4);
  if (!case_has_memory(c)) return false;
  for (uint32_t i = 0; i < n; i++) {
    s[i] = case_between(&seed, 5.0f, 30.0f);
    x[i] = case_between(&seed, 1.0f, 100.0f);
    t[i] = case_between(&seed, 0.25f, 10.0f);
  }
  case_seal(c, &seed);
  for (uint32_t i = 0; i < n; i++) {
    const struct price e = exact(s[i], x[i], t[i]), p = precise(s[i], x[i], t[i]);
    ((float *)case_expect(c, 3))[i] = e.call;
    ((float *)case_expect(c, 4))[i] = e.put;
    ((float *)case_expect(c, 5))[i] = p.call;
    ((float *)case_expect(c, 6))[i] = p.put;
  }
  /* Differences of prices up to 100, each with an error of a few 2^-24. */
  for (unsigned k = 5; k < 7; k++) case_near(c, k, 0x1p-22, 100 * 0x1p-23);
  launch_options(c, "blackscholes", 3, (n + 2) / 3, n); /* three options a thread */
  launch_options(c, "blackscholes_clc", 5, n, n);
  return true;
}
