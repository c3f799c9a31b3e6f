/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside checker/ only: the judge of a cache (docs/visibility.md). Nothing of it is there without a cache:
 * checker.cache is NULL then, which is tested once.
 *
 *   visibility.c        its tables, and the copies: found, opened, closed, dropped
 *   visibility_pass.c   records merge and fill: waiting accesses, and arriving sectors
 *   visibility_rules.c    record hit: lanes read a copy
 *   visibility_rules.c  values that a read must not miss; traces of reads and writes for later ones
 *   visibility_pass.c   records drop and ack; stores, atomics and strong loads on their way
 *   visibility_fence.c  record fence; barriers; open items at the end
 */
#ifndef HEDDLE_CHECKER_VISIBILITY_H
#define HEDDLE_CHECKER_VISIBILITY_H

#include "cosim/checker/internal.h"

#define BANKS HEDDLE_CHECKER_BANKS_MAX

/* An instruction, for as long as it may be looked up. `at`: its warp, among those of all SMs. */
struct who {
  uint16_t at;
  uint8_t gen;
  uint32_t seq, pc;
};

/* Lanes of a load that wait for a copy. */
struct wait {
  struct wait *next;
  struct who who;
  uint32_t lanes;
};

/* A store or atomic of the copy's SM that has overwritten bytes of it. For each warp a byte is listed once, by the
 * oldest. */
struct overwrite {
  struct overwrite *next;
  struct who who;
  uint32_t bytes;
  uint64_t position;
};

/* Lanes of a warp have read bytes of a copy's sector elsewhere, after the copy's were overwritten. */
struct newer {
  struct newer *next;
  struct who who;
  uint32_t lanes, bytes[HEDDLE_RECORD_LANES];
  uint64_t position; /* at which what they read was in memory */
};

enum copy_state {
  COPY_NONE,
  COPY_ASKED, /* under way */
  COPY_TAKEN,
  COPY_GONE /* closed, without waiting accesses: kept for reports until its place is needed */
};

struct copy {
  uint64_t sector; /* as its fill has it */
  uint32_t number;
  uint8_t sm, bank; /* SM of its cache (from 0); the access that brought it */
  bool local;
  uint8_t state; /* enum copy_state */
  bool closed;
  char why[64];                               /* it is closed */
  uint64_t closed_at, asked, taken, position; /* cycles; the position of its bank at which it was taken */
  struct wait *waits;
  struct overwrite *overwrites;
  struct newer *newer;
  uint32_t overwritten;                             /* bytes, */
  uint64_t first[HEDDLE_RECORD_SECTOR];             /* the position at which each was first, */
  struct who by[HEDDLE_RECORD_SECTOR];              /* and by which */
  struct copy *next_number, *next_line, *next_gone; /* neighbours in their lists */
};

/* A line's part of a store or atomic: from its pass to its acknowledgement. */
struct underway {
  struct underway *younger, *older; /* of all, in the order in which they passed */
  struct who who;
  uint64_t line, pass;
  uint32_t lanes;    /* that have passed: with pages, of one virtual line */
  uint32_t open;     /* of them, not performed */
  uint8_t bank;      /* of what has been, */
  uint64_t position; /* the last */
};

/* View of a warp: in instructions from number `from` on. Positions are by bank. */
struct knowledge {
  uint32_t from;
  uint32_t known[HEDDLE_RECORD_WARPS]; /* of each warp of its block, by slot of the SM: stores older than that number */
  uint64_t floor[BANKS], seen[BANKS], release[BANKS];
};

/* Its view before a barrier extended it: for older loads that have not read yet. */
struct past_knowledge {
  struct past_knowledge *next; /* still older */
  struct knowledge was;
};

struct cached_warp {
  struct knowledge knows;
  uint64_t met[BANKS]; /* the last position of an access of its own */
  struct past_knowledge *before;
  uint32_t stores, oldest; /* that have not been performed: how many instructions; none of them is older than that */
  bool fence;              /* one has issued and is not done: */
  uint8_t scope;           /* enum heddle_record_scope */
  struct who fence_is;
  uint64_t fence_pass; /* what had passed before it */
  uint64_t due_pass;   /* what had passed when its latest instruction issued, or an access of its own was over */
  uint8_t waits_at;    /* the named barrier, + 1; 0: none */
};

/* Items of one size, each of which begins with a pointer: freed ones are taken first, and unused ones are not
 * touched. */
struct pool {
  uint8_t *at;
  void *spare;
  size_t bytes;
  unsigned n, begun;
};

/* Expected event counters of the cache, by its records. */
struct counted {
  uint32_t of[HEDDLE_CACHE_COUNTERS];
  struct who who; /* the last that passed, its line and cycle: hit and merge of one pass are one request */
  uint64_t line, cycle;
};

/* The judge of one SM's cache. */
struct sm_cache {
  uint64_t pass;
  uint32_t next_number;
  unsigned kept;                                   /* copies in the cache: taken, open, and without waiting accesses */
  uint64_t open_stores;                            /* a bit for each warp slot: some are not performed */
  uint64_t witness[BANKS];                         /* positions before all that the SM shows from now on */
  struct underway *first_underway, *last_underway; /* in the order in which they passed */
  struct counted counted;
  struct knowledge arrived[HEDDLE_RECORD_WARPS][16]; /* by block slot and barrier: views of the warps there */
};

struct visibility {
  unsigned banks;
  uint64_t position[BANKS];
  unsigned stale; /* copies with an overwritten byte that may still be read */
  /* pools */
  unsigned copies, begun, gone; /* places; used so far; of them kept for reports only, from the oldest on */
  struct copy *copy, *first_gone, *last_gone;
  struct pool waits, overwrites, newers, pasts, underways;
  unsigned mask; /* of the two tables */
  struct copy **by_number, **by_line;
  struct cached_warp *warp; /* as of checker.warp */
  struct sm_cache *sm;
  uint64_t *release;  /* by word of global memory and bank: that of its last writer */
  uint64_t *released; /* by copy, word and bank: the same when it was taken */
};

#define LINE_BYTES (4u * HEDDLE_RECORD_SECTOR)
#define GONE_KEPT 256u /* at least so many dropped ones can be named in a report */

#define WHO_TEXT 64u
const char *who_text(const struct heddle_checker *c, struct who who,
                     char text[WHO_TEXT]); /* "warp slot 3 seq 7 (pc 0x70)" */

static inline struct cached_warp *cached_warp(const struct heddle_checker *c, const struct warp *w) {
  return &c->cache->warp[w - c->warp];
}
static inline struct sm_cache *sm_cache(const struct heddle_checker *c, const struct sm *s) {
  return &c->cache->sm[s - c->sm];
}
static inline struct who who_is(const struct heddle_checker *c) {
  return (struct who){(uint16_t)(c->w - c->warp), c->w->gen, c->e->seq, c->e->pc};
}
static inline bool same_warp(struct who a, struct who b) {
  return a.at == b.at && a.gen == b.gen;
}

/* Positions by bank: each the greater one. */
static inline void positions_join(const struct heddle_checker *c, uint64_t *to, const uint64_t *from) {
  for (unsigned b = 0; b < c->cache->banks; b++)
    if (from[b] > to[b]) to[b] = from[b];
}
static inline void position_join(uint64_t *to, unsigned bank, uint64_t position) {
  if (position > to[bank]) to[bank] = position;
}

/* ---- visibility.c: of the instruction at hand ---- */
void count(struct heddle_checker *c, const struct sm *s, enum heddle_cache_counter n, unsigned more);
void count_pass(struct heddle_checker *c, uint64_t line); /* a load stays in the cache: once a line and cycle */
void count_hit(struct heddle_checker *c, uint64_t line);
void count_drop(struct heddle_checker *c, const struct sm *s, const struct heddle_record_drop *r);

/* ---- visibility.c ---- */
/* SMs by their place, from 0. */
struct copy *copy_find(const struct heddle_checker *c, unsigned sm, uint32_t number, unsigned sector_of_line);
struct copy *copy_ask(struct heddle_checker *c, unsigned sm, uint32_t number, uint64_t sector,
                      bool local); /* NULL: no place */
unsigned copy_index(const struct heddle_checker *c, const struct copy *k);
/* The first copy of a line, of any SM, that may still be read, or that is under way; then copy.next_line. */
struct copy *copies_of_line(const struct heddle_checker *c, uint64_t line, bool local);
static inline bool copy_is(const struct copy *k, uint64_t sector, bool local) {
  return k->sector == sector && k->local == local;
}
static inline bool copy_of(const struct copy *k, unsigned sm, uint64_t sector, bool local) {
  return k->sector == sector && k->local == local && k->sm == sm;
}
/* State of one SM. */
void copies_close(struct heddle_checker *c, unsigned sm, uint64_t sector, bool local, bool taken_only, const char *why);
void copies_close_all(struct heddle_checker *c, unsigned sm, const char *why);
/* With any of these lanes: two virtual lines of an instruction may wait for one fill. NULL: it does not wait for it. */
struct wait *copy_wait(const struct copy *k, struct who who, uint32_t lanes);
bool wait_add(struct heddle_checker *c, struct copy *k, uint32_t lanes); /* false: the table is full */
void wait_end(struct heddle_checker *c, struct copy *k, struct who who, uint32_t lanes);
void *cache_take(struct pool *p); /* NULL: all are taken */
void cache_give(struct pool *p, void *x);
bool copy_full(struct heddle_checker *c, const char *what); /* a table is full; always false */
/* "fill 3 of sector 0x20 (taken at position 7, cycle 90)" */
const char *copy_text(const struct copy *k, char *text, size_t room);
bool closes(const struct heddle_checker *c); /* the design promises it */

/* ---- visibility_fence.c ---- */
bool may_pass(struct heddle_checker *c); /* c->e: no older fence of its warp is under way */

/* The releases of a sector's words, by word and bank; NULL: it is none of global memory. */
uint64_t *rules_release(const struct heddle_checker *c, uint64_t sector);
bool rules_global(struct heddle_checker *c, const struct heddle_record_global *r); /* an access has been performed */

/* ---- visibility_pass.c ---- */
/* Shared part of merge and hit: the load, and that its lanes are those of the sectors. Sets c->w, c->e. */
bool cache_identify(struct heddle_checker *c, const struct heddle_record_merge *r);
uint32_t cache_lanes(const struct heddle_checker *c, const struct heddle_record_merge *r,
                     unsigned s); /* that still owe sector s */
bool cache_room(struct heddle_checker *c, const struct sm *s);

#endif
