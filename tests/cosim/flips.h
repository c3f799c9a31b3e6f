/* SPDX-License-Identifier: Apache-2.0
 *
 * One record made wrong in one place that the checker must see.
 */
#ifndef TESTS_COSIM_FLIPS_H
#define TESTS_COSIM_FLIPS_H

#include <heddle/record.h>

/* Flips a bit (where only some bits of a word are anybody's: all of them) at a place drawn from *rng. False: the record
 * has none. */
bool flip_somewhere(struct heddle_retire_record *r, uint64_t *rng);

#endif
