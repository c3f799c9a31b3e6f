/* SPDX-License-Identifier: Apache-2.0
 * The race check: clocks, marks of each place, its state, its interface to the sanitizer. */
#ifndef HEDDLE_RUN_SANITIZE_RACE_H
#define HEDDLE_RUN_SANITIZE_RACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/observer.h>
#include <heddle/program.h>
#include "base/map.h"

/* Events that happened before a thread's present: for each warp's lanes the accesses up to a time. A warp's time
 * rises at its barriers and fences, so one number covers all that its lanes did between two of them (FastTrack's
 * epochs, for warps). Clocks are immutable, and shared by all threads with the same one. */

#define CLOCK_ALL 0xffffffffu

/* Accesses of these lanes of warp `warp` (a number in the whole launch, from 1) up to `time`. */
struct clock_item {
  uint32_t warp, lanes, time;
};

struct clock {
  uint32_t refs, items;
  struct clock_item item[]; /* by warp, of one warp the latest time first */
};

/* NULL is the empty clock, here and below. */
void clock_drop(struct clock *c);
/* *to becomes the union of it and these. */
void clock_learn(struct clock **to, struct clock *other, struct clock_item more, bool *lost);
/* The lanes with accesses at `time` that it does not cover. */
uint32_t clock_unknown(const struct clock *c, uint32_t warp, uint32_t lanes, uint32_t time);

/* Last accesses to each place: a cell for each word of touched memory, and for each byte where narrower accesses
 * came. */

/* Kind of an access, for the memory model. */
enum mark_kind {
  MARK_READS = 1,
  MARK_WRITES = 2,
  MARK_STRONG = 4, /* atomics, and accesses of .STRONG */
  MARK_BLOCK = 8,  /* ... at the scope of its block alone */
  MARK_COPY = 16   /* by an asynchronous copy: by no thread */
};

/* Accesses of lanes of one warp (race.h), by one instruction, at one time. */
struct mark {
  uint32_t warp; /* 0: none */
  uint32_t time, lanes;
  uint32_t pc : 27, kind : 5; /* pc in steps of 8 bytes would be 21 bits; code has at most 16 MiB */
};

#define MARKS_MORE 63u /* kept beside the first one; the oldest goes when one more comes */
struct marks {
  uint32_t used, next; /* next: which goes first once all are used */
  struct mark mark[MARKS_MORE];
};

struct cell {
  struct mark write;  /* the last weak one */
  struct mark other;  /* since then: a read or something strong, */
  struct marks *more; /* ... and more of them, or NULL; owned */
};

#define SHADOW_PAGE 1024u /* bytes of memory */
#define SHADOW_WORD 4u
struct shadow_page {
  struct cell *cell; /* one for each word, or each byte; NULL: no access */
  bool by_byte;
};

/* Cells of a range of addresses. */
struct shadow {
  uint64_t base, pages;
  struct shadow_page page[];
};
struct shadow *shadow_new(uint64_t base, uint64_t bytes); /* NULL: no memory */
void shadow_free(struct shadow *s);
/* Room for accesses of so many bytes. False: no memory. */
bool shadow_open(struct shadow_page *p, unsigned bytes);

/* The cells of `bytes` bytes at addr, inside the range and aligned to their number: how many. 0: no memory. */
static inline unsigned shadow_cells(struct shadow *s, uint64_t addr, unsigned bytes, struct cell **out) {
  struct shadow_page *p = &s->page[(addr - s->base) / SHADOW_PAGE];
  const unsigned in = (unsigned)((addr - s->base) % SHADOW_PAGE);
  if ((!p->cell || (bytes < SHADOW_WORD && !p->by_byte)) && !shadow_open(p, bytes)) return 0;
  *out = p->cell + (p->by_byte ? in : in / SHADOW_WORD);
  return p->by_byte ? bytes : bytes / SHADOW_WORD;
}

/* Races: accesses of two threads to one place, one of them a write, without an order between
 * (isa/doc/15-memory-model.md). Order comes from a thread's own program order, BAR, WARPSYNC, fences with strong
 * accesses of their scopes, phases of mbarriers. For a compiler's code PTX's promises count, with scopes as they
 * were written; else the machine's behaviour. */

/* One access to one place that is not ordered with an older one. */
struct race_found {
  struct mark older;   /* some of its lanes */
  uint32_t older_lane; /* the lowest of them */
  struct mark newer;
  const struct heddle_actor *by; /* of the newer */
  uint32_t lane;
  unsigned space; /* ISA_SPACE_GLOBAL, ISA_SPACE_SHARED */
  uint64_t addr;
  bool same_value; /* both store, and the newer changes nothing */
};

struct race_options {
  const struct heddle_model *model;
  const struct heddle_program *program;
  const struct heddle_launch *launch;
  uint64_t mem_base, mem_bytes;
  unsigned slots; /* warp slots of the model */
  void (*found)(void *ctx, const struct race_found *f);
  void *ctx;
};

struct race;
struct race *race_new(const struct race_options *o); /* for one launch. NULL: no memory */
void race_free(struct race *r);
bool race_lost(const struct race *r); /* memory ran out: what came later may not have been found */
/* An access of `lanes` that is in order. */
void race_access(struct race *r, const struct heddle_observed_access *a, uint32_t lanes);
/* No earlier access: malloc returned it. */
void race_forget(struct race *r, uint64_t addr, uint64_t bytes);
void race_event(struct race *r, const struct heddle_event *e);
/* The number of a mark's block, and its warp in it. */
void race_who(const struct race *r, const struct mark *m, uint64_t *block, uint32_t *warp);

/* Inside race*.c: clocks of each warp and each lane. */

#define BARRIERS_OF_BLOCK 16u
#define COUNTERS 6u
#define GROUPS_MOST 64u /* of copies that a counter remembers */

/* Scopes of fences and strong accesses. */
enum { SCOPE_GPU, SCOPE_BLOCK, SCOPES };

/* A lane's clock at its last fence, which its strong stores publish. */
struct released {
  struct clock *common, *own;
  uint32_t time; /* 0: there was none */
};

struct block_state {
  uint32_t first; /* number of its first warp */
  struct shadow *shared;
  struct clock *arrived[BARRIERS_OF_BLOCK]; /* clock of the warps that came by BAR.ARV, */
  struct clock *fenced[BARRIERS_OF_BLOCK];  /* ... and of that what they may hand on to other blocks */
};

struct warp_state {
  uint32_t id; /* as clocks number it: even; its copies have the next number */
  uint32_t time, index;
  struct block_state *block;
  struct clock *common;                           /* common clock of all its lanes, */
  uint32_t known[HEDDLE_LANES];                   /* ... of whole warps of the block: up to which time, */
  struct clock *own[HEDDLE_LANES];                /* and each besides */
  struct clock *seen;                             /* clock of strong accesses, too: see race_sync.c */
  struct clock *barrier;                          /* what strong stores hand on since the last BAR: see race_sync.c */
  struct clock *acquired[SCOPES][HEDDLE_LANES];   /* read by strong loads, before a fence; BLOCK: of its block */
  struct released released[SCOPES][HEDDLE_LANES]; /* by fences of at least that scope */
  uint32_t copies;                                /* asynchronous ones issued */
  uint32_t group[COUNTERS][GROUPS_MOST], groups[COUNTERS]; /* copies that had been issued when it was raised */
};

/* Clock published by strong stores to a place. */
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
