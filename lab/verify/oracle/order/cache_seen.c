/* SPDX-License-Identifier: Apache-2.0
 *
 * What a read through a copy must not miss: the four rules of docs/visibility.md, "Demands of the architecture".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/verify/oracle/order/cache.h"

enum { NOTES_MOST = 1 << 20 };

static uint32_t part_bytes(const struct part *p, unsigned l) {
  return order_mask(p->at[l], p->bytes);
}

/* The store of that warp comes before i, or is the other way round where they change places. */
static bool knows(const struct order *o, const struct warp *w, const uint32_t *of, uint32_t life, uint32_t seq) {
  const struct life *l = &o->life[life];
  return l->block == order_block_of(o, w)->number && seq < of[l->slot];
}

static void say_copy(struct order *o, const struct copy *c, const char *then) {
  order_step_text(o, then, "fill %u of sector 0x%llx, taken in cycle %llu", c->number, (unsigned long long)c->sector,
                  (unsigned long long)c->cycle);
}

/* The chain: the store comes before the load, the load reads the copy, the copy was taken before the store. */
static bool stale(struct order *o, const struct warp *w, const struct insn *i, unsigned lane, const struct copy *c,
                  const char *why) {
  order_step_insn(o, w, i, 1u << lane, "reads through a copy");
  say_copy(o, c, "was taken before that");
  return order_broken(o, ORDER_VISIBILITY, "lane %u of seq %u (pc 0x%x) misses %s: it reads fill %u of cycle %llu",
                      lane, i->seq, i->pc, why, c->number, (unsigned long long)c->cycle);
}

/* ---- 1 and 2: stores that come before it in causality order ---- */

static bool sees_performed(struct order *o, const struct warp *w, const struct insn *i, unsigned lane,
                           const struct copy *c, uint32_t bytes) {
  for (uint32_t k = o->location[c->location].write; k != NOBODY && k >= c->at; k = o->access[k].before) {
    const struct access *a = &o->access[k];
    if ((a->strobe & bytes) == 0 || !knows(o, w, i->cache.knows, a->life, a->seq)) continue;
    order_step_access(o, a, a->life == w->life ? "is older in program order" : "comes before it: barriers say so");
    return stale(o, w, i, lane, c,
                 a->life == w->life ? "an older store of its warp" : "a store that its warp has observed");
  }
  return true;
}

/* Bytes in the copy's sector that a store is yet to write. */
static uint32_t will_write(const struct insn *s, uint64_t sector) {
  uint32_t bytes = 0;
  for (uint32_t rest = s->open[0] & s->placed; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    if (s->space[l] == ISA_SPACE_GLOBAL && s->addr[l] / PLACE_BYTES == sector)
      bytes |= order_mask((unsigned)(s->addr[l] % PLACE_BYTES), s->a.bytes);
  }
  return bytes;
}

static bool writes(const struct insn *s) {
  return !s->reduction && (s->a.act == ACT_STORE || s->a.act == ACT_ATOMIC);
}

static bool open_stores(struct order *o, const struct warp *w, const struct insn *i, const struct part *p,
                        const struct copy *c) {
  for (uint64_t warps = order_block_of(o, w)->warps; warps != 0; warps &= warps - 1) {
    const unsigned slot = (unsigned)__builtin_ctzll(warps);
    const struct warp *of = &order_peers(o, w)[slot];
    for (const struct insn *s = of->first; s != NULL && s->seq < i->cache.knows[slot]; s = s->next) {
      const uint32_t bytes = writes(s) ? will_write(s, c->sector) : 0;
      for (uint32_t rest = bytes != 0 ? p->lanes : 0; rest != 0; rest &= rest - 1) {
        const unsigned l = (unsigned)__builtin_ctz(rest);
        if ((part_bytes(p, l) & bytes) == 0) continue;
        order_step_insn(o, of, s, s->open[0], "comes before it, and has not been performed");
        return stale(o, w, i, l, c, "a store that has not been performed");
      }
    }
  }
  return true;
}

/* ---- 3: the floor ---- */

static bool above_floor(struct order *o, const struct warp *w, const struct insn *i, unsigned lane,
                        const struct copy *c, uint32_t bytes) {
  const uint32_t floor = i->cache.floor[c->bank];
  for (unsigned n = 0; n < PLACE_BYTES; n++) {
    if ((bytes >> n & 1u) == 0 || c->over[n] >= floor) continue;
    order_step_access(o, &o->access[c->over[n]], "was performed before a release that its warp has acquired");
    return stale(o, w, i, lane, c, "what was released before its warp's last fence");
  }
  return true;
}

/* ---- 4: no way back ---- */

static bool not_back(struct order *o, const struct warp *w, const struct insn *i, unsigned lane, const struct copy *c,
                     uint32_t bytes) {
  const struct insn_cache *x = &i->cache;
  o->r->judged[ORDER_BACKWARDS]++;
  for (const struct note *n = c->notes; n != NULL; n = n->next) {
    if (n->life != w->life || n->lane != lane || n->seq >= i->seq || (n->bytes & bytes) == 0) continue;
    order_step_text(o, "is older, and read what is newer than the copy", "seq %u of the same warp", n->seq);
    order_step_insn(o, w, i, 1u << lane, "reads through a copy");
    say_copy(o, c, "was overwritten before what it read");
    return order_broken(o, ORDER_BACKWARDS, "lane %u of seq %u (pc 0x%x) reads fill %u, older than what seq %u read",
                        lane, i->seq, i->pc, c->number, n->seq);
  }
  if (c->at > x->before_read[lane]) {
    order_step_access(o, &o->access[x->before_read[lane]], "was missed by a younger load of its lane");
    say_copy(o, c, "holds it, and is read by the older one");
    return order_broken(o, ORDER_BACKWARDS, "lane %u of seq %u (pc 0x%x) reads fill %u, a younger load an older copy",
                        lane, i->seq, i->pc, c->number);
  }
  return true;
}

/* Nor does it see what comes after it. */
static bool not_ahead(struct order *o, const struct warp *w, const struct insn *i, unsigned lane,
                      const struct copy *c) {
  const uint32_t k = i->cache.before_write[lane];
  if (c->at <= k) return true;
  const bool own = o->access[k].life == w->life;
  order_step_insn(o, w, i, 1u << lane, own ? "is older in program order" : "comes before it: barriers say so");
  order_step_access(o, &o->access[k], "was performed before the copy was taken");
  say_copy(o, c, "is what it reads");
  return order_broken(o, own ? ORDER_PROGRAM : ORDER_VISIBILITY,
                      "lane %u of seq %u (pc 0x%x) reads fill %u, in which is seq %u, which comes after it", lane,
                      i->seq, i->pc, c->number, o->access[k].seq);
}

/* Older loads of the lane may not read anything newer than the copy. */
static void bind_older(const struct warp *w, const struct insn *i, unsigned lane, const struct copy *c,
                       uint32_t bytes) {
  for (struct insn *s = w->first; s != i; s = s->next) {
    if (s->reduction || s->a.act != ACT_LOAD || (s->open[0] & s->placed & 1u << lane) == 0 ||
        s->space[lane] != ISA_SPACE_GLOBAL || s->addr[lane] / PLACE_BYTES != c->sector)
      continue;
    const uint32_t both = bytes & order_mask((unsigned)(s->addr[lane] % PLACE_BYTES), s->a.bytes);
    for (unsigned n = 0; n < PLACE_BYTES; n++)
      if ((both >> n & 1u) != 0 && c->over[n] < s->cache.before_read[lane]) s->cache.before_read[lane] = c->over[n];
  }
}

/* Copies in which a byte had been overwritten before `at` are none for this lane any more. */
static bool note_overwritten(struct order *o, const struct warp *w, const struct insn *i, unsigned lane,
                             uint64_t sector, uint32_t bytes, uint32_t at) {
  for (struct copy *c = order_copies(o, sector); c != NULL; c = c->next) {
    uint32_t older = 0;
    if (c->sector != sector || c->sm != order_sm_of(o, w) || c->local || !c->taken || c->at >= at) continue;
    for (unsigned n = 0; n < PLACE_BYTES; n++)
      if ((bytes >> n & 1u) != 0 && c->over[n] < at) older |= 1u << n;
    const struct note *has = c->notes;
    while (has != NULL &&
           (has->life != w->life || has->lane != lane || has->seq > i->seq || (older & ~has->bytes) != 0))
      has = has->next;
    if (older == 0 || has != NULL) continue;
    struct note *n = o->cache->notes < NOTES_MOST ? malloc(sizeof *n) : NULL;
    if (n == NULL) return order_too_much(o, "more than 1048576 reads of what is newer than copies that are kept");
    *n = (struct note){.life = w->life, .seq = i->seq, .lane = lane, .bytes = older, .next = c->notes};
    c->notes = n;
    o->cache->notes++;
  }
  return true;
}

/* ---- reads, writes ---- */

static void acquire(struct order *o, const struct warp *w, const uint32_t *release, uint32_t bytes) {
  struct places *seen = &order_cache_of(o, w)->seen[order_slot_of(o, w)];
  for (unsigned n = 0; n < PLACE_BYTES; n++)
    if ((bytes >> n & 1u) != 0 && release[n] != 0) places_join(seen, &o->cache->release[release[n]]);
}

bool order_seen_hit(struct order *o, struct warp *w, struct insn *i, const struct part *p, struct copy *c) {
  o->r->judged[ORDER_VISIBILITY]++;
  if (!open_stores(o, w, i, p, c)) return false;
  for (uint32_t rest = p->lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    const uint32_t bytes = part_bytes(p, l);
    uint32_t over = NOBODY;
    for (unsigned n = 0; n < PLACE_BYTES; n++)
      if ((bytes >> n & 1u) != 0 && c->over[n] < over) over = c->over[n];
    if (over != NOBODY && !(sees_performed(o, w, i, l, c, bytes) && above_floor(o, w, i, l, c, bytes))) return false;
    if (!not_back(o, w, i, l, c, bytes) || !not_ahead(o, w, i, l, c)) return false;
    if (over != NOBODY) bind_older(w, i, l, c, bytes);
    acquire(o, w, c->release, bytes);
    struct places *witness = &order_cache_of(o, w)->witness;
    if (c->at > witness->at[c->bank]) witness->at[c->bank] = c->at;
    if (!i->a.copy && !note_overwritten(o, w, i, l, c->sector, bytes, c->at)) return false;
  }
  return true;
}

/* Loads that wait, and that the writer knows of, come before it. */
static void bind_known(struct order *o, const struct warp *w, const struct insn *i, uint64_t sector, uint32_t strobe,
                       uint32_t me) {
  for (uint64_t warps = order_block_of(o, w)->warps; warps != 0; warps &= warps - 1) {
    const unsigned slot = (unsigned)__builtin_ctzll(warps);
    for (struct insn *s = order_peers(o, w)[slot].first; s != NULL && s->seq < i->cache.knows[slot]; s = s->next) {
      const bool load = !s->reduction && s->a.act == ACT_LOAD && !s->a.strong;
      for (uint32_t rest = load ? s->open[0] & s->placed : 0; rest != 0; rest &= rest - 1) {
        const unsigned l = (unsigned)__builtin_ctz(rest);
        if (s->space[l] != ISA_SPACE_GLOBAL || s->addr[l] / PLACE_BYTES != sector) continue;
        const uint32_t bytes = order_mask((unsigned)(s->addr[l] % PLACE_BYTES), s->a.bytes);
        if ((bytes & strobe) != 0 && me < s->cache.before_write[l]) s->cache.before_write[l] = me;
      }
    }
  }
}

static bool wrote(struct order *o, struct warp *w, const struct insn *i, const struct part *p) {
  const uint32_t me = (uint32_t)(o->accesses - 1), strobe = o->access[me].strobe;
  struct written *by = order_written(o, (uint32_t)(p->loc - o->location));
  if (by == NULL) return false;
  for (unsigned n = 0; n < PLACE_BYTES; n++) {
    if ((strobe >> n & 1u) == 0) continue;
    by->by[n] = me;
    by->release[n] = order_cache_of(o, w)->release[order_slot_of(o, w)];
    for (struct copy *c = order_copies(o, p->loc->at); c != NULL; c = c->next)
      if (c->sector == p->loc->at && c->taken && !c->local && c->over[n] == NOBODY) c->over[n] = me;
  }
  bind_known(o, w, i, p->loc->at, strobe, me);
  return true;
}

/* By the design's promise: whoever passes after it was performed passes after it passed. */
static void close_taken(struct order *o, const struct warp *w, const struct insn *i, uint64_t sector) {
  const char *by = i->a.act == ACT_STORE    ? "a store that was performed"
                   : i->a.act == ACT_ATOMIC ? "an atomic that was performed"
                                            : "a strong load that was performed";
  for (struct copy *c = order_promises(o) ? order_copies(o, sector) : NULL, *next; c != NULL; c = next) {
    next = c->next;
    if (c->sector == sector && c->sm == order_sm_of(o, w) && c->taken && !c->local) order_copy_close(o, c, by);
  }
}

/* Loads of its warp that are older, in that sector, have read, or wait for what has been taken. */
static bool older_loads(struct order *o, const struct warp *w, const struct insn *i, uint64_t sector) {
  o->r->judged[ORDER_PROGRAM]++;
  for (const struct insn *s = w->first; s != NULL && s->seq < i->seq; s = s->next) {
    if (s->reduction || s->a.act != ACT_LOAD || s->a.strong) continue;
    const uint32_t lanes = order_lanes_at(s, s->open[0], ISA_SPACE_GLOBAL, sector);
    const uint32_t fill = lanes != 0 ? s->cache.waits[0][__builtin_ctz(lanes)] : 0;
    const struct copy *c = fill != 0 ? order_copy_find(o, order_sm_of(o, w), sector, fill, false) : NULL;
    if (lanes == 0 || (c != NULL && c->taken)) continue;
    order_step_insn(o, w, s, lanes, "is older in program order, at the same sector, and nothing was taken for it");
    order_step_insn(o, w, i, i->exec, "was performed before it");
    return order_broken(o, ORDER_PROGRAM, "seq %u is performed before seq %u of the same warp has read, or can", i->seq,
                        s->seq);
  }
  return true;
}

bool order_seen_global(struct order *o, struct warp *w, struct insn *i, const struct part *p, unsigned bank) {
  const struct written *by = order_written(o, (uint32_t)(p->loc - o->location));
  const uint32_t me = (uint32_t)(o->accesses - 1);
  if (by == NULL || !older_loads(o, w, i, p->loc->at)) return false;
  for (uint32_t rest = i->a.act == ACT_STORE ? 0 : p->lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    acquire(o, w, by->release, part_bytes(p, l));
    if (!i->a.copy && !note_overwritten(o, w, i, l, p->loc->at, part_bytes(p, l), me)) return false;
  }
  struct places *met = &order_cache_of(o, w)->met[order_slot_of(o, w)];
  if (me + 1 > met->at[bank]) met->at[bank] = me + 1;
  if (i->a.act != ACT_LOAD && !i->a.copy) order_owed_performed(o, w, i, p->loc->at, bank);
  if (i->a.act != ACT_LOAD && !i->a.copy && !wrote(o, w, i, p)) return false;
  close_taken(o, w, i, p->loc->at);
  return true;
}
