/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside sem/ only: the fused sum of HMMA and QMMA, D = C + sum of A[k]*B[k],
 * by the steps of isa/doc/10-matrices.md, in 32-bit integers.
 *
 * A term is an integer in units of 2^(e - 25), e its own exponent: a product
 * (in [0, 4)) has 27 bits, C (in [0, 2)) has 26. Moving it right by emax - e
 * cuts it to the unit of the sum. Eight products and C stay below 2^31; sixteen
 * do not, so two half sums are kept, of which only the last step is wider.
 */
#ifndef HEDDLE_SEM_MMA_SUM_H
#define HEDDLE_SEM_MMA_SUM_H

#include "cmodel/sem/mma_format.h"

#define MMA_TERMS 16u /* most products of one sum */
#define MMA_UNIT 25   /* fraction bits of a term */
#define MMA_FLOOR (-133)

/* Elements as they come, and taken apart. Significands of A and B have 10 fraction bits, A's moved
 * left by 5 more, so that products have MMA_UNIT; those of C have MMA_UNIT. */
struct mma_operands {
  struct mma_a a;
  struct mma_b b;
  struct mma_c c;
  _Alignas(64) int32_t ea[MMA_K][MMA_M], eb[MMA_N][MMA_K], ec[MMA_N][MMA_M]; /* exponents */
  uint32_t sa[MMA_K][MMA_M], sb[MMA_N][MMA_K], sc[MMA_N][MMA_M];             /* significands */
  uint32_t na[MMA_K][MMA_M], nb[MMA_N][MMA_K], nc[MMA_N][MMA_M];             /* negative: 0 or ~0 */
  uint32_t ka[MMA_K][MMA_M], kb[MMA_N][MMA_K], kc[MMA_N][MMA_M];             /* mma_kind, if `special` */
  uint32_t special; /* not 0: some element is NaN or infinite */
};

_Static_assert(offsetof(struct mma_operands, ka) % 64 == 0 && offsetof(struct mma_operands, kc) % 64 == 0,
               "planes are aligned");

/* Before rounding: (negative ? -1 : 1) * magnitude * 2^(emax - 25). `special`: MMA_NAN or MMA_INF where that is the
 * result. */
struct mma_sums {
  _Alignas(64) int32_t emax[MMA_N][MMA_M];
  uint32_t magnitude[MMA_N][MMA_M], negative[MMA_N][MMA_M], special[MMA_N][MMA_M];
};

static inline void mma_split_a(struct mma_operands *o, unsigned columns, struct mma_format f) {
  uint32_t special[MMA_M] = {0};
  for (unsigned k = 0; k < columns; k++)
    for (unsigned i = 0; i < MMA_M; i++) {
      const struct mma_number n = mma_split(o->a.at[k][i], f);
      o->ea[k][i] = n.exponent;
      o->sa[k][i] = n.significand << (15 - f.fraction);
      o->na[k][i] = n.negative;
      special[i] |= n.special;
    }
  for (unsigned i = 0; i < MMA_M; i++) o->special |= special[i];
}

static inline void mma_split_b(struct mma_operands *o, unsigned rows, struct mma_format f) {
  uint32_t special[MMA_K] = {0};
  for (unsigned j = 0; j < MMA_N; j++)
    for (unsigned k = 0; k < rows; k++) {
      const struct mma_number n = mma_split(o->b.at[j][k], f);
      o->eb[j][k] = n.exponent;
      o->sb[j][k] = n.significand << (10 - f.fraction);
      o->nb[j][k] = n.negative;
      special[k] |= n.special;
    }
  for (unsigned k = 0; k < rows; k++) o->special |= special[k];
}

static inline void mma_split_c(struct mma_operands *o, struct mma_format f) {
  uint32_t special[MMA_M] = {0};
  for (unsigned j = 0; j < MMA_N; j++)
    for (unsigned i = 0; i < MMA_M; i++) {
      const struct mma_number n = mma_split(o->c.at[j][i], f);
      o->ec[j][i] = n.exponent;
      o->sc[j][i] = n.significand << (MMA_UNIT - f.fraction);
      o->nc[j][i] = n.negative;
      special[i] |= n.special;
    }
  for (unsigned i = 0; i < MMA_M; i++) o->special |= special[i];
}

/* A term in the unit of the sum. */
static inline int32_t mma_cut(uint32_t term, int32_t distance, uint32_t negative) {
  const uint32_t shift = (uint32_t)distance < 31u ? (uint32_t)distance : 31u;
  return (int32_t)(((term >> shift) ^ negative) - negative);
}

/* Step 4, for one column of D. */
static inline void mma_largest(int32_t emax[MMA_M], const struct mma_operands *o, unsigned j, unsigned first,
                               unsigned count) {
  for (unsigned i = 0; i < MMA_M; i++) {
    int32_t most = o->ec[j][i] > MMA_FLOOR ? o->ec[j][i] : MMA_FLOOR;
    for (unsigned n = 0; n < count; n++) {
      const unsigned k = first + n;
      const int32_t e = o->ea[k][i] + o->eb[j][k];
      most = e > most ? e : most;
    }
    emax[i] = most;
  }
}

/* Step 5 over some products. */
static inline void mma_products(int32_t sum[MMA_M], const int32_t emax[MMA_M], const struct mma_operands *o, unsigned j,
                                unsigned first, unsigned count) {
  for (unsigned i = 0; i < MMA_M; i++) {
    int32_t s = sum[i];
    for (unsigned n = 0; n < count; n++) {
      const unsigned k = first + n;
      const int32_t distance = emax[i] - (o->ea[k][i] + o->eb[j][k]);
      s += mma_cut(o->sa[k][i] * o->sb[j][k], distance, o->na[k][i] ^ o->nb[j][k]);
    }
    sum[i] = s;
  }
}

/* What step 8 asks for; rarely needed. */
static inline void mma_kinds(struct mma_operands *o, unsigned k, struct mma_format fa, struct mma_format fb,
                             struct mma_format fc) {
  if (o->special == 0) return;
  for (unsigned n = 0; n < k; n++)
    for (unsigned i = 0; i < MMA_M; i++) o->ka[n][i] = mma_kind(o->a.at[n][i], fa);
  for (unsigned j = 0; j < MMA_N; j++)
    for (unsigned n = 0; n < k; n++) o->kb[j][n] = mma_kind(o->b.at[j][n], fb);
  for (unsigned j = 0; j < MMA_N; j++)
    for (unsigned i = 0; i < MMA_M; i++) o->kc[j][i] = mma_kind(o->c.at[j][i], fc);
}

/* Of a product or C: 1 when it is NaN (also infinity times zero), all ones when it is infinite. */
static inline uint32_t mma_makes_nan(uint32_t kind) {
  return (kind / MMA_NAN | (kind / MMA_INF & kind / MMA_ZERO)) & 1u;
}

static inline uint32_t mma_makes_infinity(uint32_t kind) {
  return mask_if(kind / MMA_INF & 1u);
}

/* Step 8: NaN and infinities of one column of D. */
static inline void mma_specials(struct mma_sums *r, const struct mma_operands *o, unsigned j, unsigned first,
                                unsigned count) {
  uint32_t all_nan[MMA_M], all_plus[MMA_M], all_minus[MMA_M];
  for (unsigned i = 0; i < MMA_M; i++) {
    uint32_t nan = mma_makes_nan(o->kc[j][i]), plus = mma_makes_infinity(o->kc[j][i]) & ~o->nc[j][i];
    uint32_t minus = mma_makes_infinity(o->kc[j][i]) & o->nc[j][i];
    for (unsigned n = 0; n < count; n++) {
      const unsigned k = first + n;
      const uint32_t kind = o->ka[k][i] | o->kb[j][k], negative = o->na[k][i] ^ o->nb[j][k];
      nan |= mma_makes_nan(kind);
      plus |= mma_makes_infinity(kind) & ~negative;
      minus |= mma_makes_infinity(kind) & negative;
    }
    all_nan[i] = mask_if(nan) | (plus & minus);
    all_plus[i] = plus;
    all_minus[i] = minus;
  }
  for (unsigned i = 0; i < MMA_M; i++) {
    const uint32_t infinite = all_plus[i] | all_minus[i];
    r->special[j][i] = blend(all_nan[i], MMA_NAN, infinite & MMA_INF);
    r->negative[j][i] = blend(infinite, all_minus[i], r->negative[j][i]);
  }
}

/* C and the products first ... first + count - 1 (count 4, 8 or 16). */
static inline void mma_sum(struct mma_sums *r, const struct mma_operands *o, unsigned first, unsigned count) {
  for (unsigned j = 0; j < MMA_N; j++) {
    _Alignas(64) int32_t low[MMA_M], high[MMA_M], emax[MMA_M];
    mma_largest(emax, o, j, first, count);
    for (unsigned i = 0; i < MMA_M; i++) {
      low[i] = mma_cut(o->sc[j][i], emax[i] - o->ec[j][i], o->nc[j][i]);
      high[i] = 0;
    }
    mma_products(low, emax, o, j, first, count / 2);
    mma_products(high, emax, o, j, first + count / 2, count / 2);
    for (unsigned i = 0; i < MMA_M; i++) {
      const int32_t half = (low[i] >> 1) + (high[i] >> 1) + (low[i] & high[i] & 1); /* of the sum, rounded down */
      const uint32_t sum = (uint32_t)low[i] + (uint32_t)high[i], negative = mask_if(half < 0);
      r->emax[j][i] = emax[i];
      r->magnitude[j][i] = (sum ^ negative) - negative;
      r->negative[j][i] = negative;
      r->special[j][i] = 0;
    }
    if (o->special != 0) mma_specials(r, o, j, first, count);
  }
}

#endif
