/* SPDX-License-Identifier: Apache-2.0
 *
 * Fast Fourier transforms, Stockham: 512 points a block of 64 threads, three passes of radix 8, exchanged through local
 * memory, roots of one from a table in constant memory. `inverse`: the other sign, and the factor 1 / 512. */
#include "fft_table.h"
#pragma OPENCL FP_CONTRACT OFF

#define POINTS FFT_POINTS
#define THREADS (POINTS / 8)
#define PLACE(i) ((i) + ((i) >> 3)) /* keeps the threads of a pass on banks of their own */

__constant float cosine[POINTS] = {FFT_COSINES};

float2 times(float2 a, float2 b) {
  return (float2)(fma(a.x, b.x, -(a.y * b.y)), fma(a.x, b.y, a.y * b.x));
}

/* e^(-2 pi i k / POINTS) */
float2 root_of_one(uint k) {
  return (float2)(cosine[k % POINTS], cosine[(k + POINTS / 4) % POINTS]);
}

#define BUTTERFLY(a, b)                                                                                                \
  do {                                                                                                                 \
    const float2 sum_ = a + b;                                                                                         \
    b = a - b;                                                                                                         \
    a = sum_;                                                                                                          \
  } while (0)

float2 quarter_turn(float2 v) { /* times -i */
  return (float2)(v.y, -v.x);
}

/* v becomes its transform, in bit-reversed order. */
void transform8(float2 v[8]) {
  const float h = FFT_ROOT_HALF;
  BUTTERFLY(v[0], v[4]);
  BUTTERFLY(v[1], v[5]);
  BUTTERFLY(v[2], v[6]);
  BUTTERFLY(v[3], v[7]);
  v[5] = (float2)((v[5].x + v[5].y) * h, (v[5].y - v[5].x) * h);
  v[6] = quarter_turn(v[6]);
  v[7] = (float2)((v[7].y - v[7].x) * h, -((v[7].x + v[7].y) * h));
  BUTTERFLY(v[0], v[2]);
  BUTTERFLY(v[1], v[3]);
  BUTTERFLY(v[4], v[6]);
  BUTTERFLY(v[5], v[7]);
  v[3] = quarter_turn(v[3]);
  v[7] = quarter_turn(v[7]);
  BUTTERFLY(v[0], v[1]);
  BUTTERFLY(v[2], v[3]);
  BUTTERFLY(v[4], v[5]);
  BUTTERFLY(v[6], v[7]);
}

__kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void fft(__global const float2 *in, __global float2 *out,
                                                                       uint inverse) {
  const uint reversed[8] = {0, 4, 2, 6, 1, 5, 3, 7};
  __local float re[PLACE(POINTS)], im[PLACE(POINTS)];
  const uint t = get_local_id(0), base = get_group_id(0) * POINTS;
  float2 v[8];
#pragma unroll
  for (uint i = 0; i < 8; i++) {
    const float2 x = in[base + t + i * THREADS];
    v[i] = inverse ? x.yx : x;
  }
#pragma unroll
  for (uint done = 1; done < POINTS / 8; done *= 8) { /* transforms of `done` points are there */
    const uint to = t / done * done * 8 + t % done;
    transform8(v);
#pragma unroll
    for (uint i = 0; i < 8; i++) {
      re[PLACE(to + i * done)] = v[reversed[i]].x;
      im[PLACE(to + i * done)] = v[reversed[i]].y;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint i = 0; i < 8; i++) {
      const float2 x = (float2)(re[PLACE(t + i * THREADS)], im[PLACE(t + i * THREADS)]);
      v[i] = i ? times(x, root_of_one(i * (t % (8 * done)) * (THREADS / 8 / done))) : x;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  transform8(v);
#pragma unroll
  for (uint i = 0; i < 8; i++) {
    const float2 x = v[reversed[i]];
    out[base + t + i * THREADS] = inverse ? x.yx * (1.0f / POINTS) : x;
  }
}
