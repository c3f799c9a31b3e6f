/* SPDX-License-Identifier: Apache-2.0
 * A filtered picture; a launch a filter. */
#include <math.h>

#include "firmware/kernels/case.h"
#include "firmware/kernels/host/host.h"

enum { TAPS = 5, FILTERS = 3 };

static const float weights[FILTERS][TAPS][TAPS] = {
    {{1, 4, 6, 4, 1}, {4, 16, 24, 16, 4}, {6, 24, 36, 24, 6}, {4, 16, 24, 16, 4}, {1, 4, 6, 4, 1}},
    {{-1, -2, 0, 2, 1}, {-4, -8, 0, 8, 4}, {-6, -12, 0, 12, 6}, {-4, -8, 0, 8, 4}, {-1, -2, 0, 2, 1}},
    {{0, 0, -1, 0, 0}, {0, -1, -2, -1, 0}, {-1, -2, 17, -2, -1}, {0, -1, -2, -1, 0}, {0, 0, -1, 0, 0}}};
static const float scales[FILTERS] = {0x1p-8f, 0.05f, 0.2f};

static int within(int v, int end) {
  return v < 0 ? 0 : v >= end ? end - 1 : v;
}

static float filtered(const float *in, int width, int height, int x, int y, unsigned filter) {
  float sum = 0;
  for (int dy = 0; dy < TAPS; dy++)
    for (int dx = 0; dx < TAPS; dx++)
      sum = fmaf(weights[filter][dy][dx],
                 in[within(y + dy - TAPS / 2, height) * width + within(x + dx - TAPS / 2, width)], sum);
  return sum * scales[filter];
}

static void launch_filter(struct kernel_case *c, uint32_t width, uint32_t height, unsigned filter) {
  struct kernel_launch *l = case_launch(c, "conv2d");
  launch_plane(l, width, height, 16, 16);
  launch_buffer(l, 0);
  launch_buffer(l, 1 + filter);
  launch_u32(l, width);
  launch_u32(l, height);
  launch_u32(l, filter);
  launch_float(l, scales[filter]);
}

bool conv2d_prepare(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const int width = scale ? 61 * (int)scale : 35, height = scale ? 45 : 21;
  const size_t bytes = (size_t)(width * height) * 4;
  float *in = case_buffer(c, CASE_IN, bytes);
  for (unsigned f = 0; f < FILTERS; f++) case_buffer(c, CASE_OUT, bytes);
  if (!case_has_memory(c)) return false;
  for (int i = 0; i < width * height; i++) in[i] = case_between(&seed, 0, 255);
  case_seal(c, &seed);
  for (unsigned f = 0; f < FILTERS; f++) {
    float *out = case_expect(c, 1 + f);
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) out[y * width + x] = filtered(in, width, height, x, y, f);
    launch_filter(c, (uint32_t)width, (uint32_t)height, f);
  }
  return true;
}
