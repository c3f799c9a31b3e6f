/* SPDX-License-Identifier: Apache-2.0
 * out[i] = a[i] + b[i]. */
#include "firmware/kernels/case.h"
#include "firmware/kernels/host/host.h"

bool vecadd_prepare(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const uint32_t n = scale ? 25013 * scale : 1003;
  float *a = case_buffer(c, CASE_IN, n * 4), *b = case_buffer(c, CASE_IN, n * 4);
  case_buffer(c, CASE_OUT, n * 4);
  if (!case_has_memory(c)) return false;
  for (uint32_t i = 0; i < n; i++) a[i] = case_float(&seed), b[i] = case_float(&seed);
  case_seal(c, &seed);
  float *out = case_expect(c, 2);
  for (uint32_t i = 0; i < n; i++) out[i] = a[i] + b[i];
  struct kernel_launch *l = case_launch(c, "vecadd");
  launch_line(l, n, 128);
  for (unsigned k = 0; k < 3; k++) launch_buffer(l, k);
  launch_u32(l, n);
  return true;
}
