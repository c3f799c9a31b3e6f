/* SPDX-License-Identifier: Apache-2.0
 *
 * DMMA: 8x8 matrices of FP64 numbers: four fused multiply-adds after each
 * other. Built without -frounding-math, as fp32_fma.c.
 */
#include <math.h>

#include "cmodel/sem/fp64_exact.h"

#define DMMA_N 8u /* rows and columns of C and D */
#define DMMA_K 4u
#define SECOND_PAIR (2 * (size_t)SEM_LANES)

#ifdef __FMA__
static inline uint64_t fma_nearest(uint64_t a, uint64_t b, uint64_t c) {
  return bits64_of(fma(f64_of(a), f64_of(b), f64_of(c)));
}
#else
static inline uint64_t fma_nearest(uint64_t a, uint64_t b, uint64_t c) {
  return f64_fma_exact(a, b, c, SEM_RN);
}
#endif

static inline uint64_t multiply_add(uint64_t a, uint64_t b, uint64_t sum) {
  return f64_choose_nan(fma_nearest(a, b, sum), b, sum, a);
}

/* Lane 4g + t: A row g, column t; B row t, column g; C and D row g, columns 2t and 2t + 1. */
SEM_FN(dmma_884) {
  uint64_t ma[DMMA_K][DMMA_N], mb[DMMA_N][DMMA_K], sum[DMMA_N][DMMA_N]; /* ma, sum: by column, then row */
  for (unsigned g = 0; g < DMMA_N; g++)
    for (unsigned t = 0; t < DMMA_K; t++) {
      const size_t left = 2 * (size_t)t;
      ma[t][g] = pair_get(a, 4 * g + t);
      mb[g][t] = pair_get(b, 4 * g + t);
      sum[left][g] = pair_get(c, 4 * g + t);
      sum[left + 1][g] = pair_get(c + SECOND_PAIR, 4 * g + t);
    }
  for (unsigned j = 0; j < DMMA_N; j++)
    for (unsigned k = 0; k < DMMA_K; k++)
      for (unsigned i = 0; i < DMMA_N; i++) sum[j][i] = multiply_add(ma[k][i], mb[j][k], sum[j][i]);
  for (unsigned g = 0; g < DMMA_N; g++)
    for (unsigned t = 0; t < DMMA_K; t++) {
      const size_t left = 2 * (size_t)t;
      pair_put(d, 4 * g + t, ~0u, sum[left][g]);
      pair_put(d + SECOND_PAIR, 4 * g + t, ~0u, sum[left + 1][g]);
    }
}

static sem_fn *dmma_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)dec, (void)p;
  return dmma_884;
}

const struct sem_def SEM_DEF(dmma_884) = {
    .kind = SEM_ROW, .marks = SEM_MARKS_MATRIX, .whole_warp = true, .pick = dmma_pick};
