/* SPDX-License-Identifier: Apache-2.0
 * Sorted words. */
#include <stdlib.h>

#include "firmware/kernels/case.h"
#include "firmware/kernels/host/host.h"

enum { THREADS = 64, WORDS = 2 * THREADS };

static int by_key(const void *x, const void *y) {
  const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return a < b ? -1 : a > b;
}

static void launch_blocks(struct kernel_case *c, const char *entry, uint32_t n) {
  struct kernel_launch *l = case_launch(c, entry);
  launch_line(l, (n + WORDS - 1) / WORDS * THREADS, THREADS);
  launch_buffer(l, 0);
  launch_u32(l, n);
}

/* Half of all places up to the next multiple of 2 * apart are lower partners. */
static void launch_step(struct kernel_case *c, uint32_t n, uint32_t apart, bool mirror) {
  struct kernel_launch *l = case_launch(c, "bitonic_step");
  launch_line(l, (n + 2 * apart - 1) / (2 * apart) * apart, THREADS);
  launch_buffer(l, 0);
  launch_u32(l, n);
  launch_u32(l, apart);
  launch_u32(l, mirror);
}

bool bitonic_prepare(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const uint32_t n = scale ? 2999 * scale : 451;
  uint32_t *keys = case_buffer(c, CASE_INOUT, n * 4);
  if (!case_has_memory(c)) return false;
  /* Equal ones, the largest among them; random ones. */
  for (uint32_t i = 0; i < n; i++) keys[i] = case_word(&seed) % 4 ? case_word(&seed) : case_word(&seed) % 5 - 1;
  case_seal(c, &seed);
  qsort(case_expect(c, 0), n, 4, by_key);
  launch_blocks(c, "bitonic_block", n);
  for (uint32_t size = 2 * WORDS; size < 2 * n; size *= 2) {
    launch_step(c, n, size / 2, true);
    for (uint32_t apart = size / 4; apart >= WORDS; apart /= 2) launch_step(c, n, apart, false);
    launch_blocks(c, "bitonic_merge", n);
  }
  return true;
}
