/* SPDX-License-Identifier: Apache-2.0
 *
 * FADD, FMUL, and comparisons. (FFMA: fma.c.)
 *
 * Two functions an operation: the plain round-to-nearest one without
 * modifiers, which most programs use and which is the host's own operation; and
 * the exact one for everything else. (The host's result does not tell whether
 * its rounding passed 2^-126, so flushing needs the exact one too.)
 */
#include "fp32.h"
#include "cmodel/sem/compare.h"

/* ---- FADD ---- */

SEM_FN_WHOLE(fadd_plain) {
  SEM_EACH_LANE(i) d[i] = blend(SEM_ON(i), f32_result(f32_of(a[i]) + f32_of(b[i])), d[i]);
}

SEM_FN(fadd_exact) {
  const uint32_t ftz = all_ones_if(p->ftz), sat = all_ones_if(p->sat);
  const enum sem_round rnd = (enum sem_round)p->rnd;
  SEM_EACH_LANE(i) {
    const double x = f32_of(f32_flush(a[i], ftz)), z = f32_of(f32_flush(b[i], ftz));
    const uint32_t r = f32_round_flush(sum_to_odd(x, z, rnd == SEM_RM), rnd, ftz);
    d[i] = blend(SEM_ON(i), f32_finish(r, sat), d[i]);
  }
}

static sem_fn *fadd_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  return pick_variant(dec, p, fadd_plain, fadd_exact);
}

/* ---- FMUL ---- */

SEM_FN_WHOLE(fmul_plain) {
  SEM_EACH_LANE(i) d[i] = blend(SEM_ON(i), f32_result(f32_of(a[i]) * f32_of(b[i])), d[i]);
}

SEM_FN(fmul_exact) {
  const uint32_t ftz = all_ones_if(p->ftz), sat = all_ones_if(p->sat);
  const enum sem_round rnd = (enum sem_round)p->rnd;
  SEM_EACH_LANE(i) {
    const double x = f32_of(f32_flush(a[i], ftz)), y = f32_of(f32_flush(b[i], ftz));
    d[i] = blend(SEM_ON(i), f32_finish(f32_round_flush(x * y, rnd, ftz), sat), d[i]);
  }
}

static sem_fn *fmul_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  return pick_variant(dec, p, fmul_plain, fmul_exact);
}

const struct sem_def SEM_DEF(fadd) = {.kind = SEM_ROW, .pick = fadd_pick};
const struct sem_def SEM_DEF(fmul) = {.kind = SEM_ROW, .pick = fmul_pick};

/* FMNMX, FSETP, FSET, FSEL, FCHK: binary32 values judged by their bits. */

/* A signed integer that orders as the values do; the zeros are told apart (-0 < +0). */
static inline int32_t f32_order(uint32_t u) {
  return (int32_t)(u ^ (mask_if(u >> 31) & ~F32_SIGN));
}

/* Both zeros alike: +0. */
static inline uint32_t f32_one_zero(uint32_t u) {
  const uint32_t some = (u << 1) != 0;
  return u & mask_if(some);
}

/* `keep_nan`: one NaN makes the result NaN; a constant of each caller, so that the plain form pays nothing for it. */
static inline void minmax(SEM_ARGS, bool keep_nan) {
  const uint32_t ftz = p->ftz ? ~0u : 0, minimum = io->ps[0];
  SEM_EACH_LANE(i) {
    const uint32_t x = f32_flush(a[i], ftz), y = f32_flush(b[i], ftz);
    const uint32_t x_less = f32_order(x) < f32_order(y);
    const uint32_t take_y = (x_less ^ lane_bit(minimum, i)) & (f32_is_nan(y) ^ 1);
    const uint32_t r = blend(mask_if(take_y | f32_is_nan(x)), y, x);
    const uint32_t nan = keep_nan ? mask_if(f32_is_nan(x) | f32_is_nan(y)) & F32_NAN : 0;
    d[i] = blend(SEM_ON(i), f32_canonical(r | nan), d[i]);
  }
}

SEM_FN_WHOLE(fmnmx) {
  minmax(SEM_PASS, false);
}

SEM_FN(fmnmx_nan) {
  minmax(SEM_PASS, true);
}

static sem_fn *fmnmx_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  p->ftz = heddle_isa_get(dec->word, ISA_F_FTZ) != 0;
  p->keep_nan = heddle_isa_get(dec->word, ISA_F_KEEPN) == ISA_KEEPN_NAN;
  return p->keep_nan ? fmnmx_nan : fmnmx;
}

/* FSETP and FSET: the relation in each lane, as a mask. */
static inline uint32_t compare_lanes(SEM_ARGS) {
  const uint32_t ftz = p->ftz ? ~0u : 0;
  uint32_t less = 0, equal = 0, unordered = 0;
  SEM_EACH_LANE(i) {
    const uint32_t x = f32_one_zero(f32_flush(a[i], ftz)), y = f32_one_zero(f32_flush(b[i], ftz));
    const int32_t kx = f32_order(x), ky = f32_order(y);
    less |= (uint32_t)(kx < ky) << i;
    equal |= (uint32_t)(kx == ky) << i;
    unordered |= (f32_is_nan(x) | f32_is_nan(y)) << i;
  }
  return compare_hit(p->rel, (struct relations){less, equal, unordered});
}

SEM_FN(fsetp) {
  compare_finish(io, p, compare_lanes(SEM_PASS));
}

SEM_FN(fset) {
  const uint32_t yes = p->one_point ? F32_ONE : ~0u;
  const uint32_t r = combine(p->combine, compare_lanes(SEM_PASS), io->ps[0]);
  SEM_EACH_LANE(i) d[i] = blend(SEM_ON(i), mask_if(lane_bit(r, i)) & yes, d[i]);
}

static sem_fn *fsetp_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  p->ftz = heddle_isa_get(dec->word, ISA_F_FTZ) != 0;
  p->rel = fcmp_rel(heddle_isa_get(dec->word, ISA_F_FCMP));
  compare_pick(dec, p);
  return fsetp;
}

static sem_fn *fset_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)fsetp_pick(dec, p);
  p->one_point = heddle_isa_get(dec->word, ISA_F_BF) == ISA_BF_BF;
  return fset;
}

SEM_FN_WHOLE(fsel) {
  const uint32_t ftz = p->ftz ? ~0u : 0, first = io->ps[0];
  SEM_EACH_LANE(i) {
    const uint32_t r = blend(mask_if(lane_bit(first, i)), a[i], b[i]);
    d[i] = blend(SEM_ON(i), f32_flush(r, ftz), d[i]);
  }
}

static sem_fn *fsel_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  p->ftz = heddle_isa_get(dec->word, ISA_F_FTZ) != 0;
  return fsel;
}

/* True where a quotient needs care: exponents near the ends, or far apart. */
SEM_FN(fchk) {
  uint32_t careful = 0;
  SEM_EACH_LANE(i) {
    const int32_t ea = (int32_t)(a[i] >> 23 & 255u), eb = (int32_t)(b[i] >> 23 & 255u);
    const uint32_t a_fits = (uint32_t)(ea > 24) & (uint32_t)(ea < 255);
    const uint32_t b_fits = (uint32_t)(eb >= 2) & (uint32_t)(eb <= 252);
    const uint32_t quotient_fits = (uint32_t)(ea - eb >= -100) & (uint32_t)(ea - eb <= 125);
    careful |= ((a_fits & b_fits & quotient_fits) ^ 1u) << i;
  }
  io->pd[0] = careful;
}

static sem_fn *fchk_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)dec, (void)p;
  return fchk;
}

const struct sem_def SEM_DEF(fmnmx) = {.kind = SEM_ROW, .pick = fmnmx_pick};
const struct sem_def SEM_DEF(fsetp) = {.kind = SEM_ROW, .marks = SEM_MARKS_COMPARE, .pick = fsetp_pick};
const struct sem_def SEM_DEF(fset) = {.kind = SEM_ROW, .pick = fset_pick};
const struct sem_def SEM_DEF(fsel) = {.kind = SEM_ROW, .marks = SEM_MARKS_SELECT, .pick = fsel_pick};
const struct sem_def SEM_DEF(fchk) = {.kind = SEM_ROW, .pick = fchk_pick};
