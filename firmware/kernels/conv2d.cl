// SPDX-License-Identifier: Apache-2.0
// A picture filtered by 5 x 5 weights out of a table in constant memory, edges continued. A block of 16 x 16 threads
// reads its tile and the 2 pixels around it into local memory once.
#define TILE 16
#define AROUND 2
#define SIDE (TILE + 2 * AROUND)
#define TAPS (2 * AROUND + 1)

__constant float weights[3][TAPS][TAPS] = {
    {{1, 4, 6, 4, 1}, {4, 16, 24, 16, 4}, {6, 24, 36, 24, 6}, {4, 16, 24, 16, 4}, {1, 4, 6, 4, 1}}, /* blur, / 256 */
    {{-1, -2, 0, 2, 1}, {-4, -8, 0, 8, 4}, {-6, -12, 0, 12, 6}, {-4, -8, 0, 8, 4}, {-1, -2, 0, 2, 1}}, /* edges */
    {{0, 0, -1, 0, 0}, {0, -1, -2, -1, 0}, {-1, -2, 17, -2, -1}, {0, -1, -2, -1, 0}, {0, 0, -1, 0, 0}}}; /* sharper */

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void conv2d(__global const float *in, __global float *out,
                                                                          int width, int height, uint filter,
                                                                          float scale) {
  __local float tile[SIDE][SIDE];
  int left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;
  int tx = get_local_id(0), ty = get_local_id(1);
  for (int dy = ty; dy < SIDE; dy += TILE)
    for (int dx = tx; dx < SIDE; dx += TILE) {
      int x = clamp(left + dx - AROUND, 0, width - 1), y = clamp(top + dy - AROUND, 0, height - 1);
      tile[dy][dx] = in[y * width + x];
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (left + tx >= width || top + ty >= height) return;
  float sum = 0;
  for (int dy = 0; dy < TAPS; dy++)
    for (int dx = 0; dx < TAPS; dx++) sum = fma(weights[filter][dy][dx], tile[ty + dy][tx + dx], sum);
  out[(top + ty) * width + left + tx] = sum * scale;
}
