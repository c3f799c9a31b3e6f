/* SPDX-License-Identifier: Apache-2.0
 * A walk over numbers whose steps depend on them. */
#include "firmware/kernels/case.h"
#include "firmware/kernels/host/host.h"

static uint32_t nested_step(uint32_t v) {
  v = 3 * v + 1;
  return v & 4 ? v ^ 0x10 : v;
}

static uint32_t nested_one(uint32_t v) {
  uint32_t acc = 0, steps = 0;
  if ((v & 3) == 0) return 7;
  while (steps < 40 && v > 1) {
    acc += v & 0xff;
    if (acc > 2000) return ~acc;
    v = v & 1 ? nested_step(v) : v >> 1;
    steps++;
  }
  return acc + (steps << 16);
}

bool nested_prepare(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const uint32_t n = scale ? 1501 * scale : 301;
  uint32_t *in = case_buffer(c, CASE_IN, n * 4);
  case_buffer(c, CASE_OUT, n * 4);
  if (!case_has_memory(c)) return false;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t word = case_word(&seed);
    in[i] = word >> (case_word(&seed) % 32);
  }
  case_seal(c, &seed);
  uint32_t *out = case_expect(c, 1);
  for (uint32_t i = 0; i < n; i++) out[i] = nested_one(in[i]);
  struct kernel_launch *l = case_launch(c, "nested");
  launch_line(l, n, 64);
  for (unsigned k = 0; k < 2; k++) launch_buffer(l, k);
  launch_u32(l, n);
  return true;
}
