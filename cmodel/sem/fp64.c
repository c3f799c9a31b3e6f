/* SPDX-License-Identifier: Apache-2.0
 *
 * DADD, DMUL: to nearest as the host does them; DADD otherwise by the error of
 * the host's sum, DMUL in integers. Then comparisons. (DFMA: fma.c.)
 */
#include "fp64.h"
#include "cmodel/sem/compare.h"
#include "cmodel/sem/fp32.h"

/* ---- DADD ---- */

static inline void dadd_row(SEM_ARGS, enum sem_round rnd) {
  const struct f64_sign sa = f64_sign(p, 0), sb = f64_sign(p, 1);
  SEM_EACH_LANE(i) {
    const uint64_t x = pair_get(a, i), y = pair_get(b, i);
    const uint64_t mx = f64_modify(x, sa), my = f64_modify(y, sb);
    const uint64_t r = rnd == SEM_RN ? bits64_of(f64_of(mx) + f64_of(my)) : f64_sum(mx, my, rnd);
    pair_put(d, i, SEM_ON(i), f64_choose_nan(r, y, x, x));
  }
}

SEM_FN_WHOLE(dadd_nearest) {
  dadd_row(SEM_PASS, SEM_RN);
}

SEM_FN(dadd_directed) {
  dadd_row(SEM_PASS, (enum sem_round)p->rnd);
}

static sem_fn *dadd_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  own_signs(dec, p);
  p->rnd = (uint8_t)round_of(heddle_isa_get(dec->word, ISA_F_RND));
  return p->rnd == SEM_RN ? dadd_nearest : dadd_directed;
}

/* ---- DMUL ---- */

SEM_FN_WHOLE(dmul_nearest) {
  const struct f64_sign sa = f64_sign(p, 0), sb = f64_sign(p, 1);
  SEM_EACH_LANE(i) {
    const uint64_t x = pair_get(a, i), y = pair_get(b, i);
    const double r = f64_of(f64_modify(x, sa)) * f64_of(f64_modify(y, sb));
    pair_put(d, i, SEM_ON(i), f64_choose_nan(bits64_of(r), y, x, x));
  }
}

SEM_FN(dmul_directed) {
  const struct f64_sign sa = f64_sign(p, 0), sb = f64_sign(p, 1);
  for (unsigned i = 0; i < SEM_LANES; i++) {
    const uint64_t x = pair_get(a, i), y = pair_get(b, i);
    const uint64_t mx = f64_modify(x, sa), my = f64_modify(y, sb);
    const uint64_t zero = (mx ^ my) & F64_SIGN; /* adds nothing, not even a sign */
    pair_put(d, i, SEM_ON(i), f64_choose_nan(f64_fma_exact(mx, my, zero, (enum sem_round)p->rnd), y, x, x));
  }
}

static sem_fn *dmul_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  own_signs(dec, p);
  p->rnd = (uint8_t)round_of(heddle_isa_get(dec->word, ISA_F_RND));
  return p->rnd == SEM_RN ? dmul_nearest : dmul_directed;
}

const struct sem_def SEM_DEF(dadd) = {.kind = SEM_ROW, .pick = dadd_pick};
const struct sem_def SEM_DEF(dmul) = {.kind = SEM_ROW, .pick = dmul_pick};

/* DMNMX, DSETP: comparisons of binary64 values by their bits. */

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
