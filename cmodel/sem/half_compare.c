/* SPDX-License-Identifier: Apache-2.0
 *
 * HMNMX2, HSET2, HSETP2: comparisons of binary16 values by their bits.
 */
#include "cmodel/sem/compare.h"
#include "cmodel/sem/half.h"

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
