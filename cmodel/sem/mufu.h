/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside sem/ only: the datapath that all special functions share
 * (isa/doc/09-special-functions.md, "Datapath"), and its tables.
 *
 * The sum S is an integer below 2^45. It is carried in a binary64, where every
 * product and every partial sum of it is exact (all stay below 2^53), and where
 * the leading one, which the cut to 24 bits asks for, is found already.
 */
#ifndef HEDDLE_SEM_MUFU_H
#define HEDDLE_SEM_MUFU_H

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

#endif
