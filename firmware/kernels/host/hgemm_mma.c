/* SPDX-License-Identifier: Apache-2.0
 * D = A B + C of 16-bit floats: what matrix instructions give, bit by bit. Sixteen products and the sum so far are
 * added at once: each is cut toward zero to the unit of the largest, and their sum to 24 bits. */
#include <math.h>

#include "firmware/kernels/case.h"
#include "firmware/kernels/host/host.h"

struct sizes {
  uint32_t m, n, k;
};

enum { AT_ONCE = 16, TILE = 32, UNIT = 25, F16_FRACTION = 10, F16_LEAST = -14, F32_FRACTION = 23, F32_LEAST = -126 };

/* significand * 2^(exponent - fraction) */
struct number {
  int64_t significand;
  int exponent;
};

static struct number of_half(uint16_t h) {
  const int field = h >> 10 & 31;
  const int64_t s = (h & 0x3ff) | (field ? 0x400 : 0);
  return (struct number){h >> 15 ? -s : s, field ? field - 15 : F16_LEAST};
}

static struct number of_float(float f) {
  int e;
  if (f == 0.0f) return (struct number){0, F32_LEAST};
  (void)frexpf(f, &e);
  e = e - 1 < F32_LEAST ? F32_LEAST : e - 1;
  return (struct number){(int64_t)ldexpf(f, F32_FRACTION - e), e};
}

/* In units of 2^(unit - 25). */
static int64_t cut(struct number x, int fraction, int unit) {
  const int right = unit - x.exponent;
  const int64_t wide = (x.significand < 0 ? -x.significand : x.significand) << (UNIT - fraction);
  const int64_t kept = right < 63 ? wide >> right : 0;
  return x.significand < 0 ? -kept : kept;
}

/* Toward zero: the sum has far more than 24 bits at most, and no more than 53. */
static float rounded(int64_t sum, int unit) {
  if (sum == 0) return 0.0f;
  uint64_t n = (uint64_t)(sum < 0 ? -sum : sum);
  unsigned above = 0;
  while (n >> above >> 24) above++;
  const float f = ldexpf((float)(n >> above), (int)above + unit - UNIT);
  return sum < 0 ? -f : f;
}

static float dot(float c, const uint16_t *a, const uint16_t *b, uint32_t step, uint32_t k) {
  struct number p[AT_ONCE], sum = of_float(c);
  int unit = -133;
  if (sum.significand && sum.exponent > unit) unit = sum.exponent;
  for (uint32_t i = 0; i < AT_ONCE; i++) {
    const bool inside = i < k;
    const struct number x = of_half(inside ? a[i] : 0), y = of_half(inside ? b[i * step] : 0);
    p[i] = (struct number){x.significand * y.significand, x.exponent + y.exponent};
    if (p[i].significand && p[i].exponent > unit) unit = p[i].exponent;
  }
  int64_t all = cut(sum, F32_FRACTION, unit);
  for (unsigned i = 0; i < AT_ONCE; i++) all += cut(p[i], 2 * F16_FRACTION, unit);
  return rounded(all, unit);
}

static void multiply_halves(const uint16_t *a, const uint16_t *b, const float *c, float *d, struct sizes s) {
  for (uint32_t y = 0; y < s.m; y++)
    for (uint32_t x = 0; x < s.n; x++) {
      float sum = c[y * s.n + x];
      for (uint32_t k = 0; k < (s.k + TILE - 1) / TILE * TILE; k += AT_ONCE) {
        const uint32_t left = k < s.k ? s.k - k : 0, at = left ? k : 0;
        sum = dot(sum, a + y * s.k + at, b + at * s.n + x, s.n, left);
      }
      d[y * s.n + x] = sum;
    }
}

/* Of any size up to 2, some zero, some subnormal. */
static uint16_t half(uint64_t *seed) {
  const uint32_t r = case_word(seed);
  const uint32_t exponent = r % 11 == 0 ? 0 : r % 5 == 0 ? r >> 16 & 15 : 11 + (r >> 16 & 3);
  return (uint16_t)(r % 23 == 0 ? 0 : (r & 0x8000) | exponent << 10 | (r >> 20 & 0x3ff));
}

bool hgemm_mma_prepare(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const struct sizes s = scale ? (struct sizes){101 * scale, 136, 72 * scale} : (struct sizes){37, 72, 40};
  uint16_t *a = case_buffer(c, CASE_IN, s.m * s.k * 2), *b = case_buffer(c, CASE_IN, s.k * s.n * 2);
  float *sum = case_buffer(c, CASE_IN, s.m * s.n * 4);
  case_buffer(c, CASE_OUT, s.m * s.n * 4);
  if (!case_has_memory(c)) return false;
  for (uint32_t i = 0; i < s.m * s.k; i++) a[i] = half(&seed);
  for (uint32_t i = 0; i < s.k * s.n; i++) b[i] = half(&seed);
  for (uint32_t i = 0; i < s.m * s.n; i++) sum[i] = i % 7 ? case_between(&seed, -8.0f, 8.0f) : 0.0f;
  case_seal(c, &seed);
  multiply_halves(a, b, sum, case_expect(c, 3), s);
  struct kernel_launch *l = case_launch(c, "hgemm_mma");
  l->block[0] = 128;
  l->grid[0] = (s.n + 63) / 64;
  l->grid[1] = (s.m + 63) / 64;
  for (unsigned k = 0; k < 4; k++) launch_buffer(l, k);
  launch_u32(l, s.m);
  launch_u32(l, s.n);
  launch_u32(l, s.k);
  return true;
}
