/* SPDX-License-Identifier: Apache-2.0
 *
 * Fused multiply-add: FFMA, DFMA, and DMMA, which is four of DFMA after each other. By the host's fused multiply-add
 * where it has one, exact otherwise. Built without -frounding-math, under which GCC does not vectorise fmaf; nothing in
 * sem/ changes the host's rounding direction.
 */
#include <math.h>
#include "cmodel/sem/fp32.h"
#include "cmodel/sem/fp64.h"

/* FFMA. fp32.c says why there are two functions. */

SEM_FN(ffma_exact) {
  const uint32_t ftz = all_ones_if(p->ftz), sat = all_ones_if(p->sat);
  const enum sem_round rnd = (enum sem_round)p->rnd;
  SEM_EACH_LANE(i) {
    const double x = f32_of(f32_flush(a[i], ftz)), y = f32_of(f32_flush(b[i], ftz));
    const double z = f32_of(f32_flush(c[i], ftz));
    const uint32_t r = f32_round_flush(sum_to_odd(x * y, z, rnd == SEM_RM), rnd, ftz);
    d[i] = blend(SEM_ON(i), f32_finish(r, sat), d[i]);
  }
}

#ifdef __FMA__
SEM_FN_WHOLE(ffma_plain) {
  SEM_EACH_LANE(i)
  d[i] = blend(SEM_ON(i), f32_result(fmaf(f32_of(a[i]), f32_of(b[i]), f32_of(c[i]))), d[i]);
}

#else
#define ffma_plain ffma_exact
#endif

static sem_fn *ffma_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  return pick_variant(dec, p, ffma_plain, ffma_exact);
}

const struct sem_def SEM_DEF(ffma) = {.kind = SEM_ROW, .pick = ffma_pick};

/* DFMA: exact is in integers. */

SEM_FN(dfma_exact) {
  const struct f64_sign sa = f64_sign(p, 0), sb = f64_sign(p, 1), sc = f64_sign(p, 2);
  const enum sem_round rnd = (enum sem_round)p->rnd;
  for (unsigned i = 0; i < SEM_LANES; i++) {
    const uint64_t x = pair_get(a, i), y = pair_get(b, i), z = pair_get(c, i);
    const uint64_t r = f64_fma_exact(f64_modify(x, sa), f64_modify(y, sb), f64_modify(z, sc), rnd);
    pair_put(d, i, SEM_ON(i), f64_choose_nan(r, y, z, x));
  }
}

#ifdef __FMA__
SEM_FN_WHOLE(dfma_nearest) {
  const struct f64_sign sa = f64_sign(p, 0), sb = f64_sign(p, 1), sc = f64_sign(p, 2);
  SEM_EACH_LANE(i) {
    const uint64_t x = pair_get(a, i), y = pair_get(b, i), z = pair_get(c, i);
    const double r = fma(f64_of(f64_modify(x, sa)), f64_of(f64_modify(y, sb)), f64_of(f64_modify(z, sc)));
    pair_put(d, i, SEM_ON(i), f64_choose_nan(bits64_of(r), y, z, x));
  }
}

#else
#define dfma_nearest dfma_exact
#endif

static sem_fn *dfma_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  own_signs(dec, p);
  p->rnd = (uint8_t)round_of(heddle_isa_get(dec->word, ISA_F_RND));
  return p->rnd == SEM_RN ? dfma_nearest : dfma_exact;
}

const struct sem_def SEM_DEF(dfma) = {.kind = SEM_ROW, .pick = dfma_pick};

/* DMMA: 8x8 matrices of FP64 numbers. */

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
