/* SPDX-License-Identifier: Apache-2.0
 *
 * What a read through a copy must not miss: the four rules of docs/visibility.md. The usual read asks whether somebody
 * has overwritten the copy, and whether a store is under way that it must see, and no more.
 */
#include "cosim/checker/internal.h"
#include "cosim/checker/visibility.h"

/* ---- bytes ---- */

static uint32_t bytes_at(const struct entry *e, unsigned lane) {
  return ((1u << e->mem_bytes) - 1) << (e->fx.mem_addr[lane] % HEDDLE_RECORD_SECTOR);
}

/* ---- visibility_rules.c ---- */
static uint32_t bytes_of_lanes(const struct entry *e, uint32_t lanes) {
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

/* One of the warp that is older than `seq`, writes some of those bytes and will be performed; else NULL.
 */
static const struct entry *store_under_way(struct heddle_checker *c, const struct warp *w, uint32_t seq,
                                           uint64_t sector, uint32_t bytes) {
  const struct entry *o;
  for (struct walk it = walk_open(w); (o = walk_next(w, &it)) != NULL;) {
    if (o->seq >= seq || !is_write(o)) continue;
    const uint32_t in = lanes_in_sector(o, o->mem_open & o->in_global, sector);
    if (in != 0 && (bytes_of_lanes(o, in) & bytes) != 0 && !global_never(c, w, o, in)) return o;
  }
  return NULL;
}

static bool tell_unperformed(struct heddle_checker *c, const struct copy *k, const struct warp *w,
                             const struct entry *o, const char *why) {
  const struct who who = {(uint16_t)warp_at(c, w), w->gen, o->seq, o->pc};
  char text[96], name[WHO_TEXT];
  return differ(c, HEDDLE_CHECKER_VISIBILITY_STALE, "read", "%s is read; %s stores there, is not performed, and %s",
                copy_text(k, text, sizeof text), who_text(c, who, name), why);
}

/* What the warp knows in c->e: a load that is older than a barrier does not know what the barrier tells. */
static const struct knowledge *knowledge(struct heddle_checker *c) {
  const struct cached_warp *me = cached_warp(c, c->w);
  if (__builtin_expect(c->e->seq >= me->knows.from, 1)) return &me->knows;
  const struct past_knowledge *p = me->before;
  while (p->next != NULL && c->e->seq < p->was.from) p = p->next;
  return &p->was;
}

/* How far it knows a warp of its SM. */
static uint32_t knows(const struct heddle_checker *c, const struct knowledge *me, const struct warp *w) {
  return w == c->w ? c->e->seq : me->known[warp_slot(w)];
}

static const char *why_known(const struct heddle_checker *c, const struct warp *w) {
  return w == c->w ? "is older in its warp" : "is known since a barrier";
}

static bool check_performed(struct heddle_checker *c, const struct copy *k, uint32_t lanes) {
  const struct knowledge *me = knowledge(c);
  uint64_t rest = sm_cache(c, c->w->sm)->open_stores & warp_block(c->w)->warps;
  uint32_t bytes = 0;
  for (; rest != 0; rest &= rest - 1) {
    const struct warp *w = &c->w->sm->warp[__builtin_ctzll(rest)];
    const uint32_t limit = knows(c, me, w);
    if (cached_warp(c, w)->oldest >= limit) continue;
    if (bytes == 0) bytes = bytes_of_lanes(c->e, lanes);
    const struct entry *o = store_under_way(c, w, limit, k->sector, bytes);
    if (o != NULL) return tell_unperformed(c, k, w, o, why_known(c, w));
  }
  return true;
}

/* ---- stores that the copy misses ---- */

static bool check_known(struct heddle_checker *c, const struct copy *k, uint32_t bytes) {
  const struct knowledge *me = knowledge(c);
  for (const struct overwrite *o = k->overwrites; o != NULL; o = o->next) {
    const struct warp *w = &c->warp[o->who.at];
    if ((o->bytes & bytes) == 0 || w->gen != o->who.gen || o->who.seq >= knows(c, me, w)) continue;
    char text[96], who[WHO_TEXT];
    return differ(c, HEDDLE_CHECKER_VISIBILITY_STALE, "read",
                  "%s is read; %s has written there at position %llu, and %s", copy_text(k, text, sizeof text),
                  who_text(c, o->who, who), (unsigned long long)o->position, why_known(c, w));
  }
  return true;
}

static bool check_floor(struct heddle_checker *c, const struct copy *k, uint32_t bytes) {
  const uint64_t floor = knowledge(c)->floor[k->bank];
  for (uint32_t rest = bytes & k->overwritten; rest != 0 && floor != 0; rest &= rest - 1) {
    const unsigned b = (unsigned)__builtin_ctz(rest);
    if (k->first[b] > floor) continue;
    char text[96], who[WHO_TEXT];
    return differ(
        c, HEDDLE_CHECKER_VISIBILITY_STALE, "read",
        "%s is read; byte %u was written at position %llu by %s, and the warp has acquired all up to position "
        "%llu",
        copy_text(k, text, sizeof text), b, (unsigned long long)k->first[b], who_text(c, k->by[b], who),
        (unsigned long long)floor);
  }
  return true;
}

/* ---- no way back ---- */

static bool tell_backwards(struct heddle_checker *c, const struct copy *k, const struct newer *n, unsigned lane,
                           unsigned b) {
  char text[96];
  return differ_mask(c, HEDDLE_CHECKER_VISIBILITY_BACKWARDS, "read", lane_bit(lane),
                     "%s is read; byte %u was overwritten at position %llu, and seq %u (pc 0x%x) of this lane has read "
                     "it as it was at position %llu",
                     copy_text(k, text, sizeof text), b, (unsigned long long)k->first[b], n->who.seq, n->who.pc,
                     (unsigned long long)n->position);
}

static bool check_backwards(struct heddle_checker *c, const struct copy *k, uint32_t lanes) {
  if (!checker_on(c, HEDDLE_CHECKER_VISIBILITY_BACKWARDS)) return true;
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

/* before lanes of c->e read it */
static bool rules_read(struct heddle_checker *c, struct copy *k, uint32_t lanes) {
  const bool stale = checker_on(c, HEDDLE_CHECKER_VISIBILITY_STALE);
  if (stale && (sm_cache(c, c->w->sm)->open_stores & warp_block(c->w)->warps) != 0 && !check_performed(c, k, lanes))
    return false;
  if (__builtin_expect(k->overwritten == 0, 1)) return true;
  const uint32_t bytes = bytes_of_lanes(c->e, lanes) & k->overwritten;
  if (bytes == 0) return true;
  return (!stale || (check_known(c, k, bytes) && check_floor(c, k, bytes))) && check_backwards(c, k, lanes);
}

/* ---- what a read leaves behind ---- */

/* Of the lanes' bytes those of k that were overwritten before `position`, and that no older read has told of. False:
 * there are none. */
static bool newly_seen(const struct heddle_checker *c, const struct copy *k, uint32_t lanes, uint64_t position,
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
static bool note_newer(struct heddle_checker *c, const struct copy *read, uint64_t sector, uint32_t lanes,
                       uint64_t position) {
  struct visibility *v = c->cache;
  if (entry_copies(c->e)) return true;
  for (struct copy *k = copies_of_line(c, sector / 4, false); k != NULL; k = k->next_line) {
    struct newer n;
    if (k == read || !copy_of(k, sm_index(c, c->w->sm), sector, false) || k->overwritten == 0 ||
        !newly_seen(c, k, lanes, position, &n))
      continue;
    struct newer *place = cache_take(&v->newers);
    if (place == NULL) return copy_full(c, "reads of newer values");
    *place = n;
    place->next = k->newer;
    k->newer = place;
  }
  return true;
}

uint64_t *rules_release(const struct heddle_checker *c, uint64_t sector) {
  const uint64_t line = sector / 4 - c->stamps.first;
  if (line >= c->stamps.global) return NULL;
  return &c->cache->release[(line * (LINE_BYTES / 4) + sector % 4 * (HEDDLE_RECORD_SECTOR / 4)) * c->cache->banks];
}

static void see_release(struct heddle_checker *c, const uint64_t *release, uint32_t bytes) {
  struct knowledge *me = &cached_warp(c, c->w)->knows;
  for (unsigned i = 0; i < HEDDLE_RECORD_SECTOR / 4; i++)
    if ((bytes >> 4 * i & 15) != 0) positions_join(c, me->seen, release + (size_t)i * c->cache->banks);
}

/* The copy has been answered: what its bank did before lies before all that this SM shows from now on. */
static bool rules_was_read(struct heddle_checker *c, struct copy *k, uint32_t lanes) {
  const size_t words = (size_t)c->cache->banks * (HEDDLE_RECORD_SECTOR / 4);
  see_release(c, &c->cache->released[copy_index(c, k) * words], bytes_of_lanes(c->e, lanes));
  position_join(sm_cache(c, c->w->sm)->witness, k->bank, k->position);
  return c->cache->stale == 0 || note_newer(c, k, k->sector, lanes, k->position);
}

/* ---- what an access at the point of order leaves behind ---- */

static bool overwrite_one(struct heddle_checker *c, struct copy *k, uint32_t bytes) {
  struct visibility *v = c->cache;
  const struct who me = who_is(c);
  const uint64_t position = v->position[k->bank];
  if (k->overwritten == 0) v->stale++;
  for (uint32_t rest = bytes & ~k->overwritten; rest != 0; rest &= rest - 1) {
    k->first[__builtin_ctz(rest)] = position;
    k->by[__builtin_ctz(rest)] = me;
  }
  k->overwritten |= bytes;
  if (k->sm != sm_index(c, c->w->sm)) return true; /* no warp there knows of it but through memory */
  for (const struct overwrite *o = k->overwrites; o != NULL; o = o->next)
    if (same_warp(o->who, me)) bytes &= ~o->bytes;
  if (bytes == 0) return true;
  struct overwrite *o = cache_take(&v->overwrites);
  if (o == NULL) return copy_full(c, "stores over copies");
  *o = (struct overwrite){k->overwrites, me, bytes, position};
  k->overwrites = o;
  return true;
}

static bool overwrite(struct heddle_checker *c, uint64_t sector, uint32_t bytes) {
  for (struct copy *k = copies_of_line(c, sector / 4, false); k != NULL; k = k->next_line)
    if (copy_is(k, sector, false) && k->state == COPY_TAKEN && !overwrite_one(c, k, bytes)) return false;
  return true;
}

bool rules_global(struct heddle_checker *c, const struct heddle_record_global *r) {
  struct visibility *v = c->cache;
  const uint32_t bytes = bytes_of_lanes(c->e, r->lanes);
  const size_t each = v->banks * sizeof *v->release;
  uint64_t *release = rules_release(c, r->sector);
  if (r->access == HEDDLE_RECORD_STORE || r->access == HEDDLE_RECORD_ATOMIC) {
    if (!overwrite(c, r->sector, bytes)) return false;
  }
  if (r->access != HEDDLE_RECORD_STORE) {
    if (release != NULL) see_release(c, release, bytes);
    const uint64_t position = v->position[bank_of(c, r->bank)];
    if (v->stale != 0 && !note_newer(c, NULL, r->sector, r->lanes, position)) return false;
  }
  for (unsigned i = 0; i < HEDDLE_RECORD_SECTOR / 4 && release != NULL && r->access != HEDDLE_RECORD_LOAD; i++)
    if ((bytes >> 4 * i & 15) != 0) memcpy(release + i * v->banks, cached_warp(c, c->w)->knows.release, each);
  return true;
}

/* Lanes read sectors of a line through the cache: record hit. The model reads its own copies. */

/* The copy that a sector is read from, or NULL: a difference. */
static struct copy *named_copy(struct heddle_checker *c, const struct heddle_record_merge *r, unsigned s) {
  const uint64_t sector = 4 * r->line + s;
  const bool local = r->access == HEDDLE_RECORD_LOCAL_LOAD;
  char text[96];
  struct copy *k = copy_find(c, sm_index(c, c->w->sm), r->number[s], s);
  if (k == NULL || !copy_is(k, sector, local)) {
    (void)differ(c, HEDDLE_CHECKER_VISIBILITY_FILL, "hit", "fill %u of sector 0x%llx is read, which was not requested",
                 r->number[s], (unsigned long long)sector);
    return NULL;
  }
  if (k->state == COPY_GONE) {
    const bool came = k->position != 0;
    (void)differ(c, came ? HEDDLE_CHECKER_VISIBILITY_DROPPED : HEDDLE_CHECKER_VISIBILITY_FILL, "hit",
                 "%s is read; it was closed in cycle %llu by %s", copy_text(k, text, sizeof text),
                 (unsigned long long)k->closed_at, k->why);
    return NULL;
  }
  if (k->state == COPY_TAKEN) return k;
  (void)differ(c, HEDDLE_CHECKER_VISIBILITY_FILL, "hit", "%s is read, and has not come",
               copy_text(k, text, sizeof text));
  return NULL;
}

/* What these lanes of the instruction wait for in that sector, if they do. */
static struct copy *waited_for(const struct heddle_checker *c, uint64_t sector, bool local, uint32_t lanes) {
  const struct who me = who_is(c);
  for (struct copy *k = copies_of_line(c, sector / 4, local); k != NULL; k = k->next_line)
    if (copy_is(k, sector, local) && copy_wait(k, me, lanes) != NULL) return k;
  return NULL;
}

static bool check_waited(struct heddle_checker *c, const struct heddle_record_merge *r, unsigned s,
                         const struct copy *waits) {
  if (waits == NULL || waits->number == r->number[s] || !checker_on(c, HEDDLE_CHECKER_VISIBILITY_FILL)) return true;
  return differ(c, HEDDLE_CHECKER_VISIBILITY_FILL, "hit",
                "sector 0x%llx is read from fill %u; seq %u waits for fill %u", (unsigned long long)(4 * r->line + s),
                r->number[s], c->e->seq, waits->number);
}

/* Who has not waited reads nothing that is closed. */
static bool check_open(struct heddle_checker *c, const struct copy *k, const struct copy *waits) {
  char text[96];
  if (waits != NULL || !k->closed || !closes(c) || !checker_on(c, HEDDLE_CHECKER_VISIBILITY_DROPPED)) return true;
  return differ(c, HEDDLE_CHECKER_VISIBILITY_DROPPED, "hit", "%s is read; it was closed in cycle %llu by %s",
                copy_text(k, text, sizeof text), (unsigned long long)k->closed_at, k->why);
}

/* The model's own access, from its copy. */
static bool read_copy(struct heddle_checker *c, const struct copy *k, uint32_t lanes) {
  struct entry *e = c->e;
  if (!perform_from(c, lanes, (int)copy_index(c, k))) return false;
  e->known |= lanes;
  ledger_perform(c->w, e, lanes);
  return true;
}

static bool read_global(struct heddle_checker *c, struct copy *k, uint32_t lanes) {
  return rules_read(c, k, lanes) && read_copy(c, k, lanes) && rules_was_read(c, k, lanes);
}

/* Local memory was performed at the issue: the words are paid. What a store has filled has no number. */
static bool read_local(struct heddle_checker *c, const struct heddle_record_merge *r, unsigned s, uint32_t lanes) {
  const struct heddle_record_global read = {
      .id = r->id, .sector = 4 * r->line + s, .lanes = lanes, .access = HEDDLE_RECORD_LOCAL_LOAD};
  return local_read(c, &read);
}

static bool read_sector(struct heddle_checker *c, const struct heddle_record_merge *r, unsigned s) {
  const bool local = r->access == HEDDLE_RECORD_LOCAL_LOAD;
  const uint32_t lanes = cache_lanes(c, r, s) & r->lanes;
  struct copy *waits = waited_for(c, 4 * r->line + s, local, lanes);
  if (!check_waited(c, r, s, waits)) return false;
  if (waits == NULL) count_hit(c, r->line);
  if (local && r->number[s] == 0) return read_local(c, r, s, lanes);
  struct copy *k = named_copy(c, r, s);
  if (k == NULL || !check_open(c, k, waits)) return false;
  const struct who me = who_is(c);
  if (!(local ? read_local(c, r, s, lanes) : read_global(c, k, lanes))) return false;
  if (waits == NULL) return true;
  wait_end(c, k, me, lanes);
  return cache_room(c, c->w->sm);
}

bool judge_hit(struct heddle_checker *c, const struct heddle_record_merge *r) {
  if (!cache_identify(c, r)) return false;
  struct entry *e = c->e;
  for (unsigned s = 0; s < HEDDLE_RECORD_LINE; s++)
    if ((r->used >> s & 1) != 0 && !read_sector(c, r, s)) return false;
  e->passed |= r->access == HEDDLE_RECORD_LOCAL_LOAD ? 0 : r->lanes;
  ledger_close_words(c, c->w, e);
  return true;
}

/* ---- where records wait for others */

/* What it names has come, or is none that comes. */
bool cache_hit_due(const struct heddle_checker *c, const struct heddle_record_merge *r) {
  const struct sm *on = sm_numbered(c, r->id.sm);
  for (unsigned s = 0; s < HEDDLE_RECORD_LINE && on != NULL; s++) {
    if ((r->used >> s & 1) == 0 || r->number[s] == 0) continue;
    const struct copy *k = copy_find(c, sm_index(c, on), r->number[s], s);
    if (k != NULL && k->state == COPY_ASKED) return false;
  }
  return true;
}
