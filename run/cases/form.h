/* SPDX-License-Identifier: Apache-2.0
 * PTX instruction forms, one by one: a form as a whole kernel, and how near its result must be. */
#ifndef HEDDLE_RUN_CASES_FORM_H
#define HEDDLE_RUN_CASES_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A PTX instruction form as a whole kernel, in the words that were run on silicon. */

/* Kernel `k`, with parameters for the addresses of a, b, c and d: thread i loads its elements of a, b and c, does
 * `statement` ("add.f32 d,a,b;", several may follow each other) and stores its element of d. `type` are PTX types
 * of a, b, c, d ("f32"); NULL: the form has no such operand, which d must be. NULL: no memory, or a type that is
 * none. Caller frees. */
char *form_source(const char *const type[4], const char *statement);

/* Forms whose exact sequence on hardware is not known: they are held to a bound instead of to every bit. */

struct form_bound;

/* NULL: every bit must be right. */
const struct form_bound *form_bound_of(const char *form);

/* Columns of `count` FP64 numbers. Where the golden result is NaN, infinite or zero, bits must be equal. Returns the
 * first index that is out of bounds, or count; `note` says the largest error. */
size_t form_bound_check(const struct form_bound *b, const uint8_t *a, const uint8_t *got, const uint8_t *gold,
                        size_t count, char *note, size_t size);

#endif
