/* SPDX-License-Identifier: Apache-2.0
 *
 * The event counters, each by its own rule. In a cycle in which a warp does not issue it waits for something, and what
 * that can be is told by the instruction behind which it waits and the one that it issues next: no more cycles may be
 * counted as one reason than lie where the reason can be.
 */
#include "cosim/checker/internal.h"

/* Cycles that a release may come after its barrier is left, or its arrival before its issue record. */
#define SKEW 4u

static const uint16_t anywhere = 1u << HEDDLE_COUNTER_NOT_SELECTED | 1u << HEDDLE_COUNTER_STALL |
                                 1u << HEDDLE_COUNTER_PIPE | 1u << HEDDLE_COUNTER_FETCH | 1u << HEDDLE_COUNTER_OTHER;
static const uint16_t everything = (1u << HEDDLE_COUNTERS) - 1;

/* What can hold up this instruction: what it reads, where it goes, what it awaits. */
static uint16_t waits_before(const struct heddle_checker *c, const struct entry *e) {
  const struct heddle_isa_dec *d = &e->fx.dec;
  const bool constant = d->src[0].kind == ISA_CONST || d->src[1].kind == ISA_CONST || d->src[2].kind == ISA_CONST;
  const bool waits =
      c->cfg.scoreboard || d->ctl.wait != 0 || d->ctl.wbar != 7 || d->ctl.rbar != 7 || d->op == ISA_OP_DEPBAR_LE;
  const bool listed = heddle_isa_unit_is_variable((enum heddle_isa_unit)e->unit) || e->unit == ISA_UNIT_BR;
  unsigned may = anywhere;
  if (constant) may |= 1u << HEDDLE_COUNTER_CONST;
  if (waits) may |= 1u << HEDDLE_COUNTER_WAIT;
  if (listed || d->uniform) may |= 1u << HEDDLE_COUNTER_MEMORY;
  if (c->drains[e->op]) may |= 1u << HEDDLE_COUNTER_SYNC;
  return (uint16_t)may;
}

/* What the warp behind it waits for before anything else: control, a barrier, a load of a uniform register. BAR.RED
 * stands at its place until its result is there. */
static uint16_t waits_behind(const struct heddle_checker *c, const struct entry *e) {
  const bool control = e->unit == ISA_UNIT_BR || (e->fx.dec.uniform && e->mem_space == ISA_SPACE_CONST);
  const unsigned may = control ? 1u << HEDDLE_COUNTER_SYNC : 0;
  return (uint16_t)(may | (e->fx.bar_wait ? waits_before(c, e) : 0));
}

static void add_cycles(struct sm *s, uint16_t may, uint64_t cycles) {
  for (unsigned rest = may; rest != 0; rest &= rest - 1) s->most[__builtin_ctz(rest)] += cycles;
}

void counters_issue(struct heddle_checker *c) {
  struct warp *w = c->w;
  const uint64_t now = c->now->cycle;
  const bool first = c->e->seq == 0;
  const uint64_t from = first ? w->started : w->last_issue + 1;
  if (now > from) add_cycles(w->sm, waits_before(c, c->e) | w->behind, now - from);
  w->behind = waits_behind(c, c->e);
  if (first) w->first_issue = now;
  w->last_issue = now;
}

void counters_released(struct heddle_checker *c, const struct warp *w) {
  const uint64_t waited = c->now->cycle - w->last_issue;
  if (waited > SKEW) w->sm->sync_least += waited - SKEW;
}

void counters_warp_ends(struct heddle_checker *c, const struct warp *w, uint64_t cycle) {
  w->sm->lived_most += cycle - w->started + 1;
  if (w->next_seq != 0) w->sm->lived_least += w->last_issue - w->first_issue + 1;
  const uint64_t from = w->next_seq != 0 ? w->last_issue : w->started;
  add_cycles(w->sm, c->trap_seen ? everything : w->behind, cycle - from + 1);
}

static bool check_sum(struct heddle_checker *c, uint64_t least, uint64_t most, uint64_t sum) {
  if ((sum >= least && sum <= most) || !checker_on(c, HEDDLE_CHECKER_COUNTER_CLASSES)) return true;
  return differ(c, HEDDLE_CHECKER_COUNTER_CLASSES, "event counters",
                "they add up to %llu warp cycles; by the records warps lived %llu at least and %llu at most",
                (unsigned long long)sum, (unsigned long long)least, (unsigned long long)most);
}

static bool check_bounds(struct heddle_checker *c, unsigned n, uint64_t least, uint64_t most, uint64_t got) {
  static const char *const name[HEDDLE_COUNTERS] = {"issued", "not selected", "wait",   "stall",    "pipe",
                                                    "fetch",  "sync",         "memory", "constant", "other"};
  if ((got >= least && got <= most) || !checker_on(c, HEDDLE_CHECKER_COUNTER_BOUNDS)) return true;
  return differ(c, HEDDLE_CHECKER_COUNTER_BOUNDS, name[n],
                "%llu warp cycles; by the records %llu at least and %llu at most", (unsigned long long)got,
                (unsigned long long)least, (unsigned long long)most);
}

bool counters_judge(struct heddle_checker *c, struct sm *s, const uint32_t *counter, bool held) {
  uint64_t sum = 0;
  for (unsigned n = 0; n < HEDDLE_COUNTERS; n++) sum += counter[n];
  if (!same(c, HEDDLE_CHECKER_COUNTER_ISSUED, "issued", (uint32_t)s->issued, counter[HEDDLE_COUNTER_ISSUED]))
    return false;
  if (s->lived_most > UINT32_MAX) return true; /* a counter of 32 bits may have begun anew */
  if (!check_sum(c, s->lived_least, s->lived_most, sum)) return false;
  if (!held && !c->trap_seen) s->most[HEDDLE_COUNTER_OTHER] = 0;
  for (unsigned n = HEDDLE_COUNTER_ISSUED + 1; n < HEDDLE_COUNTERS; n++)
    if (!check_bounds(c, n, n == HEDDLE_COUNTER_SYNC ? s->sync_least : 0, s->most[n], counter[n])) return false;
  return true;
}

/* ---- while the grid runs ---- */

void counters_so_far(const struct heddle_checker *c, const struct sm *s, struct heddle_checker_so_far *out) {
  *out = (struct heddle_checker_so_far){.issued = s->issued, .lived = s->lived_least, .synced = s->sync_least};
  for (unsigned i = 0; i < c->cfg.warp_slots; i++) {
    const struct warp *w = &s->warp[i];
    if (w->live && w->next_seq != 0) out->lived += w->last_issue - w->first_issue + 1;
  }
}

bool counters_running(struct heddle_checker *c, const struct sm *s, const struct heddle_checker_so_far *least,
                      const uint32_t *counter, uint64_t cycle) {
  uint64_t sum = 0, lived = s->lived_most, open = 0;
  for (unsigned i = 0; i < c->cfg.warp_slots; i++) {
    const struct warp *w = &s->warp[i];
    if (w->live) lived += cycle - w->started + 1;
    if (w->live) open += cycle - (w->next_seq != 0 ? w->last_issue : w->started) + 1; /* for whatever it waits */
  }
  if (lived > UINT32_MAX) return true; /* a counter of 32 bits may have begun anew */
  if (!check_bounds(c, HEDDLE_COUNTER_ISSUED, least->issued, s->issued, counter[HEDDLE_COUNTER_ISSUED])) return false;
  for (unsigned n = 0; n < HEDDLE_COUNTERS; n++) sum += counter[n];
  if (!check_sum(c, least->lived, lived, sum)) return false;
  for (unsigned n = HEDDLE_COUNTER_ISSUED + 1; n < HEDDLE_COUNTERS; n++)
    if (!check_bounds(c, n, n == HEDDLE_COUNTER_SYNC ? least->synced : 0, s->most[n] + open, counter[n])) return false;
  return true;
}
