// SPDX-License-Identifier: Apache-2.0
// out = in transposed; in has `height` rows of `width` words. A block of 32 x 8 threads moves a tile of 32 x 32 through
// local memory, whose rows are one word longer than they need to be: columns then lie in different banks.
#define TILE 32
#define ROWS 8
__kernel __attribute__((reqd_work_group_size(TILE, ROWS, 1))) void transpose(__global const uint *in,
                                                                             __global uint *out, uint width,
                                                                             uint height) {
  __local uint tile[TILE][TILE + 1];
  uint tx = get_local_id(0), ty = get_local_id(1);
  uint left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;
  for (uint r = ty; r < TILE; r += ROWS)
    if (left + tx < width && top + r < height) tile[r][tx] = in[(top + r) * width + left + tx];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint r = ty; r < TILE; r += ROWS)
    if (left + r < width && top + tx < height) out[(left + r) * height + top + tx] = tile[tx][r];
}
