// SPDX-License-Identifier: Apache-2.0
// Steps until z = z^2 + c leaves the circle of radius 2, at most `limit`: a loop that each lane leaves when it likes.
#pragma OPENCL FP_CONTRACT OFF
__kernel void mandelbrot(__global uint *steps, uint width, uint height, float left, float top, float size, uint limit) {
  uint px = get_global_id(0), py = get_global_id(1);
  if (px >= width || py >= height) return;
  float cx = left + size * (float)px / (float)width, cy = top - size * (float)py / (float)width;
  float x = 0, y = 0;
  uint n = 0;
  while (n < limit && x * x + y * y < 4.0f) {
    float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    n++;
  }
  steps[py * width + px] = n;
}
