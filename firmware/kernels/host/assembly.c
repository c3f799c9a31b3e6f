/* SPDX-License-Identifier: Apache-2.0
 * Cases of the kernels that were written by hand, where they take other arguments than NAME.cl. */
#include <math.h>

#include "firmware/kernels/case.h"
#include "firmware/kernels/host/host.h"

bool reduce_assembly(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const uint32_t n = scale ? 4001 * scale : 1000, blocks = (n + 127) / 128;
  float *in = case_buffer(c, CASE_IN, n * 4);
  case_buffer(c, CASE_OUT, blocks * 4);
  if (!case_has_memory(c)) return false;
  for (uint32_t i = 0; i < n; i++) in[i] = case_float(&seed);
  case_seal(c, &seed);
  float *out = case_expect(c, 1);
  for (uint32_t b = 0; b < blocks; b++) {
    float s[128];
    for (uint32_t t = 0; t < 128; t++) s[t] = b * 128 + t < n ? in[b * 128 + t] : 0.0f;
    for (uint32_t stride = 64; stride > 0; stride /= 2)
      for (uint32_t t = 0; t < stride; t++) s[t] = s[t] + s[t + stride];
    out[b] = s[0];
  }
  struct kernel_launch *l = case_launch(c, "reduce");
  launch_line(l, n, 128);
  for (unsigned k = 0; k < 2; k++) launch_buffer(l, k);
  launch_u32(l, n);
  return true;
}

bool sgemm_assembly(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const uint32_t n = scale ? 32 + 32 * scale : 48;
  float *a = case_buffer(c, CASE_IN, n * n * 4), *b = case_buffer(c, CASE_IN, n * n * 4);
  case_buffer(c, CASE_OUT, n * n * 4);
  if (!case_has_memory(c)) return false;
  for (uint32_t i = 0; i < n * n; i++) a[i] = case_float(&seed), b[i] = case_float(&seed);
  case_seal(c, &seed);
  float *out = case_expect(c, 2);
  for (uint32_t y = 0; y < n; y++)
    for (uint32_t x = 0; x < n; x++) {
      float sum = 0.0f;
      for (uint32_t k = 0; k < n; k++) sum = fmaf(a[y * n + k], b[k * n + x], sum);
      out[y * n + x] = sum;
    }
  struct kernel_launch *l = case_launch(c, "sgemm");
  launch_plane(l, n, n / 2, 16, 8); /* two elements a thread */
  for (unsigned k = 0; k < 3; k++) launch_buffer(l, k);
  launch_u32(l, n);
  return true;
}

bool histogram_assembly(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const uint32_t n = scale ? 11003 * scale : 700;
  uint8_t *data = case_buffer(c, CASE_IN, n);
  uint32_t *bins = case_buffer(c, CASE_INOUT, 64 * 4), *total = case_buffer(c, CASE_INOUT, 4);
  case_buffer(c, CASE_OUT, n * 4);
  if (!case_has_memory(c)) return false;
  for (uint32_t i = 0; i < n; i++) data[i] = (uint8_t)(case_word(&seed) % 5 ? case_word(&seed) : 9);
  for (uint32_t i = 0; i < 64; i++) bins[i] = case_word(&seed);
  *total = case_word(&seed);
  case_seal(c, &seed);
  bins = case_expect(c, 1);
  uint32_t *end = case_expect(c, 2), *ticket = case_expect(c, 3);
  for (uint32_t i = 0; i < n; i++) {
    bins[data[i] & 63]++;
    ticket[i] = *total + i;
  }
  *end += n;
  c->buffer[3].compare = KERNEL_PERMUTATION;
  struct kernel_launch *l = case_launch(c, "histogram");
  launch_line(l, n, 96);
  for (unsigned k = 0; k < 4; k++) launch_buffer(l, k);
  launch_u32(l, n);
  return true;
}
