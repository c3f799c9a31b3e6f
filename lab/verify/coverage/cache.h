/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside cache*.c: sectors that a cache has or waits for, and stores that it has let pass. */
#ifndef HEDDLE_COV_CACHE_H
#define HEDDLE_COV_CACHE_H

#include "lab/verify/coverage/collect.h"

enum {
  CACHE_MORE = 1024, /* sectors that are waited for, beside those that there is room for */
  CACHE_WAITS = 64,
  CACHE_SLOTS = 64,
  CACHE_STORES = 1024,
  CACHE_STORED = 4096
};
#define LOCAL_SLOT_W 20u /* a sector of local memory: warp slot, then word and sector */

struct cov_copy {
  bool used, local;
  bool here;   /* read at the point of order, or put there by a store */
  bool closed; /* given up, and waited for still */
  bool stored; /* local: a store to it has been performed since it was asked for */
  uint8_t asker;
  uint32_t number; /* 0: by a store */
  uint64_t sector;
  uint32_t hits;
  unsigned waits, waited; /* now; in all */
  uint64_t warps;         /* that have waited */
  struct {
    uint8_t slot;
    uint32_t seq;
  } wait[CACHE_WAITS];
};

/* A line of a load, in the cycle in which it passes; sectors. */
struct cache_pass {
  bool open;
  uint8_t slot;
  uint32_t seq;
  uint64_t line, cycle;
  unsigned access, hit, asks, joins;
};

struct cache_acks {
  uint32_t own, all;
};

struct cov_cache {
  struct cov_copy *copy;
  unsigned room, high;
  struct cache_pass pass;
  struct {
    uint8_t slot;
    uint32_t seq;
    uint64_t line;
  } store[CACHE_STORES]; /* passed, and not acknowledged */
  unsigned stores;
  uint32_t acks, acks_of[CACHE_SLOTS];
  struct cache_acks before[CACHE_SLOTS][2]; /* when the warp last issued, and the time before */
  uint64_t stored[CACHE_STORED];            /* sectors of local memory that their warp has stored to, + 1 */
};

/* ---- cache_sectors.c ---- */
struct cov_copy *sector_numbered(struct cov_cache *x, uint64_t sector, bool local, uint32_t number);
struct cov_copy *sector_asked(struct cov_cache *x, uint64_t sector, bool local, uint32_t number, unsigned slot);
void sector_wait(struct cov_copy *y, unsigned slot, uint32_t seq);
bool sector_read(struct cov_copy *y, unsigned slot, uint32_t seq); /* false: it did not wait */
bool sector_waits_alone(const struct cov_copy *y, unsigned slot);  /* nobody else's instruction waits */
void sector_settle(struct cov_copy *y);                            /* forgotten, if given up and not waited for */
unsigned sector_requests(const struct cov_cache *x);               /* numbers of which some sector is still to come */
unsigned sector_loads_waiting(const struct cov_cache *x);          /* lines of instructions */
void store_passes(struct cov_cache *x, const struct heddle_record_id *id, uint64_t line);
bool store_ends(struct cov_cache *x, const struct heddle_record_id *id, uint64_t line);

#endif
