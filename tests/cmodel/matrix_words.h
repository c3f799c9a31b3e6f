/* SPDX-License-Identifier: Apache-2.0
 *
 * Test helper: the matrix instructions by the names of tests/silicon/mma, and small integers in their formats.
 */
#ifndef HEDDLE_TEST_MATRIX_WORDS_H
#define HEDDLE_TEST_MATRIX_WORDS_H

#include "tests/cmodel/fragments.h"

/* The word of "f16k16_f32", "i32_s8u8_sat", "e4m3_f32", "e4m3e5m2_f32", "f64" ... False for other names. Registers are
 * RZ: for row operations that is all the same. */
bool matrix_word(const char *name, struct heddle_isa_word *w);

/* An instruction whose products of integers are exact. */
struct matrix_kind {
  const char *name;
  struct shape shape;
  unsigned most; /* greatest integer to use in a matrix */
  uint64_t (*element)(uint64_t n), (*accumulator)(uint64_t n);
};

extern const struct matrix_kind matrix_kinds[];
extern const unsigned matrix_kinds_count;

/* n (0 or up to 53 bits) as a binary floating-point number with that many fraction bits; exact if they suffice. */
uint64_t matrix_float(uint64_t n, unsigned fraction_bits, unsigned bias);

#endif
