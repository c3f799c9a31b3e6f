/* SPDX-License-Identifier: Apache-2.0
 * Counts of byte values; one of them is far more frequent than the others. */
#include "firmware/kernels/case.h"
#include "firmware/kernels/host/host.h"

enum { BINS = 256 };

bool histogram_prepare(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const uint32_t n = scale ? 30011 * scale : 1403;
  uint8_t *data = case_buffer(c, CASE_IN, n);
  uint32_t *bins = case_buffer(c, CASE_INOUT, BINS * 4);
  if (!case_has_memory(c)) return false;
  for (uint32_t i = 0; i < n; i++) data[i] = (uint8_t)(case_word(&seed) % 5 ? case_word(&seed) : 200);
  for (uint32_t i = 0; i < BINS; i++) bins[i] = case_word(&seed);
  case_seal(c, &seed);
  bins = case_expect(c, 1);
  for (uint32_t i = 0; i < n; i++) bins[data[i]]++;
  struct kernel_launch *l = case_launch(c, "histogram");
  launch_line(l, n / 2, 96);
  launch_buffer(l, 0);
  launch_buffer(l, 1);
  launch_u32(l, n);
  return true;
}
