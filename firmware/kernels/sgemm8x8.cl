/* SPDX-License-Identifier: Apache-2.0
 *
 * C = alpha * A B + beta * C, row-major, any sizes: 64 by 64 of C a block of 8 by 8 threads. A zero beta does not read C.
 *
 * Whole tiles whose rows are aligned (n and k of whole quads, k of whole tiles): 8 by 8 of C a thread in registers, 8 of
 * K at a time through local memory, in one of two buffers by turns. While a tile is multiplied, two steps of K a trip so
 * that the loop stays small, the next one comes from global memory. A thread's rows and columns lie in two groups of
 * four, half a tile apart, so that the vector loads of neighbouring threads meet no bank twice; A lies transposed.
 * At the edges: a column a thread, eight rows at a time, from global memory. */
#pragma OPENCL FP_CONTRACT OFF

#define TILE 64
#define DEPTH 8
#define HALF (TILE / 2)

static float4 quad(const __local float *p) {
  return *(const __local float4 *)p;
}

static float4 quad_from(const __global float *p) {
  return *(const __global float4 *)p;
}

static void edge(__global const float *a, __global const float *b, __global float *c, uint m, uint n, uint k,
                 float alpha, float beta, uint row0, uint col) {
  if (col >= n) return;
  const uint end = min(row0 + TILE, m);
  for (uint row = row0; row < end; row += 8) {
    const uint last = min(end - row, 8u) - 1;
    float sum[8];
#pragma unroll
    for (uint i = 0; i < 8; i++) sum[i] = 0.0f;
#pragma unroll 1
    for (uint kk = 0; kk < k; kk++) {
      const float y = b[kk * n + col];
#pragma unroll
      for (uint i = 0; i < 8; i++) sum[i] = fma(a[(row + min(i, last)) * k + kk], y, sum[i]);
    }
#pragma unroll
    for (uint i = 0; i < 8; i++) {
      __global float *to = &c[(row + i) * n + col];
      if (i <= last) *to = beta != 0.0f ? fma(alpha, sum[i], beta * *to) : alpha * sum[i];
    }
  }
}

__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void sgemm8x8(__global const float *a, __global const float *b,
                                                                      __global float *c, uint m, uint n, uint k,
                                                                      float alpha, float beta) {
  __local __attribute__((aligned(16))) float as[2][DEPTH][TILE];
  __local __attribute__((aligned(16))) float bs[2][DEPTH][TILE];
  const uint tx = get_local_id(0), ty = get_local_id(1), t = ty * 8 + tx;
  const uint row0 = get_group_id(1) * TILE, col0 = get_group_id(0) * TILE;
  const bool aligned = (((ulong)a | (ulong)b | (ulong)c) % 16 | n % 4 | k % DEPTH) == 0;
  if (!aligned || row0 + TILE > m || col0 + TILE > n || k == 0) {
    edge(a, b, c, m, n, k, alpha, beta, row0, col0 + t);
    return;
  }
  float sum[8][8];
#pragma unroll
  for (uint i = 0; i < 8; i++)
#pragma unroll
    for (uint j = 0; j < 8; j++) sum[i][j] = 0.0f;

  /* Of each tile this thread moves eight of a row of A, eight of a row of B. */
  a += (row0 + t) * k;
  b += ty * n + col0 + tx * 8;
  float4 a0 = quad_from(a), a1 = quad_from(a + 4), b0 = quad_from(b), b1 = quad_from(b + 4);
  uint at = 0;
  for (uint left = k;;) {
    __local float *put_a = &as[0][0][at + t], *put_b = &bs[0][ty][at + tx * 8];
    put_a[0 * TILE] = a0.x, put_a[1 * TILE] = a0.y, put_a[2 * TILE] = a0.z, put_a[3 * TILE] = a0.w;
    put_a[4 * TILE] = a1.x, put_a[5 * TILE] = a1.y, put_a[6 * TILE] = a1.z, put_a[7 * TILE] = a1.w;
    *(__local float4 *)put_b = b0, *(__local float4 *)(put_b + 4) = b1;
    barrier(CLK_LOCAL_MEM_FENCE);
    left -= DEPTH;
    a += DEPTH, b += DEPTH * n;
    if (left > 0) a0 = quad_from(a), a1 = quad_from(a + 4), b0 = quad_from(b), b1 = quad_from(b + 4);
    const __local float *xs = &as[0][0][at + ty * 4], *ys = &bs[0][0][at + tx * 4];
#pragma unroll 2
    for (uint kk = 0; kk < DEPTH; kk++) {
      const float4 x0 = quad(xs + kk * TILE), x1 = quad(xs + kk * TILE + HALF);
      const float4 y0 = quad(ys + kk * TILE), y1 = quad(ys + kk * TILE + HALF);
      const float x[8] = {x0.x, x0.y, x0.z, x0.w, x1.x, x1.y, x1.z, x1.w};
      const float y[8] = {y0.x, y0.y, y0.z, y0.w, y1.x, y1.y, y1.z, y1.w};
#pragma unroll
      for (uint i = 0; i < 8; i++)
#pragma unroll
        for (uint j = 0; j < 8; j++) sum[i][j] = fma(x[i], y[j], sum[i][j]);
    }
    if (left == 0) break;
    at ^= DEPTH * TILE;
  }

#pragma unroll
  for (uint i = 0; i < 8; i++) {
    __global float *row = c + (row0 + ty * 4 + (i < 4 ? i : HALF - 4 + i)) * n + col0 + tx * 4;
#pragma unroll
    for (uint h = 0; h < 2; h++) {
      __global float4 *to = (__global float4 *)(row + h * HALF);
      const float4 new = {sum[i][4 * h], sum[i][4 * h + 1], sum[i][4 * h + 2], sum[i][4 * h + 3]};
      if (beta != 0.0f)
        *to = fma((float4)(alpha), new, beta * *to);
      else
        *to = alpha * new;
    }
  }
}
