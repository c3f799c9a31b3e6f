/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs thread by thread: each thread has its own PC, registers and predicates. It runs alone until it reaches an
 * instruction that it shares with others; there the threads of its path meet. Memory at the end of a launch is compared
 * with that of a trace of another machine. README.md says what is believed and what is not.
 */
#ifndef HEDDLE_THREADS_H
#define HEDDLE_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum threads_outcome {
  THREADS_SAME,    /* every launch leaves the same memory */
  THREADS_OTHER,   /* a launch does not: see what */
  THREADS_REFUSED, /* the file is no whole trace: see what */
  THREADS_TOO_LONG /* more thread instructions than allowed, or no memory: see what */
};

/* Rules of the prose, turned into others on purpose: for tests that the comparison can fail. */
enum threads_twist {
  THREADS_AS_IT_IS,
  THREADS_RELEASE_EARLY, /* BSYNC lets go when the first lane has come */
  THREADS_BREAK_STAYS,   /* BREAK takes no lane out of the barrier */
  THREADS_EXIT_STAYS,    /* lanes that have exited are waited for */
  THREADS_CALL_FALLS,    /* RET goes to the instruction after the one it should */
  THREADS_GUARD_VOTES,   /* VOTE counts lanes with a false guard */
  THREADS_SHFL_HEARS,    /* SHFL reads lanes that do not execute */
  THREADS_LOWEST_STORES, /* of colliding lanes of a store the lowest stays */
  THREADS_SYNC_PASSES,   /* WARPSYNC lets go when the first lane has come */
  THREADS_YIELD_HOLDS,   /* its: YIELD lets no path go */
  THREADS_BAR_PASSES,    /* BAR.SYNC does not wait */
  THREADS_TWISTS
};
const char *threads_twist_name(enum threads_twist t); /* "release-early" */

struct threads_result {
  enum threads_outcome outcome;
  char what[320];
  uint64_t launches, blocks, steps, meetings; /* steps: instructions of single threads */
  uint64_t bytes;                             /* of memory, compared */
  uint64_t traps;                             /* launches that trapped: not judged */
};

struct threads_options {
  uint64_t steps; /* most of a launch; 0: 2^32 */
  uint64_t seed;  /* draws which warp goes on for how long; under `its` which path */
  enum threads_twist twist;
};

/* Returns r->outcome. The file is not trusted. */
enum threads_outcome threads_check(const char *path, const struct threads_options *o, struct threads_result *r);

#endif
