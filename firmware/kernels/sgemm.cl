// SPDX-License-Identifier: Apache-2.0
// C = alpha A B + beta C, row-major: A is m x k, B k x n. A block of 16 x 16 threads makes a tile of C of that size from
// tiles of A and B in local memory; each element is one chain of fused multiply-adds.
#define TILE 16
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void sgemm(uint m, uint n, uint k, float alpha,
                                                                         __global const float *a,
                                                                         __global const float *b, float beta,
                                                                         __global float *c) {
  __local float tile_a[TILE][TILE], tile_b[TILE][TILE];
  uint x = get_local_id(0), y = get_local_id(1);
  uint column = get_group_id(0) * TILE + x, row = get_group_id(1) * TILE + y;
  float sum = 0;
  for (uint first = 0; first < k; first += TILE) {
    tile_a[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
    tile_b[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < TILE; i++) sum = fma(tile_a[y][i], tile_b[i][x], sum);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < m && column < n) c[row * n + column] = fma(alpha, sum, beta * c[row * n + column]);
}
