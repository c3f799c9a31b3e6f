/* SPDX-License-Identifier: Apache-2.0
 *
 * Predicate-write records: each predicate destination of each executing lane exactly once.
 */
#include "cosim/checker/internal.h"

#define NO_DEST HEDDLE_RECORD_PREDICATES

/* Which of the instruction's destinations the predicate is: of two of one name the second, which wins. */
static unsigned predicate_destination(const struct entry *e, unsigned index) {
  for (unsigned i = HEDDLE_RECORD_PREDICATES; i-- > 0;)
    if (((unsigned)e->pd_written >> i & 1u) != 0 && e->pd[i] == index) return i;
  return NO_DEST;
}

/* A later entry of the same predicate is the one that is kept. */
static bool hidden(const struct heddle_record_predicate *r, unsigned k) {
  for (unsigned i = k + 1; i < HEDDLE_RECORD_PREDICATES; i++)
    if (((unsigned)r->used >> i & 1u) != 0 && r->value[i].index == r->value[k].index) return true;
  return false;
}

static bool check_register(struct heddle_checker *c, unsigned index) {
  if (predicate_destination(c->e, index) != NO_DEST || !checker_on(c, HEDDLE_CHECKER_PREDICATE_REGISTER)) return true;
  return differ(c, HEDDLE_CHECKER_PREDICATE_REGISTER, "predicate", "P%u is not a destination", index);
}

static bool check_predicate_extra(struct heddle_checker *c, uint32_t lanes) {
  return no_lanes(c, HEDDLE_CHECKER_PREDICATE_EXTRA, "predicate", lanes & ~c->e->exec,
                  "a predicate write of lanes that do not execute");
}

/* R2P: each lane names its predicates itself. */
static bool check_named(struct heddle_checker *c, unsigned i, uint32_t lanes) {
  return no_lanes(c, HEDDLE_CHECKER_PREDICATE_EXTRA, "predicate", lanes & ~entry_pd_lanes(c->e, i),
                  "a write of a predicate that these lanes do not name");
}

static bool check_predicate_double(struct heddle_checker *c, unsigned i, uint32_t lanes) {
  const uint32_t again = lanes & c->e->exec & ~c->e->pd_open[i];
  return no_lanes(c, HEDDLE_CHECKER_PREDICATE_DOUBLE, "predicate", again, "written a second time");
}

/* The result of BAR.RED is known when its barrier has been released. */
static bool check_early(struct heddle_checker *c, uint32_t lanes) {
  return no_lanes(c, HEDDLE_CHECKER_WRITEBACK_EARLY, "predicate", lanes & ~c->e->known,
                  "written before its barrier was released");
}

static bool check_predicate_value(struct heddle_checker *c, unsigned i, uint32_t lanes, uint32_t got) {
  const uint32_t bad = (entry_pd_value(c->e, i) ^ got) & judged_lanes(c, lanes, entry_pd_unknown(c->e, i));
  if (bad == 0 || !checker_on(c, HEDDLE_CHECKER_PREDICATE_VALUE)) return true;
  const unsigned p = c->e->pd[i];
  char name[8];
  snprintf(name, sizeof name, "P%u", p);
  uint32_t want_row[HEDDLE_RECORD_LANES], got_row[HEDDLE_RECORD_LANES];
  for (unsigned k = 0; k < HEDDLE_RECORD_LANES; k++) {
    want_row[k] = entry_pd_value(c->e, i) >> k & 1u;
    got_row[k] = got >> k & 1u;
  }
  return differ_lanes(c, HEDDLE_CHECKER_PREDICATE_VALUE, name, bad, want_row, got_row, 0);
}

static bool judge_one(struct heddle_checker *c, unsigned index, uint32_t lanes, uint32_t got) {
  const unsigned i = predicate_destination(c->e, index);
  if (!check_predicate_extra(c, lanes) || !check_register(c, index)) return false;
  if (i == NO_DEST) return true; /* only when that check is switched off */
  if (!check_named(c, i, lanes)) return false;
  if (!check_predicate_double(c, i, lanes) || !check_early(c, lanes) || !poison_predicate(c, index, lanes) ||
      !check_predicate_value(c, i, lanes, got))
    return false;
  ledger_predicate(c->w, c->e, i, lanes);
  return poison_late(c, index, lanes);
}

/* The lanes of each entry; all: of any. */
static bool read_lanes(struct heddle_checker *c, const struct heddle_record_predicate *r,
                       uint32_t lanes[HEDDLE_RECORD_PREDICATES], uint32_t *all) {
  *all = 0;
  if (r->used >> HEDDLE_RECORD_PREDICATES != 0) return differ(c, HEDDLE_CHECKER_RECORD_FORM, "used", "no such entry");
  for (unsigned rest = r->used; rest != 0; rest &= rest - 1) {
    const unsigned k = (unsigned)__builtin_ctz(rest);
    if (r->value[k].index >= ISA_PT) return differ(c, HEDDLE_CHECKER_RECORD_FORM, "predicate", "no such predicate");
    if (!beat_lanes(c, r->beat, r->value[k].mask, &lanes[k])) return false;
    *all |= lanes[k];
  }
  return true;
}

bool judge_predicate(struct heddle_checker *c, const struct heddle_record_predicate *r) {
  uint32_t lanes[HEDDLE_RECORD_PREDICATES], all;
  if (!identify(c, &r->id) || !read_lanes(c, r, lanes, &all)) return false;
  if (all == 0 && r->id.seq < c->w->next_seq) return true; /* says nothing */
  if (!identify_entry(c, r->id.seq)) return false;
  const unsigned first = r->beat * c->cfg.lanes;
  for (unsigned rest = r->used; rest != 0; rest &= rest - 1) {
    const unsigned k = (unsigned)__builtin_ctz(rest);
    if (!hidden(r, k) && !judge_one(c, r->value[k].index, lanes[k], r->value[k].data << first)) return false;
  }
  ledger_close_words(c, c->w, c->e);
  return true;
}
