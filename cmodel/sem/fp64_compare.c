/* SPDX-License-Identifier: Apache-2.0
 *
 * DMNMX, DSETP: comparisons of binary64 values by their bits.
 */
#include "cmodel/sem/compare.h"
#include "cmodel/sem/fp64.h"

/* A signed integer that orders as the values do; the zeros are told apart (-0 < +0). */
static inline int64_t f64_order(uint64_t u) {
  return (int64_t)(u ^ (mask64_if(u >> 63) & ~F64_SIGN));
}

/* Both zeros alike: +0. */
static inline uint64_t f64_one_zero(uint64_t u) {
  const uint64_t some = (u << 1) != 0;
  return u & mask64_if(some);
}

SEM_FN(dmnmx) {
  const struct f64_sign sa = f64_sign(p, 0), sb = f64_sign(p, 1);
  const uint32_t minimum = io->ps[0];
  SEM_EACH_LANE(i) {
    const uint64_t raw = pair_get(b, i), x = f64_modify(pair_get(a, i), sa), y = f64_modify(raw, sb);
    const uint64_t nx = f64_is_nan(x), ny = f64_is_nan(y), x_less = f64_order(x) < f64_order(y);
    const uint64_t take_y = ((x_less ^ lane_bit(minimum, i)) & (ny ^ 1)) | nx;
    const uint64_t number = blend64(mask64_if(take_y), y, x);
    pair_put(d, i, SEM_ON(i), blend64(mask64_if(nx & ny), raw | F64_QUIET, number));
  }
}

static sem_fn *dmnmx_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  own_signs(dec, p);
  return dmnmx;
}

SEM_FN(dsetp) {
  const struct f64_sign sa = f64_sign(p, 0), sb = f64_sign(p, 1);
  uint32_t less = 0, equal = 0, unordered = 0;
  SEM_EACH_LANE(i) {
    const uint64_t x = f64_one_zero(f64_modify(pair_get(a, i), sa)), y = f64_one_zero(f64_modify(pair_get(b, i), sb));
    const int64_t kx = f64_order(x), ky = f64_order(y);
    less |= (uint32_t)(kx < ky) << i;
    equal |= (uint32_t)(kx == ky) << i;
    unordered |= (uint32_t)((f64_is_nan(x) | f64_is_nan(y)) != 0) << i;
  }
  compare_finish(io, p, compare_hit(p->rel, (struct relations){less, equal, unordered}));
}

static sem_fn *dsetp_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  own_signs(dec, p);
  p->rel = fcmp_rel(heddle_isa_get(dec->word, ISA_F_FCMP));
  compare_pick(dec, p);
  return dsetp;
}

const struct sem_def SEM_DEF(dmnmx) = {.kind = SEM_ROW, .pick = dmnmx_pick};
const struct sem_def SEM_DEF(dsetp) = {.kind = SEM_ROW, .marks = SEM_MARKS_COMPARE, .pick = dsetp_pick};
