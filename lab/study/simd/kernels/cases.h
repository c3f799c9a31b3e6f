/* SPDX-License-Identifier: Apache-2.0
 *
 * Inputs of each kernel, and its kept results. `put` takes the result. */
#ifndef SIMD_CASES_H
#define SIMD_CASES_H

#include "kernels.h"

enum { CASE_DAXPY = 1, CASE_STENCIL, CASE_SGEMM, CASE_SGEMM4, CASE_MANDEL };
typedef void put_result(const void *from, long bytes);
typedef void matrix_kernel(long m, long n, long k, const float *restrict a, const float *restrict b, float *restrict c);

static inline void case_daxpy(double *x, double *y, put_result *put) {
  input_doubles(x, DAXPY_N, 1);
  input_doubles(y, DAXPY_N, 2);
  daxpy(DAXPY_N, DAXPY_A, x, y);
  put(y, DAXPY_N * 8);
}

/* The rim of `out` is 0. */
static inline void case_stencil(float *from, float *out, put_result *put) {
  input_floats(from, STENCIL_H * STENCIL_W, 3);
  stencil(STENCIL_H, STENCIL_W, from, out);
  put(out, STENCIL_H * STENCIL_W * 4);
}

static inline void case_sgemm(matrix_kernel *kernel, float *a, float *b, float *c, put_result *put) {
  input_floats(a, SGEMM_M * SGEMM_K, 4);
  input_floats(b, SGEMM_K * SGEMM_N, 5);
  kernel(SGEMM_M, SGEMM_N, SGEMM_K, a, b, c);
  put(c, SGEMM_M * SGEMM_N * 4);
}

static inline void case_mandel(float *cx, float *cy, int *count, put_result *put) {
  input_line(cx, MANDEL_W, -2, 0.03125f);
  input_line(cy, MANDEL_H, -1.125f, 0.125f);
  mandel(MANDEL_H, MANDEL_W, MANDEL_LIMIT, cx, cy, count);
  put(count, MANDEL_H * MANDEL_W * 4);
}

#endif
