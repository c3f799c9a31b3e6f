/* SPDX-License-Identifier: Apache-2.0
 * y = A x, one fused multiply-add after the other in the order of the columns. */
#include <math.h>

#include "firmware/kernels/case.h"
#include "firmware/kernels/host/host.h"

bool gemv_async_prepare(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const uint32_t m = scale ? 500 * scale : 83, k = scale ? 256 * scale : 40;
  float *a = case_buffer(c, CASE_IN, m * k * 4), *x = case_buffer(c, CASE_IN, k * 4);
  case_buffer(c, CASE_OUT, m * 4);
  if (!case_has_memory(c)) return false;
  for (uint32_t i = 0; i < m * k; i++) a[i] = case_between(&seed, -4.0f, 4.0f);
  for (uint32_t i = 0; i < k; i++) x[i] = i % 9 ? case_between(&seed, -1.0f, 1.0f) : 0.0f;
  case_seal(c, &seed);
  float *y = case_expect(c, 2);
  for (uint32_t row = 0; row < m; row++) {
    float sum = 0.0f;
    for (uint32_t i = 0; i < k; i++) sum = fmaf(a[row * k + i], x[i], sum);
    y[row] = sum;
  }
  struct kernel_launch *l = case_launch(c, "gemv_async");
  l->block[0] = 64;
  l->grid[0] = (m + 63) / 64;
  for (unsigned i = 0; i < 3; i++) launch_buffer(l, i);
  launch_u32(l, m);
  launch_u32(l, k);
  return true;
}
