/* SPDX-License-Identifier: Apache-2.0
 *
 * All small programs of a number of events, in up to four threads, over a few locations, in every way of sharing
 * blocks. Programs that differ in names alone, or in the order of threads, are one.
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

/* Programs of exactly so many events, without four things. They are a location that no other thread shares and none
 * writes, a MEMBAR at either end of a thread, the same MEMBAR twice, a barrier of one thread. Returns how many.
 */
uint64_t programs_each(const struct program_bounds *b, program_fn *f, void *ctx);

/* Tests from cycles of relations, as diy makes them. Each event is before the next, and the last before the first, by
 * program order (with a fence, a barrier, a dependency, or nothing between), reads-from, from-read or coherence.
 * A test is of interest if its cycle can be seen; all its outcomes are judged. */

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
