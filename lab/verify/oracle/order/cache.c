/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of sectors in a cache: asked for, taken, closed, forgotten when nobody may read them any more.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cache.h"

/* Copies beside those that the cache holds: far above what any machine has under way. */
enum { COPIES_FLYING = 65536 };

bool order_cache_new(struct order *o) {
  if (o->h->cache_sectors == 0) return true;
  struct cache *k = o->cache = calloc(1, sizeof *k);
  if (k != NULL) k->sm = calloc(o->sms, sizeof *k->sm);
  if (k == NULL || k->sm == NULL) return order_too_much(o, "no memory");
  k->banks = o->h->memory_banks > 1 ? o->h->memory_banks : 1;
  return true;
}

bool order_promises(const struct order *o) {
  return (o->h->cache_promises & HEDDLE_CHECKER_CACHE_CLOSES) != 0;
}

static uint64_t sector_bucket(uint64_t sector) {
  return (sector ^ sector >> 12) % COPY_BUCKETS;
}

struct copy *order_copies(const struct order *o, uint64_t sector) {
  return o->cache->bucket[sector_bucket(sector)];
}

struct copy *order_copy_find(const struct order *o, unsigned sm, uint64_t sector, uint32_t number, bool local) {
  struct copy *c = order_copies(o, sector);
  while (c != NULL && (c->sector != sector || c->number != number || c->local != local || c->sm != sm)) c = c->next;
  return c;
}

static void open_list(struct sm_cache *k, struct copy *c) {
  c->older = k->open;
  if (k->open != NULL) k->open->newer = c;
  k->open = c;
}

struct copy *order_copy_new(struct order *o, unsigned sm, uint64_t sector, uint32_t number, bool local) {
  struct cache *k = o->cache;
  struct copy *c = k->spare;
  if (k->copies >= o->sms * o->h->cache_sectors + COPIES_FLYING) {
    (void)order_too_much(o, "more than 65536 sectors are requested: no machine waits for so many");
    return NULL;
  }
  if (c != NULL)
    k->spare = c->next;
  else if ((c = malloc(sizeof *c)) == NULL) {
    (void)order_too_much(o, "no memory");
    return NULL;
  }
  struct copy **at = &k->bucket[sector_bucket(sector)];
  *c = (struct copy){
      .sector = sector, .number = number, .sm = (uint8_t)sm, .local = local, .cycle = o->cycle, .next = *at};
  memset(c->over, 0xff, sizeof c->over);
  *at = c;
  k->copies++;
  if (k->copies > o->r->copies) o->r->copies = k->copies;
  open_list(&k->sm[sm], c);
  return c;
}

static void forget_copy(struct cache *k, struct copy *c) {
  struct copy **at = &k->bucket[sector_bucket(c->sector)];
  while (*at != c) at = &(*at)->next;
  *at = c->next;
  k->gone[k->gone_next++ % GONE] = (struct gone){c->sm, c->sector, c->number, c->closing};
  while (c->notes != NULL) {
    struct note *n = c->notes;
    c->notes = n->next;
    k->notes--;
    free(n);
  }
  c->next = k->spare;
  k->spare = c;
  k->copies--;
}

static void leave_open_list(struct sm_cache *k, struct copy *c) {
  if (c->newer != NULL) c->newer->older = c->older;
  if (c->older != NULL) c->older->newer = c->newer;
  if (k->open == c) k->open = c->older;
  c->newer = c->older = NULL;
}

void order_copy_close(struct order *o, struct copy *c, const char *by) {
  if (c->closed) return;
  leave_open_list(&o->cache->sm[c->sm], c);
  c->closed = true;
  c->closing = (struct closing){by, o->cycle};
  (void)order_copy_settle(o, c);
}

bool order_copy_settle(struct order *o, struct copy *c) {
  struct sm_cache *k = &o->cache->sm[c->sm];
  const bool holds = c->taken && !c->closed && !c->local && c->waiters == 0;
  if (holds != c->resident) k->held += holds ? 1 : -1u;
  c->resident = holds;
  /* Whoever reads local memory without having waited names what nobody judges. */
  if (c->taken && c->waiters == 0 && c->local && !c->closed) {
    leave_open_list(k, c);
    c->closed = true;
  }
  if (c->closed && c->waiters == 0 && (c->taken || c->failed)) forget_copy(o->cache, c);
  if (k->held <= o->h->cache_sectors) return true;
  return order_broken(o, ORDER_FILL, "the cache holds %u sectors, and has room for %u", k->held, o->h->cache_sectors);
}

bool order_copy_gone(struct order *o, const struct warp *w, const struct insn *i, uint64_t sector, uint32_t number) {
  const struct cache *k = o->cache;
  const struct gone *g = NULL;
  for (unsigned n = 0; n < GONE && g == NULL; n++)
    if (k->gone[n].sm == order_sm_of(o, w) && k->gone[n].sector == sector && k->gone[n].number == number &&
        k->gone[n].closing.by != NULL)
      g = &k->gone[n];
  if (g == NULL || !order_promises(o))
    return order_broken(o, ORDER_FILL, "seq %u (pc 0x%x) names fill %u of sector 0x%llx, which has not come or is gone",
                        i->seq, i->pc, number, (unsigned long long)sector);
  order_step_text(o, "closed it, before anyone passes that joins it no more", "%s, in cycle %llu", g->closing.by,
                  (unsigned long long)g->closing.cycle);
  order_step_insn(o, w, i, i->exec, "passes later, and joins it all the same");
  return order_broken(o, ORDER_DROPPED,
                      "seq %u (pc 0x%x) joins fill %u of sector 0x%llx, which was closed in cycle %llu", i->seq, i->pc,
                      number, (unsigned long long)sector, (unsigned long long)g->closing.cycle);
}

struct written *order_written(struct order *o, uint32_t location) {
  struct cache *k = o->cache;
  if (!array_room(&k->written, &k->written_room, (size_t)location + 1, sizeof *k->written)) {
    (void)order_too_much(o, "no memory");
    return NULL;
  }
  for (; k->written_made <= location; k->written_made++) {
    struct written *w = &k->written[k->written_made];
    *w = (struct written){.release = {0}};
    memset(w->by, 0xff, sizeof w->by);
  }
  return &k->written[location];
}

/* ---- records ---- */

static bool take_copy(struct order *o, struct copy *c, const struct heddle_record_fill *r) {
  struct location *l = order_location_at(o, ISA_SPACE_GLOBAL, 0, r->sector);
  if (l == NULL) return false;
  const uint32_t at = (uint32_t)(l - o->location);
  const struct written *w = order_written(o, at);
  if (w == NULL) return false;
  c->at = (uint32_t)o->accesses;
  c->bank = (uint8_t)order_bank(o, r->bank);
  c->location = at;
  c->known = l->known;
  memcpy(c->bytes, l->bytes, sizeof c->bytes);
  memcpy(c->writer, w->by, sizeof c->writer);
  memcpy(c->release, w->release, sizeof c->release);
  return order_stamped(o, l, r->sector, r->stamp, r->bank);
}

bool order_on_fill(struct order *o, const struct heddle_record_fill *r) {
  const unsigned sm = order_sm(o, r->sm);
  if (sm >= o->sms) return order_broken(o, ORDER_RECORD, "a fill of SM %u, in a trace of %u", r->sm, o->h->sm);
  struct copy *c = order_copy_find(o, sm, r->sector, r->number, r->is_local != 0);
  o->r->judged[ORDER_FILL]++;
  if (c == NULL || c->taken)
    return order_broken(o, ORDER_FILL, "fill %u of sector 0x%llx comes %s", r->number, (unsigned long long)r->sector,
                        c != NULL ? "twice" : "unrequested: no load waits for that sector of it");
  if (!c->local && !take_copy(o, c, r)) return false;
  c->taken = true;
  o->r->fills++;
  c->cycle = o->cycle;
  return order_copy_settle(o, c);
}

static const char *cause_text(unsigned cause) {
  static const char *const text[] = {[HEDDLE_RECORD_DROP_STORE] = "a store, as it passes",
                                     [HEDDLE_RECORD_DROP_ATOMIC] = "an atomic, as it passes",
                                     [HEDDLE_RECORD_DROP_STRONG] = "a strong load, as it passes",
                                     [HEDDLE_RECORD_DROP_FENCE] = "a fence",
                                     [HEDDLE_RECORD_DROP_EMPTYING] = "CCTL.IVALL",
                                     [HEDDLE_RECORD_DROP_LAUNCH] = "the launch",
                                     [HEDDLE_RECORD_DROP_REPLACED] = "another sector that takes its place",
                                     [HEDDLE_RECORD_DROP_ERROR] = "an error of memory"};
  return cause < sizeof text / sizeof *text ? text[cause] : "a record of no known cause";
}

static bool passes_so(const struct insn *i, unsigned cause) {
  if (i->reduction) return false;
  if (cause == HEDDLE_RECORD_DROP_STORE) return i->a.act == ACT_STORE;
  return cause == HEDDLE_RECORD_DROP_ATOMIC ? i->a.act == ACT_ATOMIC : i->a.act == ACT_LOAD || i->a.copy;
}

/* Lanes of an access to local memory whose word that line is: some of its words may pass the cache by, others not. */
static uint32_t local_lanes(const struct insn *i, const struct heddle_record_drop *r) {
  uint32_t lanes = 0;
  for (uint32_t rest = r->line >> 18 == r->id.slot ? i->exec & i->placed : 0; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    const uint64_t k = (r->line & 0x3ffff) - i->addr[l] / 4;
    if (i->space[l] == ISA_SPACE_LOCAL && k < (i->a.bytes + 3u) / 4 && (i->open[k] >> l & 1u) != 0 &&
        (r->sectors >> l / 8 & 1u) != 0)
      lanes |= 1u << l;
  }
  return lanes;
}

/* Lanes of a store, an atomic, a strong load or a weak one that the cache has no place for pass. */
static bool pass_lanes(struct order *o, const struct heddle_record_drop *r) {
  struct warp *w = order_warp_of(o, &r->id);
  struct insn *i = w == NULL ? NULL : order_insn_find(w, r->id.seq);
  uint32_t lanes = 0;
  if (w == NULL) return false;
  for (unsigned s = 0; i != NULL && passes_so(i, r->cause) && s < LINE_SECTORS; s++)
    if ((r->sectors >> s & 1u) != 0)
      lanes |= order_lanes_at(i, i->open[0], ISA_SPACE_GLOBAL, r->line * LINE_SECTORS + s);
  const bool local = r->is_local != 0 && i != NULL && passes_so(i, r->cause);
  if (local) lanes = local_lanes(i, r);
  if (lanes == 0)
    return order_broken(o, ORDER_RECORD, "seq %u of slot %u passes at line 0x%llx, where it has nothing to do",
                        r->id.seq, r->id.slot, (unsigned long long)r->line);
  if (!local && (lanes & i->cache.passed) != 0)
    return order_broken(o, ORDER_DROPPED, "seq %u (pc 0x%x) passes twice in lanes 0x%08x", i->seq, i->pc,
                        lanes & i->cache.passed);
  if (!order_may_pass(o, w, i)) return false;
  i->cache.passed |= lanes;
  i->cache.by |= lanes;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) i->cache.record[__builtin_ctz(rest)] = o->r->records;
  return local || r->cause == HEDDLE_RECORD_DROP_STRONG || order_owed_new(o, &r->id, w->life, r->line);
}

bool order_on_drop(struct order *o, const struct heddle_record_drop *r) {
  const char *by = cause_text(r->cause);
  const unsigned sm = order_sm(o, r->id.sm);
  if (sm >= o->sms) return order_broken(o, ORDER_RECORD, "a drop of SM %u, in a trace of %u", r->id.sm, o->h->sm);
  o->r->judged[ORDER_DROPPED]++;
  if (r->cause <= HEDDLE_RECORD_DROP_STRONG && !pass_lanes(o, r)) return false;
  if (r->cause == HEDDLE_RECORD_DROP_ERROR && !o->h->bus_errors)
    return order_broken(o, ORDER_FILL, "line 0x%llx is answered with an error, by a memory that gives none",
                        (unsigned long long)r->line);
  if (r->all != 0)
    for (struct copy *c = o->cache->sm[sm].open, *older; c != NULL; c = older) {
      older = c->older;
      order_copy_close(o, c, by);
    }
  for (unsigned s = 0; r->all == 0 && s < LINE_SECTORS; s++) {
    const uint64_t sector = r->line * LINE_SECTORS + s;
    for (struct copy *c = order_copies(o, sector), *next; c != NULL && (r->sectors >> s & 1u) != 0; c = next) {
      next = c->next;
      if (c->sector != sector || c->sm != sm || c->local != (r->is_local != 0)) continue;
      if (r->cause == HEDDLE_RECORD_DROP_ERROR && !c->taken) c->failed = true;
      order_copy_close(o, c, by);
    }
  }
  return true;
}

/* ---- a launch ---- */

void order_cache_clear(struct order *o) {
  struct cache *k = o->cache;
  if (k == NULL) return;
  for (unsigned b = 0; b < COPY_BUCKETS; b++)
    while (k->bucket[b] != NULL) forget_copy(k, k->bucket[b]);
  for (unsigned n = 0; n < o->sms; n++) {
    for (struct owed *w = k->sm[n].owed, *next; w != NULL; w = next) {
      next = w->next;
      free(w);
    }
    memset(&k->sm[n], 0, sizeof k->sm[n]);
    k->sm[n].next = 1;
  }
  memset(k->bucket, 0, sizeof k->bucket);
  memset(k->gone, 0, sizeof k->gone);
  k->copies = k->notes = k->owes = k->gone_next = 0;
  k->written_made = k->releases = 0;
}

void order_cache_free(struct order *o) {
  order_cache_clear(o);
  if (o->cache == NULL) return;
  for (struct copy *c = o->cache->spare, *next; c != NULL; c = next) {
    next = c->next;
    free(c);
  }
  free(o->cache->written);
  free(o->cache->release);
  free(o->cache->sm);
  free(o->cache);
}

bool order_cache_end(struct order *o) {
  const struct cache *k = o->cache;
  if (k == NULL) return true;
  for (unsigned b = 0; b < COPY_BUCKETS; b++)
    for (const struct copy *c = k->bucket[b]; c != NULL; c = c->next)
      if (!c->taken && !c->failed)
        return order_broken(o, ORDER_FILL, "fill %u never brings sector 0x%llx, requested in cycle %llu", c->number,
                            (unsigned long long)c->sector, (unsigned long long)c->cycle);
  for (unsigned n = 0; n < o->sms; n++) {
    const struct owed *w = k->sm[n].owed;
    if (w != NULL)
      return order_broken(o, ORDER_ACKNOWLEDGED, "line 0x%llx of slot %u seq %u is never acknowledged",
                          (unsigned long long)w->line, w->slot, w->seq);
  }
  return true;
}
