/* SPDX-License-Identifier: Apache-2.0
 * a[i] = b[index[i]]; every index once. */
#include "firmware/kernels/case.h"
#include "firmware/kernels/host/host.h"

bool permute_prepare(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const uint32_t n = scale ? 26003 * scale : 901;
  case_buffer(c, CASE_OUT, n * 4);
  uint32_t *b = case_buffer(c, CASE_IN, n * 4), *index = case_buffer(c, CASE_IN, n * 4);
  if (!case_has_memory(c)) return false;
  for (uint32_t i = 0; i < n; i++) b[i] = case_word(&seed), index[i] = i;
  for (uint32_t i = n - 1; i > 0; i--) {
    uint32_t j = case_word(&seed) % (i + 1), t = index[i];
    index[i] = index[j];
    index[j] = t;
  }
  case_seal(c, &seed);
  uint32_t *out = case_expect(c, 0);
  for (uint32_t i = 0; i < n; i++) out[i] = b[index[i]];
  struct kernel_launch *l = case_launch(c, "permute");
  launch_line(l, n, 64);
  for (unsigned k = 0; k < 3; k++) launch_buffer(l, k);
  launch_u32(l, n);
  return true;
}
