/* SPDX-License-Identifier: Apache-2.0
 * The kernels in plain C: scalar where vectorisation is off, else whatever the compiler makes of them. */
#include "kernels.h"

void daxpy(long n, double a, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) y[i] = __builtin_fma(a, x[i], y[i]);
}

void stencil(long h, long w, const float *restrict in, float *restrict out) {
  for (long r = 1; r < h - 1; r++) {
    const float *at = in + r * w;
    for (long i = 1; i < w - 1; i++) {
      const float rim = (at[i - w] + at[i + w]) + (at[i - 1] + at[i + 1]);
      out[r * w + i] = __builtin_fmaf(STENCIL_RIM, rim, STENCIL_CENTRE * at[i]);
    }
  }
}

/* Rows of c in memory: the innermost loop runs over columns, as vectorisers want it. */
void sgemm(long m, long n, long k, const float *restrict a, const float *restrict b, float *restrict c) {
  for (long i = 0; i < m; i++) {
    for (long j = 0; j < n; j++) c[i * n + j] = 0;
    for (long p = 0; p < k; p++)
      for (long j = 0; j < n; j++) c[i * n + j] = __builtin_fmaf(a[i * k + p], b[p * n + j], c[i * n + j]);
  }
}

#ifndef INTRINSICS
/* Four elements of a column of c in registers. */
void sgemm4(long m, long n, long k, const float *restrict a, const float *restrict b, float *restrict c) {
  for (long i = 0; i < m; i += 4) {
    for (long j = 0; j < n; j++) {
      float c0 = 0, c1 = 0, c2 = 0, c3 = 0;
      const float *row = a + i * k;
      for (long p = 0; p < k; p++) {
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
  }
}

void mandel(long h, long w, int limit, const float *restrict cx, const float *restrict cy, int *restrict count) {
  for (long r = 0; r < h; r++) {
    for (long i = 0; i < w; i++) {
      float x = 0, y = 0;
      int steps = 0;
      for (; steps < limit; steps++) {
        const float xx = x * x, yy = y * y;
        if (!(xx + yy <= 4)) break;
        y = __builtin_fmaf(2, x * y, cy[r]);
        x = (xx - yy) + cx[i];
      }
      count[r * w + i] = steps;
    }
  }
}
#endif
