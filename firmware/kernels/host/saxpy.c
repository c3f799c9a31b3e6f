/* SPDX-License-Identifier: Apache-2.0
 * y = alpha x + y; the grid covers a third of it. */
#include <math.h>

#include "firmware/kernels/case.h"
#include "firmware/kernels/host/host.h"

bool saxpy_prepare(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const uint32_t n = scale ? 30011 * scale : 1021;
  const float alpha = case_between(&seed, -4, 4);
  float *x = case_buffer(c, CASE_IN, n * 4), *y = case_buffer(c, CASE_INOUT, n * 4);
  if (!case_has_memory(c)) return false;
  for (uint32_t i = 0; i < n; i++) x[i] = case_float(&seed), y[i] = case_float(&seed);
  case_seal(c, &seed);
  float *out = case_expect(c, 1);
  for (uint32_t i = 0; i < n; i++) out[i] = fmaf(alpha, x[i], y[i]);
  struct kernel_launch *l = case_launch(c, "saxpy");
  launch_line(l, n / 3, 64);
  launch_float(l, alpha);
  launch_buffer(l, 0);
  launch_buffer(l, 1);
  launch_u32(l, n);
  return true;
}
