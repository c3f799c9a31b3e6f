/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions. I2F and F2I: words of 32 bits to and from binary32 have functions of their own.
 */
#include "cmodel/sem/fp32.h"
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

/* ---- I2F ---- */

SEM_FN_WHOLE(i2f) {
  const enum sem_round rnd = (enum sem_round)p->rnd;
  if (p->is_unsigned) {
    SEM_EACH_LANE(i) d[i] = blend(SEM_ON(i), f32_round((double)b[i], rnd), d[i]);
  } else {
    SEM_EACH_LANE(i) d[i] = blend(SEM_ON(i), f32_round((double)(int32_t)b[i], rnd), d[i]);
  }
}

/* An integer of any size as high + low, both exact in binary64; no minus zero. */
struct int_parts {
  double high[SEM_LANES], low[SEM_LANES];
};

static void int_source(const uint32_t *b, const struct sem_par *p, struct int_parts *v) {
  if (p->from == ISA_ITYPE_S64 || p->from == ISA_ITYPE_U64) {
    SEM_EACH_LANE(i) {
      const uint32_t h = b[SEM_LANES + i];
      v->high[i] = (p->is_unsigned ? (double)h : (double)(int32_t)h) * 0x1p32;
      v->low[i] = (double)b[i];
    }
    return;
  }
  const unsigned cut = p->shift; /* bits above the number */
  SEM_EACH_LANE(i) {
    const uint32_t up = b[i] << cut;
    v->high[i] = 0;
    v->low[i] = p->is_unsigned ? (double)(up >> cut) : (double)((int32_t)up >> cut);
  }
}

SEM_FN(i2f_any) {
  const enum sem_round rnd = (enum sem_round)p->rnd;
  struct int_parts v;
  int_source(b, p, &v);
  if (p->to == ISA_FTYPE_F64) {
    SEM_EACH_LANE(i) pair_put(d, i, SEM_ON(i), f64_sum(bits64_of(v.high[i]), bits64_of(v.low[i]), rnd));
  } else if (p->to == ISA_FTYPE_F16) {
    SEM_EACH_LANE(i)
    d[i] = blend(SEM_ON(i), f16_round(f32_odd(sum_to_odd(v.high[i], v.low[i], 0)), rnd), d[i]);
  } else {
    SEM_EACH_LANE(i) d[i] = blend(SEM_ON(i), f32_round(sum_to_odd(v.high[i], v.low[i], 0), rnd), d[i]);
  }
}

/* What an integer type is. */
struct int_type {
  uint8_t bits;
  bool is_unsigned;
};

static struct int_type int_type(uint64_t itype) {
  switch (itype) {
  case ISA_ITYPE_U32:
    return (struct int_type){32, true};
  case ISA_ITYPE_S64:
    return (struct int_type){64, false};
  case ISA_ITYPE_U64:
    return (struct int_type){64, true};
  case ISA_ITYPE_S8:
    return (struct int_type){8, false};
  case ISA_ITYPE_U8:
    return (struct int_type){8, true};
  case ISA_ITYPE_S16:
    return (struct int_type){16, false};
  case ISA_ITYPE_U16:
    return (struct int_type){16, true};
  default:
    return (struct int_type){32, false};
  }
}

static sem_fn *i2f_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  p->from = (uint8_t)heddle_isa_get(dec->word, ISA_F_ISRC);
  p->to = (uint8_t)heddle_isa_get(dec->word, ISA_F_FLT);
  p->rnd = (uint8_t)round_of(heddle_isa_get(dec->word, ISA_F_RND));
  const struct int_type t = int_type(p->from);
  p->is_unsigned = t.is_unsigned;
  p->shift = t.bits < 32 ? (uint8_t)(32 - t.bits) : 0;
  return t.bits == 32 && p->to == ISA_FTYPE_F32 ? i2f : i2f_any;
}

/* ---- F2I ---- */

/* |x| rounded to an integer, at most 2^32 (which stands for all above). */
static inline uint64_t f32_magnitude(uint32_t u, enum sem_round rnd) {
  const uint32_t exponent = (u >> 23) & 255u, fraction = u & 0x7fffffu;
  const uint64_t m = exponent == 0 ? fraction : fraction | 0x800000u;
  const uint32_t left = exponent > 150 ? exponent - 150 : 0; /* value = m * 2^(exponent-150) */
  const uint32_t right = exponent < 150 ? 150 - exponent : 0;
  const uint32_t l = left < 9 ? left : 9, r = right < 26 ? right : 26; /* 26: below a quarter */
  const uint64_t shifted = m << l << 2 >> r;                           /* two more bits, to see halves */
  const uint64_t whole = shifted >> 2;
  const uint64_t lost = (shifted << r) != m << l << 2;
  const uint64_t rest = (shifted & 3) << 1 | lost; /* in eighths, the last one standing for all below: 4 is a half */
  const uint64_t above_half = rest > 4, half = rest == 4, inexact = rest != 0;
  const uint64_t nearest_up = above_half | (half & whole);
  const uint64_t directed_up = f32_away(rnd, u >> 31) & inexact;
  const uint64_t v = whole + (rnd == SEM_RN ? nearest_up : directed_up);
  const uint64_t top = UINT64_C(1) << 32;
  return v < top ? v : top;
}

SEM_FN(f2i) {
  const enum sem_round rnd = (enum sem_round)p->rnd;
  const uint32_t ftz = p->ftz ? ~0u : 0;
  const uint32_t keep = (p->absolute >> 1 & 1) != 0 ? ~F32_SIGN : ~0u, flip = (p->minus >> 1 & 1) != 0 ? F32_SIGN : 0;
  const uint64_t max_pos = p->is_unsigned ? 0xffffffffu : 0x7fffffffu;
  const uint64_t max_neg = p->is_unsigned ? 0 : 0x80000000u;
  SEM_EACH_LANE(i) {
    const uint32_t x = f32_flush((b[i] & keep) ^ flip, ftz);
    const uint64_t m = f32_magnitude(x, rnd);
    const uint32_t negative = mask_if(x >> 31);
    const uint64_t max = (x >> 31) != 0 ? max_neg : max_pos;
    const uint32_t v = (uint32_t)(m < max ? m : max);
    const uint32_t r = (v ^ negative) - negative;
    d[i] = blend(SEM_ON(i), r & ~mask_if(f32_is_nan(x)), d[i]);
  }
}

/* To 8, 16 and 32 bits, from v already integral. Adding 2^52 + 2^51 puts the number, as two's complement, into the low
 * bits of the sum. */
static inline void put_int32(SEM_ARGS, const uint64_t v[SEM_LANES]) {
  const struct int_type t = int_type(p->to);
  const double span = t.bits == 32 ? 0x1p32 : (t.bits == 16 ? 0x1p16 : 0x1p8), low = t.is_unsigned ? 0 : -span / 2,
               high = low + span - 1;
  const uint32_t top = UINT32_C(1) << (t.bits - 1);
  const uint32_t nan = p->from != ISA_FTYPE_F64 ? 0 : (t.is_unsigned ? top : 0u - top); /* extended to 32 bits */
  SEM_EACH_LANE(i) {
    const double x = f64_of(v[i]), y = x < low ? low : x, z = y > high ? high : y;
    const uint32_t r = (uint32_t)bits64_of(z + 0x1.8p52);
    d[i] = blend(SEM_ON(i), f64_is_nan(v[i]) != 0 ? nan : r, d[i]);
  }
}

/* To 64 bits: the host converts to signed numbers; from 2^63 on 2^63 is taken off and put back. */
static inline uint64_t int64_of(double x, bool is_unsigned) {
  const double top = 0x1p63, low = is_unsigned ? 0 : -top, high = is_unsigned ? 0x1p64 : top;
  const double y = x > low ? x : low; /* also for NaN */
  const double z = is_unsigned && y >= top ? y - top : y;
  const uint64_t big = is_unsigned && y >= top ? F64_SIGN : 0;
  const uint64_t most = is_unsigned ? ~UINT64_C(0) : ~F64_SIGN;
  return y >= high ? most : big + (uint64_t)(int64_t)(y >= high ? 0 : z);
}

static inline void put_int64(SEM_ARGS, const uint64_t v[SEM_LANES]) {
  const bool is_unsigned = p->is_unsigned;
  SEM_EACH_LANE(i) {
    const uint64_t r = int64_of(f64_of(v[i]), is_unsigned);
    pair_put(d, i, SEM_ON(i), f64_is_nan(v[i]) != 0 ? F64_SIGN : r);
  }
}

SEM_FN(f2i_any) {
  const enum sem_round rnd = (enum sem_round)p->rnd;
  uint64_t v[SEM_LANES];
  float_source(b, p, v);
  SEM_EACH_LANE(i) v[i] = f64_integral(v[i], rnd);
  if (int_type(p->to).bits == 64)
    put_int64(SEM_PASS, v);
  else
    put_int32(SEM_PASS, v);
}

static sem_fn *f2i_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  own_signs(dec, p);
  p->from = (uint8_t)heddle_isa_get(dec->word, ISA_F_FLT);
  p->to = (uint8_t)heddle_isa_get(dec->word, ISA_F_DINT);
  p->rnd = (uint8_t)int_round_of(heddle_isa_get(dec->word, ISA_F_IRND));
  p->ftz = heddle_isa_get(dec->word, ISA_F_FTZ) != 0;
  const struct int_type t = int_type(p->to);
  p->is_unsigned = t.is_unsigned;
  return t.bits == 32 && p->from == ISA_FTYPE_F32 ? f2i : f2i_any;
}

const struct sem_def SEM_DEF(i2f) = {.kind = SEM_ROW, .marks = SEM_MARKS_INTEGER, .pick = i2f_pick};
const struct sem_def SEM_DEF(f2i) = {.kind = SEM_ROW, .marks = SEM_MARKS_FLOAT, .pick = f2i_pick};

/* F2F, FRND, F2FP: from floating-point numbers to others. */

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
