/* SPDX-License-Identifier: Apache-2.0
 *
 * A test as a kernel that runs many instances of it at once: in the assembly of Heddle, or in PTX. A lane is an
 * instance; a thread of the test is a warp (of threads of one warp: a lane). What registers hold at the end goes to
 * `out`, what memory holds is left there; whoever launched it counts the outcomes.
 *
 * Parameters: mem, out (addresses), stride, step (bytes), zero (which is 0), skew (byte k: how long thread k waits
 * before it begins), warm (not 0: it reads every location first). Location k of instance i lies at
 * mem + k * step + i * stride; of instance i `out` has the registers of all threads, 4 bytes each.
 */
#ifndef LITMUS_EMIT_H
#define LITMUS_EMIT_H

#include "litmus_test.h"

#define EMIT_KERNEL "litmus"

struct emit_shape {
  uint32_t grid[3], block[3];
  unsigned per_group; /* instances of a group of blocks */
  unsigned registers; /* of all threads */
};

/* NULL, or why this test has no kernel. groups: how many groups of blocks. */
const char *emit_shape(const struct test *t, unsigned groups, struct emit_shape *s);
void emit_assembly(const struct test *t, FILE *to);
void emit_ptx(const struct test *t, FILE *to);

/* emit_place.c, for the other two: threads of one warp are told apart by their lane. */
bool emit_by_lane(const struct test *t);
/* How many warps come to a barrier of the block of thread k. */
unsigned emit_comers(const struct test *t, unsigned thread, unsigned barrier);
unsigned emit_warps(const struct test *t); /* of a block: the most of all */
unsigned emit_first_register(const struct test *t, unsigned thread);

#endif
