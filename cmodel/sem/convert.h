/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside sem/ only: what the conversions share. Every floating-point source is
 * a binary64 number exactly, NaNs included; a conversion reads a row of those
 * and then writes a row of its destination's format.
 */
#ifndef HEDDLE_SEM_CONVERT_H
#define HEDDLE_SEM_CONVERT_H

#include "cmodel/sem/fp32_pick.h"
#include "cmodel/sem/fp64.h"
#include "cmodel/sem/half.h"

/* sem_par.from and .to of floating-point types: values of the set ftype. */
_Static_assert((int)ISA_FTO_F64 == (int)ISA_FTYPE_F64 && (int)ISA_FTO_F16 == (int)ISA_FTYPE_F16, "F2F's types");
_Static_assert((int)ISA_RINT_F64 == (int)ISA_FTYPE_F64 && (int)ISA_RINT_F16 == (int)ISA_FTYPE_F16, "FRND's types");

static inline enum sem_round int_round_of(uint64_t v) {
  switch (v) {
  case ISA_IRND_FLOOR:
    return SEM_RM;
  case ISA_IRND_CEIL:
    return SEM_RP;
  case ISA_IRND_TRUNC:
    return SEM_RZ;
  default:
    return SEM_RN;
  }
}

/* A binary32 number or NaN as binary64; a NaN keeps its sign and payload. */
static inline uint64_t f32_to_f64(uint32_t u) {
  const uint64_t nan = (uint64_t)(u >> 31) << 63 | F64_INF | (uint64_t)(u & 0x7fffffu) << 29;
  return f32_is_nan(u) != 0 ? nan : bits64_of((double)f32_of(u));
}

/* abs and neg, for numbers; NaNs become quiet. */
static inline uint64_t source_modify(uint64_t raw, struct f64_sign s) {
  return f64_is_nan(raw) != 0 ? raw | F64_QUIET : f64_modify(raw, s);
}

/* Operand b of type p->from, half p->part[1], as binary64. */
static inline void float_source(const uint32_t *b, const struct sem_par *p, uint64_t v[SEM_LANES]) {
  const struct f64_sign s = f64_sign(p, 1);
  const uint32_t ftz = p->ftz ? ~0u : 0, shift = p->part[1] == ISA_HALF1_H1 ? 16 : 0;
  if (p->from == ISA_FTYPE_F64) {
    SEM_EACH_LANE(i) v[i] = source_modify(pair_get(b, i), s);
  } else if (p->from == ISA_FTYPE_F16) {
    SEM_EACH_LANE(i) v[i] = source_modify(f32_to_f64(f16_widen(b[i] >> shift)), s);
  } else {
    SEM_EACH_LANE(i) v[i] = source_modify(f32_to_f64(f32_flush(b[i], ftz)), s);
  }
}

/* A binary64 number rounded to odd in binary32, which keeps all that a rounding to 11 bits asks for. Not for NaN. */
static inline uint32_t f32_odd(double v) {
  const float f = (float)v;
  const uint32_t u = bits_of(f);
  const uint64_t have = bits64_of((double)f) << 1, want = bits64_of(v) << 1; /* magnitudes */
  const uint32_t inexact = have != want, larger = have > want;
  return (u - larger) | inexact;
}

/* A binary32 number rounded to binary16 in direction rnd; not for NaN. Of its 24 digits 13 go, and more below 2^-14. */
static inline uint32_t f16_round(uint32_t u, enum sem_round rnd) {
  const uint32_t m = u & ~F32_SIGN, field = m >> 23, least = 127 - 14;
  const uint32_t hidden = field != 0, digits = (m & 0x7fffffu) | hidden << 23;
  const uint32_t exponent = field > least ? field : least;
  const uint32_t wanted = 13 + exponent - field, lost = wanted < 26 ? wanted : 26;
  const uint32_t whole = digits >> lost, rest = digits - (whole << lost), half = 1u << (lost - 1);
  const uint32_t above = rest > half, tie = rest == half, some = rest != 0;
  const uint32_t away = f32_away(rnd, u >> 31), nearest = mask_if(rnd == SEM_RN);
  const uint32_t r = ((exponent - least) << 10) + whole + blend(nearest, above | (tie & whole), away & some);
  const uint32_t over = F16_INF - 1 + ((nearest | away) & 1u), infinite = mask_if(m == F32_INF);
  const uint32_t finite = r < F16_INF ? r : over;
  return u >> 31 << 15 | blend(infinite, F16_INF, finite);
}

/* To an integral value, sign kept, NaN as it is: adding 2^52 leaves no place for a fraction. */
static inline uint64_t f64_integral(uint64_t u, enum sem_round rnd) {
  const uint64_t mu = u & ~F64_SIGN, sign = u & F64_SIGN;
  const double m = f64_of(mu), t = (m + 0x1p52) - 0x1p52;
  const uint64_t away = f32_away(rnd, (uint32_t)(u >> 63)), low = t<m, high = t> m;
  const double up = f64_of(F64_ONE & mask64_if(low & away)), down = f64_of(F64_ONE & mask64_if(high & (away ^ 1)));
  const uint64_t r = rnd == SEM_RN ? bits64_of(t) : bits64_of((t + up) - down);
  const uint64_t large = mu >= UINT64_C(0x4330000000000000);
  return sign | blend64(mask64_if(large), mu, r);
}

#endif
