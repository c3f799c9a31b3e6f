// SPDX-License-Identifier: Apache-2.0
// The kernels of the study for Heddle: a thread an element. simd.ptx is what clang-19 makes of them (run.sh).
#define STENCIL_CENTRE 0.5f
#define STENCIL_RIM 0.125f
#define KERNEL extern "C" __global__ void

KERNEL daxpy(int n, double a, const double *__restrict x, double *__restrict y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __builtin_fma(a, x[i], y[i]);
}

KERNEL stencil(int h, int w, const float *__restrict in, float *__restrict out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const int r = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i >= w - 1 || r >= h - 1) return;
  const float *at = in + r * w + i;
  const float rim = (at[-w] + at[w]) + (at[-1] + at[1]);
  out[r * w + i] = __builtin_fmaf(STENCIL_RIM, rim, STENCIL_CENTRE * at[0]);
}

KERNEL sgemm(int m, int n, int k, const float *__restrict a, const float *__restrict b, float *__restrict c) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j >= n) return;
  float sum = 0;
  for (int p = 0; p < k; p++) sum = __builtin_fmaf(a[i * k + p], b[p * n + j], sum);
  c[i * n + j] = sum;
}

// Four rows of c a thread.
KERNEL sgemm4(int m, int n, int k, const float *__restrict a, const float *__restrict b, float *__restrict c) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = 4 * blockIdx.y;
  if (j >= n) return;
  float c0 = 0, c1 = 0, c2 = 0, c3 = 0;
  const float *row = a + i * k;
  for (int p = 0; p < k; p++) {
    const float v = b[p * n + j];
    c0 = __builtin_fmaf(row[p], v, c0);
    c1 = __builtin_fmaf(row[p + k], v, c1);
    c2 = __builtin_fmaf(row[p + 2 * k], v, c2);
    c3 = __builtin_fmaf(row[p + 3 * k], v, c3);
  }
  c[i * n + j] = c0;
  c[(i + 1) * n + j] = c1;
  c[(i + 2) * n + j] = c2;
  c[(i + 3) * n + j] = c3;
}

KERNEL mandel(int h, int w, int limit, const float *__restrict cx, const float *__restrict cy, int *__restrict count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  if (i >= w) return;
  const float cr = cx[i], ci = cy[r];
  float x = 0, y = 0;
  int steps = 0;
  for (; steps < limit; steps++) {
    const float xx = x * x, yy = y * y;
    if (!(xx + yy <= 4)) break;
    y = __builtin_fmaf(2, x * y, ci);
    x = (xx - yy) + cr;
  }
  count[r * w + i] = steps;
}
