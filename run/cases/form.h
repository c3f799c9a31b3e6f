/* SPDX-License-Identifier: Apache-2.0
 * PTX instruction forms, one by one: a form as a whole kernel, and how near its result must be. */
#ifndef HEDDLE_RUN_CASES_FORM_H
#define HEDDLE_RUN_CASES_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A PTX instruction form as a whole kernel, in the words that were run on silicon. */

/* Kernel `k`, with parameters for the addresses of a, b, c and d. Thread i loads its elements of a, b and c,
 * executes `statement` ("add.f32 d,a,b;", or several) and stores its element of d. `type` has the PTX types of a, b,
 * c, d ("f32"); NULL: the form lacks this operand, which cannot be d. NULL: no memory, or an unknown type. Caller
 * frees. */
char *form_source(const char *const type[4], const char *statement);

/* Forms with an unknown sequence on hardware: a bound holds them, not every bit. */

struct form_bound;

/* NULL: every bit must be right. */
const struct form_bound *form_bound_of(const char *form);

/* Columns of `count` FP64 numbers. Where the golden result is NaN, infinite or zero, bits must be equal. Returns the
 * first index that is out of bounds, or count; `note` says the largest error. */
size_t form_bound_check(const struct form_bound *b, const uint8_t *a, const uint8_t *got, const uint8_t *gold,
                        size_t count, char *note, size_t size);

#endif
