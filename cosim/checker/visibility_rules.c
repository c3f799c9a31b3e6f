/* SPDX-License-Identifier: Apache-2.0
 *
 * What a read through a copy must not miss: the four rules of docs/visibility.md. The usual read asks whether somebody
 * has overwritten the copy, and whether a store is under way that it must see, and no more.
 */
#include "visibility.h"

/* ---- bytes ---- */

static uint32_t bytes_at(const struct entry *e, unsigned lane) {
  return ((1u << e->mem_bytes) - 1) << (e->fx.mem_addr[lane] % RECORD_SECTOR);
}

uint32_t bytes_of_lanes(const struct entry *e, uint32_t lanes) {
  uint32_t bytes = 0;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) bytes |= bytes_at(e, (unsigned)__builtin_ctz(rest));
  return bytes;
}

static uint32_t lanes_in_sector(const struct entry *e, uint32_t lanes, uint64_t sector) {
  return lanes == 0 ? 0 : row_in_sector(e->fx.mem_addr, sector) & lanes;
}

/* ---- stores that have not been performed ---- */

static bool is_write(const struct entry *e) {
  return e->mem_kind != HEDDLE_ACCESS_LOAD && e->mem_kind != HEDDLE_ACCESS_LOAD_MATRIX && !entry_copies(e);
}

/* One of the warp in that slot that is older than `seq`, writes some of those bytes and will be performed; else NULL.
 */
static const struct entry *store_under_way(struct checker *c, unsigned slot, uint32_t seq, uint64_t sector,
                                           uint32_t bytes) {
  const struct entry *o;
  for (struct walk it = walk_open(&c->warp[slot]); (o = walk_next(&c->warp[slot], &it)) != NULL;) {
    if (o->seq >= seq || !is_write(o)) continue;
    const uint32_t in = lanes_in_sector(o, o->mem_open & o->in_global, sector);
    if (in != 0 && (bytes_of_lanes(o, in) & bytes) != 0 && !global_never(c, slot, o, in)) return o;
  }
  return NULL;
}

static bool tell_unperformed(struct checker *c, const struct copy *k, unsigned slot, const struct entry *o,
                             const char *why) {
  char text[96];
  return differ(c, CHECKER_VISIBILITY_STALE, "read",
                "%s is read; warp slot %u seq %u (pc 0x%x) stores there, is not performed, and %s",
                copy_text(k, text, sizeof text), slot, o->seq, o->pc, why);
}

/* What the warp knows in c->e: a load that is older than a barrier does not know what the barrier tells. */
static const struct knowledge *knowledge(struct checker *c) {
  const struct cached_warp *me = cached_warp(c, c->w);
  if (__builtin_expect(c->e->seq >= me->knows.from, 1)) return &me->knows;
  const struct past_knowledge *p = me->before;
  while (p->next != NULL && c->e->seq < p->was.from) p = p->next;
  return &p->was;
}

/* How far it knows the one in that slot. */
static uint32_t knows(const struct checker *c, const struct knowledge *me, unsigned slot) {
  return slot == (unsigned)(c->w - c->warp) ? c->e->seq : me->known[slot];
}

static const char *why_known(const struct checker *c, unsigned slot) {
  return slot == (unsigned)(c->w - c->warp) ? "is older in its warp" : "is known since a barrier";
}

static bool check_performed(struct checker *c, const struct copy *k, uint32_t lanes) {
  const struct visibility *v = c->cache;
  const struct knowledge *me = knowledge(c);
  uint64_t rest = v->open_stores & c->block[c->w->bslot].warps;
  uint32_t bytes = 0;
  for (; rest != 0; rest &= rest - 1) {
    const unsigned slot = (unsigned)__builtin_ctzll(rest);
    const uint32_t limit = knows(c, me, slot);
    if (v->warp[slot].oldest >= limit) continue;
    if (bytes == 0) bytes = bytes_of_lanes(c->e, lanes);
    const struct entry *o = store_under_way(c, slot, limit, k->sector, bytes);
    if (o != NULL) return tell_unperformed(c, k, slot, o, why_known(c, slot));
  }
  return true;
}

/* ---- stores that the copy misses ---- */

static bool check_known(struct checker *c, const struct copy *k, uint32_t bytes) {
  const struct knowledge *me = knowledge(c);
  for (const struct overwrite *o = k->overwrites; o != NULL; o = o->next) {
    if ((o->bytes & bytes) == 0 || c->warp[o->who.slot].gen != o->who.gen || o->who.seq >= knows(c, me, o->who.slot))
      continue;
    char text[96];
    return differ(c, CHECKER_VISIBILITY_STALE, "read",
                  "%s is read; warp slot %u seq %u (pc 0x%x) has written there at position %llu, and %s",
                  copy_text(k, text, sizeof text), o->who.slot, o->who.seq, o->who.pc, (unsigned long long)o->position,
                  why_known(c, o->who.slot));
  }
  return true;
}

static bool check_floor(struct checker *c, const struct copy *k, uint32_t bytes) {
  const uint64_t floor = knowledge(c)->floor;
  for (uint32_t rest = bytes & k->overwritten; rest != 0 && floor != 0; rest &= rest - 1) {
    const unsigned b = (unsigned)__builtin_ctz(rest);
    if (k->first[b] > floor) continue;
    char text[96];
    return differ(c, CHECKER_VISIBILITY_STALE, "read",
                  "%s is read; byte %u was written at position %llu by warp slot %u seq %u (pc 0x%x), and the warp has "
                  "acquired all up to position %llu",
                  copy_text(k, text, sizeof text), b, (unsigned long long)k->first[b], k->by[b].slot, k->by[b].seq,
                  k->by[b].pc, (unsigned long long)floor);
  }
  return true;
}

/* ---- no way back ---- */

static bool tell_backwards(struct checker *c, const struct copy *k, const struct newer *n, unsigned lane, unsigned b) {
  char text[96];
  return differ_mask(c, CHECKER_VISIBILITY_BACKWARDS, "read", lane_bit(lane),
                     "%s is read; byte %u was overwritten at position %llu, and seq %u (pc 0x%x) of this lane has read "
                     "it as it was at position %llu",
                     copy_text(k, text, sizeof text), b, (unsigned long long)k->first[b], n->who.seq, n->who.pc,
                     (unsigned long long)n->position);
}

static bool check_backwards(struct checker *c, const struct copy *k, uint32_t lanes) {
  if (!checker_on(c, CHECKER_VISIBILITY_BACKWARDS)) return true;
  const struct who me = who_is(c);
  for (const struct newer *n = k->newer; n != NULL; n = n->next) {
    if (!same_warp(n->who, me) || n->who.seq >= me.seq) continue;
    for (uint32_t rest = lanes & n->lanes; rest != 0; rest &= rest - 1) {
      const unsigned l = (unsigned)__builtin_ctz(rest);
      const uint32_t both = n->bytes[l] & bytes_at(c->e, l);
      if (both != 0) return tell_backwards(c, k, n, l, (unsigned)__builtin_ctz(both));
    }
  }
  return true;
}

bool rules_read(struct checker *c, struct copy *k, uint32_t lanes) {
  const bool stale = checker_on(c, CHECKER_VISIBILITY_STALE);
  if (stale && (c->cache->open_stores & c->block[c->w->bslot].warps) != 0 && !check_performed(c, k, lanes))
    return false;
  if (__builtin_expect(k->overwritten == 0, 1)) return true;
  const uint32_t bytes = bytes_of_lanes(c->e, lanes) & k->overwritten;
  if (bytes == 0) return true;
  return (!stale || (check_known(c, k, bytes) && check_floor(c, k, bytes))) && check_backwards(c, k, lanes);
}

/* ---- what a read leaves behind ---- */

/* Of the lanes' bytes those of k that were overwritten before `position`, and that no older read has told of. False:
 * there are none. */
static bool newly_seen(const struct checker *c, const struct copy *k, uint32_t lanes, uint64_t position,
                       struct newer *n) {
  const struct who me = who_is(c);
  uint32_t late = 0;
  for (uint32_t rest = k->overwritten; rest != 0; rest &= rest - 1)
    if (k->first[__builtin_ctz(rest)] < position) late |= rest & (0 - rest);
  *n = (struct newer){.who = me, .position = position};
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    n->bytes[l] = bytes_at(c->e, l) & late;
    for (const struct newer *o = k->newer; o != NULL && n->bytes[l] != 0; o = o->next)
      if (same_warp(o->who, me) && o->who.seq <= me.seq && (o->lanes >> l & 1) != 0) n->bytes[l] &= ~o->bytes[l];
    if (n->bytes[l] != 0) n->lanes |= lane_bit(l);
  }
  return n->lanes != 0;
}

/* Lanes have read the sector as it was at `position`: from there on no copy is read whose bytes were overwritten
 * before. A copy to shared memory binds nobody: what is younger does not come after it.
 */
static bool note_newer(struct checker *c, const struct copy *read, uint64_t sector, uint32_t lanes, uint64_t position) {
  struct visibility *v = c->cache;
  if (entry_copies(c->e)) return true;
  for (struct copy *k = copies_of_line(c, sector / 4, false); k != NULL; k = k->next_line) {
    struct newer n;
    if (k == read || !copy_is(k, sector, false) || k->overwritten == 0 || !newly_seen(c, k, lanes, position, &n))
      continue;
    struct newer *place = cache_take(&v->newers);
    if (place == NULL) return copy_full(c, "reads of newer values");
    *place = n;
    place->next = k->newer;
    k->newer = place;
  }
  return true;
}

static void see_release(struct checker *c, const uint64_t *release, uint32_t bytes) {
  struct knowledge *me = &cached_warp(c, c->w)->knows;
  for (unsigned i = 0; i < RECORD_SECTOR / 4; i++)
    if ((bytes >> 4 * i & 15) != 0 && release[i] > me->seen) me->seen = release[i];
}

bool rules_was_read(struct checker *c, struct copy *k, uint32_t lanes) {
  see_release(c, k->release, bytes_of_lanes(c->e, lanes));
  return c->cache->stale == 0 || note_newer(c, k, k->sector, lanes, k->position);
}

/* ---- what an access at the point of order leaves behind ---- */

static bool overwrite_one(struct checker *c, struct copy *k, uint32_t bytes) {
  struct visibility *v = c->cache;
  const struct who me = who_is(c);
  if (k->overwritten == 0) v->stale++;
  for (uint32_t rest = bytes & ~k->overwritten; rest != 0; rest &= rest - 1) {
    k->first[__builtin_ctz(rest)] = v->position;
    k->by[__builtin_ctz(rest)] = me;
  }
  k->overwritten |= bytes;
  for (const struct overwrite *o = k->overwrites; o != NULL; o = o->next)
    if (same_warp(o->who, me)) bytes &= ~o->bytes;
  if (bytes == 0) return true;
  struct overwrite *o = cache_take(&v->overwrites);
  if (o == NULL) return copy_full(c, "stores over copies");
  *o = (struct overwrite){k->overwrites, me, bytes, v->position};
  k->overwrites = o;
  return true;
}

static bool overwrite(struct checker *c, uint64_t sector, uint32_t bytes) {
  for (struct copy *k = copies_of_line(c, sector / 4, false); k != NULL; k = k->next_line)
    if (copy_is(k, sector, false) && k->state == COPY_TAKEN && !overwrite_one(c, k, bytes)) return false;
  return true;
}

bool rules_global(struct checker *c, const struct record_global *r) {
  struct visibility *v = c->cache;
  const uint32_t bytes = bytes_of_lanes(c->e, r->lanes);
  const uint64_t line = r->sector / 4 - c->stamps.first;
  uint64_t *release = &v->release[line * (LINE_BYTES / 4) + r->sector % 4 * (RECORD_SECTOR / 4)];
  const bool known = line < c->stamps.global;
  if (r->access == RECORD_STORE || r->access == RECORD_ATOMIC) {
    if (!overwrite(c, r->sector, bytes)) return false;
  }
  if (r->access != RECORD_STORE) {
    if (known) see_release(c, release, bytes);
    if (v->stale != 0 && !note_newer(c, NULL, r->sector, r->lanes, v->position)) return false;
  }
  for (unsigned i = 0; i < RECORD_SECTOR / 4 && known && r->access != RECORD_LOAD; i++)
    if ((bytes >> 4 * i & 15) != 0) release[i] = cached_warp(c, c->w)->knows.release;
  return true;
}
