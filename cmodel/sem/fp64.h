/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside sem/ only: binary64 numbers in pairs of rows, their NaNs, and sums
 * rounded in any direction.
 *
 * Operands come raw (ISA_MODIFY_OWN), since a NaN ignores abs and neg. The host's
 * choice among NaNs is never used.
 */
#ifndef HEDDLE_SEM_FP64_H
#define HEDDLE_SEM_FP64_H

#include "cmodel/sem/fp32.h"

#define F64_SIGN (UINT64_C(1) << 63)
#define F64_INF UINT64_C(0x7ff0000000000000)
#define F64_QUIET UINT64_C(0x0008000000000000)
#define F64_NAN UINT64_C(0xfff8000000000000) /* where no operand was one */
#define F64_ONE UINT64_C(0x3ff0000000000000)

static inline uint64_t mask64_if(uint64_t cond) {
  return 0u - cond;
}

static inline uint64_t blend64(uint64_t on, uint64_t yes, uint64_t no) {
  return (yes & on) | (no & ~on);
}

static inline uint64_t f64_is_nan(uint64_t u) {
  return (u & ~F64_SIGN) > F64_INF;
}

/* Lane i of a pair of rows. */
static inline uint64_t pair_get(const uint32_t *row, unsigned i) {
  return row[i] | (uint64_t)row[SEM_LANES + i] << 32;
}

static inline void pair_put(uint32_t *row, unsigned i, uint32_t on, uint64_t v) {
  row[i] = blend(on, (uint32_t)v, row[i]);
  row[SEM_LANES + i] = blend(on, (uint32_t)(v >> 32), row[SEM_LANES + i]);
}

/* What abs and neg do to an operand. */
struct f64_sign {
  uint64_t keep, flip;
};

/* Pick functions of ISA_MODIFY_OWN: which operands have a minus or bars. */
static inline void own_signs(const struct heddle_isa_dec *dec, struct sem_par *p) {
  for (unsigned k = 0; k < 3; k++) {
    p->minus |= (uint8_t)(dec->src[k].neg << k);
    p->absolute |= (uint8_t)(dec->src[k].abs << k);
  }
}

static inline struct f64_sign f64_sign(const struct sem_par *p, unsigned k) {
  return (struct f64_sign){.keep = (p->absolute >> k & 1) != 0 ? ~F64_SIGN : ~UINT64_C(0),
                           .flip = (p->minus >> k & 1) != 0 ? F64_SIGN : 0};
}

static inline uint64_t f64_modify(uint64_t raw, struct f64_sign s) {
  return (raw & s.keep) ^ s.flip;
}

/* r, unless an operand is NaN: then the first of them, quiet and otherwise as it was. Two operands: x = y. */
static inline uint64_t f64_choose_nan(uint64_t r, uint64_t first, uint64_t x, uint64_t y) {
  const uint64_t own = f64_is_nan(r) != 0 ? F64_NAN : r;
  const uint64_t r2 = f64_is_nan(y) != 0 ? y | F64_QUIET : own;
  const uint64_t r1 = f64_is_nan(x) != 0 ? x | F64_QUIET : r2;
  return f64_is_nan(first) != 0 ? first | F64_QUIET : r1;
}

/* x + z in direction rnd; any NaN when it is one. The error of the host's sum to nearest is exact when the greater
 * magnitude stands first (Dekker, "A floating-point technique for extending the available precision"); the result in
 * another direction is that sum or its neighbour. */
static inline uint64_t f64_sum(uint64_t ux, uint64_t uz, enum sem_round rnd) {
  const uint64_t swap = mask64_if((ux << 1) < (uz << 1));
  const double large = f64_of(blend64(swap, uz, ux)), small = f64_of(blend64(swap, ux, uz));
  const double s = large + small;
  const double e = small - (s - large);
  const uint64_t u = bits64_of(s), ue = bits64_of(e);
  const uint64_t overflow = ((u << 1) == F64_INF << 1) & ((ux << 1) < F64_INF << 1) & ((uz << 1) < F64_INF << 1);
  const uint64_t finite = (u << 1) < F64_INF << 1;
  const uint64_t inexact = finite & ((ue << 1) != 0), inward = (u ^ ue) >> 63;
  const uint64_t away = f32_away(rnd, (uint32_t)(u >> 63));
  const uint64_t directed = u + (inexact & (inward ^ 1) & away) - (((inexact & inward) | overflow) & (away ^ 1));
  const uint64_t down = rnd == SEM_RM;
  const uint64_t zero = ((ux & uz) | ((ux | uz) & mask64_if(down))) & F64_SIGN;
  const uint64_t r = rnd == SEM_RN ? u : directed;
  return (u << 1) == 0 ? zero : r;
}

#endif
