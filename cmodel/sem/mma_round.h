/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside sem/ only: the result of a fused sum (mma_sum.h) as a binary32 or
 * binary16 number: steps 6 and 7 of isa/doc/10-matrices.md, and its NaNs.
 */
#ifndef HEDDLE_SEM_MMA_ROUND_H
#define HEDDLE_SEM_MMA_ROUND_H

#include "cmodel/sem/fp32.h"
#include "cmodel/sem/half.h"
#include "cmodel/sem/mma_sum.h"

/* An integer cut to 24 bits, as binary32: the host rounds to nearest, and with the bit below the last one cleared that
 * is toward zero. (The bits below that one do not matter then.) */
static inline uint32_t cut_integer(uint32_t n) {
  return bits_of((float)(n & ~(n >> 24)));
}

/* Cut toward zero; too large is infinity. */
static inline uint32_t mma_round_f32(uint32_t magnitude, uint32_t negative, int32_t emax, uint32_t special) {
  const uint32_t n = cut_integer(magnitude), whole = (n & 0x7fffffu) | 0x800000u;
  const int32_t field = (int32_t)(n >> 23) + emax - MMA_UNIT;
  const uint32_t below = (uint32_t)(1 - field), lacks = below < 31u ? below : 31u;
  uint32_t r = field < 1 ? whole >> lacks : n + ((uint32_t)(emax - MMA_UNIT) << 23);
  r = field > 254 ? F32_INF : r;
  r = magnitude == 0 ? 0 : r;
  r = special == MMA_INF ? F32_INF : r;
  r = r == 0 ? 0 : r | (negative & F32_SIGN);
  return special == MMA_NAN ? F32_NAN : r;
}

/* To nearest, even: by way of binary32, whose last bit stands for all that was cut off there (24 >= 11 + 2, see
 * fp32.h). What is not zero lies in its normal range, since products of F16 numbers do. */
static inline uint32_t mma_round_f16(uint32_t magnitude, uint32_t negative, int32_t emax, uint32_t special) {
  const uint32_t n = cut_integer(magnitude), top = n >> 23; /* 127 and the place of the highest one */
  const uint32_t lost = magnitude & ((1u << (top > 150 ? top - 150 : 0)) - 1u);
  const uint32_t odd = n | (lost != 0);
  uint32_t r = f16_nearest(odd + ((uint32_t)(emax - MMA_UNIT) << 23));
  r = magnitude == 0 ? 0 : r;
  r = special == MMA_INF ? F16_INF : r;
  r = r == 0 ? 0 : r | (negative & F16_SIGN);
  return special == MMA_NAN ? F16_NAN : r;
}

static inline void mma_round_all_f32(struct mma_c *d, const struct mma_sums *s) {
  for (unsigned j = 0; j < MMA_N; j++)
    for (unsigned i = 0; i < MMA_M; i++)
      d->at[j][i] = mma_round_f32(s->magnitude[j][i], s->negative[j][i], s->emax[j][i], s->special[j][i]);
}

static inline void mma_round_all_f16(struct mma_c *d, const struct mma_sums *s) {
  for (unsigned j = 0; j < MMA_N; j++)
    for (unsigned i = 0; i < MMA_M; i++)
      d->at[j][i] = mma_round_f16(s->magnitude[j][i], s->negative[j][i], s->emax[j][i], s->special[j][i]);
}

#endif
