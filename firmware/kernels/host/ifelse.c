/* SPDX-License-Identifier: Apache-2.0
 * x[i] = x[i] != 0 ? x[i] - y[i] : z[i]. */
#include "firmware/kernels/case.h"
#include "firmware/kernels/host/host.h"

bool ifelse_prepare(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const uint32_t n = scale ? 17011 * scale : 709;
  float *x = case_buffer(c, CASE_INOUT, n * 4), *y = case_buffer(c, CASE_IN, n * 4),
        *z = case_buffer(c, CASE_IN, n * 4);
  if (!case_has_memory(c)) return false;
  for (uint32_t i = 0; i < n; i++) {
    x[i] = case_word(&seed) % 3 ? case_float(&seed) : 0.0f;
    y[i] = case_float(&seed);
    z[i] = case_float(&seed);
  }
  case_seal(c, &seed);
  float *out = case_expect(c, 0);
  for (uint32_t i = 0; i < n; i++) out[i] = x[i] != 0.0f ? x[i] - y[i] : z[i];
  struct kernel_launch *l = case_launch(c, "ifelse");
  launch_line(l, n, 96);
  for (unsigned k = 0; k < 3; k++) launch_buffer(l, k);
  launch_u32(l, n);
  return true;
}
