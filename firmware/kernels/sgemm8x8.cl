/* SPDX-License-Identifier: Apache-2.0
 *
 * C = alpha * A B + beta * C, row-major, any sizes: 64 by 64 of C a block of 8 by 8 threads, 8 by 8 of them a thread
 * in registers, 16 of K at a time through local memory. A thread's rows and columns lie in two groups of four, half a
 * tile apart, so that the vector loads of neighbouring threads meet no bank twice. A zero beta does not read C. */
#pragma OPENCL FP_CONTRACT OFF

#define TILE 64
#define DEPTH 16
#define PITCH (TILE + 4) /* A is stored transposed: keeps its stores apart, and its rows aligned for float4 */

__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void sgemm8x8(__global const float *a, __global const float *b,
                                                                      __global float *c, uint m, uint n, uint k,
                                                                      float alpha, float beta) {
  __local __attribute__((aligned(16))) float as[DEPTH][PITCH];
  __local __attribute__((aligned(16))) float bs[DEPTH][TILE];
  const uint tx = get_local_id(0), ty = get_local_id(1), t = ty * 8 + tx;
  const uint row0 = get_group_id(1) * TILE, col0 = get_group_id(0) * TILE;
  float sum[8][8];
#pragma unroll
  for (uint i = 0; i < 8; i++)
#pragma unroll
    for (uint j = 0; j < 8; j++) sum[i][j] = 0.0f;

  for (uint k0 = 0; k0 < k; k0 += DEPTH) {
#pragma unroll
    for (uint i = 0; i < TILE; i += 64 / DEPTH) {
      const uint row = row0 + i + t / DEPTH, kk = k0 + t % DEPTH;
      as[t % DEPTH][i + t / DEPTH] = row < m && kk < k ? a[row * k + kk] : 0.0f;
    }
#pragma unroll
    for (uint i = 0; i < DEPTH; i++)
      bs[i][t] = k0 + i < k && col0 + t < n ? b[(k0 + i) * n + col0 + t] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 4
    for (uint kk = 0; kk < DEPTH; kk++) {
      const float4 a0 = *(__local const float4 *)&as[kk][ty * 4], a1 = *(__local const float4 *)&as[kk][32 + ty * 4];
      const float4 b0 = *(__local const float4 *)&bs[kk][tx * 4], b1 = *(__local const float4 *)&bs[kk][32 + tx * 4];
      const float x[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
      const float y[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
      for (uint i = 0; i < 8; i++)
#pragma unroll
        for (uint j = 0; j < 8; j++) sum[i][j] = fma(x[i], y[j], sum[i][j]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }

#pragma unroll
  for (uint i = 0; i < 8; i++) {
    const uint row = row0 + (i < 4 ? 0 : 28) + ty * 4 + i;
    if (row >= m) continue;
#pragma unroll
    for (uint j = 0; j < 8; j++) {
      const uint col = col0 + (j < 4 ? 0 : 28) + tx * 4 + j;
      if (col >= n) continue;
      const uint at = row * n + col;
      c[at] = beta != 0.0f ? fma(alpha, sum[i][j], beta * c[at]) : alpha * sum[i][j];
    }
  }
}
