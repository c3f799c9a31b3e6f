/* SPDX-License-Identifier: Apache-2.0
 * out[i] = in[0] + ... + in[i-1], modulo 2^32. */
#include "firmware/kernels/case.h"
#include "firmware/kernels/host/host.h"

enum { THREADS = 128, BLOCK = 2 * THREADS };

static uint32_t exclusive(const uint32_t *in, uint32_t *out, uint32_t n) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < n; i++) {
    out[i] = sum;
    sum += in[i];
  }
  return sum;
}

static void launch_blocks(struct kernel_case *c, unsigned from, unsigned to, unsigned sums, uint32_t n) {
  struct kernel_launch *l = case_launch(c, "scan_blocks");
  launch_line(l, (n + BLOCK - 1) / BLOCK * THREADS, THREADS);
  launch_buffer(l, from);
  launch_buffer(l, to);
  launch_buffer(l, sums);
  launch_u32(l, n);
}

bool scan_prepare(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const uint32_t n = scale ? 11003 * scale : 1207, blocks = (n + BLOCK - 1) / BLOCK;
  if (blocks > BLOCK) return false; /* the sums are one block */
  uint32_t *in = case_buffer(c, CASE_IN, n * 4);
  for (unsigned i = 0; i < 3; i++) case_buffer(c, CASE_OUT, i == 0 ? n * 4 : blocks * 4);
  case_buffer(c, CASE_OUT, 4);
  if (!case_has_memory(c)) return false;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t word = case_word(&seed);
    in[i] = word >> (case_word(&seed) % 32);
  }
  case_seal(c, &seed);
  uint32_t *sums = case_expect(c, 2), *total = case_expect(c, 4);
  (void)exclusive(in, case_expect(c, 1), n);
  for (uint32_t b = 0; b < blocks; b++) {
    sums[b] = 0;
    for (uint32_t i = b * BLOCK; i < n && i < (b + 1) * BLOCK; i++) sums[b] += in[i];
  }
  *total = exclusive(sums, case_expect(c, 3), blocks);
  launch_blocks(c, 0, 1, 2, n);
  launch_blocks(c, 2, 3, 4, blocks);
  struct kernel_launch *l = case_launch(c, "scan_add");
  launch_line(l, blocks * THREADS, THREADS);
  launch_buffer(l, 1);
  launch_buffer(l, 3);
  launch_u32(l, n);
  return true;
}
