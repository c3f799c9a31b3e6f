/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads at a cache: they pass and wait (merge), or read (hit). Lanes are those of the instruction in each sector, all
 * together; of local memory those of one word each.
 */
#include <string.h>

#include "lab/verify/oracle/order/cache.h"

/* What a record says of one sector of its line. */
struct visit {
  const struct heddle_record_merge *r;
  struct warp *w;
  struct insn *i;
  unsigned s;
  uint64_t sector;
  uint32_t lanes, number, asked; /* asked: with which number this record asks */
  uint32_t of[4];                /* of local memory: lanes of word k; else all in of[0] */
};

static bool local_lane(const struct insn *i, const struct heddle_record_merge *r, unsigned l, unsigned *word) {
  const uint64_t k = (r->line & 0x3ffff) - i->addr[l] / 4;
  *word = (unsigned)k;
  return i->space[l] == ISA_SPACE_LOCAL && r->line >> 18 == r->id.slot && k < (i->a.bytes + 3u) / 4 &&
         i->addr[l] % i->a.bytes == 0;
}

static bool global_lane(const struct insn *i, const struct heddle_record_merge *r, unsigned l) {
  return i->space[l] == ISA_SPACE_GLOBAL && i->addr[l] / (LINE_SECTORS * PLACE_BYTES) == r->line &&
         i->addr[l] % i->a.bytes == 0;
}

static unsigned sector_of(const struct insn *i, bool local, unsigned l) {
  return local ? l / 8 : (unsigned)(i->addr[l] / PLACE_BYTES % LINE_SECTORS);
}

static bool is_local(const struct heddle_record_merge *r) {
  return r->access == HEDDLE_RECORD_LOCAL_LOAD;
}

/* Lanes that the record leaves out of a sector that it names. */
static bool sector_together(struct order *o, const struct visit *v) {
  if (is_local(v->r)) return true;
  const uint32_t all = order_lanes_at(v->i, v->i->open[0], ISA_SPACE_GLOBAL, v->sector);
  o->r->judged[ORDER_TOGETHER]++;
  if (all == v->lanes) return true;
  order_step_insn(o, v->w, v->i, all & ~v->lanes, "is in the same sector: it passes, and reads, at the same moment");
  return order_broken(o, ORDER_TOGETHER, "seq %u (pc 0x%x) leaves out lanes 0x%08x of a sector that it reads",
                      v->i->seq, v->i->pc, all & ~v->lanes);
}

static bool visit_sector(struct order *o, struct visit *v) {
  memset(v->of, 0, sizeof v->of);
  v->lanes = 0;
  for (uint32_t rest = v->r->lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    unsigned word = 0;
    if (sector_of(v->i, is_local(v->r), l) != v->s) continue;
    if (is_local(v->r)) (void)local_lane(v->i, v->r, l, &word);
    v->lanes |= 1u << l;
    v->of[word] |= 1u << l;
  }
  if (v->lanes == 0)
    return order_broken(o, ORDER_PLACE, "seq %u (pc 0x%x) names sector 0x%llx, where none of its lanes is", v->i->seq,
                        v->i->pc, (unsigned long long)v->sector);
  for (unsigned k = 0; k < 4; k++)
    if (v->of[k] != 0 && !order_still_open(o, v->w, v->i, v->of[k], k)) return false;
  return sector_together(o, v);
}

/* The lanes of a record are in the sectors that it names. */
static bool lanes_fit(struct order *o, struct warp *w, struct insn *i, const struct heddle_record_merge *r) {
  o->r->judged[ORDER_PLACE]++;
  for (uint32_t rest = r->lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    unsigned word;
    const bool fits = is_local(r) ? local_lane(i, r, l, &word) : global_lane(i, r, l);
    if (fits && (r->used >> sector_of(i, is_local(r), l) & 1u) != 0) continue;
    (void)order_elsewhere(o, w, i, l, "a line of the cache");
    return false; /* also where a list goes on */
  }
  return true;
}

static bool visits(struct order *o, const struct heddle_record_merge *r, bool (*each)(struct order *, struct visit *)) {
  struct warp *w = order_warp_of(o, &r->id);
  struct insn *i = w == NULL ? NULL : order_due(o, w, &r->id, r->access, r->lanes);
  if (i == NULL) return false;
  if (r->access != HEDDLE_RECORD_LOAD && r->access != HEDDLE_RECORD_LOCAL_LOAD)
    return order_broken(o, ORDER_RECORD, "a load of kind %u at the cache", r->access);
  if (i->a.strong && r->access == HEDDLE_RECORD_LOAD)
    return order_broken(o, ORDER_ONCE, "seq %u (pc 0x%x) is strong, and does not pass by the cache", i->seq, i->pc);
  if (r->access == HEDDLE_RECORD_LOAD && (i->cache.by & r->lanes) != 0)
    return order_broken(o, ORDER_ONCE, "seq %u (pc 0x%x) has passed the cache by, and comes to it in lanes 0x%08x",
                        i->seq, i->pc, i->cache.by & r->lanes);
  if (!lanes_fit(o, w, i, r) || !order_may_pass(o, w, i)) return false;
  struct visit v = {.r = r, .w = w, .i = i};
  for (v.s = 0; v.s < LINE_SECTORS; v.s++) {
    if ((r->used >> v.s & 1u) == 0) continue;
    v.sector = r->line * LINE_SECTORS + v.s;
    v.number = r->number[v.s];
    if (!visit_sector(o, &v) || !each(o, &v)) return false;
  }
  if (order_insn_closed(i)) order_insn_drop(o, w, i);
  return true;
}

/* ---- they wait ---- */

static bool closed(struct order *o, const struct visit *v, const struct copy *c) {
  o->r->judged[ORDER_DROPPED]++;
  if (!c->closed || !order_promises(o)) return true;
  order_step_text(o, "closed it: a load that passes later joins it no more", "%s, in cycle %llu", c->closing.by,
                  (unsigned long long)c->closing.cycle);
  order_step_insn(o, v->w, v->i, v->lanes, "passes later, and joins it all the same");
  return order_broken(o, ORDER_DROPPED,
                      "seq %u (pc 0x%x) joins fill %u of sector 0x%llx, which was closed in cycle %llu", v->i->seq,
                      v->i->pc, c->number, (unsigned long long)c->sector, (unsigned long long)c->closing.cycle);
}

/* The cache has the sector, and need not ask. */
static bool sector_resident(struct order *o, const struct visit *v) {
  const struct copy *c = order_copies(o, v->sector);
  while (c != NULL && (c->sector != v->sector || c->sm != order_sm_of(o, v->w) || !c->resident)) c = c->next;
  if (c == NULL || is_local(v->r)) return false;
  order_step_text(o, "is there, and not closed", "fill %u of sector 0x%llx, taken in cycle %llu", c->number,
                  (unsigned long long)c->sector, (unsigned long long)c->cycle);
  order_step_insn(o, v->w, v->i, v->lanes, "requests it again");
  return !order_broken(o, ORDER_FILL, "seq %u (pc 0x%x) requests sector 0x%llx, which the cache has by fill %u",
                       v->i->seq, v->i->pc, (unsigned long long)v->sector, c->number);
}

/* The copy that they wait for; the next number asks for it, for one or more sectors of the record. */
static struct copy *joined(struct order *o, struct visit *v) {
  const unsigned sm = order_sm_of(o, v->w);
  struct sm_cache *k = &o->cache->sm[sm];
  const uint32_t n = v->number;
  if (n == k->next) {
    v->asked = n;
    k->next++;
  }
  if (n == v->asked && sector_resident(o, v)) return NULL;
  if (n == v->asked) return order_copy_new(o, sm, v->sector, n, is_local(v->r));
  struct copy *c = order_copy_find(o, sm, v->sector, n, is_local(v->r));
  if (c == NULL && (n == 0 || n > k->next))
    (void)order_broken(o, ORDER_FILL, "seq %u (pc 0x%x) requests with number %u, the next one is %u", v->i->seq,
                       v->i->pc, n, k->next);
  else if (c == NULL)
    (void)order_copy_gone(o, v->w, v->i, v->sector, n);
  return c != NULL && closed(o, v, c) ? c : NULL;
}

static void passed(struct order *o, struct insn *i, uint32_t lanes) {
  for (uint32_t rest = lanes & ~i->cache.passed; rest != 0; rest &= rest - 1)
    i->cache.record[__builtin_ctz(rest)] = o->r->records;
  i->cache.passed |= lanes;
}

static bool merge(struct order *o, struct visit *v) {
  o->r->judged[ORDER_FILL]++;
  for (unsigned k = 0; k < 4; k++)
    for (uint32_t rest = v->of[k]; rest != 0; rest &= rest - 1) {
      const unsigned l = (unsigned)__builtin_ctz(rest);
      if (v->i->cache.waits[k][l] != 0)
        return order_broken(o, ORDER_FILL, "lane %u of seq %u (pc 0x%x) waits for fill %u, and now for %u, too", l,
                            v->i->seq, v->i->pc, v->i->cache.waits[k][l], v->number);
    }
  struct copy *c = joined(o, v);
  if (c == NULL) return false;
  c->waiters++;
  passed(o, v->i, v->lanes);
  for (unsigned k = 0; k < 4; k++)
    for (uint32_t rest = v->of[k]; rest != 0; rest &= rest - 1) v->i->cache.waits[k][__builtin_ctz(rest)] = c->number;
  return order_copy_settle(o, c);
}

bool order_on_merge(struct order *o, const struct heddle_record_merge *r) {
  return visits(o, r, merge);
}

/* ---- they read ---- */

/* What the lanes wait for: all for one fill, or none for any. */
static bool waits_for(struct order *o, const struct visit *v, uint32_t *number) {
  bool first = true;
  *number = 0;
  for (unsigned k = 0; k < 4; k++)
    for (uint32_t rest = v->of[k]; rest != 0; rest &= rest - 1) {
      const unsigned l = (unsigned)__builtin_ctz(rest);
      const uint32_t n = v->i->cache.waits[k][l];
      if (!first && n != *number)
        return order_broken(o, ORDER_FILL, "lanes of seq %u (pc 0x%x) wait for fill %u and for %u, and read together",
                            v->i->seq, v->i->pc, *number, n);
      *number = n;
      first = false;
    }
  if (*number == 0 || *number == v->number) return true;
  return order_broken(o, ORDER_FILL, "seq %u (pc 0x%x) reads what fill %u brought, and waits for fill %u", v->i->seq,
                      v->i->pc, v->number, *number);
}

static bool come(struct order *o, const struct visit *v, const struct copy *c) {
  if (c->taken) return true;
  order_step_insn(o, v->w, v->i, v->lanes, "reads what the fill brings: after it has been taken");
  (void)order_broken(o, ORDER_FILL, "seq %u (pc 0x%x) reads sector 0x%llx of fill %u, which has not come", v->i->seq,
                     v->i->pc, (unsigned long long)v->sector, v->number);
  return false; /* also where a list goes on: there is nothing to read */
}

/* The lanes have what they waited for. */
static bool served(struct order *o, struct copy *c, bool waited) {
  if (!waited || c->waiters == 0) return true;
  c->waiters--;
  return order_copy_settle(o, c);
}

static bool hit_global(struct order *o, struct visit *v) {
  struct copy *c = order_copy_find(o, order_sm_of(o, v->w), v->sector, v->number, false);
  uint32_t waited;
  o->r->judged[ORDER_FILL]++;
  if (!waits_for(o, v, &waited)) return false;
  if (c == NULL)
    return v->number >= order_cache_of(o, v->w)->next
               ? order_broken(o, ORDER_FILL, "seq %u (pc 0x%x) reads what fill %u brings, which none has requested",
                              v->i->seq, v->i->pc, v->number)
               : order_copy_gone(o, v->w, v->i, v->sector, v->number);
  if (!come(o, v, c)) return false;
  passed(o, v->i, v->lanes);
  struct part p = {.loc = &o->location[c->location], .lanes = v->lanes, .bytes = v->i->a.bytes, .rdata = c->bytes};
  for (uint32_t rest = v->lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    p.at[l] = (uint8_t)(v->i->addr[l] % PLACE_BYTES);
    v->i->cache.unknown[l] = (uint16_t)(~c->known >> p.at[l] & order_mask(0, p.bytes));
    o->r->undefined += (unsigned)__builtin_popcount(v->i->cache.unknown[l]);
  }
  v->i->cache.copied |= v->lanes;
  if (!order_seen_hit(o, v->w, v->i, &p, c)) return false;
  if (waited == 0 && !closed(o, v, c)) return false;
  o->r->judged[ORDER_READS_FROM]++;
  o->r->hits++;
  return order_part_hit(o, v->w, v->i, &p) && served(o, c, waited != 0);
}

/* ---- local memory: what its thread has written before, in program order ---- */

struct local {
  uint8_t bytes[4];
  unsigned known; /* bit n: byte n of the word */
};

/* Of performed writes, those that are older; the latest of each byte. */
static void overlay_performed(const struct order *o, const struct insn *i, const struct location *l, unsigned at,
                              struct local *v) {
  for (uint32_t k = l->write; k != NOBODY && v->known != 0xf; k = o->access[k].before) {
    const struct access *a = &o->access[k];
    const unsigned fresh = a->seq < i->seq ? (a->strobe >> at & 0xfu) & ~v->known : 0;
    for (unsigned n = 0; n < 4; n++)
      if ((fresh >> n & 1u) != 0) v->bytes[n] = a->data[at + n];
    v->known |= fresh;
  }
}

/* Of stores that have not been performed, those that are older. True: what one writes is not shown yet. */
static bool under_way(const struct warp *w, const struct insn *i, unsigned lane, uint64_t word, struct local *v) {
  const struct insn *from[64];
  unsigned n = 0;
  for (const struct insn *s = w->first; s != i; s = s->next)
    if (!s->reduction && s->a.act == ACT_STORE && (s->exec >> lane & 1u) != 0) from[n++ % 64] = s;
  for (unsigned left = n < 64 ? n : 64; left > 0; left--) { /* the latest first */
    const struct insn *s = from[--n % 64];
    if ((s->placed >> lane & 1u) == 0) return true;
    const uint64_t k = word - s->addr[lane] / 4;
    if (s->space[lane] != ISA_SPACE_LOCAL || k >= (s->a.bytes + 3u) / 4 || (s->open[k] >> lane & 1u) == 0) continue;
    if ((s->known[2 + k] >> lane & 1u) == 0) return true;
    for (unsigned b = 0; b < (s->a.bytes < 4 ? s->a.bytes : 4u); b++) {
      const unsigned at = (s->a.bytes < 4 ? (unsigned)(s->addr[lane] % 4) : 0) + b;
      if ((v->known >> at & 1u) == 0) v->bytes[at] = (uint8_t)(s->operand[2 + k][lane] >> 8 * b);
      v->known |= 1u << at;
    }
  }
  return false;
}

static void read_local_word(struct order *o, const struct visit *v, struct part *p, unsigned l, uint8_t *sector) {
  struct local value = {.known = 0};
  const unsigned at = 4 * (l % 8);
  if (under_way(v->w, v->i, l, v->r->line & 0x3ffff, &value))
    value.known = 0;
  else
    overlay_performed(o, v->i, p->loc, at, &value);
  memcpy(sector + at, value.bytes, 4);
  p->at[l] = (uint8_t)(at + (p->word == 0 ? v->i->addr[l] % 4 : 0));
  const unsigned fresh = ~value.known >> (p->at[l] - at) & order_mask(0, p->bytes);
  v->i->cache.unknown[l] |= (uint16_t)(fresh << 4 * p->word);
  o->r->undefined += (unsigned)__builtin_popcount(fresh);
}

static bool hit_local(struct order *o, struct visit *v) {
  uint32_t waited;
  if (!waits_for(o, v, &waited)) return false;
  struct copy *c = waited == 0 ? NULL : order_copy_find(o, order_sm_of(o, v->w), v->sector, waited, true);
  if (c != NULL && !come(o, v, c)) return false;
  for (unsigned k = 0; k < 4; k++) {
    uint8_t sector[PLACE_BYTES] = {0};
    struct part p = {.loc = order_location_at(o, ISA_SPACE_LOCAL, v->w->life, v->sector & 0xfffff),
                     .lanes = v->of[k],
                     .bytes = v->i->a.bytes < 4 ? v->i->a.bytes : 4,
                     .word = (uint8_t)k,
                     .rdata = sector};
    if (p.loc == NULL) return false;
    for (uint32_t rest = p.lanes; rest != 0; rest &= rest - 1)
      read_local_word(o, v, &p, (unsigned)__builtin_ctz(rest), sector);
    v->i->cache.copied |= p.lanes;
    if (p.lanes != 0 && !order_part_hit(o, v->w, v->i, &p)) return false;
  }
  return c == NULL || served(o, c, true);
}

static bool hit(struct order *o, struct visit *v) {
  return (is_local(v->r) ? hit_local : hit_global)(o, v);
}

bool order_on_hit(struct order *o, const struct heddle_record_merge *r) {
  return visits(o, r, hit);
}
