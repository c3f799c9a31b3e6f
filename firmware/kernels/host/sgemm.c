/* SPDX-License-Identifier: Apache-2.0
 * C = alpha A B + beta C. The kernel's last tile is filled up with zeros, whose products are +0 or -0: a sum that is
 * not -0 does not change, and one that begins with +0 never is. */
#include <math.h>

#include "firmware/kernels/case.h"
#include "firmware/kernels/host/host.h"

enum { TILE = 16 };

static void arguments(struct kernel_launch *l, uint32_t m, uint32_t n, uint32_t k, float alpha, float beta) {
  launch_u32(l, m);
  launch_u32(l, n);
  launch_u32(l, k);
  launch_float(l, alpha);
  launch_buffer(l, 0);
  launch_buffer(l, 1);
  launch_float(l, beta);
  launch_buffer(l, 2);
}

bool sgemm_prepare(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const uint32_t m = scale ? 67 * scale : 35, n = scale ? 61 * scale : 37, k = scale ? 53 * scale : 29;
  const float alpha = case_between(&seed, -2, 2), beta = case_between(&seed, -2, 2);
  float *a = case_buffer(c, CASE_IN, m * k * 4), *b = case_buffer(c, CASE_IN, k * n * 4),
        *to = case_buffer(c, CASE_INOUT, m * n * 4);
  if (!case_has_memory(c)) return false;
  for (uint32_t i = 0; i < m * k; i++) a[i] = case_float(&seed);
  for (uint32_t i = 0; i < k * n; i++) b[i] = case_float(&seed);
  for (uint32_t i = 0; i < m * n; i++) to[i] = case_float(&seed);
  case_seal(c, &seed);
  float *out = case_expect(c, 2);
  for (uint32_t row = 0; row < m; row++)
    for (uint32_t column = 0; column < n; column++) {
      float sum = 0;
      for (uint32_t i = 0; i < k; i++) sum = fmaf(a[row * k + i], b[i * n + column], sum);
      out[row * n + column] = fmaf(alpha, sum, beta * to[row * n + column]);
    }
  struct kernel_launch *l = case_launch(c, "sgemm");
  launch_plane(l, n, m, TILE, TILE);
  arguments(l, m, n, k, alpha, beta);
  return true;
}
