/* SPDX-License-Identifier: Apache-2.0
 *
 * Rounding by MPFR to any format; values worth trying.
 */
#ifndef HEDDLE_TEST_FLOAT_REF_H
#define HEDDLE_TEST_FLOAT_REF_H

#include <mpfr.h>
#include <stdbool.h>
#include <stdint.h>

#include <heddle/isa.h>
#include "tests/cmodel/rows.h"

/* Test helper: binary16, binary32 and binary64 by MPFR. Values worth trying,
 * and results rounded by IEEE 754 and FTZ. */

enum ref_format { REF_F16, REF_F32, REF_F64 };

/* Each format: bits, bits of the significand, least normal number 2^least, NaN where no operand was one. */
struct ref_info {
  unsigned bits, digits;
  int least;
  uint64_t sign, inf, nan;
};
extern const struct ref_info ref_info[3];

extern const mpfr_rnd_t
    ref_rounding[4]; /* nearest, down, up, toward zero: as RN RM RP RZ, and as ROUND FLOOR CEIL TRUNC */

bool ref_is_nan(enum ref_format f, uint64_t u);
uint64_t ref_flush(enum ref_format f, uint64_t u, bool ftz); /* subnormal: zero of its sign */

/* A result variable of the format's precision. */
void ref_init(mpfr_t v, enum ref_format f);
/* Exactly u; v has enough precision. */
void ref_set(mpfr_t v, enum ref_format f, uint64_t u);
/* The bits of v, of the format's precision, which MPFR rounded in direction rnd with the given ternary value.
 * ftz: a tiny result becomes zero. Any NaN gives ref_info[f].nan. */
uint64_t ref_bits(mpfr_t v, int ternary, enum ref_format f, mpfr_rnd_t rnd, bool ftz);

/* Clamped to [0, 1]; a NaN and -0 give +0. */
uint64_t ref_saturate(enum ref_format f, uint64_t u);

/* Every kind of number and NaN. */
const uint64_t *ref_edges(enum ref_format f, unsigned *n);
/* Three operands with exponents for which rounding, cancellation, overflow and underflow of a*b+c and a+b happen
 * often; sometimes an edge among them. */
void ref_random3(enum ref_format f, uint64_t *seed, uint64_t v[3]);
/* Case n of an operation of `operands` operands: all edges crossed, then random ones. False past `random` of those. */
bool ref_case(enum ref_format f, unsigned operands, unsigned long n, unsigned long random, uint64_t *seed,
              uint64_t v[3]);

/* ---- comparisons ---- */

#define REF_RELATIONS 16u
/* fcmp code of relation n, and whether it holds for u and v as numbers of the format. */
uint64_t ref_relation_code(unsigned n);
bool ref_relation(unsigned n, enum ref_format f, uint64_t u, uint64_t v);
enum ref_combine { REF_AND, REF_OR, REF_XOR, REF_COMBINES };
bool ref_bool(enum ref_combine how, bool x, bool y);
uint64_t ref_bool_code(enum ref_combine how);
/* Minimum or maximum of two numbers, -0 < +0; not for NaN. */
uint64_t ref_minmax(enum ref_format f, uint64_t u, uint64_t v, bool minimum);

/* Test helper: sources, modifiers and rows of conversions. */

/* By direction, as ref_rounding. */
extern const uint64_t rnd_code[4], irnd_code[4];
/* By format. */
extern const char *const format_name[3];
extern const uint64_t ftype_code[3], fto_code[3], rint_code[3];

/* Modifiers of one row of cases. */
struct mods {
  bool ftz, sat, relu, neg, abs, high;
};

struct mods random_mods(uint64_t *seed);

/* neg and abs of operand b: in the word, and as they act on a number. */
struct heddle_isa_word with_signs(struct heddle_isa_word w, const struct mods *m);
uint64_t with_signs_applied(enum ref_format f, uint64_t u, const struct mods *m);

/* A value of 8 to 64 bits in lane k of b; what surrounds a short one is rubbish. */
void put_source(struct rows *rows, unsigned k, unsigned bits, uint64_t v, bool high, uint64_t *seed);
/* The expected result of lane k. */
void put_result(struct rows *rows, unsigned k, uint64_t v);

/* Source n of a format; false past the last. Every half; or the edges and then `random` others, of which some are at or
 * beside numbers of the narrower format `to`, or half-way between two. */
bool float_case(enum ref_format f, enum ref_format to, unsigned long n, unsigned long random, uint64_t *seed,
                uint64_t *u);
/* How often to go through the sources, so that every half meets many modifiers. */
unsigned float_turns(enum ref_format f, unsigned long random);

#endif
