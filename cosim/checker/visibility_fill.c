/* SPDX-License-Identifier: Apache-2.0
 *
 * What a load waits for, and what comes: records merge and fill.
 */
#include "cosim/checker/pages.h"
#include "cosim/checker/reorder.h"
#include "cosim/checker/visibility.h"

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
                    "sector 0x%llx is asked for again, and nobody has shown that fill %u of it was given up",
                    (unsigned long long)sector, k->number);
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
                 "fill %u of sector 0x%llx is waited for; nobody has asked for it, and the next one is %u",
                 r->number[s], (unsigned long long)sector, next);
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
                (unsigned long long)r->sector, again ? "it has brought already" : "nobody has asked it for");
}

bool cache_room(struct heddle_checker *c, const struct sm *s) {
  const struct sm_cache *v = sm_cache(c, s);
  if (v->kept <= c->cfg.cache_sectors || !checker_on(c, HEDDLE_CHECKER_VISIBILITY_FILL)) return true;
  return differ(c, HEDDLE_CHECKER_VISIBILITY_FILL, "room",
                "%u sectors are in a cache that has room for %u: some have been given up without a word", v->kept,
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
  const enum heddle_status s = heddle_copy_take(c->model, copy_index(c, k), k->sector);
  if (s != HEDDLE_OK) return refused(c, s, "fill");
  copy_release(c, k);
  return true;
}

/* ---- where records wait for others */

/* A number that has been asked for, or never will be. */
bool cache_fill_due(const struct heddle_checker *c, const struct heddle_record_fill *r) {
  const struct sm *on = sm_numbered(c, r->sm);
  return on == NULL || r->number < sm_cache(c, on)->next_number;
}
