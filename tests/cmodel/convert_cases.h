/* SPDX-License-Identifier: Apache-2.0
 *
 * Test helper: sources, modifiers and rows of conversions.
 */
#ifndef HEDDLE_TEST_CONVERT_CASES_H
#define HEDDLE_TEST_CONVERT_CASES_H

#include "tests/cmodel/float_ref.h"
#include <heddle/isa.h>
#include "tests/cmodel/rows.h"

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

/* Source n of a format; false past the last. Every half; or the edges and then `random` others, of which some lie at or
 * beside numbers of the narrower format `to`, or half-way between two. */
bool float_case(enum ref_format f, enum ref_format to, unsigned long n, unsigned long random, uint64_t *seed,
                uint64_t *u);
/* How often to go through the sources, so that every half meets many modifiers. */
unsigned float_turns(enum ref_format f, unsigned long random);

#endif
