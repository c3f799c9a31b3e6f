/* SPDX-License-Identifier: Apache-2.0
 *
 * All small programs: so many events, in up to four threads, over a few locations, in every way of sharing blocks; of
 * those that differ in names or in the order of threads alone, one.
 */
#ifndef LITMUS_PROGRAMS_H
#define LITMUS_PROGRAMS_H

#include "lab/verify/litmus/src/litmus_test.h"

#define PROGRAM_EVENTS 6u

enum vocabulary {
  VOCABULARY_FULL,  /* all orders, both scopes */
  VOCABULARY_SMALL, /* fewer words, for more events: see programs.c */
  VOCABULARY_PLAIN  /* what the machine itself has: weak and strong, atomics, MEMBAR, BAR */
};

struct program_bounds {
  unsigned events, threads, locs, ctas;
  enum vocabulary vocabulary;
  unsigned part, parts; /* one of several that share the work; parts 0: all of it */
  uint64_t from;        /* so many are left out at the beginning */
};

typedef bool program_fn(void *ctx, const struct test *t); /* false: enough */

/* Programs of exactly so many events. What cannot matter is left out: a location that nobody shares or writes, a
 * MEMBAR at either end of a thread, the same MEMBAR twice, a barrier that no other thread comes to. Returns how many.
 */
uint64_t programs_each(const struct program_bounds *b, program_fn *f, void *ctx);

/* Tests from cycles of relations, as diy makes them: each event is before the next by program order (with a fence, a
 * barrier, a dependency, or nothing between) or by reads-from, from-read or coherence, and the last before the first.
 * What is interesting of a test is whether the cycle can be seen; all its outcomes are judged. */

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
