/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of the study: shapes, sizes, inputs. Included by the reference, by the programs for x86 and RISC-V, which
 * have no C library, and by nothing of Heddle's.
 *
 * Sizes are no multiples of any vector's length, so that every version has an end to deal with, and small, since each
 * instruction is stepped. Every multiplication and addition that is one rounding is written as __builtin_fma; all are
 * built with -ffp-contract=off, so that no compiler makes others. */
#ifndef SIMD_KERNELS_H
#define SIMD_KERNELS_H

enum {
  DAXPY_N = 1003,
  STENCIL_H = 22, /* rows and columns with the rim, which is read and not written */
  STENCIL_W = 77,
  SGEMM_M = 8, /* a multiple of 4: sgemm4 */
  SGEMM_N = 75,
  SGEMM_K = 32,
  MANDEL_H = 10,
  MANDEL_W = 80,
  MANDEL_LIMIT = 64
};
#define DAXPY_A 1.7
#define STENCIL_CENTRE 0.5f
#define STENCIL_RIM 0.125f

/* y[i] = fma(a, x[i], y[i]) */
void daxpy(long n, double a, const double *restrict x, double *restrict y);
/* out = fma(RIM, (north + south) + (west + east), CENTRE * centre), inside the rim */
void stencil(long h, long w, const float *restrict in, float *restrict out);
/* c[m][n] = a[m][k] * b[k][n]: fma from 0 in the order of k. sgemm4: four rows of c at a time. */
void sgemm(long m, long n, long k, const float *restrict a, const float *restrict b, float *restrict c);
void sgemm4(long m, long n, long k, const float *restrict a, const float *restrict b, float *restrict c);
/* How many steps z = z*z + c stays within |z| <= 2, at most `limit`; c = cx[column] + i cy[row]. */
void mandel(long h, long w, int limit, const float *restrict cx, const float *restrict cy, int *restrict count);

/* Inputs: multiples of 2^-23 in [-1, 1) from a linear congruential generator; exact in every format. */
static inline unsigned input_next(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state;
}
static inline void input_floats(float *to, long n, unsigned seed) {
  for (long i = 0; i < n; i++) to[i] = (float)((int)input_next(&seed) >> 8) * 0x1p-23f;
}
static inline void input_doubles(double *to, long n, unsigned seed) {
  for (long i = 0; i < n; i++) to[i] = (double)((int)input_next(&seed) >> 8) * 0x1p-23;
}
/* The corner of the set that is looked at: columns from -2 to 0.5, rows from -1.125 on. */
static inline void input_line(float *to, long n, float first, float step) {
  for (long i = 0; i < n; i++) to[i] = first + (float)i * step;
}

#endif
