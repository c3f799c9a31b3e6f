/* SPDX-License-Identifier: Apache-2.0
 *
 * What comes from memory and what passes the cache: fills, stores, atomics, strong loads.
 */
#include "cosim/checker/pages.h"
#include "cosim/checker/internal.h"
#include "cosim/checker/visibility.h"

/* What a load waits for, and what comes: records merge and fill. */

/* ---- merge ---- */

static bool check_form(struct heddle_checker *c, const struct heddle_record_merge *r) {
  const bool form = r->lanes != 0 && r->used != 0 && r->used < 16 &&
                    (r->access == HEDDLE_RECORD_LOAD || r->access == HEDDLE_RECORD_LOCAL_LOAD);
  return form || differ(c, HEDDLE_CHECKER_RECORD_FORM, "access", "no lane, no sector of the line, or no such access");
}

/* Is the access one that goes through the cache? */
static bool check_cached(struct heddle_checker *c, const struct heddle_record_merge *r) {
  const bool local = r->access == HEDDLE_RECORD_LOCAL_LOAD;
  if (local || c->e->cached || !checker_on(c, HEDDLE_CHECKER_PERFORM_ACCESS)) return true;
  return differ(c, HEDDLE_CHECKER_PERFORM_ACCESS, "cache", "seq %u is no weak load: it passes the cache by", c->e->seq);
}

uint32_t cache_lanes(const struct heddle_checker *c, const struct heddle_record_merge *r, unsigned s) {
  const uint64_t sector = 4 * r->line + s;
  if (r->access == HEDDLE_RECORD_LOCAL_LOAD) return local_lanes(c, c->e, sector);
  return row_in_sector(c->e->fx.mem_addr, sector) & c->e->mem_open & c->e->in_global & paging_line(c, c->e, r->lanes);
}

/* The lanes are those of the instruction in the sectors: all of them, and no others. */
static bool check_line_lanes(struct heddle_checker *c, const struct heddle_record_merge *r) {
  uint32_t all = 0, empty = 0;
  for (unsigned s = 0; s < HEDDLE_RECORD_LINE; s++) {
    if ((r->used >> s & 1) == 0) continue;
    const uint32_t in = cache_lanes(c, r, s);
    if ((in & r->lanes) == 0) empty |= 1u << s;
    all |= in;
  }
  if (((r->lanes & ~all) != 0 || empty != 0) && checker_on(c, HEDDLE_CHECKER_PERFORM_ADDRESS))
    return differ_mask(c, HEDDLE_CHECKER_PERFORM_ADDRESS, "line", r->lanes & ~all,
                       "line 0x%llx, sectors 0x%x: lanes, or sectors, that the instruction does not read there",
                       (unsigned long long)r->line, r->used);
  return no_lanes(c, HEDDLE_CHECKER_PERFORM_LANES, "sector", all & ~r->lanes,
                  "lanes of a sector are left out: they read it together");
}

bool cache_identify(struct heddle_checker *c, const struct heddle_record_merge *r) {
  const bool local = r->access == HEDDLE_RECORD_LOCAL_LOAD;
  return check_form(c, r) && identify(c, &r->id) && identify_entry(c, r->id.seq) &&
         perform_admit(c, local ? ISA_SPACE_LOCAL : ISA_SPACE_GLOBAL, HEDDLE_RECORD_LOAD, r->lanes) &&
         check_cached(c, r) && (local || paging_place(c, r->lanes, r->line)) &&
         no_lanes(c, HEDDLE_CHECKER_PERFORM_ACCESS, "cache", local ? 0 : r->lanes & c->e->by,
                  "have passed the cache by") &&
         check_line_lanes(c, r) && may_pass(c);
}

/* Does the instruction wait for that sector already? */
static bool check_waits(struct heddle_checker *c, uint64_t sector, bool local, uint32_t lanes) {
  const struct who me = who_is(c);
  for (struct copy *k = copies_of_line(c, sector / 4, local); k != NULL; k = k->next_line)
    if (copy_is(k, sector, local) && copy_wait(k, me, lanes) != NULL && checker_on(c, HEDDLE_CHECKER_VISIBILITY_FILL))
      return differ(c, HEDDLE_CHECKER_VISIBILITY_FILL, "merge", "seq %u waits for fill %u of sector 0x%llx already",
                    c->e->seq, k->number, (unsigned long long)sector);
  return true;
}

/* What is in the cache is not asked for again. */
static bool check_absent(struct heddle_checker *c, uint64_t sector, bool local) {
  for (struct copy *k = copies_of_line(c, sector / 4, local); k != NULL; k = k->next_line)
    if (copy_of(k, sm_index(c, c->w->sm), sector, local) && k->state == COPY_TAKEN && !k->closed && k->waits == NULL &&
        checker_on(c, HEDDLE_CHECKER_VISIBILITY_FILL))
      return differ(c, HEDDLE_CHECKER_VISIBILITY_FILL, "merge",
                    "sector 0x%llx is requested again, and no record drops fill %u of it", (unsigned long long)sector,
                    k->number);
  return true;
}

static bool check_open(struct heddle_checker *c, const struct copy *k) {
  if (!k->closed || !(closes(c) || k->state == COPY_GONE) || !checker_on(c, HEDDLE_CHECKER_VISIBILITY_DROPPED))
    return true;
  char text[96];
  return differ(c, HEDDLE_CHECKER_VISIBILITY_DROPPED, "merge", "%s is joined; it was closed in cycle %llu by %s",
                copy_text(k, text, sizeof text), (unsigned long long)k->closed_at, k->why);
}

/* The fill that brings the sector: one that is known, or (first) the next number, which this record asks for. */
static struct copy *ask_fill(struct heddle_checker *c, const struct heddle_record_merge *r, unsigned s, uint32_t next) {
  const uint64_t sector = 4 * r->line + s;
  const bool local = r->access == HEDDLE_RECORD_LOCAL_LOAD;
  const unsigned sm = sm_index(c, c->w->sm);
  struct copy *k = copy_find(c, sm, r->number[s], s);
  if (k != NULL && copy_is(k, sector, local)) return check_open(c, k) ? k : NULL;
  if (r->number[s] != next) {
    (void)differ(c, HEDDLE_CHECKER_VISIBILITY_FILL, "number",
                 "fill %u of sector 0x%llx is waited for without a request; the next one is %u", r->number[s],
                 (unsigned long long)sector, next);
    return NULL;
  }
  if (!check_absent(c, sector, local)) return NULL;
  k = copy_ask(c, sm, next, sector, local);
  if (k == NULL) (void)copy_full(c, "copies");
  return k;
}

bool judge_merge(struct heddle_checker *c, const struct heddle_record_merge *r) {
  if (!cache_identify(c, r)) return false;
  const struct sm *on = c->w->sm;
  const uint32_t next = sm_cache(c, on)->next_number;
  count_pass(c, r->line);
  for (unsigned s = 0; s < HEDDLE_RECORD_LINE; s++) {
    if ((r->used >> s & 1) == 0) continue;
    const uint32_t lanes = cache_lanes(c, r, s) & r->lanes;
    if (!check_waits(c, 4 * r->line + s, r->access == HEDDLE_RECORD_LOCAL_LOAD, lanes)) return false;
    struct copy *k = ask_fill(c, r, s, next);
    if (k == NULL) return false;
    if (k->state == COPY_GONE) continue; /* only when that check is switched off */
    if (!wait_add(c, k, lanes)) return false;
    count(c, on, r->number[s] == next ? HEDDLE_CACHE_COUNTER_ASKED : HEDDLE_CACHE_COUNTER_JOINED, 1);
    if (r->number[s] == next) sm_cache(c, on)->next_number = next + 1;
  }
  c->e->passed |= r->access == HEDDLE_RECORD_LOCAL_LOAD ? 0 : r->lanes;
  return true;
}

/* ---- fill ---- */

static bool check_asked(struct heddle_checker *c, const struct heddle_record_fill *r, const struct copy *k) {
  if (k != NULL && copy_is(k, r->sector, r->is_local != 0) && k->state == COPY_ASKED) return true;
  if (!checker_on(c, HEDDLE_CHECKER_VISIBILITY_FILL)) return false;
  const bool again = k != NULL && copy_is(k, r->sector, r->is_local != 0) && k->position != 0;
  return differ(c, HEDDLE_CHECKER_VISIBILITY_FILL, "fill", "fill %u brings sector 0x%llx, which %s", r->number,
                (unsigned long long)r->sector, again ? "it has brought already" : "was not requested");
}

bool cache_room(struct heddle_checker *c, const struct sm *s) {
  const struct sm_cache *v = sm_cache(c, s);
  if (v->kept <= c->cfg.cache_sectors || !checker_on(c, HEDDLE_CHECKER_VISIBILITY_FILL)) return true;
  return differ(c, HEDDLE_CHECKER_VISIBILITY_FILL, "room",
                "%u sectors are in a cache that has room for %u: some were evicted without a record", v->kept,
                c->cfg.cache_sectors);
}

static void copy_release(struct heddle_checker *c, const struct copy *k) {
  const size_t words = (size_t)c->cache->banks * (HEDDLE_RECORD_SECTOR / 4);
  const uint64_t *from = rules_release(c, k->sector);
  uint64_t *to = &c->cache->released[copy_index(c, k) * words];
  if (from != NULL)
    memcpy(to, from, words * sizeof *to);
  else
    memset(to, 0, words * sizeof *to);
}

bool judge_fill(struct heddle_checker *c, const struct heddle_record_fill *r) {
  struct visibility *v = c->cache;
  const struct sm *on = sm_numbered(c, r->sm);
  if (on == NULL) return sm_unknown(c, r->sm);
  struct copy *k = copy_find(c, sm_index(c, on), r->number, r->sector % 4);
  const struct heddle_record_global access = {.id.sm = r->sm,
                                              .sector = r->sector,
                                              .stamp = r->stamp,
                                              .bank = r->bank,
                                              .access =
                                                  r->is_local != 0 ? HEDDLE_RECORD_LOCAL_LOAD : HEDDLE_RECORD_LOAD};
  if (!check_asked(c, r, k) || !check_stamp(c, &access)) return false;
  k->state = COPY_TAKEN;
  k->bank = (uint8_t)bank_of(c, r->bank);
  k->position = ++v->position[k->bank];
  k->taken = c->now->cycle;
  if (k->local) return true;
  if (!kept_read(c, r->sector)) return false;
  const enum heddle_error s = heddle_copy_take(c->model, copy_index(c, k), k->sector);
  if (s != HEDDLE_SUCCESS) return refused(c, s, "fill");
  copy_release(c, k);
  return true;
}

/* ---- where records wait for others */

/* A number that has been asked for, or never will be. */
bool cache_fill_due(const struct heddle_checker *c, const struct heddle_record_fill *r) {
  const struct sm *on = sm_numbered(c, r->sm);
  return on == NULL || r->number < sm_cache(c, on)->next_number;
}

/* Stores, atomics and strong loads: they pass the cache (record drop), are performed (record global), and of what
 * writes memory tells (record ack). */

static bool is_load(const struct entry *e) {
  return e->mem_kind == HEDDLE_ACCESS_LOAD || entry_copies(e);
}

static bool is_write(const struct entry *e) {
  return !is_load(e) && e->mem_kind != HEDDLE_ACCESS_LOAD_MATRIX;
}

/* ---- lists ---- */

/* The first from `u` on that is this access in this line. An instruction with pages may have several: virtual lines
 * that lie in one place. */
static struct underway *find_underway(const struct heddle_checker *c, const struct sm *s, struct underway *u,
                                      const struct heddle_record_id *id, uint64_t line) {
  const unsigned at = warp_at(c, s->warp) + id->slot;
  while (u != NULL && !(u->who.at == at && u->who.gen == id->gen && u->who.seq == id->seq && u->line == line))
    u = u->younger;
  return u;
}

/* The one of these lanes. */
static struct underway *find_lanes(const struct heddle_checker *c, const struct sm *s,
                                   const struct heddle_record_id *id, uint64_t line, uint32_t lanes) {
  struct underway *u = find_underway(c, s, sm_cache(c, s)->first_underway, id, line);
  while (u != NULL && (u->lanes & lanes) == 0) u = find_underway(c, s, u->younger, id, line);
  return u;
}

static struct underway *add_underway(struct heddle_checker *c, uint64_t line) {
  struct sm_cache *v = sm_cache(c, c->w->sm);
  struct underway *u = cache_take(&c->cache->underways);
  if (u == NULL) return NULL;
  *u = (struct underway){.who = who_is(c), .line = line, .pass = ++v->pass, .older = v->last_underway};
  if (v->last_underway != NULL)
    v->last_underway->younger = u;
  else
    v->first_underway = u;
  v->last_underway = u;
  return u;
}

static void take_out(struct heddle_checker *c, const struct sm *s, struct underway *u) {
  struct sm_cache *v = sm_cache(c, s);
  if (u->older != NULL)
    u->older->younger = u->younger;
  else
    v->first_underway = u->younger;
  if (u->younger != NULL)
    u->younger->older = u->older;
  else
    v->last_underway = u->older;
  cache_give(&c->cache->underways, u);
}

/* ---- drop ---- */

static bool drop_form(struct heddle_checker *c, const struct heddle_record_drop *r) {
  const bool passes = r->cause <= HEDDLE_RECORD_DROP_STRONG;
  const bool what = r->all != 0 ? !passes : r->sectors != 0 && r->sectors < 16;
  if (r->cause >= HEDDLE_RECORD_CAUSES || !what || (!passes && r->lanes != 0))
    return differ(c, HEDDLE_CHECKER_RECORD_FORM, "drop", "no sector of a line, no such cause, or lanes without a pass");
  const struct sm *s = sm_numbered(c, r->id.sm);
  if (s == NULL) return sm_unknown(c, r->id.sm);
  if (r->is_local == 0 || !passes || r->line >> LOCAL_WORDS_W == r->id.slot) return true;
  char sm[SM_TEXT];
  return differ(c, HEDDLE_CHECKER_RECORD_FORM, "drop", "line 0x%llx of local memory is not one of %swarp slot %u",
                (unsigned long long)r->line, sm_text(c, r->id.sm, sm), r->id.slot);
}

/* A weak load that the cache has no place for passes it by as a strong one does. */
static unsigned cause_of(const struct entry *e) {
  if (is_load(e)) return HEDDLE_RECORD_DROP_STRONG;
  return e->mem_kind == HEDDLE_ACCESS_STORE ? HEDDLE_RECORD_DROP_STORE : HEDDLE_RECORD_DROP_ATOMIC;
}

static bool check_access(struct heddle_checker *c, const struct heddle_record_drop *r) {
  return same(c, HEDDLE_CHECKER_PERFORM_ACCESS, "cause", cause_of(c->e), r->cause);
}

/* Sectors of a line are those of the instruction there, with all of its lanes there (in one virtual line), and pass
 * once. */
static bool check_sectors(struct heddle_checker *c, const struct heddle_record_drop *r, uint32_t *lanes) {
  const struct entry *e = c->e;
  *lanes = 0;
  if (!paging_place(c, r->lanes, r->line)) return false;
  const uint32_t line = paging_line(c, e, r->lanes);
  for (unsigned s = 0; s < HEDDLE_RECORD_LINE; s++) {
    if ((r->sectors >> s & 1) == 0) continue;
    const uint32_t in = row_in_sector(e->fx.mem_addr, 4 * r->line + s) & e->mem_open & e->in_global & line;
    if (in == 0 && checker_on(c, HEDDLE_CHECKER_PERFORM_ADDRESS))
      return differ(c, HEDDLE_CHECKER_PERFORM_ADDRESS, "line", "seq %u has no access to sector 0x%llx, which it drops",
                    e->seq, (unsigned long long)(4 * r->line + s));
    *lanes |= in;
  }
  if (!same(c, HEDDLE_CHECKER_PERFORM_LANES, "lanes", *lanes, r->lanes)) return false;
  return no_lanes(c, HEDDLE_CHECKER_VISIBILITY_DROPPED, "pass", *lanes & e->passed, "pass the cache a second time");
}

static bool pass_cache(struct heddle_checker *c, const struct heddle_record_drop *r) {
  uint32_t lanes;
  if (!identify(c, &r->id) || !identify_entry(c, r->id.seq) || !check_access(c, r) || !check_sectors(c, r, &lanes) ||
      !may_pass(c))
    return false;
  c->e->passed |= lanes;
  c->e->by |= lanes;
  if (!is_write(c->e)) return true;
  struct underway *u = find_lanes(c, c->w->sm, &r->id, r->line, paging_line(c, c->e, lanes));
  if (u == NULL) u = add_underway(c, r->line);
  if (u == NULL) return copy_full(c, "stores under way");
  u->lanes |= lanes;
  u->open |= lanes;
  return true;
}

/* Those who wait for what is answered with an error wait no longer: they never read it. */
static void fail_waits(struct heddle_checker *c, unsigned sm, uint64_t sector, bool local) {
  for (struct copy *k = copies_of_line(c, sector / 4, local), *next; k != NULL; k = next) {
    next = k->next_line;
    while (copy_of(k, sm, sector, local) && k->state == COPY_ASKED && k->waits != NULL)
      wait_end(c, k, k->waits->who, ~0u);
  }
}

static bool check_error(struct heddle_checker *c, const struct heddle_record_drop *r) {
  const uint64_t at = r->line * ANSWER_BYTES;
  const bool outside = paging_on(c) && r->is_local == 0 && paging_outside(c, at, at + ANSWER_BYTES);
  if (r->cause != HEDDLE_RECORD_DROP_ERROR || c->cfg.bus_errors || outside ||
      !checker_on(c, HEDDLE_CHECKER_VISIBILITY_FILL))
    return true;
  return differ(c, HEDDLE_CHECKER_VISIBILITY_FILL, "drop",
                "line 0x%llx is answered with an error, which no memory gives", (unsigned long long)r->line);
}

static const char *const causes[HEDDLE_RECORD_CAUSES] = {"a store that passed",
                                                         "an atomic that passed",
                                                         "a strong load that passed",
                                                         "a fence",
                                                         "CCTL.IVALL",
                                                         "a launch",
                                                         "another sector in its place",
                                                         "an answer with an error"};

static void drop_sector(struct heddle_checker *c, unsigned sm, const struct heddle_record_drop *r, uint64_t sector,
                        const char *why) {
  copies_close(c, sm, sector, r->is_local != 0, false, why);
  if (r->cause == HEDDLE_RECORD_DROP_ERROR) fail_waits(c, sm, sector, r->is_local != 0);
}

bool judge_drop(struct heddle_checker *c, const struct heddle_record_drop *r) {
  char why[64], sm[SM_TEXT];
  if (!drop_form(c, r) || !check_error(c, r)) return false;
  const struct sm *s = sm_numbered(c, r->id.sm);
  if (r->cause <= HEDDLE_RECORD_DROP_STRONG && r->is_local == 0 && !pass_cache(c, r)) return false;
  if (r->cause <= HEDDLE_RECORD_DROP_EMPTYING && !identify(c, &r->id)) return false;
  if (r->cause <= HEDDLE_RECORD_DROP_EMPTYING)
    (void)snprintf(why, sizeof why, "%s (%swarp slot %u seq %u)", causes[r->cause], sm_text(c, r->id.sm, sm),
                   r->id.slot, r->id.seq);
  else
    (void)snprintf(why, sizeof why, "%s", causes[r->cause]);
  count_drop(c, s, r);
  if (r->all != 0) copies_close_all(c, sm_index(c, s), why);
  for (unsigned i = 0; i < HEDDLE_RECORD_LINE && r->all == 0; i++)
    if ((r->sectors >> i & 1) != 0) drop_sector(c, sm_index(c, s), r, 4 * r->line + i, why);
  return true;
}

/* ---- global ---- */

/* Who passes the cache by is performed after that. */
bool pass_global(struct heddle_checker *c, const struct heddle_record_global *r) {
  return no_lanes(c, HEDDLE_CHECKER_VISIBILITY_DROPPED, "pass", r->lanes & ~c->e->by,
                  "performed before they have passed the cache: no drop was shown");
}

/* An older access of the warp to the sector is in nobody's way if it reads what has been copied already. */
bool cache_order(struct heddle_checker *c, const struct entry *older, uint32_t lanes, uint64_t sector) {
  if (!older->cached) return false;
  uint32_t left = lanes;
  for (const struct copy *k = copies_of_line(c, sector / 4, false); k != NULL; k = k->next_line) {
    const struct who who = {(uint16_t)warp_at(c, c->w), c->w->gen, older->seq, older->pc};
    if (!copy_is(k, sector, false) || k->state != COPY_TAKEN) continue;
    for (const struct wait *w; (w = copy_wait(k, who, left)) != NULL;) left &= ~w->lanes;
  }
  return left == 0;
}

static void store_done(struct heddle_checker *c) {
  struct cached_warp *me = cached_warp(c, c->w);
  if ((c->e->mem_open & c->e->in_global) != 0) return;
  if (--me->stores != 0) return;
  me->oldest = UINT32_MAX;
  sm_cache(c, c->w->sm)->open_stores &= ~(UINT64_C(1) << warp_slot(c->w));
}

void cache_counts(struct heddle_checker *c, unsigned bank) {
  c->cache->position[bank]++;
}

/* Of two virtual lines of an instruction in one place the one that has passed first is performed first. */
static bool in_turn(struct heddle_checker *c, const struct heddle_record_global *r, const struct underway *u) {
  const uint64_t line = r->sector / 4;
  const struct sm *s = c->w->sm;
  uint32_t before = 0;
  for (const struct underway *o = find_underway(c, s, sm_cache(c, s)->first_underway, &r->id, line); o != u;
       o = find_underway(c, s, o->younger, &r->id, line))
    before |= o->open;
  return no_lanes(c, HEDDLE_CHECKER_PERFORM_ORDER, "line", row_in_sector(c->e->fx.mem_addr, r->sector) & before,
                  "have passed before these by another virtual line, and are not performed");
}

bool pass_performed(struct heddle_checker *c, const struct heddle_record_global *r) {
  const unsigned bank = bank_of(c, r->bank);
  cache_counts(c, bank);
  const uint64_t position = c->cache->position[bank];
  position_join(cached_warp(c, c->w)->met, bank, position);
  if (!rules_global(c, r)) return false;
  if (is_write(c->e)) {
    struct underway *u = find_lanes(c, c->w->sm, &r->id, r->sector / 4, r->lanes);
    if (u != NULL) {
      if (!in_turn(c, r, u)) return false;
      u->open &= ~r->lanes;
      u->bank = (uint8_t)bank;
      u->position = position;
    }
    store_done(c);
  }
  if (!closes(c)) return true;
  char why[80], sm[SM_TEXT];
  (void)snprintf(why, sizeof why, "an access at position %llu (%swarp slot %u seq %u)", (unsigned long long)position,
                 sm_text(c, r->id.sm, sm), r->id.slot, r->id.seq);
  copies_close(c, sm_index(c, c->w->sm), r->sector, false, true, why);
  return true;
}

/* An instruction has issued: does it load through the cache, does it write? */
void cache_issue(struct heddle_checker *c) {
  struct entry *e = c->e;
  struct cached_warp *me = cached_warp(c, c->w);
  if ((e->in_global | e->in_local) == 0) return;
  const bool strong = c->has_strong[e->op] && heddle_isa_get(e->word, ISA_F_STRONG) >= ISA_STRONG_STRONG_GPU;
  e->cached = is_load(e) && !strong;
  if (e->in_global == 0 || !is_write(e)) return;
  if (me->stores++ == 0) me->oldest = e->seq;
  sm_cache(c, c->w->sm)->open_stores |= UINT64_C(1) << warp_slot(c->w);
}

/* ---- ack ---- */

/* Lanes that have not been performed there. */
static uint32_t open_in_line(const struct heddle_checker *c, const struct underway *u) {
  const struct warp *w = &c->warp[u->who.at];
  const struct entry *e = w->live && w->gen == u->who.gen ? ledger_owing(w, u->who.seq) : NULL;
  uint32_t open = u->open;
  for (unsigned s = 0; s < HEDDLE_RECORD_LINE && e != NULL; s++)
    open |= row_in_sector(e->fx.mem_addr, 4 * u->line + s) & e->mem_open & e->in_global & paging_line(c, e, u->lanes);
  return open;
}

bool judge_ack(struct heddle_checker *c, const struct heddle_record_ack *r) {
  const struct sm *on = sm_numbered(c, r->id.sm);
  if (on == NULL) return sm_unknown(c, r->id.sm);
  struct underway *u = find_lanes(c, on, &r->id, r->line, r->lanes);
  char sm[SM_TEXT];
  if (u == NULL)
    return checker_on(c, HEDDLE_CHECKER_VISIBILITY_ACK) &&
           differ(c, HEDDLE_CHECKER_VISIBILITY_ACK, "line",
                  "%swarp slot %u seq %u has no store to line 0x%llx that awaits an acknowledgement",
                  sm_text(c, r->id.sm, sm), r->id.slot, r->id.seq, (unsigned long long)r->line);
  const uint32_t open = open_in_line(c, u);
  if (!no_lanes(c, HEDDLE_CHECKER_VISIBILITY_ACK, "line", open, "acknowledged before they are performed") ||
      !same(c, HEDDLE_CHECKER_VISIBILITY_ACK, "lanes", u->lanes, r->lanes))
    return false;
  position_join(sm_cache(c, on)->witness, u->bank, u->position);
  if (c->warp[u->who.at].gen == u->who.gen) cache_access_over(c, &c->warp[u->who.at]);
  take_out(c, on, u);
  return true;
}

/* ---- where records wait for others */

bool cache_ack_due(const struct heddle_checker *c, const struct heddle_record_ack *r) {
  const struct sm *on = sm_numbered(c, r->id.sm);
  const struct underway *u = on != NULL ? find_lanes(c, on, &r->id, r->line, r->lanes) : NULL;
  return u == NULL || open_in_line(c, u) == 0;
}
