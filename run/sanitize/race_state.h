/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside race*.c: what each warp and each lane knows. */
#ifndef HEDDLE_SANITIZE_RACE_STATE_H
#define HEDDLE_SANITIZE_RACE_STATE_H

#include "base/map.h"
#include "run/sanitize/clock.h"
#include "run/sanitize/race.h"

#define BARRIERS_OF_BLOCK 16u
#define COUNTERS 6u
#define GROUPS_MOST 64u /* of copies that a counter remembers */

/* Scopes of fences and strong accesses. */
enum { SCOPE_GPU, SCOPE_BLOCK, SCOPES };

/* What a lane knew at its last fence, which its strong stores hand on. */
struct released {
  struct clock *common, *own;
  uint32_t time; /* 0: there was none */
};

struct block_state {
  uint32_t first; /* number of its first warp */
  struct shadow *shared;
  struct clock *arrived[BARRIERS_OF_BLOCK]; /* what warps knew that came by BAR.ARV, */
  struct clock *fenced[BARRIERS_OF_BLOCK];  /* ... and of that what they may hand on to other blocks */
};

struct warp_state {
  uint32_t id; /* as clocks number it: even; its copies have the next number */
  uint32_t time, index;
  struct block_state *block;
  struct clock *common;                           /* what all its lanes know, */
  uint32_t known[HEDDLE_LANES];                   /* ... of whole warps of the block: up to which time, */
  struct clock *own[HEDDLE_LANES];                /* and each besides */
  struct clock *seen;                             /* what strong accesses know, too: see race_sync.c */
  struct clock *barrier;                          /* what strong stores hand on since the last BAR: see race_sync.c */
  struct clock *acquired[SCOPES][HEDDLE_LANES];   /* read by strong loads, before a fence; BLOCK: of its block */
  struct released released[SCOPES][HEDDLE_LANES]; /* by fences of at least that scope */
  uint32_t copies;                                /* asynchronous ones issued */
  uint32_t group[COUNTERS][GROUPS_MOST], groups[COUNTERS]; /* copies that had been issued when it was raised */
};

/* What strong stores to a place have handed on. */
struct place_sync {
  struct clock *all, *block_only;
  struct clock *arrived; /* of an mbarrier: handed on when its phase is over; then block_only has it, too */
  uint32_t block;        /* of block_only and arrived: number of its first warp */
};

struct race {
  struct race_options o;
  uint32_t warps_of_block;
  struct shadow *global;
  struct warp_state **warp; /* by slot */
  struct shadow **spare;    /* of shared memory, from blocks that have ended */
  unsigned spares;
  struct map sync_by; /* a place's key -> index in sync */
  struct place_sync *sync;
  size_t syncs, sync_room;
  bool lost;
};

/* Something strong at a place. */
struct race_strong {
  uint64_t key; /* of the place */
  unsigned scope;
  bool takes, hands; /* it acquires what others have handed on; hands on itself */
  bool goes_on;      /* what was handed on there before stays: an atomic, not a store */
  bool arrives;      /* at an mbarrier: what it hands on waits for the end of the phase, */
  bool ends;         /* ... which this is */
};
/* race_sync.c */
void race_strong(struct race *r, struct warp_state *w, unsigned lane, const struct race_strong *s);
/* Counter `n` (7: none) goes up with all copies that were issued. */
void race_raise(struct warp_state *w, unsigned n);

#endif
