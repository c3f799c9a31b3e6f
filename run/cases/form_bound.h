/* SPDX-License-Identifier: Apache-2.0
 *
 * Forms whose exact sequence on hardware is not known: they are held to a bound instead of to every bit. */
#ifndef HEDDLE_FORM_BOUND_H
#define HEDDLE_FORM_BOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct form_bound;

/* NULL: every bit must be right. */
const struct form_bound *form_bound_of(const char *form);

/* Columns of `count` FP64 numbers. Where the golden result is NaN, infinite or zero, bits must be equal. Returns the
 * first index that is out of bounds, or count; `note` says the largest error. */
size_t form_bound_check(const struct form_bound *b, const uint8_t *a, const uint8_t *got, const uint8_t *gold,
                        size_t count, char *note, size_t size);

#endif
