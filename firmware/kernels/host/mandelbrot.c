/* SPDX-License-Identifier: Apache-2.0
 * Steps of z = z^2 + c until |z| >= 2, in a window that the seed moves. */
#include "firmware/kernels/case.h"
#include "firmware/kernels/host/host.h"

static uint32_t steps_of(float cx, float cy, uint32_t limit) {
  float x = 0, y = 0;
  uint32_t n = 0;
  for (; n < limit && x * x + y * y < 4.0f; n++) {
    const float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
  }
  return n;
}

bool mandelbrot_prepare(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const uint32_t width = scale ? 75 * scale : 29, height = scale ? 61 : 21, limit = scale ? 64 : 40;
  const float left = case_between(&seed, -2.1f, -1.9f), top = case_between(&seed, 1.0f, 1.3f),
              size = case_between(&seed, 2.4f, 2.8f);
  case_buffer(c, CASE_OUT, width * height * 4);
  if (!case_has_memory(c)) return false;
  case_seal(c, &seed);
  uint32_t *out = case_expect(c, 0);
  for (uint32_t y = 0; y < height; y++)
    for (uint32_t x = 0; x < width; x++)
      out[y * width + x] = steps_of(left + size * (float)x / (float)width, top - size * (float)y / (float)width, limit);
  struct kernel_launch *l = case_launch(c, "mandelbrot");
  launch_plane(l, width, height, 16, 8);
  launch_buffer(l, 0);
  launch_u32(l, width);
  launch_u32(l, height);
  launch_float(l, left);
  launch_float(l, top);
  launch_float(l, size);
  launch_u32(l, limit);
  return true;
}
