/* SPDX-License-Identifier: Apache-2.0
 *
 * MUFU: the special functions of isa/doc/09-special-functions.md, in the order
 * of that text. Two functions of one lane each: NAME_segment gives the row of
 * the table (in range for every b, also where it does not count), NAME the
 * result; it ends in the choice between the datapath's number and the special
 * cases.
 */
#include "cmodel/sem/half.h"
#include "base/minmax.h"
#include "cmodel/sem/fp32.h"
#include "gen/mufu_tables.h"

#define F32_FRACTION 0x7fffffu
#define F32_MAGNITUDE 0x7fffffffu

/* Two to the power n, as a constant. */
#define POW2(n) ((double)(UINT64_C(1) << (n)))

/* The constants of one function: S = c0*2^a + c1*X + c2*2^b*sq + k. */
struct mufu_path {
  double scale0, scale2, k; /* 2^a, 2^b */
};

/* One line of the folded square: bit j of x with all bits below it. The pairs (i, j) stand at 2^(i+j+1), the bit by
 * itself at 2^(2j); what is lighter than 2^19 is left out, and 2^19 is the unit of the result. */
static inline uint32_t square_line(uint32_t x, unsigned j) {
  const uint32_t below = x & ((1u << j) - 1u), itself = 1u << (j - 1u);
  return ((below + itself) >> (18u - j)) & mask_if((x >> j) & 1u);
}

/* sq(X) of a 17-bit X. Lines below 10 are lighter than 2^19 altogether. */
static inline uint32_t folded_square(uint32_t x) {
  return square_line(x, 10) + square_line(x, 11) + square_line(x, 12) + square_line(x, 13) + square_line(x, 14) +
         square_line(x, 15) + square_line(x, 16);
}

/* S with `row` of the function's table; `sq` is the folded square of x (of 2x where x has 16 bits). */
static inline double mufu_sum(struct mufu_path t, uint64_t row, uint32_t x, uint32_t sq) {
  const double base = (double)mufu_c0(row) * t.scale0 + t.k;
  const double linear = (double)mufu_c1(row) * (double)(int32_t)x;
  const double square = (double)mufu_c2(row) * t.scale2 * (double)(int32_t)sq;
  return base + linear + square;
}

/* The binary32 word of s*2^e, s >= 0 an integer, cut to 24 bits; the result is zero or a normal number. */
static inline uint32_t cut24(double s, int32_t e) {
  const uint32_t u = (uint32_t)(bits64_of(s) >> 29);
  const uint32_t word = u + ((uint32_t)(e + 127 - 1023) << 23);
  return bits64_of(s) == 0 ? 0 : word;
}

/* Integers below 2^52 and binary64, both ways, by the bits of 2^52 + s. (Vector extensions before AVX-512 do not
 * convert 64-bit integers.) */
static inline uint64_t integer_of(double s) {
  return bits64_of(s + POW2(52)) & (UINT64_MAX >> 12);
}

static inline double double_of(uint64_t n) {
  return f64_of(n | bits64_of(POW2(52))) - POW2(52);
}

/* Fields of a binary32 word. */
static inline int32_t f32_exponent(uint32_t u) {
  return (int32_t)((u >> 23) & 255u) - 127;
}

/* n, or 0 when it is negative. */
static inline uint32_t positive_part(int32_t n) {
  return n < 0 ? 0 : (uint32_t)n;
}

#define F32_LEAST 0x00800000u /* 2^-126, the smallest normal number */

static const struct mufu_path rcp_path = {POW2(13), 1, 2023};
static const struct mufu_path rsq_path = {POW2(14), 4, 16383};
static const struct mufu_path sqrt_path = {POW2(15), 2, -1};
static const struct mufu_path ex2_path = {POW2(13), 1, 6114};
static const struct mufu_path lg2_path = {POW2(12), 2, 837};
static const struct mufu_path sin_path = {POW2(12), 1, 0};
static const struct mufu_path tanh_path = {POW2(15), 2, 0};

/* ---- RCP, RSQ, SQRT ---- */

/* S of a 23-bit fraction. */
static inline double rcp_sum(uint32_t f, uint64_t row) {
  const uint32_t x = f & 0xffffu;
  return mufu_sum(rcp_path, row, x, folded_square(x << 1));
}

static inline double sum17(struct mufu_path path, uint32_t f, uint64_t row) {
  const uint32_t x = f & 0x1ffffu;
  return mufu_sum(path, row, x, folded_square(x));
}

static inline uint32_t rcp_segment(uint32_t b) {
  return (b >> 16) & 127u;
}

static inline uint32_t rcp(uint32_t b, uint64_t row) {
  const uint32_t magnitude = b & F32_MAGNITUDE, sign = b & F32_SIGN;
  uint32_t r = cut24(rcp_sum(b & F32_FRACTION, row), -39 - f32_exponent(b));
  r = magnitude > 0x7e800000u ? 0 : r; /* above 2^126 */
  r = magnitude < F32_LEAST ? F32_INF : r;
  return magnitude > F32_INF ? F32_NAN : r | sign;
}

/* Odd exponents have the upper half of the table. (The field is even for an odd exponent.) */
static inline uint32_t root_segment(uint32_t b) {
  return ((b >> 17) & 127u) ^ 64u;
}

static inline uint32_t rsq(uint32_t b, uint64_t row) {
  const uint32_t magnitude = b & F32_MAGNITUDE, sign = b & F32_SIGN, f = b & F32_FRACTION;
  const int32_t e = f32_exponent(b), h = e >> 1;
  const uint32_t odd = (uint32_t)e & 1u, power = (uint32_t)(127 - h) << 23;
  uint32_t r = cut24(sum17(rsq_path, f, row), -40 - h);
  r = (f | odd) == 0 ? power : r;
  r = magnitude == F32_INF ? 0 : r;
  r = sign != 0 ? F32_NAN : r;
  r = magnitude < F32_LEAST ? F32_INF | sign : r;
  return magnitude > F32_INF ? F32_NAN : r;
}

static inline uint32_t square_root(uint32_t b, uint64_t row) {
  const uint32_t magnitude = b & F32_MAGNITUDE, sign = b & F32_SIGN;
  uint32_t r = cut24(sum17(sqrt_path, b & F32_FRACTION, row), (f32_exponent(b) >> 1) - 40);
  r = magnitude == F32_INF ? F32_INF : r;
  r = sign != 0 ? F32_NAN : r;
  r = magnitude < F32_LEAST ? sign : r;
  return magnitude > F32_INF ? F32_NAN : r;
}

/* ---- EX2, LG2 ---- */

/* v in units of 2^-23: |b| cut; for a negative b its negative if whole, else the ones' complement. */
static inline uint32_t ex2_fixed(uint32_t b) {
  const uint32_t m = (b & F32_FRACTION) | 0x800000u, negative = mask_if(b >> 31);
  const int32_t e = f32_exponent(b);
  const uint32_t u = m << min_u32(positive_part(e), 7) >> min_u32(positive_part(-e), 31);
  const uint32_t whole = (u & F32_FRACTION) == 0;
  return (u ^ negative) + (whole & negative);
}

static inline uint32_t ex2_segment(uint32_t b) {
  return (ex2_fixed(b) >> 17) & 63u;
}

static inline uint32_t ex2(uint32_t b, uint64_t row) {
  const uint32_t magnitude = b & F32_MAGNITUDE, negative = mask_if(b >> 31), v = ex2_fixed(b);
  uint32_t r = cut24(sum17(ex2_path, v, row), ((int32_t)v >> 23) - 38);
  r = magnitude < 0x34000000u ? F32_ONE : r;                /* 2^-23 */
  r = (~negative & magnitude) >= 0x43000000u ? F32_INF : r; /* 128 */
  r = (negative & magnitude) >= 0x42fc0000u ? 0 : r;        /* -126 */
  r = b == 0xc2fc0000u ? F32_LEAST : r;
  return magnitude > F32_INF ? F32_NAN : r;
}

static inline uint32_t lg2_segment(uint32_t b) {
  return (b >> 17) & 63u;
}

static inline uint32_t lg2(uint32_t b, uint64_t row) {
  const uint32_t magnitude = b & F32_MAGNITUDE, sign = b & F32_SIGN;
  const uint64_t t = integer_of(sum17(lg2_path, b & F32_FRACTION, row)) >> 2;
  const uint64_t v = ((uint64_t)(int64_t)f32_exponent(b) << 36) + t, below = 0 - (v >> 63);
  uint32_t r = cut24(double_of(v ^ below), -36) | ((uint32_t)below & F32_SIGN);
  r = b == F32_ONE ? 0 : r;
  r = magnitude == F32_INF ? F32_INF : r;
  r = sign != 0 ? F32_NAN : r;
  r = magnitude < F32_LEAST ? F32_SIGN | F32_INF : r;
  return magnitude > F32_INF ? F32_NAN : r;
}

/* ---- SIN, COS: the argument is in turns ---- */

/* w (and whole turns above it) in units of 2^-25, `ahead` quadrants added. */
static inline uint32_t turns(uint32_t b, uint32_t ahead) {
  const uint32_t m = (b & F32_FRACTION) | 0x800000u;
  const int32_t up = f32_exponent(b) + 2;
  const uint32_t w = m << min_u32(positive_part(up), 31) >> min_u32(positive_part(-up), 31);
  return w + (ahead << 23);
}

/* Odd quadrants run backwards. */
static inline uint32_t position(uint32_t w) {
  return (w ^ mask_if((w >> 23) & 1u)) & F32_FRACTION;
}

/* `sign`: of the result in the first two quadrants. */
static inline uint32_t wave(uint32_t b, uint32_t w, uint32_t sign, uint64_t row) {
  const uint32_t r = cut24(sum17(sin_path, position(w), row), -37);
  return (b & F32_MAGNITUDE) >= F32_INF ? F32_NAN : r | (sign ^ (w << 7 & F32_SIGN));
}

static inline uint32_t sine_segment(uint32_t b) {
  return position(turns(b, 0)) >> 17;
}

static inline uint32_t sine(uint32_t b, uint64_t row) {
  return wave(b, turns(b, 0), b & F32_SIGN, row);
}

static inline uint32_t cosine_segment(uint32_t b) {
  return position(turns(b, 1)) >> 17;
}

static inline uint32_t cosine(uint32_t b, uint64_t row) {
  return wave(b, turns(b, 1), 0, row);
}

/* ---- TANH ---- */

/* By octave, 2^-8 first: 2^n segments, bits below 2^-36 in S, and the first row. */
static const uint32_t tanh_n[16] = {0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3};
static const int32_t tanh_t[16] = {3, 2, 1, 2, 1, 2, 1, 0, 1, 3, 1};
static const uint32_t tanh_row[16] = {0, 1, 2, 3, 5, 7, 11, 15, 19, 27, 43};

static inline uint32_t tanh_octave(uint32_t b) {
  return ((b >> 23) - 119u) & 15u;
}

static inline uint32_t tanh_segment(uint32_t b) {
  const uint32_t octave = tanh_octave(b);
  return min_u32(tanh_row[octave] + ((b & F32_FRACTION) >> (23u - tanh_n[octave])), 50);
}

static inline uint32_t hyperbolic(uint32_t b, uint64_t row) {
  const uint32_t magnitude = b & F32_MAGNITUDE, sign = b & F32_SIGN, octave = tanh_octave(b);
  uint32_t r = cut24(sum17(tanh_path, b >> (6u - tanh_n[octave]), row), -36 - tanh_t[octave]);
  r = magnitude >= 0x41000000u ? F32_ONE : r;  /* 8 */
  r = magnitude < 0x3b800000u ? magnitude : r; /* 2^-8 */
  return magnitude > F32_INF ? F32_NAN : r | sign;
}

/* ---- RCP64H, RSQ64H: upper words of binary64 ---- */

#define F64_INF 0x7ff00000u

static inline int32_t f64_exponent(uint32_t u) {
  return (int32_t)((u >> 20) & 0x7ffu) - 1023;
}

/* The upper word of s*2^e: the datapath's number cut to 20 fraction bits. */
static inline uint32_t upper_word(double s, int32_t e) {
  return (uint32_t)(bits64_of(s) >> 32) + ((uint32_t)e << 20);
}

static inline uint32_t rcp64h_segment(uint32_t b) {
  return (b >> 13) & 127u;
}

static inline uint32_t rcp64h(uint32_t b, uint64_t row) {
  const uint32_t magnitude = b & F32_MAGNITUDE, sign = b & F32_SIGN;
  const uint32_t word = upper_word(rcp_sum((b & 0xfffffu) << 3, row), -39 - f64_exponent(b));
  uint32_t r = word - 0x100000u < F64_INF ? word : 0; /* exponent field below 1: the subtraction wraps */
  r = magnitude >= F64_INF ? 0 : r;
  r = magnitude < 0x100000u ? F64_INF : r;
  return magnitude > F64_INF ? F32_NAN : r | sign;
}

static inline uint32_t rsq64h_segment(uint32_t b) {
  return ((b >> 14) & 127u) ^ 64u;
}

static inline uint32_t rsq64h(uint32_t b, uint64_t row) {
  const uint32_t magnitude = b & F32_MAGNITUDE, sign = b & F32_SIGN, f = (b & 0xfffffu) << 3;
  const int32_t e = f64_exponent(b), h = e >> 1;
  const uint32_t odd = (uint32_t)e & 1u, power = (uint32_t)(1023 - h) << 20;
  uint32_t r = upper_word(sum17(rsq_path, f, row), -40 - h);
  r = (f | odd) == 0 ? power : r;
  r = magnitude == F64_INF ? 0 : r;
  r = sign != 0 ? F32_NAN : r;
  r = magnitude < 0x100000u ? F64_INF | sign : r;
  return magnitude > F64_INF ? F32_NAN : r;
}

/* ---- rows ---- */

/* The rows of the table are fetched in a loop of their own, one load a lane: no vector unit does that faster. */
#define MUFU_ROW(name, function, segment, table)                                                                       \
  SEM_FN(name) {                                                                                                       \
    uint32_t which[SEM_LANES];                                                                                         \
    uint64_t row[SEM_LANES];                                                                                           \
    SEM_EACH_LANE(i) which[i] = segment(b[i]);                                                                         \
    SEM_EACH_LANE(i) row[i] = (table)[which[i]];                                                                       \
    SEM_EACH_LANE(i) d[i] = blend(SEM_ON(i), function(b[i], row[i]), d[i]);                                            \
  }

MUFU_ROW(row_cos, cosine, cosine_segment, mufu_sin)
MUFU_ROW(row_sin, sine, sine_segment, mufu_sin)
MUFU_ROW(row_ex2, ex2, ex2_segment, mufu_ex2)
MUFU_ROW(row_lg2, lg2, lg2_segment, mufu_lg2)
MUFU_ROW(row_rcp, rcp, rcp_segment, mufu_rcp)
MUFU_ROW(row_rsq, rsq, root_segment, mufu_rsq)
MUFU_ROW(row_rcp64h, rcp64h, rcp64h_segment, mufu_rcp)
MUFU_ROW(row_rsq64h, rsq64h, rsq64h_segment, mufu_rsq)
MUFU_ROW(row_sqrt, square_root, root_segment, mufu_sqrt)
MUFU_ROW(row_tanh, hyperbolic, tanh_segment, mufu_tanh)

/* ---- halves: the low half, widened; the result cut toward zero ---- */

static inline uint32_t f16_wide(uint32_t b) {
  return f16_widen(b & 0xffffu);
}

/* The datapath's results are zero, normal, infinite, NaN, or (TANH) a widened half. */
static inline uint32_t f16_cut(uint32_t u) {
  const uint32_t magnitude = u & F32_MAGNITUDE, exponent = magnitude >> 23;
  uint32_t r = (magnitude - 0x38000000u) >> 13;
  const uint32_t low = ((magnitude & F32_FRACTION) | 0x800000u) >> min_u32(126u - exponent, 31);
  r = magnitude < 0x38800000u ? low : r;     /* 2^-14 */
  r = magnitude >= 0x47800000u ? 0x7c00 : r; /* 65536 */
  return magnitude > F32_INF ? 0x7fff : r | (u >> 16 & 0x8000u);
}

static inline uint32_t bf16_wide(uint32_t b) {
  return b << 16;
}

static inline uint32_t bf16_cut(uint32_t u) {
  return u >> 16;
}

#define MUFU_HALF_ROW(name, function, segment, table, wide, cut)                                                       \
  static inline uint32_t name##_segment(uint32_t b) {                                                                  \
    return segment(wide(b));                                                                                           \
  }                                                                                                                    \
  static inline uint32_t name##_result(uint32_t b, uint64_t row) {                                                     \
    return cut(function(wide(b), row));                                                                                \
  }                                                                                                                    \
  MUFU_ROW(row_##name, name##_result, name##_segment, table)

MUFU_HALF_ROW(ex2_f16, ex2, ex2_segment, mufu_ex2, f16_wide, f16_cut)
MUFU_HALF_ROW(tanh_f16, hyperbolic, tanh_segment, mufu_tanh, f16_wide, f16_cut)
MUFU_HALF_ROW(ex2_bf16, ex2, ex2_segment, mufu_ex2, bf16_wide, bf16_cut)
MUFU_HALF_ROW(tanh_bf16, hyperbolic, tanh_segment, mufu_tanh, bf16_wide, bf16_cut)

static sem_fn *mufu_pick(const struct heddle_isa_dec *dec, struct sem_par *p) {
  (void)p;
  switch (heddle_isa_get(dec->word, ISA_F_MUFU)) {
  case ISA_MUFU_COS:
    return row_cos;
  case ISA_MUFU_SIN:
    return row_sin;
  case ISA_MUFU_EX2:
    return row_ex2;
  case ISA_MUFU_LG2:
    return row_lg2;
  case ISA_MUFU_RCP:
    return row_rcp;
  case ISA_MUFU_RSQ:
    return row_rsq;
  case ISA_MUFU_RCP64H:
    return row_rcp64h;
  case ISA_MUFU_RSQ64H:
    return row_rsq64h;
  case ISA_MUFU_SQRT:
    return row_sqrt;
  case ISA_MUFU_EX2_F16:
    return row_ex2_f16;
  case ISA_MUFU_TANH_F16:
    return row_tanh_f16;
  case ISA_MUFU_EX2_BF16:
    return row_ex2_bf16;
  case ISA_MUFU_TANH_BF16:
    return row_tanh_bf16;
  default:
    return row_tanh;
  }
}

const struct sem_def SEM_DEF(mufu) = {.kind = SEM_ROW, .pick = mufu_pick};
