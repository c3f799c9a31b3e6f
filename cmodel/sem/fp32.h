/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside sem/ only: binary32 rounding, exact in every direction.
 *
 * Products of two binary32 values are exact in binary64. A sum is split by Knuth's TwoSum into s + e exactly (no
 * overflow, no underflow: the operands are between 2^-298 and 2^256). Then s is moved to the neighbour with an odd last
 * bit when e is not zero. That is enough for any later rounding to 24 or fewer bits in any direction, since 53 >= 24 +
 * 2 (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums"). The host is expected in its default state:
 * round to nearest, subnormals on.
 */
#ifndef HEDDLE_SEM_FP32_H
#define HEDDLE_SEM_FP32_H

#include "cmodel/sem/lane.h"

#define F32_SIGN 0x80000000u
#define F32_INF 0x7f800000u
#define F32_NAN 0x7fffffffu /* every NaN result */
#define F32_ONE 0x3f800000u

static inline uint32_t f32_is_nan(uint32_t u) {
  return (u & ~F32_SIGN) > F32_INF;
}

static inline uint32_t f32_canonical(uint32_t u) {
  return f32_is_nan(u) != 0 ? F32_NAN : u;
}

/* f32_canonical of what the host has computed, by a comparison of its own. */
static inline uint32_t f32_result(float r) {
  return r != r ? F32_NAN : bits_of(r);
}

/* Zero of the same sign when the exponent field is 0. `ftz` is 0 or ~0. */
static inline uint32_t f32_flush(uint32_t u, uint32_t ftz) {
  const uint32_t small = (u & F32_INF) == 0 ? ftz : 0;
  return u & ~(small & ~F32_SIGN);
}

/* After the rounding: canonical NaN, saturate. `sat` is 0 or ~0. */
static inline uint32_t f32_finish(uint32_t u, uint32_t sat) {
  const uint32_t r = f32_canonical(u);
  const uint32_t low = (r >> 31) | f32_is_nan(r);
  const uint32_t clamped = (r > F32_ONE ? F32_ONE : r) & ~mask_if(low);
  return blend(sat, clamped, r);
}

/* x + z rounded to odd; the sign of an exact zero as direction RM (`down` is 1) or any other (0) has it. */
static inline double sum_to_odd(double x, double z, uint64_t down) {
  const double s = x + z;
  const double zz = s - x;
  const double e = (x - (s - zz)) + (z - zz);
  const uint64_t u = bits64_of(s), ue = bits64_of(e);
  const uint64_t sx = bits64_of(x), sz = bits64_of(z);
  const uint64_t finite = (u << 1) < (UINT64_C(0x7ff) << 53);
  const uint64_t inexact = finite & ((ue << 1) != 0) & ~u; /* in bit 0 */
  const uint64_t inward = (u ^ ue) >> 63;                  /* the error points to zero */
  const uint64_t odd = u + (inexact & ~inward & 1) - (inexact & inward);
  const uint64_t zero_sign = ((sx & sz) | ((sx | sz) & (0 - down))) >> 63 << 63;
  return f64_of((u << 1) == 0 ? zero_sign : odd);
}

/* 1: the direction leads away from zero for this sign (0 or 1). Not for RN. */
static inline uint32_t f32_away(enum sem_round rnd, uint32_t negative) {
  const uint32_t rm = rnd == SEM_RM, rp = rnd == SEM_RP;
  return (rm & negative) | (rp & (negative ^ 1));
}

/* v rounded to binary32 in direction rnd. The host rounds to nearest; a
 * directed result is that one or its neighbour. */
static inline uint32_t f32_round(double v, enum sem_round rnd) {
  const float f = (float)v;
  const uint32_t r = bits_of(f);
  const uint64_t have = bits64_of((double)f) << 1, want = bits64_of(v) << 1; /* magnitudes */
  const uint32_t away = f32_away(rnd, (uint32_t)(bits64_of(v) >> 63));
  const uint32_t smaller = have<want, larger = have> want;
  const uint32_t stepped = r + (smaller & away) - (larger & (away ^ 1));
  return rnd == SEM_RN ? r : stepped;
}

/* Magnitudes, as binary64 bits, below which a result is flushed: those that
 * round to 24 bits below 2^-126, were there no least exponent. */
#define FLUSH_BELOW_ZERO UINT64_C(0x3810000000000000)    /* toward zero: 2^-126 */
#define FLUSH_BELOW_NEAREST UINT64_C(0x380ffffff0000000) /* 2^-126 - 2^-151; that tie goes to the even 2^-126 */
#define FLUSH_BELOW_AWAY UINT64_C(0x380fffffe0000001)    /* up to 2^-126 - 2^-150 */

/* The same with flush; `ftz` is 0 or ~0. */
static inline uint32_t f32_round_flush(double v, enum sem_round rnd, uint32_t ftz) {
  const uint64_t u = bits64_of(v), magnitude = u & ~(UINT64_C(1) << 63);
  const uint32_t away = f32_away(rnd, (uint32_t)(u >> 63));
  const uint64_t directed = away != 0 ? FLUSH_BELOW_AWAY : FLUSH_BELOW_ZERO;
  const uint64_t below = rnd == SEM_RN ? FLUSH_BELOW_NEAREST : directed;
  const uint32_t tiny = magnitude < below;
  return f32_round(v, rnd) & ~(mask_if(tiny) & ftz & ~F32_SIGN);
}

/* Shared by FADD, FMUL and FFMA: their fields, and the choice between the plain and the exact function. */

static inline uint32_t all_ones_if(bool b) {
  return b ? ~0u : 0;
}

static inline enum sem_round round_of(uint64_t v) {
  switch (v) {
  case ISA_RND_RM:
    return SEM_RM;
  case ISA_RND_RP:
    return SEM_RP;
  case ISA_RND_RZ:
    return SEM_RZ;
  default:
    return SEM_RN;
  }
}

static inline sem_fn *pick_variant(const struct heddle_isa_dec *dec, struct sem_par *p, sem_fn *plain, sem_fn *exact) {
  p->rnd = (uint8_t)round_of(heddle_isa_get(dec->word, ISA_F_RND));
  p->ftz = heddle_isa_get(dec->word, ISA_F_FTZ) != 0;
  p->sat = heddle_isa_get(dec->word, ISA_F_SAT) != 0;
  return p->rnd != SEM_RN || p->ftz || p->sat ? exact : plain;
}

#endif
