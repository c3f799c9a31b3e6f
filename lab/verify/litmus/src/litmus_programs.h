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

#endif
