/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests: a small machine with a cache. Its warps access a few sectors at random; what happens next is random, too.
 * It obeys docs/visibility.md, or breaks one rule of it. Lazy, it promises nothing: what is
 * under way when a store passes is joined by all warps that need not see the store.
 */
#ifndef ORDER_PLAY_H
#define ORDER_PLAY_H

#include "tests/lab/verify/order/stage.h"

enum play_fault {
  PLAY_RIGHT,
  PLAY_STORE_KEEPS,   /* a store gives nothing up */
  PLAY_STORE_JOINS,   /* ... but what has come: what is under way is joined */
  PLAY_STRONG_KEEPS,  /* a strong load or atomic gives nothing up */
  PLAY_FENCE_KEEPS,   /* nor does a fence of GPU scope */
  PLAY_EMPTY_KEEPS,   /* nor CCTL.IVALL */
  PLAY_BARRIER_KEEPS, /* lazy: nor a barrier */
  PLAY_FENCE_STORES,  /* a fence of GPU scope does not wait for stores */
  PLAY_FENCE_ACKS,    /* ... for acknowledgements */
  PLAY_FENCE_LOADS,   /* ... for loads */
  PLAY_CTA_PASSES,    /* a fence of CTA scope waits until all has passed, not until it is performed */
  PLAY_BAR_PASSES,    /* so does a barrier */
  PLAY_OVERTAKES,     /* a line's accesses reach memory in another order */
  PLAY_OLD_BYTES,     /* a waiting load gets what the cache had before */
  PLAY_NEW_BYTES,     /* ... what memory has now */
  PLAY_OTHER_LANE,    /* a lane gets another's word */
  PLAY_SECTOR,        /* a fill brings the next sector's number */
  PLAY_ACK_EARLY,     /* as a line passes */
  PLAY_ACK_LOST,
  PLAY_EVICT_SILENT, /* no record of what is replaced */
  PLAY_DROP_SILENT,  /* no record of a store that passes */
  PLAY_NUMBER,       /* a number is left out */
  PLAY_FAULTS
};

/* A stream of one launch; judged by stage_judge. False: it came to a stop (a fault of the test). wrong: how often the
 * fault did something: of faults in joins (to PLAY_BARRIER_KEEPS), in what is waited for (to PLAY_BAR_PASSES),
 * in what is shown or acknowledged; else 0. */
bool play(struct stage *st, uint64_t seed, enum play_fault fault, bool lazy, unsigned *wrong);

#endif
