/* SPDX-License-Identifier: Apache-2.0
 * A sum in the order of the kernel's tree, in two launches. */
#include "firmware/kernels/case.h"
#include "firmware/kernels/host/host.h"

enum { THREADS = 128 };

static float block_sum(const float *in, uint32_t n, uint32_t block, uint32_t blocks) {
  float s[THREADS];
  for (uint32_t t = 0; t < THREADS; t++) {
    s[t] = 0;
    for (uint32_t i = block * THREADS + t; i < n; i += blocks * THREADS) s[t] += in[i];
  }
  for (uint32_t span = THREADS / 2; span > 0; span /= 2)
    for (uint32_t t = 0; t < span; t++) s[t] += s[t + span];
  return s[0];
}

static void launch_sums(struct kernel_case *c, unsigned from, unsigned to, uint32_t blocks, uint32_t n) {
  struct kernel_launch *l = case_launch(c, "reduce");
  launch_line(l, blocks * THREADS, THREADS);
  launch_buffer(l, from);
  launch_buffer(l, to);
  launch_local(l, THREADS * 4);
  launch_u32(l, n);
}

bool reduce_prepare(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const uint32_t n = scale ? 20011 * scale : 1501, blocks = scale ? 23 : 5;
  float *in = case_buffer(c, CASE_IN, n * 4);
  case_buffer(c, CASE_OUT, blocks * 4);
  case_buffer(c, CASE_OUT, 4);
  if (!case_has_memory(c)) return false;
  for (uint32_t i = 0; i < n; i++) in[i] = case_float(&seed);
  case_seal(c, &seed);
  float *sums = case_expect(c, 1), *total = case_expect(c, 2);
  for (uint32_t b = 0; b < blocks; b++) sums[b] = block_sum(in, n, b, blocks);
  *total = block_sum(sums, blocks, 0, 1);
  launch_sums(c, 0, 1, blocks, n);
  launch_sums(c, 1, 2, 1, blocks);
  return true;
}
