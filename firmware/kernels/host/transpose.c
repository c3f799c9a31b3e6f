/* SPDX-License-Identifier: Apache-2.0
 * A transposed matrix. */
#include "firmware/kernels/case.h"
#include "firmware/kernels/host/host.h"

bool transpose_prepare(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const uint32_t width = scale ? 195 * scale : 45, height = scale ? 137 : 51;
  uint32_t *in = case_buffer(c, CASE_IN, width * height * 4);
  case_buffer(c, CASE_OUT, width * height * 4);
  if (!case_has_memory(c)) return false;
  for (uint32_t i = 0; i < width * height; i++) in[i] = case_word(&seed);
  case_seal(c, &seed);
  uint32_t *out = case_expect(c, 1);
  for (uint32_t y = 0; y < height; y++)
    for (uint32_t x = 0; x < width; x++) out[x * height + y] = in[y * width + x];
  struct kernel_launch *l = case_launch(c, "transpose");
  l->block[0] = 32;
  l->block[1] = 8;
  l->grid[0] = (width + 31) / 32;
  l->grid[1] = (height + 31) / 32;
  launch_buffer(l, 0);
  launch_buffer(l, 1);
  launch_u32(l, width);
  launch_u32(l, height);
  return true;
}
