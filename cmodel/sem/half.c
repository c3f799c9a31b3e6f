/* SPDX-License-Identifier: Apache-2.0
 *
 * HADD2, HMUL2, HFMA2, and comparisons.
 *
 * A plain function an operation without modifiers, and a full one, which knows
 * them all.
 */
#include "half.h"

#include "cmodel/sem/compare.h"

#if defined(__F16C__) && defined(__AVX2__)
#include <immintrin.h>

/* Without modifiers on hosts that convert halves by themselves, four lanes at a time. The same steps as in half.h,
 * which compilers do not turn into these instructions. */

/* Four lanes of an operand as its part says, in binary32. */
static inline __m256 halves_load(const uint32_t *row, uint8_t part) {
  __m128i h = _mm_loadu_si128((const __m128i *)row);
  if (part == ISA_HALVES_H0_H0) h = _mm_or_si128(_mm_and_si128(h, _mm_set1_epi32(0xffff)), _mm_slli_epi32(h, 16));
  if (part == ISA_HALVES_H1_H1) h = _mm_or_si128(_mm_andnot_si128(_mm_set1_epi32(0xffff), h), _mm_srli_epi32(h, 16));
  return _mm256_cvtph_ps(h);
}

/* Rounded to nearest, NaNs canonical, into the executing ones of four lanes. */
static inline void halves_store(uint32_t *d, const uint32_t *on, __m256 v) {
  const __m128i h = _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT), canonical = _mm_set1_epi16(F16_NAN);
  const __m128i nan = _mm_cmpgt_epi16(_mm_and_si128(h, canonical), _mm_set1_epi16(F16_INF));
  const __m128i r = _mm_blendv_epi8(h, canonical, nan), old = _mm_loadu_si128((const __m128i *)d);
  _mm_storeu_si128((__m128i *)d, _mm_blendv_epi8(old, r, _mm_loadu_si128((const __m128i *)on)));
}

/* x + z rounded to odd: toward zero, then a one in the last place; e is NaN where the sum is not finite. */
static inline __m256 sum_to_odd8(__m256 x, __m256 z) {
  const __m256 s = _mm256_add_ps(x, z), zz = _mm256_sub_ps(s, x);
  const __m256 e = _mm256_add_ps(_mm256_sub_ps(x, _mm256_sub_ps(s, zz)), _mm256_sub_ps(z, zz));
  const __m256 inexact = _mm256_cmp_ps(e, _mm256_setzero_ps(), _CMP_NEQ_OQ);
  const __m256i u = _mm256_castps_si256(s), inward = _mm256_srai_epi32(_mm256_castps_si256(_mm256_xor_ps(s, e)), 31);
  const __m256i odd = _mm256_or_si256(_mm256_add_epi32(u, inward), _mm256_set1_epi32(1));
  return _mm256_blendv_ps(s, _mm256_castsi256_ps(odd), inexact);
}

static inline void halves_row(SEM_ARGS, enum half_op op) {
  const uint8_t pa = p->part[0], pb = p->part[1], pc = p->part[2];
  for (unsigned i = 0; i < SEM_LANES; i += 4) {
    const __m256 x = halves_load(a + i, pa), y = halves_load(b + i, pb);
    __m256 r;
    if (op == HALF_ADD)
      r = _mm256_add_ps(x, y);
    else if (op == HALF_MUL)
      r = _mm256_mul_ps(x, y);
    else
      r = sum_to_odd8(_mm256_mul_ps(x, y), halves_load(c + i, pc));
    halves_store(d + i, on + i, r);
  }
}

#define HALF_PLAIN(op) halves_row(SEM_PASS, op)
#else
#define HALF_PLAIN(op) half_row(SEM_PASS, op, (struct half_mods){0})
#endif

struct half_mods {
  uint32_t ftz, sat, relu; /* 0 or ~0 */
};

/* One half; x, y, z in the low 16 bits. Rubbish above them does no harm. */
static inline uint32_t half_one(enum half_op op, uint32_t x, uint32_t y, uint32_t z, struct half_mods m) {
  const float fx = f32_of(f16_widen(f16_flush(x, m.ftz))), fy = f32_of(f16_widen(f16_flush(y, m.ftz)));
  uint32_t r;
  if (op == HALF_ADD)
    r = bits_of(fx + fy);
  else if (op == HALF_MUL)
    r = bits_of(fx * fy);
  else
    r = f32_sum_to_odd(fx * fy, f32_of(f16_widen(f16_flush(z, m.ftz))));
  return f16_finish(f16_nearest_flush(r, m.ftz), m.sat, m.relu);
}

static inline void half_row(SEM_ARGS, enum half_op op, struct half_mods m) {
  uint32_t low[3], high[3];
  for (unsigned k = 0; k < 3; k++) {
    low[k] = half_shift(p->part[k], 0);
    high[k] = half_shift(p->part[k], 1);
  }
  SEM_EACH_LANE(i) {
    const uint32_t r0 = half_one(op, a[i] >> low[0], b[i] >> low[1], c[i] >> low[2], m);
    const uint32_t r1 = half_one(op, a[i] >> high[0], b[i] >> high[1], c[i] >> high[2], m);
    d[i] = blend(SEM_ON(i), r0 | r1 << 16, d[i]);
  }
}

static inline struct half_mods half_mods(const struct sem_par *p) {
  return (struct half_mods){.ftz = p->ftz ? ~0u : 0, .sat = p->sat ? ~0u : 0, .relu = p->relu ? ~0u : 0};
}

SEM_FN(hadd2_plain) {
  HALF_PLAIN(HALF_ADD);
}

SEM_FN(hadd2_full) {
  half_row(SEM_PASS, HALF_ADD, half_mods(p));
}

SEM_FN(hmul2_plain) {
  HALF_PLAIN(HALF_MUL);
}

SEM_FN(hmul2_full) {
  half_row(SEM_PASS, HALF_MUL, half_mods(p));
}

SEM_FN(hfma2_plain) {
  HALF_PLAIN(HALF_FMA);
}

SEM_FN(hfma2_full) {
  half_row(SEM_PASS, HALF_FMA, half_mods(p));
}

static sem_fn *half_pick(const struct heddle_isa_dec *dec, struct sem_par *p, sem_fn *plain, sem_fn *full) {
  half_parts(dec, p);
  p->ftz = heddle_isa_get(dec->word, ISA_F_FTZ) != 0;
  p->sat = heddle_isa_get(dec->word, ISA_F_SAT) != 0;
  return p->ftz || p->sat || p->relu ? full : plain;
}

static sem_fn *hadd2_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  return half_pick(dec, p, hadd2_plain, hadd2_full);
}

static sem_fn *hmul2_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  return half_pick(dec, p, hmul2_plain, hmul2_full);
}

static sem_fn *hfma2_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  p->relu = heddle_isa_get(dec->word, ISA_F_RELU) != 0;
  return half_pick(dec, p, hfma2_plain, hfma2_full);
}

const struct sem_def SEM_DEF(hadd2) = {.kind = SEM_ROW, .marks = SEM_MARKS_HALVES, .pick = hadd2_pick};
const struct sem_def SEM_DEF(hmul2) = {.kind = SEM_ROW, .marks = SEM_MARKS_HALVES, .pick = hmul2_pick};
const struct sem_def SEM_DEF(hfma2) = {.kind = SEM_ROW, .marks = SEM_MARKS_HALVES, .pick = hfma2_pick};

/* HMNMX2, HSET2, HSETP2: comparisons of binary16 values by their bits. */

/* ---- HMNMX2 ---- */

/* One half; `minimum` is 0 or 1, `ftz` and `keep_nan` 0 or ~0. */
static inline uint32_t half_minmax(uint32_t a, uint32_t b, uint32_t minimum, uint32_t ftz, uint32_t keep_nan) {
  const uint32_t x = f16_flush(a, ftz) & 0xffffu, y = f16_flush(b, ftz) & 0xffffu;
  const uint32_t nx = f16_is_nan(x), ny = f16_is_nan(y);
  const uint32_t x_less = f16_order(x) < f16_order(y);
  const uint32_t take_y = ((x_less ^ minimum) & (ny ^ 1)) | nx;
  const uint32_t nan = (nx & ny) | ((nx | ny) & keep_nan);
  return blend(mask_if(nan), F16_NAN, blend(mask_if(take_y), y, x));
}

SEM_FN(hmnmx2) {
  const uint32_t ftz = p->ftz ? ~0u : 0, keep_nan = p->keep_nan ? ~0u : 0, minimum = io->ps[0];
  const uint32_t a0 = half_shift(p->part[0], 0), a1 = half_shift(p->part[0], 1);
  const uint32_t b0 = half_shift(p->part[1], 0), b1 = half_shift(p->part[1], 1);
  SEM_EACH_LANE(i) {
    const uint32_t m = lane_bit(minimum, i);
    const uint32_t r0 = half_minmax(a[i] >> a0, b[i] >> b0, m, ftz, keep_nan);
    const uint32_t r1 = half_minmax(a[i] >> a1, b[i] >> b1, m, ftz, keep_nan);
    d[i] = blend(SEM_ON(i), r0 | r1 << 16, d[i]);
  }
}

static sem_fn *hmnmx2_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  half_parts(dec, p);
  p->ftz = heddle_isa_get(dec->word, ISA_F_FTZ) != 0;
  p->keep_nan = heddle_isa_get(dec->word, ISA_F_KEEPN) != 0;
  return hmnmx2;
}

/* ---- HSET2, HSETP2 ---- */

/* The relation of half k in all lanes, as a mask of lanes. */
static inline uint32_t half_relation(SEM_ARGS, unsigned k) {
  const uint32_t ftz = p->ftz ? ~0u : 0;
  const uint32_t sa = half_shift(p->part[0], k), sb = half_shift(p->part[1], k);
  uint32_t less = 0, equal = 0, unordered = 0;
  SEM_EACH_LANE(i) {
    const uint32_t x = f16_one_zero(f16_flush(a[i] >> sa, ftz)), y = f16_one_zero(f16_flush(b[i] >> sb, ftz));
    const int32_t kx = f16_order(x), ky = f16_order(y);
    less |= (uint32_t)(kx < ky) << i;
    equal |= (uint32_t)(kx == ky) << i;
    unordered |= (f16_is_nan(x) | f16_is_nan(y)) << i;
  }
  return compare_hit(p->rel, (struct relations){less, equal, unordered});
}

SEM_FN(hset2) {
  const uint32_t r0 = combine(p->combine, half_relation(SEM_PASS, 0), io->ps[0]);
  const uint32_t r1 = combine(p->combine, half_relation(SEM_PASS, 1), io->ps[0]);
  const uint32_t yes = p->one_point ? F16_ONE : 0xffffu;
  SEM_EACH_LANE(i) {
    const uint32_t v = (lane_bit(r0, i) | lane_bit(r1, i) << 16) * yes;
    d[i] = blend(SEM_ON(i), v, d[i]);
  }
}

SEM_FN(hsetp2) {
  io->pd[0] = combine(p->combine, half_relation(SEM_PASS, 0), io->ps[0]);
  io->pd[1] = combine(p->combine, half_relation(SEM_PASS, 1), io->ps[0]);
}

static sem_fn *hset_pick(const struct heddle_isa_dec *dec, struct sem_par *p, sem_fn *fn) {
  half_parts(dec, p);
  p->ftz = heddle_isa_get(dec->word, ISA_F_FTZ) != 0;
  p->rel = fcmp_rel(heddle_isa_get(dec->word, ISA_F_FCMP));
  compare_pick(dec, p);
  return fn;
}

static sem_fn *hset2_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  p->one_point = heddle_isa_get(dec->word, ISA_F_BF) != 0;
  return hset_pick(dec, p, hset2);
}

static sem_fn *hsetp2_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  return hset_pick(dec, p, hsetp2);
}

const struct sem_def SEM_DEF(hmnmx2) = {.kind = SEM_ROW, .marks = SEM_MARKS_HALVES, .pick = hmnmx2_pick};
const struct sem_def SEM_DEF(hset2) = {.kind = SEM_ROW, .marks = SEM_MARKS_HALVES, .pick = hset2_pick};
const struct sem_def SEM_DEF(hsetp2) = {.kind = SEM_ROW, .marks = SEM_MARKS_COMPARE_HALVES, .pick = hsetp2_pick};
