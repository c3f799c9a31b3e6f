/* SPDX-License-Identifier: Apache-2.0
 *
 * A test as a kernel that runs many instances of it at once: in the assembly of Heddle, or in PTX. A lane is an
 * instance; a thread of the test is a warp (of threads of one warp: a lane). What registers hold at the end goes to
 * `out`, what memory holds is left there; whoever launched it counts the outcomes.
 *
 * Parameters of the kernel in PTX: mem, out (addresses), stride, step (bytes), zero (which is 0), skew (byte k: how
 * long thread k waits before it begins), warm (not 0: it reads every location first). Location k of instance i lies at
 * mem + k * step + i * stride; of instance i `out` has the registers of all threads, 4 bytes each.
 *
 * The kernel in assembly goes round, with other instances each time. Its parameters: mem, out, sync, place, then of 4
 * bytes stride, step, zero, skew, warm, chance, times, together, ahead, forth. It goes round `times` times; then what
 * it works on lies `ahead` bytes on, and in `out` `forth` bytes. By chance (a number of the launch) a thread reads
 * location l first, if bit l of warm is set, and waits up to `skew` rounds of a loop (127 or less). If `together` is
 * the number of threads, the threads of a group wait for each other each time round, at the word of the group in `sync`
 * (128 bytes each, of zeros): all of a group must be resident then. 0: they do not. place[128 * group + 16 * block +
 * warp] (of lanes: + thread) is the number of the SM, plus 1 where the test has launches.
 *
 * With two names of memory either kernel has one parameter more, of 4 bytes, `alias`: so many pages of 4 KiB behind the
 * first name of a location lies its second, by which threads of the test know it whose number is odd. In assembly
 * another one follows, `change`: 0, or as alias; then each second access of any thread is by the name that is not the
 * thread's.
 *
 * A test with launches is the same kernel twice: a thread's word in `place` is 0 in the first one. What registers hold
 * then travels through `out`.
 */
#ifndef LITMUS_EMIT_H
#define LITMUS_EMIT_H

#include "lab/verify/litmus/src/litmus_test.h"

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
/* narrow: litmus_mapping.h. names: memory has two. */
void emit_assembly_as(const struct test *t, unsigned narrow, bool names, FILE *to);
void emit_ptx_as(const struct test *t, bool names, FILE *to);

/* emit_place.c, for the other two: threads of one warp are told apart by their lane. */
bool emit_by_lane(const struct test *t);
bool emit_shared(const struct test *t); /* some location is in shared memory */
/* How many warps come to a barrier of the block of thread k. */
unsigned emit_comers(const struct test *t, unsigned thread, unsigned barrier);
unsigned emit_warps(const struct test *t); /* of a block: the most of all */
unsigned emit_first_register(const struct test *t, unsigned thread);

#endif
