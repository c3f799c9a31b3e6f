/* SPDX-License-Identifier: Apache-2.0
 *
 * What a cache does, from its records (docs/visibility.md): what loads find there, who waits for a fill, what is given
 * up and why, fences, local memory.
 */
#include <stdlib.h>
#include <string.h>
#include "lab/verify/coverage/internal.h"

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

static void l1_flush(struct cov_collector *k);

/* ---- sectors that a cache has or waits for, and stores on their way ---- */

static struct cov_copy *sector_numbered(struct cov_cache *x, uint64_t sector, bool local, uint32_t number) {
  for (unsigned i = 0; i < x->high; i++) {
    struct cov_copy *y = &x->copy[i];
    const bool open = number != 0 || !y->closed;
    if (y->used && y->sector == sector && y->number == number && y->local == local && open) return y;
  }
  return NULL;
}

static struct cov_copy *sector_asked(struct cov_cache *x, uint64_t sector, bool local, uint32_t number, unsigned slot) {
  unsigned i = 0;
  while (i < x->high && x->copy[i].used) i++;
  if (i == x->room) return NULL;
  if (i == x->high) x->high++;
  x->copy[i] =
      (struct cov_copy){.used = true, .local = local, .asker = (uint8_t)slot, .number = number, .sector = sector};
  return &x->copy[i];
}

static void sector_wait(struct cov_copy *y, unsigned slot, uint32_t seq) {
  if (y->waits == CACHE_WAITS) return;
  y->wait[y->waits].slot = (uint8_t)slot;
  y->wait[y->waits++].seq = seq;
  y->waited++;
  y->warps |= UINT64_C(1) << slot % 64;
}

/* false: it did not wait */
static bool sector_read(struct cov_copy *y, unsigned slot, uint32_t seq) {
  for (unsigned i = 0; i < y->waits; i++) {
    if (y->wait[i].slot != slot || y->wait[i].seq != seq) continue;
    y->wait[i] = y->wait[--y->waits];
    return true;
  }
  return false;
}

/* nobody else's instruction waits */
static bool sector_waits_alone(const struct cov_copy *y, unsigned slot) {
  for (unsigned i = 0; i < y->waits; i++)
    if (y->wait[i].slot != slot) return false;
  return true;
}

/* forgotten, if given up and not waited for */
static void sector_settle(struct cov_copy *y) {
  if (y->closed && y->waits == 0) y->used = false;
}

/* Is there one before it with the same number that is still to come? */
static bool first_of_number(const struct cov_cache *x, unsigned at) {
  for (unsigned i = 0; i < at; i++)
    if (x->copy[i].used && !x->copy[i].here && x->copy[i].number == x->copy[at].number) return false;
  return true;
}

/* numbers of which some sector is still to come */
static unsigned sector_requests(const struct cov_cache *x) {
  unsigned n = 0;
  for (unsigned i = 0; i < x->high; i++) n += x->copy[i].used && !x->copy[i].here && first_of_number(x, i);
  return n;
}

/* Of an instruction's sectors in a line the first that it waits for. */
static bool first_wait(const struct cov_cache *x, unsigned at, unsigned w) {
  const struct cov_copy *a = &x->copy[at];
  for (unsigned i = 0; i < at; i++) {
    const struct cov_copy *y = &x->copy[i];
    if (!y->used || y->local != a->local || y->sector / 4 != a->sector / 4) continue;
    for (unsigned n = 0; n < y->waits; n++)
      if (y->wait[n].slot == a->wait[w].slot && y->wait[n].seq == a->wait[w].seq) return false;
  }
  return true;
}

/* lines of instructions */
static unsigned sector_loads_waiting(const struct cov_cache *x) {
  unsigned n = 0;
  for (unsigned i = 0; i < x->high; i++)
    for (unsigned w = 0; x->copy[i].used && w < x->copy[i].waits; w++) n += first_wait(x, i, w);
  return n;
}

/* ---- stores: of an instruction once for each line */

static unsigned find_store(const struct cov_cache *x, const struct heddle_record_id *id, uint64_t line) {
  unsigned i = 0;
  while (i < x->stores && !(x->store[i].slot == id->slot && x->store[i].seq == id->seq && x->store[i].line == line))
    i++;
  return i;
}

static void store_passes(struct cov_cache *x, const struct heddle_record_id *id, uint64_t line) {
  if (find_store(x, id, line) < x->stores || x->stores == CACHE_STORES) return;
  x->store[x->stores].slot = id->slot;
  x->store[x->stores].seq = id->seq;
  x->store[x->stores++].line = line;
}

static bool store_ends(struct cov_cache *x, const struct heddle_record_id *id, uint64_t line) {
  const unsigned i = find_store(x, id, line);
  if (i == x->stores || id->slot >= CACHE_SLOTS) return false;
  x->store[i] = x->store[--x->stores];
  return true;
}

/* ---- life */

bool l1_new(struct cov_collector *k) {
  const struct heddle_config *m = k->c->machine;
  if (m->l1_bytes == 0) return true;
  struct cov_cache *x = k->cache = calloc(1, sizeof *x);
  if (x == NULL) return false;
  x->room = m->l1_bytes / 32 + CACHE_MORE;
  x->copy = calloc(x->room, sizeof *x->copy);
  return x->copy != NULL;
}

void l1_free(struct cov_collector *k) {
  if (k->cache == NULL) return;
  l1_flush(k);
  free(k->cache->copy);
  free(k->cache);
}

void l1_launch(struct cov_collector *k) {
  struct cov_cache *x = k->cache;
  if (x == NULL) return;
  l1_flush(k);
  bool any = false;
  for (unsigned i = 0; i < x->high; i++) {
    const struct cov_copy *y = &x->copy[i];
    if (!y->used || y->closed || y->waits != 0) continue; /* a trap ended what waited */
    HIT(k->c, G_DROP, DROP_LAUNCH, y->local, DROPPED_HERE, WAITS_NOBODY);
    any = true;
  }
  if (!any) HIT(k->c, G_DROP, DROP_LAUNCH, 0, DROPPED_ABSENT, WAITS_NOBODY);
  *x = (struct cov_cache){.copy = x->copy, .room = x->room};
  memset(x->copy, 0, x->room * sizeof *x->copy);
}

void l1_warp_starts(struct cov_collector *k, unsigned slot) {
  struct cov_cache *x = k->cache;
  if (x == NULL) return;
  for (unsigned i = 0; i < CACHE_STORED; i++)
    if (x->stored[i] != 0 && (x->stored[i] - 1) >> LOCAL_SLOT_W == slot) x->stored[i] = 0;
}

void l1_issue(struct cov_collector *k, unsigned slot) {
  struct cov_cache *x = k->cache;
  if (x == NULL || slot >= CACHE_SLOTS) return;
  x->before[slot][1] = x->before[slot][0];
  x->before[slot][0] = (struct cache_acks){x->acks_of[slot], x->acks};
}

/* ---- words */

/* Who reads: a load, one of local memory, an asynchronous copy. */
static unsigned access_of(const struct word *d, bool local) {
  return local ? CACHE_LOCAL : d != NULL && d->d.op == ISA_OP_LDGSTS_E ? CACHE_COPY : CACHE_LOAD;
}

static bool is_strong(const struct word *d) {
  return d != NULL && heddle_isa_enc_owns(d->d.enc, ISA_F_STRONG) &&
         heddle_isa_get(d->d.word, ISA_F_STRONG) >= ISA_STRONG_STRONG_GPU;
}

static bool same_load(const struct cache_pass *p, const struct heddle_record_merge *r, uint64_t cycle) {
  return p->open && p->slot == r->id.slot && p->seq == r->id.seq && p->line == r->line && p->cycle == cycle;
}

/* ---- what a load finds: a line, all of it in one cycle */

static unsigned many_sectors(unsigned sectors) {
  const unsigned n = (unsigned)__builtin_popcount(sectors);
  return n == 1 ? 0 : n < 4 ? 1 : 2;
}

/* the load that passed last has passed */
static void l1_flush(struct cov_collector *k) {
  static const uint8_t found[8] = {0,           FOUND_HIT,       FOUND_ASKS,       FOUND_HIT_ASKS,
                                   FOUND_JOINS, FOUND_HIT_JOINS, FOUND_ASKS_JOINS, FOUND_ALL};
  struct cache_pass *p = &k->cache->pass;
  const unsigned what = (p->hit != 0 ? 1u : 0u) + (p->asks != 0 ? 2u : 0u) + (p->joins != 0 ? 4u : 0u);
  if (p->open && what != 0) HIT(k->c, G_LOOKUP, p->access, many_sectors(p->hit | p->asks | p->joins), found[what]);
  p->open = false;
}

static struct cache_pass *pass_of(struct cov_collector *k, const struct heddle_record_merge *r, unsigned access,
                                  uint64_t cycle) {
  struct cache_pass *p = &k->cache->pass;
  if (same_load(p, r, cycle)) return p;
  l1_flush(k);
  *p = (struct cache_pass){
      .open = true, .slot = r->id.slot, .seq = r->id.seq, .line = r->line, .cycle = cycle, .access = access};
  return p;
}

static bool was_stored(const struct cov_cache *x, uint64_t sector) {
  return x->stored[sector % CACHE_STORED] == sector + 1;
}

static void count_local_wait(struct cov_collector *k, const struct cov_copy *y, uint64_t sector, bool asks) {
  const bool before = asks ? was_stored(k->cache, sector) : y->stored;
  HIT(k->c, G_LOCAL, asks ? (before ? LOCAL_ASKS_STORED : LOCAL_ASKS) : (before ? LOCAL_JOINS_STORED : LOCAL_JOINS));
}

/* Nothing is under way of what is asked for, and one more request with it. */
static void count_misses(struct cov_collector *k, unsigned what, unsigned n) {
  const unsigned all = k->c->machine->gmem_lines;
  HIT(k->c, G_MISSES, what, n >= all ? 3u : n > 2 ? 2u : n - 1);
}

static bool wait_fill(struct cov_collector *k, const struct heddle_record_merge *r, unsigned s, unsigned access) {
  struct cov_cache *x = k->cache;
  const bool local = r->access == HEDDLE_RECORD_LOCAL_LOAD;
  const uint64_t sector = 4 * r->line + s;
  struct cov_copy *y = sector_numbered(x, sector, local, r->number[s]);
  const bool asks = y == NULL;
  if (asks) y = sector_asked(x, sector, local, r->number[s], r->id.slot);
  if (y == NULL) return true;
  if (!asks) HIT(k->c, G_JOIN, access, y->asker == r->id.slot ? 0 : 1, y->here);
  if (local) count_local_wait(k, y, sector, asks);
  sector_wait(y, r->id.slot, r->id.seq);
  return asks;
}

void l1_merge(struct cov_collector *k, const struct word *d, const struct heddle_record_merge *r, uint64_t cycle) {
  struct cov_cache *x = k->cache;
  if (x == NULL) return;
  const unsigned access = access_of(d, r->access == HEDDLE_RECORD_LOCAL_LOAD), before = sector_requests(x);
  struct cache_pass *p = pass_of(k, r, access, cycle);
  for (unsigned s = 0; s < 4; s++) {
    if ((r->used >> s & 1) == 0) continue;
    if (wait_fill(k, r, s, access))
      p->asks |= 1u << s;
    else
      p->joins |= 1u << s;
  }
  if (sector_requests(x) > before) count_misses(k, 0, sector_requests(x));
  count_misses(k, 1, sector_loads_waiting(x));
}

/* ---- what comes */

void l1_fill(struct cov_collector *k, const struct heddle_record_fill *r) {
  struct cov_copy *y = k->cache != NULL ? sector_numbered(k->cache, r->sector, r->is_local != 0, r->number) : NULL;
  if (y != NULL) y->here = true;
}

/* All that waited for it have read. */
static void count_fill(struct cov_collector *k, const struct cov_copy *y) {
  HIT(k->c, G_FILL, y->local, y->waited < 3 ? y->waited - 1 : 2, (y->warps & (y->warps - 1)) != 0, y->closed);
}

static void hit_now(struct cov_collector *k, const struct heddle_record_merge *r, unsigned s, unsigned access,
                    struct cov_copy *y) {
  const bool local = access == CACHE_LOCAL;
  const unsigned by = y->number == 0 ? 2 : y->asker == r->id.slot ? 0 : 1;
  HIT(k->c, G_HIT, access, by, y->hits != 0);
  if (local) HIT(k->c, G_LOCAL, y->number == 0 ? LOCAL_STORED : y->stored ? LOCAL_FILLED_STORED : LOCAL_FILLED);
  y->hits++;
  k->cache->pass.hit |= 1u << s;
}

static void hit_sector(struct cov_collector *k, const struct word *d, const struct heddle_record_merge *r, unsigned s,
                       uint64_t cycle) {
  struct cov_cache *x = k->cache;
  const bool local = r->access == HEDDLE_RECORD_LOCAL_LOAD;
  const unsigned access = access_of(d, local);
  struct cov_copy *y = sector_numbered(x, 4 * r->line + s, local, r->number[s]);
  if (y == NULL && local && r->number[s] == 0) y = sector_asked(x, 4 * r->line + s, true, 0, r->id.slot);
  if (y == NULL) return;
  if (!sector_read(y, r->id.slot, r->id.seq)) {
    (void)pass_of(k, r, access, cycle);
    y->here = true;
    hit_now(k, r, s, access, y);
    copies_load(k, d, &r->id, ASYNC_HIT);
    return;
  }
  if (y->waits != 0) return;
  count_fill(k, y);
  sector_settle(y);
}

void l1_hit(struct cov_collector *k, const struct word *d, const struct heddle_record_merge *r, uint64_t cycle) {
  if (k->cache == NULL) return;
  for (unsigned s = 0; s < 4; s++)
    if ((r->used >> s & 1) != 0) hit_sector(k, d, r, s, cycle);
}

/* ---- what is given up */

static unsigned waits_of(const struct cov_copy *y, unsigned cause, unsigned slot) {
  if (y->waits == 0) return WAITS_NOBODY;
  const bool somebody = cause <= DROP_EMPTYING;
  return somebody && sector_waits_alone(y, slot) ? WAITS_OWN : WAITS_OTHERS;
}

static void drop_copy(struct cov_collector *k, struct cov_copy *y, unsigned cause, unsigned slot) {
  struct cov_cache *x = k->cache;
  HIT(k->c, G_DROP, cause, y->local, y->here ? DROPPED_HERE : DROPPED_COMING, waits_of(y, cause, slot));
  if (cause == DROP_REPLACED) HIT(k->c, G_EVICT, y->local, y->hits != 0, sector_loads_waiting(x) != 0);
  y->closed = true;
  if (cause == DROP_ERROR) y->waits = 0;
  sector_settle(y);
}

/* The sector, where it is; a fill in error ends what was given up before as well. */
static void drop_sector(struct cov_collector *k, uint64_t sector, bool local, unsigned cause, unsigned slot) {
  struct cov_cache *x = k->cache;
  bool any = false;
  for (unsigned i = 0; i < x->high; i++) {
    struct cov_copy *y = &x->copy[i];
    if (!y->used || y->sector != sector || y->local != local || (y->closed && cause != DROP_ERROR)) continue;
    drop_copy(k, y, cause, slot);
    any = true;
  }
  if (!any) HIT(k->c, G_DROP, cause, local, DROPPED_ABSENT, WAITS_NOBODY);
}

static void drop_all(struct cov_collector *k, unsigned cause, unsigned slot) {
  struct cov_cache *x = k->cache;
  bool any = false;
  for (unsigned i = 0; i < x->high; i++) {
    if (!x->copy[i].used || x->copy[i].closed) continue;
    drop_copy(k, &x->copy[i], cause, slot);
    any = true;
  }
  if (!any) HIT(k->c, G_DROP, cause, 0, DROPPED_ABSENT, WAITS_NOBODY);
}

static unsigned cause_of(const struct word *d, const struct heddle_record_drop *r) {
  static const uint8_t cause[HEDDLE_RECORD_CAUSES] = {DROP_STORE,    DROP_ATOMIC, DROP_STRONG,   DROP_FENCE,
                                                      DROP_EMPTYING, DROP_LAUNCH, DROP_REPLACED, DROP_ERROR};
  return r->cause == HEDDLE_RECORD_DROP_STRONG && !is_strong(d) ? DROP_BY : cause[r->cause];
}

static void load_goes_by(struct cov_collector *k, const struct word *d, const struct heddle_record_drop *r) {
  const bool local = r->is_local != 0;
  HIT(k->c, G_LOOKUP, access_of(d, local), many_sectors(r->sectors), FOUND_BY);
  for (unsigned s = 0; s < 4 && local; s++)
    if ((r->sectors >> s & 1) != 0) HIT(k->c, G_LOCAL, LOCAL_BY);
}

void l1_drop(struct cov_collector *k, const struct word *d, const struct heddle_record_drop *r) {
  if (k->cache == NULL || r->cause >= HEDDLE_RECORD_CAUSES) return;
  const unsigned cause = cause_of(d, r);
  if (cause == DROP_BY && r->all == 0 && (r->sectors & 15) != 0) load_goes_by(k, d, r);
  if (r->all != 0) drop_all(k, cause, r->id.slot);
  for (unsigned s = 0; s < 4 && r->all == 0; s++)
    if ((r->sectors >> s & 1) != 0) drop_sector(k, 4 * r->line + s, r->is_local != 0, cause, r->id.slot);
  if (r->cause <= HEDDLE_RECORD_DROP_ATOMIC && r->is_local == 0) store_passes(k->cache, &r->id, r->line);
}

/* A store to local memory has been performed. */
void l1_local_store(struct cov_collector *k, const struct heddle_record_global *r) {
  struct cov_cache *x = k->cache;
  if (x == NULL) return;
  x->stored[r->sector % CACHE_STORED] = r->sector + 1;
  for (unsigned i = 0; i < x->high; i++)
    if (x->copy[i].used && x->copy[i].local && x->copy[i].sector == r->sector) x->copy[i].stored = true;
}

/* ---- acknowledgements and fences */

void l1_ack(struct cov_collector *k, const struct heddle_record_ack *r) {
  struct cov_cache *x = k->cache;
  if (x == NULL || !store_ends(x, &r->id, r->line)) return;
  x->acks++;
  x->acks_of[r->id.slot]++;
}

/* What was acknowledged since the warp's instruction before the fence issued: before that it did not wait. */
void l1_fence(struct cov_collector *k, const struct heddle_record_fence *r) {
  struct cov_cache *x = k->cache;
  if (x == NULL || r->scope >= HEDDLE_RECORD_SCOPES || r->id.slot >= CACHE_SLOTS) return;
  const struct cache_acks *b = &x->before[r->id.slot][1];
  const uint32_t own = x->acks_of[r->id.slot] - b->own, all = x->acks - b->all;
  HIT(k->c, G_FENCE, r->scope, (own != 0 ? 1u : 0u) + (all != own ? 2u : 0u), x->stores != 0);
  if (r->scope == HEDDLE_RECORD_SCOPE_CTA) return;
  drop_all(k, r->scope == HEDDLE_RECORD_SCOPE_GPU ? DROP_FENCE : DROP_EMPTYING, r->id.slot);
}
