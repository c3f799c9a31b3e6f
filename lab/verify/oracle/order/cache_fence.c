/* SPDX-License-Identifier: Apache-2.0
 *
 * Acknowledgements, fences and barriers where there is a cache: what a warp knows of, and when it may go on.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "lab/verify/oracle/order/cache.h"
#include "lab/verify/oracle/order/order_list.h"

enum { OWED_MOST = 65536 };

/* ---- acknowledgements ---- */

static struct owed **find_owed(struct sm_cache *k, const struct heddle_record_id *id, uint64_t line) {
  struct owed **at = &k->owed;
  while (*at != NULL &&
         ((*at)->slot != id->slot || (*at)->gen != id->gen || (*at)->seq != id->seq || (*at)->line != line))
    at = &(*at)->next;
  return at;
}

bool order_owed_new(struct order *o, const struct heddle_record_id *id, uint32_t life, uint64_t line) {
  struct sm_cache *k = &o->cache->sm[order_sm(o, id->sm)];
  if (*find_owed(k, id, line) != NULL) return true;
  struct owed *w = o->cache->owes < OWED_MOST ? malloc(sizeof *w) : NULL;
  if (w == NULL) return order_too_much(o, "more than 65536 lines are to be acknowledged: no machine has so many");
  *w = (struct owed){.slot = id->slot,
                     .gen = id->gen,
                     .seq = id->seq,
                     .life = life,
                     .line = line,
                     .passed = o->r->records,
                     .next = k->owed};
  k->owed = w;
  o->cache->owes++;
  return true;
}

/* The instruction has lanes in that line that have not been performed, or that may be there. */
static uint32_t open_at(const struct insn *i, uint64_t line) {
  uint32_t lanes = i->open[0] & ~i->placed;
  for (unsigned s = 0; s < LINE_SECTORS; s++)
    lanes |= order_lanes_at(i, i->open[0], ISA_SPACE_GLOBAL, line * LINE_SECTORS + s);
  return lanes;
}

void order_owed_performed(struct order *o, const struct warp *w, const struct insn *i, uint64_t sector, unsigned bank) {
  const struct heddle_record_id id = {.slot = (uint8_t)order_slot_of(o, w), .gen = w->gen, .seq = i->seq};
  struct owed *owed = *find_owed(order_cache_of(o, w), &id, sector / LINE_SECTORS);
  if (owed == NULL) return;
  owed->at = (uint32_t)o->accesses;
  owed->bank = (uint8_t)bank;
}

bool order_on_ack(struct order *o, const struct heddle_record_ack *r) {
  const unsigned sm = order_sm(o, r->id.sm);
  if (sm >= o->sms) return order_broken(o, ORDER_RECORD, "a line of SM %u, in a trace of %u", r->id.sm, o->h->sm);
  struct warp *w = r->id.slot < HEDDLE_RECORD_WARPS ? &o->warp[sm * HEDDLE_RECORD_WARPS + r->id.slot] : NULL;
  struct places *witness = &o->cache->sm[sm].witness;
  struct owed **at = find_owed(&o->cache->sm[sm], &r->id, r->line);
  const bool lives = w != NULL && w->live && w->gen == r->id.gen;
  const struct insn *i = lives ? order_insn_find(w, r->id.seq) : NULL;
  o->r->judged[ORDER_ACKNOWLEDGED]++;
  if (*at == NULL)
    return order_broken(o, ORDER_ACKNOWLEDGED,
                        "line 0x%llx of slot %u seq %u is acknowledged a second time, or is no store's",
                        (unsigned long long)r->line, r->id.slot, r->id.seq);
  if (i != NULL && open_at(i, r->line) != 0) {
    order_step_insn(o, w, i, open_at(i, r->line), "is performed before its line is acknowledged");
    order_step_text(o, "came before that", "the acknowledgement of line 0x%llx", (unsigned long long)r->line);
    return order_broken(o, ORDER_ACKNOWLEDGED, "line 0x%llx of seq %u (pc 0x%x) is acknowledged before it is performed",
                        (unsigned long long)r->line, i->seq, i->pc);
  }
  struct owed *gone = *at;
  if (gone->at > witness->at[gone->bank]) witness->at[gone->bank] = gone->at;
  *at = gone->next;
  if (lives) order_cache_over(o, w);
  o->cache->owes--;
  free(gone);
  return true;
}

/* ---- what warps know ---- */

void order_cache_warp(struct order *o, const struct warp *w) {
  if (o->cache == NULL) return;
  struct sm_cache *k = order_cache_of(o, w);
  const unsigned slot = order_slot_of(o, w);
  memset(k->knows[slot], 0, sizeof k->knows[slot]);
  k->release[slot] = 0;
  k->floor[slot] = k->seen[slot] = k->met[slot] = (struct places){{0}};
  k->fence[slot] = (struct pending){.waits = false};
  memset(k->issued[slot], 0, sizeof k->issued[slot]);
  k->over[slot] = 0;
}

void order_cache_block(struct order *o, unsigned sm, unsigned bslot) {
  if (o->cache == NULL) return;
  struct sm_cache *k = &o->cache->sm[sm];
  memset(k->meeting[bslot], 0, sizeof k->meeting[bslot]);
  memset(k->highest[bslot], 0, sizeof k->highest[bslot]);
}

void order_cache_issued(struct order *o, const struct warp *w, struct insn *i) {
  if (o->cache == NULL) return;
  const struct sm_cache *k = order_cache_of(o, w);
  const unsigned slot = order_slot_of(o, w);
  memcpy(i->cache.knows, k->knows[slot], sizeof i->cache.knows);
  i->cache.knows[slot] = i->seq;
  memcpy(i->cache.floor, k->floor[slot].at, sizeof i->cache.floor);
  memset(i->cache.before_write, 0xff, sizeof i->cache.before_write);
  memset(i->cache.before_read, 0xff, sizeof i->cache.before_read);
}

static void join_knowledge(uint32_t *to, const uint32_t *from) {
  for (unsigned s = 0; s < HEDDLE_RECORD_WARPS; s++)
    if (from[s] > to[s]) to[s] = from[s];
}

void order_cache_arrives(struct order *o, const struct warp *w, unsigned id, uint32_t seq) {
  if (o->cache == NULL) return;
  struct sm_cache *k = order_cache_of(o, w);
  const unsigned slot = order_slot_of(o, w), bslot = w->bslot;
  join_knowledge(k->meeting[bslot][id], k->knows[slot]);
  if (seq > k->meeting[bslot][id][slot]) k->meeting[bslot][id][slot] = seq;
  places_join(&k->highest[bslot][id], &k->floor[slot]);
}

void order_cache_released(struct order *o, unsigned sm, unsigned bslot, unsigned id, uint64_t waits) {
  if (o->cache == NULL) return;
  struct sm_cache *k = &o->cache->sm[sm];
  for (uint64_t rest = waits; rest != 0; rest &= rest - 1) {
    const unsigned slot = (unsigned)__builtin_ctzll(rest);
    join_knowledge(k->knows[slot], k->meeting[bslot][id]);
    places_join(&k->floor[slot], &k->highest[bslot][id]);
  }
  k->highest[bslot][id] = (struct places){{0}};
  memset(k->meeting[bslot][id], 0, sizeof k->meeting[bslot][id]);
}

/* ---- fences ---- */

static uint32_t in_space(const struct insn *i, uint32_t lanes, uint8_t space) {
  uint32_t in = 0;
  for (uint32_t rest = lanes & i->placed; rest != 0; rest &= rest - 1)
    if (i->space[__builtin_ctz(rest)] == space) in |= rest & (0 - rest);
  return in;
}

static bool too_early(struct order *o, const struct warp *of, const struct insn *i, uint32_t lanes,
                      const struct warp *w, const struct fence *f, const char *what) {
  order_step_insn(o, of, i, lanes, what);
  order_step_fence(o, w, f, "was done before that");
  return order_broken(o, ORDER_FENCE, "seq %u (pc 0x%x) is done, and seq %u (pc 0x%x) of slot %u is not", f->seq, f->pc,
                      i->seq, i->pc, order_slot_of(o, of));
}

/* Lanes that have not been performed, but for those in local memory, which is nobody else's. */
static uint32_t left_to_others(const struct insn *i) {
  return i->a.space == ISA_SPACE_LOCAL ? 0 : i->open[0] & ~in_space(i, i->open[0], ISA_SPACE_LOCAL);
}

/* What any fence, and BAR, waits for: the warp's own accesses, but for copies. A load has been performed when it has
 * read. */
bool order_fence_performed(struct order *o, struct warp *w, const struct fence *f) {
  if (o->trapped) return true;
  for (const struct insn *i = w->first; i != NULL && i->seq < f->seq; i = i->next) {
    const uint32_t left = i->reduction || i->a.copy ? 0 : left_to_others(i);
    if (left != 0) return too_early(o, w, i, left, w, f, "is older: it is performed before");
  }
  return true;
}

/* All that the warp knows of has been performed; its own loads have been answered. */
static bool all_performed(struct order *o, const struct warp *w, const struct fence *f, const uint32_t *knows) {
  for (uint64_t warps = order_block_of(o, w)->warps; warps != 0; warps &= warps - 1) {
    const unsigned slot = (unsigned)__builtin_ctzll(warps);
    const struct warp *of = &order_peers(o, w)[slot];
    for (const struct insn *i = of->first; i != NULL && i->seq < knows[slot]; i = i->next) {
      if (i->reduction) continue;
      const bool load = i->a.act == ACT_LOAD || i->a.act == ACT_MATRIX;
      uint32_t left = left_to_others(i);
      if (i->a.copy) left = of == w ? order_copies_left(i, HEDDLE_RECORD_SCOPE_GPU) : 0;
      if (load) left = of == w ? i->open[0] | i->open[1] | i->open[2] | i->open[3] : 0;
      for (unsigned k = 0; load && of == w && k < 4; k++) left |= i->owed[k];
      if (left != 0)
        return too_early(o, of, i, left, w, f,
                         load || i->a.copy ? "is older: it is answered, or stored, before"
                                           : "is known: it is performed before");
    }
  }
  return true;
}

static bool acknowledged(struct order *o, const struct warp *w, const uint32_t *knows, const struct pending *f) {
  for (const struct owed *a = order_cache_of(o, w)->owed; a != NULL; a = a->next) {
    const struct life *l = &o->life[a->life];
    const bool known = l->block == order_block_of(o, w)->number && a->seq < knows[l->slot];
    if (a->passed >= f->since && !known) continue;
    order_step_text(o, "passed the cache before the fence, or is known: it is acknowledged before",
                    "line 0x%llx of slot %u seq %u", (unsigned long long)a->line, a->slot, a->seq);
    order_step_fence(o, w, &f->is, "was done before that");
    return order_broken(o, ORDER_FENCE, "seq %u (pc 0x%x) is done, and line 0x%llx of slot %u seq %u not acknowledged",
                        f->is.seq, f->is.pc, (unsigned long long)a->line, a->slot, a->seq);
  }
  return true;
}

static void close_all(struct order *o, const struct warp *w, const char *by) {
  for (struct copy *c = order_promises(o) ? order_cache_of(o, w)->open : NULL, *older; c != NULL; c = older) {
    older = c->older;
    order_copy_close(o, c, by);
  }
}

/* What is released: with one SM all that has been performed; of several each has witnesses of its own. */
static bool release_performed(struct order *o, const struct warp *w) {
  struct cache *all = o->cache;
  struct sm_cache *k = order_cache_of(o, w);
  const unsigned slot = order_slot_of(o, w);
  struct places now;
  for (unsigned b = 0; b < HEDDLE_CHECKER_BANKS_MAX; b++) now.at[b] = (uint32_t)o->accesses;
  if (o->sms > 1) {
    places_join(&k->witness, &k->met[slot]);
    places_join(&k->witness, &k->floor[slot]);
    now = k->witness;
  }
  if (all->releases == 0) all->releases = 1; /* 0: none */
  if (!array_room(&all->release, &all->release_room, all->releases + 1, sizeof *all->release))
    return order_too_much(o, "no memory");
  k->release[slot] = (uint32_t)all->releases;
  all->release[all->releases++] = now;
  return true;
}

static bool whole_gpu(struct order *o, struct warp *w, const struct pending *f) {
  struct sm_cache *k = order_cache_of(o, w);
  const unsigned slot = order_slot_of(o, w);
  uint32_t knows[HEDDLE_RECORD_WARPS];
  memcpy(knows, k->knows[slot], sizeof knows);
  knows[slot] = f->is.seq;
  if (!o->trapped && !(all_performed(o, w, &f->is, knows) && acknowledged(o, w, knows, f))) return false;
  places_join(&k->floor[slot], &k->seen[slot]);
  close_all(o, w, "a fence of GPU scope");
  return release_performed(o, w);
}

void order_cache_fence(struct order *o, const struct warp *w, enum heddle_record_scope scope) {
  struct sm_cache *k = order_cache_of(o, w);
  const unsigned slot = order_slot_of(o, w);
  const uint64_t before = k->issued[slot][0], over = k->over[slot]; /* it has begun to wait behind both */
  k->fence[slot] = (struct pending){true, scope, w->fence, before > over ? before : over};
}

static bool before_done(struct order *o, const struct warp *w, const char *what) {
  const struct fence *f = &order_cache_of(o, w)->fence[order_slot_of(o, w)].is;
  return order_broken(o, ORDER_FENCE, "its warp %s before seq %u (pc 0x%x) is done", what, f->seq, f->pc);
}

void order_cache_over(struct order *o, const struct warp *w) {
  if (o->cache != NULL) order_cache_of(o, w)->over[order_slot_of(o, w)] = o->r->records;
}

bool order_cache_goes_on(struct order *o, const struct warp *w) {
  if (o->cache == NULL) return true;
  const struct pending *f = &order_cache_of(o, w)->fence[order_slot_of(o, w)];
  uint64_t *issued = order_cache_of(o, w)->issued[order_slot_of(o, w)];
  issued[0] = issued[1];
  issued[1] = o->r->records;
  if (!f->waits || o->trapped || (o->h->cache_promises & HEDDLE_CHECKER_CACHE_STOPS) == 0) return true;
  order_step_fence(o, w, &f->is, "is done before its warp goes on");
  order_step_text(o, "came before that", "the next issue of its warp, in cycle %llu", (unsigned long long)o->cycle);
  return before_done(o, w, "goes on");
}

bool order_may_pass(struct order *o, const struct warp *w, const struct insn *i) {
  const struct pending *f = &order_cache_of(o, w)->fence[order_slot_of(o, w)];
  if (!f->waits || i->seq < f->is.seq || o->trapped) return true;
  order_step_fence(o, w, &f->is, "is done before younger accesses of its warp pass");
  order_step_insn(o, w, i, i->exec, "passes before that");
  return before_done(o, w, "passes the cache");
}

bool order_on_fence(struct order *o, const struct heddle_record_fence *r) {
  struct warp *w = order_warp_of(o, &r->id);
  if (w == NULL) return false;
  struct pending *f = &order_cache_of(o, w)->fence[r->id.slot];
  o->r->judged[ORDER_FENCE]++;
  if (!f->waits || f->is.seq != r->id.seq || (uint8_t)f->scope != r->scope)
    return order_broken(o, ORDER_FENCE, "a fence of scope %u of slot %u seq %u is done: none waits", r->scope,
                        r->id.slot, r->id.seq);
  f->waits = false;
  f->is.cycle = o->cycle;
  order_write_fence(o, w, &f->is, f->scope);
  if (f->scope == HEDDLE_RECORD_SCOPE_EMPTYING)
    close_all(o, w, "CCTL.IVALL");
  else if (!order_fence_performed(o, w, &f->is))
    return false;
  return f->scope != HEDDLE_RECORD_SCOPE_GPU || whole_gpu(o, w, f);
}
