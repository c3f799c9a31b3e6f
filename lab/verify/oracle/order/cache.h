/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside order/ only. A trace of a core with a cache (docs/visibility.md). The place of an access in the order is its
 * index among all that have been performed. A copy comes before the first access that was performed after it was taken.
 * So an access of index a is missing in a copy if a >= its place, and is below a fence if a < the fence's place.
 */
#ifndef ORDER_CACHE_H
#define ORDER_CACHE_H

#include "lab/verify/oracle/order/internal.h"

#define COPY_BUCKETS 4096u
#define LINE_SECTORS HEDDLE_RECORD_LINE

/* Why a copy takes no load any more: for reports. */
struct closing {
  const char *by;
  uint64_t cycle;
};

/* A lane has seen a byte that is newer than what a copy holds: it may not go back. */
struct note {
  uint32_t life, seq, lane, bytes, access; /* access: of that lane, NOBODY: a hit that is being judged */
  struct note *next;
};

/* One sector that a fill brings: from its request to its last read. */
struct copy {
  uint64_t sector;
  uint32_t number, waiters; /* instructions that wait for it */
  uint8_t sm, bank;         /* the cache that holds it, from 0; the bank that brought it */
  bool local, taken, closed, failed, resident;
  uint32_t at; /* its place in the order */
  uint32_t location;
  uint32_t known, over[PLACE_BYTES];                  /* access that first overwrote each byte, NOBODY */
  uint32_t writer[PLACE_BYTES], release[PLACE_BYTES]; /* of each byte as it was copied; release: see struct cache */
  uint8_t bytes[PLACE_BYTES];
  uint64_t cycle; /* of the request, then taken */
  struct closing closing;
  struct note *notes;
  struct copy *next;          /* of its bucket */
  struct copy *newer, *older; /* of those that are open */
};

/* A line of a store or atomic that has passed, without acknowledgement. */
struct owed {
  uint8_t slot, gen;
  uint32_t seq, life;
  uint64_t line, passed; /* passed: number of the record */
  uint32_t at;           /* behind the last access of it that has been performed, */
  uint8_t bank;          /* in its bank */
  struct owed *next;
};

/* A fence that has issued and is not done. */
struct pending {
  bool waits;
  enum heddle_record_scope scope;
  struct fence is;
  uint64_t since; /* number of the record with which the instruction before it issued */
};

/* The writer of each byte of a location, and its release. */
struct written {
  uint32_t by[PLACE_BYTES], release[PLACE_BYTES];
};

struct gone { /* a copy that may not be read any more */
  uint8_t sm;
  uint64_t sector;
  uint32_t number;
  struct closing closing;
};
#define GONE 1024u

/* A place in the order of each bank. */
struct places {
  uint32_t at[HEDDLE_CHECKER_BANKS_MAX];
};

/* State of one SM. */
struct sm_cache {
  uint32_t next; /* number of the next fill */
  uint32_t held; /* copies that the cache must hold: open, come */
  struct copy *open;
  struct owed *owed;
  uint32_t knows[HEDDLE_RECORD_WARPS][HEDDLE_RECORD_WARPS]; /* of each warp: stores of slot s before seq [s] */
  struct places highest[HEDDLE_RECORD_WARPS][BARRIERS];     /* floor of those that have come */
  uint32_t meeting[HEDDLE_RECORD_WARPS][BARRIERS][HEDDLE_RECORD_WARPS]; /* the view of each warp that has come */
  uint32_t release[HEDDLE_RECORD_WARPS];                                /* index of a release */
  struct places floor[HEDDLE_RECORD_WARPS], seen[HEDDLE_RECORD_WARPS],
      met[HEDDLE_RECORD_WARPS]; /* met: behind its own accesses */
  struct places witness;        /* behind all that memory has answered this SM */
  struct pending fence[HEDDLE_RECORD_WARPS];
  uint64_t issued[HEDDLE_RECORD_WARPS][2]; /* numbers of the records with which the last but one and the last issued */
  uint64_t over[HEDDLE_RECORD_WARPS];      /* the same of the last that showed an access of its own as over */
};

struct cache {
  unsigned banks;
  uint32_t copies, notes; /* that are kept */
  struct copy *bucket[COPY_BUCKETS], *spare;
  unsigned owes;
  struct sm_cache *sm;
  struct places *release; /* what fences have released; 0: nothing */
  size_t releases, release_room;
  struct written *written; /* by location */
  size_t written_room, written_made;
  struct gone gone[GONE]; /* the latest, for reports */
  unsigned gone_next;
};

static inline void places_join(struct places *to, const struct places *from) {
  for (unsigned b = 0; b < HEDDLE_CHECKER_BANKS_MAX; b++)
    if (from->at[b] > to->at[b]) to->at[b] = from->at[b];
}
static inline struct sm_cache *order_cache_of(const struct order *o, const struct warp *w) {
  return &o->cache->sm[order_sm_of(o, w)];
}
/* The bank of a location, from its record. */
static inline unsigned order_bank(const struct order *o, unsigned bank) {
  return o->cache->banks > 1 ? bank % HEDDLE_CHECKER_BANKS_MAX : 0;
}

/* ---- cache.c: copies, from their request to their last read ---- */
bool order_cache_new(struct order *o); /* o->cache stays NULL where the trace has none */
void order_cache_clear(struct order *o);
void order_cache_free(struct order *o);
/* sm: from 0. */
struct copy *order_copy_find(const struct order *o, unsigned sm, uint64_t sector, uint32_t number, bool local);
/* Requested by that fill. NULL: too many. */
struct copy *order_copy_new(struct order *o, unsigned sm, uint64_t sector, uint32_t number, bool local);
struct copy *order_copies(const struct order *o, uint64_t sector); /* a chain: others' sectors are in it, too */
void order_copy_close(struct order *o, struct copy *c, const char *by);
/* After its waiters changed: kept, counted, or freed. False: more than the cache has room for. */
bool order_copy_settle(struct order *o, struct copy *c);
bool order_promises(const struct order *o);
/* A read of a copy that is closed, or was never there. */
bool order_copy_gone(struct order *o, const struct warp *w, const struct insn *i, uint64_t sector, uint32_t number);
struct written *order_written(struct order *o, uint32_t location); /* NULL: no memory */
bool order_on_fill(struct order *o, const struct heddle_record_fill *r);
bool order_on_drop(struct order *o, const struct heddle_record_drop *r);
bool order_cache_end(struct order *o);

/* ---- cache_pass.c: waits and reads ---- */
bool order_on_merge(struct order *o, const struct heddle_record_merge *r);
bool order_on_hit(struct order *o, const struct heddle_record_merge *r);

/* ---- cache_seen.c: what a read through a copy must not miss ---- */
/* Lanes (of its sector) may read that copy. */
bool order_seen_hit(struct order *o, struct warp *w, struct insn *i, const struct part *p, struct copy *c);
/* An access took effect at the point of order, in that bank: it is the latest of all. */
bool order_seen_global(struct order *o, struct warp *w, struct insn *i, const struct part *p, unsigned bank);

/* ---- cache_fence.c: acknowledgements, fences, the views of warps ---- */
bool order_owed_new(struct order *o, const struct heddle_record_id *id, uint32_t life, uint64_t line);
void order_owed_performed(struct order *o, const struct warp *w, const struct insn *i, uint64_t sector, unsigned bank);
bool order_on_ack(struct order *o, const struct heddle_record_ack *r);
bool order_on_fence(struct order *o, const struct heddle_record_fence *r);
bool order_fence_performed(struct order *o, struct warp *w, const struct fence *f); /* scope CTA, and BAR */
bool order_may_pass(struct order *o, const struct warp *w, const struct insn *i);   /* no older fence waits */
void order_cache_fence(struct order *o, const struct warp *w, enum heddle_record_scope scope); /* one issues */
/* All of these do nothing where there is no cache. */
void order_cache_over(struct order *o, const struct warp *w);    /* a load of its own has a value, a store its answer */
bool order_cache_goes_on(struct order *o, const struct warp *w); /* a warp issues */
void order_cache_issued(struct order *o, const struct warp *w, struct insn *i);
void order_cache_warp(struct order *o, const struct warp *w);         /* another warp takes the slot */
void order_cache_block(struct order *o, unsigned sm, unsigned bslot); /* another block */
void order_cache_arrives(struct order *o, const struct warp *w, unsigned id, uint32_t seq);
void order_cache_released(struct order *o, unsigned sm, unsigned bslot, unsigned id, uint64_t waits);

#endif
