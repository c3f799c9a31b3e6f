/* SPDX-License-Identifier: Apache-2.0
 *
 * F2F, FRND, F2FP: from floating-point numbers to others.
 */
#include "cmodel/sem/convert.h"

/* ---- the destination ---- */

static inline void put_f64(SEM_ARGS, const uint64_t v[SEM_LANES]) {
  SEM_EACH_LANE(i) pair_put(d, i, SEM_ON(i), v[i]);
}

/* A NaN that comes from a binary64 one keeps what fits of it. */
static inline void put_f32(SEM_ARGS, const uint64_t v[SEM_LANES]) {
  const uint32_t keep = p->from == ISA_FTYPE_F64 ? ~0u : 0, ftz = p->ftz ? ~0u : 0;
  const enum sem_round rnd = (enum sem_round)p->rnd;
  SEM_EACH_LANE(i) {
    const uint32_t nan = (uint32_t)(v[i] >> 63) << 31 | F32_INF | (uint32_t)(v[i] >> 29 & 0x7fffffu);
    const uint32_t r = f32_round_flush(f64_of(v[i]), rnd, ftz);
    d[i] = blend(SEM_ON(i), f64_is_nan(v[i]) != 0 ? blend(keep, nan, F32_NAN) : r, d[i]);
  }
}

static inline void put_f16(SEM_ARGS, const uint64_t v[SEM_LANES]) {
  const uint32_t keep = p->from == ISA_FTYPE_F64 ? ~0u : 0;
  const enum sem_round rnd = (enum sem_round)p->rnd;
  SEM_EACH_LANE(i) {
    const uint32_t nan = (uint32_t)(v[i] >> 63) << 15 | F16_INF | (uint32_t)(v[i] >> 42 & 0x3ffu);
    const uint32_t r = f16_round(f32_odd(f64_of(v[i])), rnd);
    d[i] = blend(SEM_ON(i), f64_is_nan(v[i]) != 0 ? blend(keep, nan, F16_NAN) : r, d[i]);
  }
}

static inline void put_float(SEM_ARGS, const uint64_t v[SEM_LANES]) {
  if (p->to == ISA_FTYPE_F64)
    put_f64(SEM_PASS, v);
  else if (p->to == ISA_FTYPE_F16)
    put_f16(SEM_PASS, v);
  else
    put_f32(SEM_PASS, v);
}

/* ---- F2F ---- */

/* Before the rounding, which leaves 0 and 1 alone and keeps the order. */
static void saturate(uint64_t v[SEM_LANES]) {
  SEM_EACH_LANE(i) {
    const uint64_t low = (v[i] >> 63) | f64_is_nan(v[i]);
    v[i] = (v[i] > F64_ONE ? F64_ONE : v[i]) & ~mask64_if(low);
  }
}

SEM_FN(f2f) {
  uint64_t v[SEM_LANES];
  float_source(b, p, v);
  if (p->sat) saturate(v);
  put_float(SEM_PASS, v);
}

static sem_fn *f2f_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  own_signs(dec, p);
  p->from = (uint8_t)heddle_isa_get(dec->word, ISA_F_FSRC);
  p->to = (uint8_t)heddle_isa_get(dec->word, ISA_F_FDST);
  p->part[1] = dec->src[1].part;
  p->rnd = (uint8_t)round_of(heddle_isa_get(dec->word, ISA_F_RND));
  p->ftz = heddle_isa_get(dec->word, ISA_F_FTZ) != 0;
  p->sat = heddle_isa_get(dec->word, ISA_F_SAT) != 0;
  return f2f;
}

/* ---- FRND ---- */

/* An integral value that was rounded from a format lies in it. */
SEM_FN(frnd) {
  uint64_t v[SEM_LANES];
  const enum sem_round rnd = (enum sem_round)p->rnd;
  float_source(b, p, v);
  SEM_EACH_LANE(i) v[i] = f64_integral(v[i], rnd);
  put_float(SEM_PASS, v);
}

static sem_fn *frnd_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  own_signs(dec, p);
  p->from = p->to = (uint8_t)heddle_isa_get(dec->word, ISA_F_RINT);
  p->rnd = (uint8_t)int_round_of(heddle_isa_get(dec->word, ISA_F_IRND));
  p->ftz = heddle_isa_get(dec->word, ISA_F_FTZ) != 0;
  return frnd;
}

/* ---- F2FP ---- */

SEM_FN(f2fp_nearest) {
  const uint32_t ftz = p->ftz ? ~0u : 0, relu = p->relu ? ~0u : 0;
  SEM_EACH_LANE(i) {
    const uint32_t high = f16_finish(f16_nearest(f32_flush(a[i], ftz)), 0, relu);
    const uint32_t low = f16_finish(f16_nearest(f32_flush(b[i], ftz)), 0, relu);
    d[i] = blend(SEM_ON(i), high << 16 | low, d[i]);
  }
}

static inline uint32_t f2fp_one(uint32_t u, const struct sem_par *p) {
  const uint32_t x = f32_flush(u, p->ftz ? ~0u : 0);
  const uint32_t r = f16_round(x, (enum sem_round)p->rnd);
  return f16_finish(f32_is_nan(x) != 0 ? F16_NAN : r, 0, p->relu ? ~0u : 0);
}

SEM_FN(f2fp_directed) {
  const struct sem_par q = *p;
  SEM_EACH_LANE(i) d[i] = blend(SEM_ON(i), f2fp_one(a[i], &q) << 16 | f2fp_one(b[i], &q), d[i]);
}

static sem_fn *f2fp_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  p->rnd = (uint8_t)round_of(heddle_isa_get(dec->word, ISA_F_RND));
  p->ftz = heddle_isa_get(dec->word, ISA_F_FTZ) != 0;
  p->relu = heddle_isa_get(dec->word, ISA_F_RELU) != 0;
  return p->rnd == SEM_RN ? f2fp_nearest : f2fp_directed;
}

const struct sem_def SEM_DEF(f2f) = {.kind = SEM_ROW, .marks = SEM_MARKS_FLOAT, .pick = f2f_pick};
const struct sem_def SEM_DEF(frnd) = {.kind = SEM_ROW, .marks = SEM_MARKS_FLOAT, .pick = frnd_pick};
const struct sem_def SEM_DEF(f2fp) = {.kind = SEM_ROW, .marks = SEM_MARKS_PACK_HALVES, .pick = f2fp_pick};
