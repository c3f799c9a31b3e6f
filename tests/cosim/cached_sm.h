/* SPDX-License-Identifier: Apache-2.0
 *
 * An SM with an L1, played at random over cached.h: misses, joins, fills that are overtaken, replaced sectors, stores
 * and atomics under way, barriers, fences, local memory. It obeys docs/visibility.md, but for the one thing that it is
 * is to do wrong.
 */
#ifndef TESTS_COSIM_CACHED_SM_H
#define TESTS_COSIM_CACHED_SM_H

#include "tests/cosim/cached.h"

enum sm_fault {
  SM_RIGHT,
  SM_STORE_KEEPS,     /* a store that passes leaves the sector in the cache */
  SM_ATOMIC_KEEPS,    /* an atomic does */
  SM_STRONG_KEEPS,    /* a strong load does */
  SM_FENCE_KEEPS,     /* a fence of the GPU does not empty the cache */
  SM_FENCE_JOINS,     /* ... and fills under way are joined after it */
  SM_JOINS_OVERTAKEN, /* a load joins a fill that a store has overtaken */
  SM_OVERTAKEN_STAYS, /* a fill that was overtaken stays in the cache when it has come */
  SM_FILL_OVERTAKES,  /* a fill is read before a store of its line that passed before it */
  SM_FENCE_EARLY,     /* a fence does not wait for stores of other warps */
  SM_FENCE_UNACKED,   /* ... nor for acknowledgements */
  SM_FENCE_LOADS,     /* ... nor for the warp's loads */
  SM_CTA_EARLY,       /* a fence of the block waits until accesses have passed, not until they are performed */
  SM_BAR_EARLY,       /* so does a barrier */
  SM_ACK_EARLY,       /* a line is acknowledged before the last sector is performed */
  SM_ACK_TWICE,       /* an acknowledgement is shown twice */
  SM_ACK_LOST,        /* ... or never */
  SM_FILL_TWICE,      /* a sector comes twice */
  SM_NUMBER_SKIPS,    /* a number is left out */
  SM_WRONG_COPY,      /* a waiting load reads what another fill of the sector has brought */
  SM_REPLACED_SILENT, /* a sector is replaced without a word */
  SM_READS_REPLACED,  /* ... or read after that */
  SM_DROP_SILENT,     /* a store passes and does not show it */
  SM_FAULTS
};
const char *sm_fault_name(enum sm_fault f);

struct sm_outcome {
  enum heddle_checker_kind kind;                               /* HEDDLE_CHECKER_NONE: it found nothing */
  uint64_t records;                                            /* judged, up to it */
  uint64_t hits, joins, overtaken, replaced, fences, barriers; /* what the run had of each */
  bool planted;                                                /* the thing was done at all */
  char note[256];
};

/* One run: program, times and places drawn from the seed. */
void sm_run(uint64_t seed, enum sm_fault fault, uint32_t promises, struct sm_outcome *out);

#endif
