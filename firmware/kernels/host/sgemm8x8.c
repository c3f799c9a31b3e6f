/* SPDX-License-Identifier: Apache-2.0
 * C = alpha A B + beta C. Compiled: of sizes that nothing divides; then of whole tiles and a little more, the last of
 * them with beta 0 over noise. By hand: of whole tiles; beta is 0 at scale 1 and above, and for every third seed. */
#include <math.h>

#include "base/minmax.h"
#include "firmware/kernels/case.h"
#include "firmware/kernels/host/host.h"

struct sizes {
  uint32_t m, n, k;
};

static void multiply_floats(const float *a, const float *b, float *c, struct sizes s, float alpha, float beta) {
  for (uint32_t y = 0; y < s.m; y++)
    for (uint32_t x = 0; x < s.n; x++) {
      float sum = 0.0f;
      for (uint32_t k = 0; k < s.k; k++) sum = fmaf(a[y * s.k + k], b[k * s.n + x], sum);
      float *to = &c[y * s.n + x];
      *to = beta == 0.0f ? alpha * sum : fmaf(alpha, sum, beta * *to);
    }
}

static void launch_sgemm(struct kernel_case *c, unsigned to, struct sizes s, float alpha, float beta) {
  struct kernel_launch *l = case_launch(c, "sgemm8x8");
  launch_plane(l, (s.n + 63) / 64 * 8, (s.m + 63) / 64 * 8, 8, 8);
  launch_buffer(l, 0);
  launch_buffer(l, 1);
  launch_buffer(l, to);
  launch_u32(l, s.m);
  launch_u32(l, s.n);
  launch_u32(l, s.k);
  launch_float(l, alpha);
  launch_float(l, beta);
}

bool sgemm8x8_prepare(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const struct sizes odd = scale ? (struct sizes){61 * scale + 9, 67 * scale + 38, 37} : (struct sizes){35, 70, 19};
  const struct sizes even = scale ? (struct sizes){64 * scale + 5, 64 * scale + 20, 40} : (struct sizes){69, 72, 24};
  const uint32_t of_a = max_u32(odd.m * odd.k, even.m * even.k), of_b = max_u32(odd.k * odd.n, even.k * even.n);
  const uint32_t of_c = max_u32(odd.m * odd.n, even.m * even.n);
  float *a = case_buffer(c, CASE_IN, of_a * 4), *b = case_buffer(c, CASE_IN, of_b * 4);
  float *sum = case_buffer(c, CASE_INOUT, of_c * 4), *more = case_buffer(c, CASE_INOUT, of_c * 4);
  case_buffer(c, CASE_OUT, of_c * 4);
  if (!case_has_memory(c)) return false;
  for (uint32_t i = 0; i < of_a; i++) a[i] = case_between(&seed, -1.0f, 1.0f);
  for (uint32_t i = 0; i < of_b; i++) b[i] = case_between(&seed, -1.0f, 1.0f);
  for (uint32_t i = 0; i < of_c; i++) sum[i] = case_between(&seed, -4.0f, 4.0f);
  for (uint32_t i = 0; i < of_c; i++) more[i] = case_between(&seed, -4.0f, 4.0f);
  case_seal(c, &seed);
  multiply_floats(a, b, case_expect(c, 2), odd, 1.5f, -0.7f);
  multiply_floats(a, b, case_expect(c, 3), even, 1.5f, -0.7f);
  multiply_floats(a, b, case_expect(c, 4), even, 0.3f, 0.0f);
  launch_sgemm(c, 2, odd, 1.5f, -0.7f);
  launch_sgemm(c, 3, even, 1.5f, -0.7f);
  launch_sgemm(c, 4, even, 0.3f, 0.0f);
  return true;
}

bool sgemm8x8_assembly(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const struct sizes s = scale ? (struct sizes){128 * scale, 128 * scale, 128 * scale} : (struct sizes){64, 128, 24};
  const float beta = scale || seed % 3 == 0 ? 0.0f : -0.7f;
  float *a = case_buffer(c, CASE_IN, s.m * s.k * 4), *b = case_buffer(c, CASE_IN, s.k * s.n * 4);
  float *sum = case_buffer(c, CASE_INOUT, s.m * s.n * 4);
  if (!case_has_memory(c)) return false;
  for (uint32_t i = 0; i < s.m * s.k; i++) a[i] = case_between(&seed, -1.0f, 1.0f);
  for (uint32_t i = 0; i < s.k * s.n; i++) b[i] = case_between(&seed, -1.0f, 1.0f);
  for (uint32_t i = 0; i < s.m * s.n; i++) sum[i] = case_between(&seed, -4.0f, 4.0f);
  case_seal(c, &seed);
  multiply_floats(a, b, case_expect(c, 2), s, 1.5f, beta);
  launch_sgemm(c, 2, s, 1.5f, beta);
  return true;
}
