/* SPDX-License-Identifier: Apache-2.0
 *
 * Watchdogs: no warp waits longer than it may for what it may wait for. checker.h has the rules in words.
 */
#include "cosim/checker/internal.h"

#define LOOKS 16u /* so often within a patience */

static uint64_t patience_issue(const struct heddle_checker *c) {
  return c->cfg.patience_issue != 0 ? c->cfg.patience_issue : HEDDLE_CHECKER_PATIENCE_ISSUE;
}

static uint64_t patience_warp(const struct heddle_checker *c) {
  return c->cfg.patience_warp != 0 ? c->cfg.patience_warp : HEDDLE_CHECKER_PATIENCE_WARP;
}

static uint64_t watch_pause(const struct heddle_checker *c) {
  const uint64_t a = patience_issue(c), b = patience_warp(c), least = a < b ? a : b;
  return least > LOOKS ? least / LOOKS : 1;
}

static bool waits_too_long(uint64_t now, uint64_t since, uint64_t patience) {
  return now > since && now - since > patience;
}

/* The warp that a difference speaks of, at the instruction which does not come. */
static bool impatient(struct heddle_checker *c, struct warp *w, const struct heddle_standing *s,
                      enum heddle_checker_kind k, uint64_t since, uint64_t now, const char *note) {
  if (!checker_on(c, k)) return true;
  c->w = w;
  c->e = NULL;
  (void)differ(c, k, "warp", "%s since cycle %llu", note, (unsigned long long)since);
  c->first.cycle = now;
  c->first.seq = s->seq;
  c->first.pc = s->pc;
  (void)code_word(c, s->pc, &c->first.word);
  return false;
}

static bool watch_barrier(struct heddle_checker *c, struct warp *w, const struct heddle_standing *s, uint64_t now) {
  uint64_t since = 0;
  if (!s->bar_reached) return true; /* the others are watched */
  for (uint64_t rest = warp_block(w)->warps; rest != 0; rest &= rest - 1) {
    const struct warp *o = &w->sm->warp[__builtin_ctzll(rest)];
    if (o->moved > since) since = o->moved;
  }
  if (!waits_too_long(now, since, patience_issue(c))) return true;
  return impatient(c, w, s, HEDDLE_CHECKER_WATCHDOG_BARRIER, since, now,
                   "the barrier has been reached, and is not released");
}

static bool watch_warp(struct heddle_checker *c, struct warp *w, uint64_t now) {
  struct heddle_standing s;
  if (!heddle_warp_standing(c->model, warp_at(c, w), &s)) return true;
  if (s.waiting) return watch_barrier(c, w, &s, now);
  const uint64_t idle = w->moved > w->sm->issued_at ? w->moved : w->sm->issued_at;
  const bool could =
      !s.ended && w->open_count == 0 && heddle_model_trap_of(c->model, sm_index(c, w->sm))->cause == HEDDLE_TRAP_NONE;
  if (could && waits_too_long(now, idle, patience_issue(c)))
    return impatient(c, w, &s, HEDDLE_CHECKER_WATCHDOG_ISSUE, idle, now, "could issue, and nobody issues");
  if ((s.ended && w->open_count == 0) || !waits_too_long(now, w->moved, patience_warp(c))) return true;
  return impatient(c, w, &s, HEDDLE_CHECKER_WATCHDOG_WARP, w->moved, now,
                   could ? "could issue, and others do" : "waits for what it owes");
}

bool watch_all(struct heddle_checker *c, uint64_t now) {
  c->look_at = now + watch_pause(c);
  if (c->trap_seen) return true;
  for (unsigned i = 0; i < c->warps; i++)
    if (c->warp[i].live && !watch_warp(c, &c->warp[i], now)) return false;
  return true;
}

bool heddle_checker_look(struct heddle_checker *c, uint64_t cycle) {
  if (c->first.kind != HEDDLE_CHECKER_NONE) return false;
  c->now = NULL;
  return cycle < c->look_at || watch_all(c, cycle);
}

bool heddle_checker_deadlock(const struct heddle_checker *c) {
  bool waits = false;
  for (unsigned i = 0; i < c->warps; i++) {
    struct heddle_standing s;
    if (!c->warp[i].live || !heddle_warp_standing(c->model, i, &s)) continue;
    if (c->warp[i].open_count != 0) return false;
    if (s.ended) continue;
    if (!s.waiting || s.bar_reached) return false;
    waits = true;
  }
  return waits;
}
