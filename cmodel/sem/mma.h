/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside sem/ only: matrices of IMMA, HMMA and QMMA, taken apart into planes of 16 rows side by side; number formats;
 * fused sums and their rounding.
 */
#ifndef HEDDLE_SEM_MMA_H
#define HEDDLE_SEM_MMA_H

#include "cmodel/sem/fp32.h"
#include "cmodel/sem/half.h"
#include "cmodel/sem/lane.h"

/* Places of a matrix's elements in the registers of a warp (isa/doc/10-matrices.md, `Where elements lie`), for shapes
 * m16n8.
 *
 * Matrices are turned into planes with the 16 rows of A, C and D side by side. So work on one column of D is a loop
 * over 16 neighbours, and an element of B is the same for all of them. All operands are read before the first write,
 * since the destination may be a source. */

#define MMA_M 16u /* rows of A, C, D */
#define MMA_N 8u  /* columns of B, C, D */
#define MMA_K 32u /* most columns of A, rows of B */

#define MMA_ALONE __attribute__((noinline))

/* Where register n of an operand begins. */
#define MMA_REG(n) ((size_t)(n)*SEM_LANES)

/* Raw elements. */
struct mma_a {
  _Alignas(64) uint32_t at[MMA_K][MMA_M];
};
struct mma_b {
  _Alignas(64) uint32_t at[MMA_N][MMA_K];
};
struct mma_c {
  _Alignas(64) uint32_t at[MMA_N][MMA_M];
};

/* Element i (of w, lowest bits first) of a register. */
static inline uint32_t mma_element(uint32_t reg, unsigned i, unsigned w) {
  const unsigned bits = 32 / w;
  return w == 1 ? reg : (reg >> (i * bits)) & ((1u << bits) - 1u);
}

/* Lane 4g + t of two registers that stand for rows g and g + 8 is word 4 * row + t of both together. */
struct mma_words {
  _Alignas(64) uint32_t at[2 * SEM_LANES];
};

/* By t, then row. (The loops are kept out of line: by themselves they become shuffles.) */
struct mma_block {
  _Alignas(64) uint32_t at[4][MMA_M];
};

static MMA_ALONE void mma_by_column(struct mma_block *to, const uint32_t *words) {
  for (unsigned i = 0; i < MMA_M; i++)
    for (unsigned t = 0; t < 4; t++) to->at[t][i] = words[4 * i + t];
}

static MMA_ALONE void mma_by_row(uint32_t *words, const struct mma_block *from) {
  for (unsigned i = 0; i < MMA_M; i++)
    for (unsigned t = 0; t < 4; t++) words[4 * i + t] = from->at[t][i];
}

/* A of `columns`, w elements a register. */
static inline void mma_read_a(struct mma_a *m, const uint32_t *a, unsigned columns, unsigned w) {
  for (unsigned first = 0; first < columns; first += 4 * w) {
    struct mma_block x;
    mma_by_column(&x, a + MMA_REG(first / (4 * w) * 2));
    for (unsigned t = 0; t < 4; t++)
      for (unsigned e = 0; e < w; e++)
        for (unsigned i = 0; i < MMA_M; i++) m->at[first + w * t + e][i] = mma_element(x.at[t][i], e, w);
  }
}

/* B of `rows`. Lane 4g + t: column g. */
static inline void mma_read_b(struct mma_b *m, const uint32_t *b, unsigned rows, unsigned w) {
  for (unsigned first = 0; first < rows; first += 4 * w)
    for (unsigned g = 0; g < MMA_N; g++)
      for (unsigned t = 0; t < 4; t++)
        for (unsigned e = 0; e < w; e++)
          m->at[g][first + w * t + e] = mma_element(b[MMA_REG(first / (4 * w)) + 4 * (size_t)g + t], e, w);
}

/* C and D with elements of 32 bits: registers s and s + 2 hold columns 2t + s. */
static inline void mma_read_c(struct mma_c *m, const uint32_t *c) {
  for (unsigned s = 0; s < 2; s++) {
    struct mma_words words;
    struct mma_block x;
    memcpy(words.at, c + MMA_REG(s), sizeof words.at / 2);
    memcpy(words.at + SEM_LANES, c + MMA_REG(s + 2), sizeof words.at / 2);
    mma_by_column(&x, words.at);
    for (unsigned t = 0; t < 4; t++) memcpy(m->at[2 * t + s], x.at[t], sizeof x.at[t]);
  }
}

static inline void mma_write_d(uint32_t *d, const struct mma_c *m) {
  for (unsigned s = 0; s < 2; s++) {
    struct mma_words words;
    struct mma_block x;
    for (unsigned t = 0; t < 4; t++) memcpy(x.at[t], m->at[2 * t + s], sizeof x.at[t]);
    mma_by_row(words.at, &x);
    memcpy(d + MMA_REG(s), words.at, sizeof words.at / 2);
    memcpy(d + MMA_REG(s + 2), words.at + SEM_LANES, sizeof words.at / 2);
  }
}

/* C and D with elements of 16 bits: columns 2t and 2t + 1 in one register. */
static inline void mma_read_c16(struct mma_c *m, const uint32_t *c) {
  struct mma_block x;
  mma_by_column(&x, c);
  for (unsigned t = 0; t < 4; t++)
    for (unsigned e = 0; e < 2; e++)
      for (unsigned i = 0; i < MMA_M; i++) m->at[2 * t + e][i] = mma_element(x.at[t][i], e, 2);
}

static inline void mma_write_d16(uint32_t *d, const struct mma_c *m) {
  struct mma_block x;
  for (size_t t = 0; t < 4; t++)
    for (unsigned i = 0; i < MMA_M; i++) x.at[t][i] = m->at[2 * t][i] | m->at[2 * t + 1][i] << 16;
  mma_by_row(d, &x);
}

/* The number formats of matrix instructions, taken apart. */

/* A format with sign, exponent, fraction from the top, above `unused` low bits. */
struct mma_format {
  unsigned unused, fraction, exponent;
  int32_t bias;
  bool infinite;   /* the largest exponent is infinity and NaN; else only its largest fraction is a NaN */
  bool normalised; /* subnormal numbers are taken as normal ones, of a smaller exponent */
};

static const struct mma_format mma_f16 = {0, 10, 5, 15, true, false};
static const struct mma_format mma_bf16 = {0, 7, 8, 127, true, false};
static const struct mma_format mma_tf32 = {13, 10, 8, 127, true, false};
static const struct mma_format mma_e4m3 = {0, 3, 4, 7, false, true};
static const struct mma_format mma_e5m2 = {0, 2, 5, 15, true, false};
static const struct mma_format mma_f32 = {0, 23, 8, 127, true, false};

/* Exponent of a zero: so small that it is never the largest, and that what is cut leaves nothing. */
#define MMA_NOWHERE (-4096)

/* One element: significand * 2^exponent. Subnormal numbers keep the smallest exponent, unless they are normalised. */
struct mma_number {
  int32_t exponent;
  uint32_t significand; /* an integer in units of the fraction's last bit */
  uint32_t negative;    /* 0 or ~0 */
  uint32_t special;     /* 1: NaN or infinity, and the rest does not count */
};

/* Fields of an element. */
static inline uint32_t mma_fraction(uint32_t raw, struct mma_format f) {
  return (raw >> f.unused) & ((1u << f.fraction) - 1u);
}

static inline uint32_t mma_exponent_field(uint32_t raw, struct mma_format f) {
  return (raw >> (f.unused + f.fraction)) & ((1u << f.exponent) - 1u);
}

static inline uint32_t mma_is_special(uint32_t fraction, uint32_t field, struct mma_format f) {
  const uint32_t top = field == (1u << f.exponent) - 1u, largest = fraction == (1u << f.fraction) - 1u;
  return f.infinite ? top : top & largest;
}

static inline struct mma_number mma_split(uint32_t raw, struct mma_format f) {
  const uint32_t fraction = mma_fraction(raw, f), field = mma_exponent_field(raw, f);
  const uint32_t normal = field != 0 ? 1u << f.fraction : 0;
  uint32_t significand = fraction | normal;
  int32_t exponent = (int32_t)(field != 0 ? field : 1u) - f.bias;
  for (unsigned k = 0; f.normalised && k < f.fraction; k++) {
    const uint32_t up = (significand >> f.fraction & 1u) ^ 1u;
    significand <<= up;
    exponent -= (int32_t)up;
  }
  return (struct mma_number){.exponent = significand == 0 ? MMA_NOWHERE : exponent,
                             .significand = significand,
                             .negative = mask_if((raw >> (f.unused + f.fraction + f.exponent)) & 1u),
                             .special = mma_is_special(fraction, field, f)};
}

/* Class of a number; 0 for finite ones that are not zero. */
enum { MMA_NAN = 1, MMA_INF = 2, MMA_ZERO = 4 };

static inline uint32_t mma_kind(uint32_t raw, struct mma_format f) {
  const uint32_t fraction = mma_fraction(raw, f), field = mma_exponent_field(raw, f);
  const uint32_t infinite = f.infinite && fraction == 0 ? MMA_INF : MMA_NAN;
  const uint32_t zero = (fraction | field) == 0 ? MMA_ZERO : 0;
  return mma_is_special(fraction, field, f) != 0 ? infinite : zero;
}

/* The fused sum of HMMA and QMMA, D = C + sum of A[k]*B[k],
 * by the steps of isa/doc/10-matrices.md, in 32-bit integers.
 *
 * A term is an integer in units of 2^(e - 25), e its own exponent: a product
 * (in [0, 4)) has 27 bits, C (in [0, 2)) has 26. Moving it right by emax - e
 * cuts it to the unit of the sum. Eight products and C stay below 2^31; sixteen
 * do not, so two half sums are kept, of which only the last step is wider. */

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

/* Step 8; rarely needed. */
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

/* For a product or C: 1 when it is NaN (also infinity times zero), all ones when it is infinite. */
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

/* The result of a fused sum as a binary32 or
 * binary16 number: steps 6 and 7 of isa/doc/10-matrices.md, and its NaNs. */

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

/* To nearest, even: by way of binary32, with a sticky last bit for the rest (24 >= 11 + 2, see fp32.h). Nonzero
 * values are in its normal range, since products of F16 numbers are. */
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
