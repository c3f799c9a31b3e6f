/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests from cycles of relations, as diy makes them: each event is before the next by program order (with a fence, a
 * barrier, a dependency, or nothing between) or by reads-from, from-read or coherence, and the last before the first.
 * What is interesting of a test is whether the cycle can be seen; all its outcomes are judged.
 */
#ifndef LITMUS_CYCLES_H
#define LITMUS_CYCLES_H

#include "lab/verify/litmus/src/litmus_test.h"

/* Test number `n` of the sequence that `seed` gives: the same one ever again. Tests of a sequence differ in more than
 * their names. NULL: no memory. */
struct cycles;
struct cycles *cycles_new(uint64_t seed);
void cycles_free(struct cycles *c);
/* The next one that the sequence does not have yet. False: no memory, or none is found any more. */
bool cycles_next(struct cycles *c, struct test *t);
/* Parts it into two launches, each thread at a point of its own, so that both have something; the points are in its
 * name. False: it cannot be parted. */
bool cycles_part(struct cycles *c, struct test *t);

#endif
