/* SPDX-License-Identifier: Apache-2.0
 *
 * QMMA: matrices of 8-bit floating-point numbers, accumulated in F32.
 *
 * Two fused sums of 16 products after each other; the addition of C is one of
 * its own.
 */
#include "cmodel/sem/mma_round.h"

#define QMMA_K 32u

/* Where row k of B and column k of A go: the products of the first sum before those of the second. */
static inline unsigned term_place(unsigned k) {
  return (k % 4 < 2 ? 0 : MMA_TERMS) + k / 4 * 2 + k % 2;
}

static inline void read_a(struct mma_a *to, const uint32_t *a) {
  struct mma_a m;
  mma_read_a(&m, a, QMMA_K, 4);
  for (unsigned k = 0; k < QMMA_K; k++)
    for (unsigned i = 0; i < MMA_M; i++) to->at[term_place(k)][i] = m.at[k][i];
}

static inline void read_b(struct mma_b *to, const uint32_t *b) {
  struct mma_b m;
  mma_read_b(&m, b, QMMA_K, 4);
  for (unsigned j = 0; j < MMA_N; j++)
    for (unsigned k = 0; k < QMMA_K; k++) to->at[j][term_place(k)] = m.at[j][k];
}

static inline void qmma(SEM_ARGS, struct mma_format fa, struct mma_format fb) {
  struct mma_operands o;
  struct mma_sums sums;
  struct mma_c mc;
  o.special = 0;
  read_a(&o.a, a);
  read_b(&o.b, b);
  mma_read_c(&mc, c);
  mma_split_a(&o, QMMA_K, fa);
  mma_split_b(&o, QMMA_K, fb);
  memset(&o.c, 0, sizeof o.c);
  for (unsigned first = 0; first < QMMA_K; first += MMA_TERMS) {
    mma_split_c(&o, mma_f32);
    mma_kinds(&o, QMMA_K, fa, fb, mma_f32);
    mma_sum(&sums, &o, first, MMA_TERMS);
    mma_round_all_f32(&o.c, &sums);
  }
  for (unsigned j = 0; j < MMA_N; j++)
    for (unsigned i = 0; i < MMA_M; i++) mc.at[j][i] = f32_result(f32_of(mc.at[j][i]) + f32_of(o.c.at[j][i]));
  mma_write_d(d, &mc);
}

#define QMMA_ROW(name, fa, fb)                                                                                         \
  SEM_FN(name) {                                                                                                       \
    qmma(SEM_PASS, fa, fb);                                                                                            \
  }

QMMA_ROW(e4m3_e4m3, mma_e4m3, mma_e4m3)
QMMA_ROW(e4m3_e5m2, mma_e4m3, mma_e5m2)
QMMA_ROW(e5m2_e4m3, mma_e5m2, mma_e4m3)
QMMA_ROW(e5m2_e5m2, mma_e5m2, mma_e5m2)

static sem_fn *qmma_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)p;
  const bool b5 = heddle_isa_get(dec->word, ISA_F_FP8B) == ISA_FP8_E5M2;
  if (heddle_isa_get(dec->word, ISA_F_FP8A) == ISA_FP8_E5M2) return b5 ? e5m2_e5m2 : e5m2_e4m3;
  return b5 ? e4m3_e5m2 : e4m3_e4m3;
}

const struct sem_def SEM_DEF(qmma_16832) = {
    .kind = SEM_ROW, .marks = SEM_MARKS_MATRIX, .whole_warp = true, .pick = qmma_pick};
