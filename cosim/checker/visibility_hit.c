/* SPDX-License-Identifier: Apache-2.0
 *
 * Lanes read sectors of a line through the cache: record hit. The model reads its own copies.
 */
#include "cosim/checker/reorder.h"
#include "cosim/checker/visibility.h"

/* The copy that a sector is read from, or NULL: a difference. */
static struct copy *named_copy(struct heddle_checker *c, const struct heddle_record_merge *r, unsigned s) {
  const uint64_t sector = 4 * r->line + s;
  const bool local = r->access == HEDDLE_RECORD_LOCAL_LOAD;
  char text[96];
  struct copy *k = copy_find(c, sm_index(c, c->w->sm), r->number[s], s);
  if (k == NULL || !copy_is(k, sector, local)) {
    (void)differ(c, HEDDLE_CHECKER_VISIBILITY_FILL, "hit",
                 "fill %u of sector 0x%llx is read, which nobody has asked for", r->number[s],
                 (unsigned long long)sector);
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
