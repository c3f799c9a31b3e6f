/* SPDX-License-Identifier: Apache-2.0
 *
 * Who waits for what, and watchdogs.
 */
#include "cosim/checker/report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include "cosim/checker/internal.h"

/* Who waits for what: barriers with who is missing, counters with who owes them, parked lanes, what is under way. */

#define SENTENCE 400u

struct voice {
  waiting_fn say;
  void *ctx;
};

static void say_line(const struct voice *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void say_line(const struct voice *v, const char *fmt, ...) {
  char text[SENTENCE];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  v->say(v->ctx, text);
}

void owed_text(const struct entry *e, char *buf, size_t bytes) {
  uint32_t ops = 0, wb = 0;
  for (unsigned i = 0; i < HEDDLE_RECORD_SLOTS; i++) ops |= e->ops_open[i];
  for (unsigned i = 0; i < 4; i++) wb |= e->wb_open[i];
  const uint32_t pd = entry_pd_open(e);
  buf[0] = '\0';
  size_t n = 0;
  const struct {
    const char *what;
    uint32_t lanes;
  } owed[5] = {{"operands", ops}, {"access", e->mem_open}, {"store", e->store_open}, {"result", wb}, {"predicate", pd}};
  for (unsigned i = 0; i < 5 && n < bytes; i++)
    if (owed[i].lanes != 0) n += (size_t)snprintf(buf + n, bytes - n, " %s 0x%08x", owed[i].what, owed[i].lanes);
}

void waiting_instruction(const struct heddle_checker *c, uint32_t pc, char *buf, size_t bytes) {
  struct heddle_isa_word w;
  if (code_word(c, pc, &w))
    checker_disassemble(c, w, pc, buf, bytes);
  else
    snprintf(buf, bytes, "(no code there)");
}

/* ---- named barriers ---- */

static void missing_warp(const struct heddle_checker *c, const struct voice *v, const struct warp *w) {
  struct heddle_standing s;
  if (!heddle_warp_standing(c->model, warp_at(c, w), &s)) return;
  char text[160];
  waiting_instruction(c, s.pc, text, sizeof text);
  if (s.ended)
    say_line(v, "  missing: warp %u, which has ended", s.index);
  else if (s.waiting)
    say_line(v, "  missing: warp %u, which waits at barrier %u", s.index, s.bar_id);
  else
    say_line(v, "  missing: warp %u (slot %u), next seq %u pc 0x%x  %s", s.index, warp_slot(w), s.seq, s.pc, text);
}

static void say_barrier(const struct heddle_checker *c, const struct voice *v, const struct warp *w,
                        const struct heddle_standing *s) {
  say_line(v, "barrier %u, where %d of %u warps are (warps 0x%x of the block)%s", s->bar_id,
           __builtin_popcount(s->bar_here), s->bar_needs, s->bar_here, s->bar_reached ? "; it is not released" : "");
  unsigned i = 0;
  for (uint64_t rest = warp_block(w)->warps; rest != 0 && !s->bar_reached; rest &= rest - 1, i++)
    if ((s->bar_here >> i % 32 & 1u) == 0) missing_warp(c, v, &w->sm->warp[__builtin_ctzll(rest)]);
}

/* ---- counters ---- */

/* A write counter waits for results and accesses, a read counter for operands. */
static bool owes_counter(const struct entry *e, unsigned n) {
  const struct heddle_isa_ctl *k = &e->fx.dec.ctl;
  return (k->wbar == n && (e->owes & ~(unsigned)OWES_OPERANDS) != 0) ||
         (k->rbar == n && (e->owes & OWES_OPERANDS) != 0);
}

static void counter(const struct heddle_checker *c, const struct voice *v, const struct warp *w, unsigned n) {
  const struct entry *e;
  bool found = false;
  for (struct walk it = walk_open(w); (e = walk_next(w, &it)) != NULL;) {
    char text[160], owed[160];
    if (!owes_counter(e, n)) continue;
    checker_disassemble(c, e->word, e->pc, text, sizeof text);
    owed_text(e, owed, sizeof owed);
    say_line(v, "SB%u, owed by seq %u pc 0x%x  %s: not shown yet:%s", n, e->seq, e->pc, text, owed);
    found = true;
  }
  if (!found) say_line(v, "SB%u, which nothing under way owes", n);
}

/* ---- lanes ---- */

static void parked(const struct voice *v, const struct heddle_standing *s) {
  for (unsigned x = 0; x < 17; x++) {
    if (s->parked[x] == 0) continue;
    char name[16] = "WARPSYNC";
    if (x < 16) snprintf(name, sizeof name, "B%u", x);
    say_line(v, "lanes 0x%08x parked at %s at pc 0x%x until 0x%08x come", s->parked[x], name, s->park_pc[x],
             s->missing[x]);
  }
}

static void under_way(const struct heddle_checker *c, const struct voice *v, const struct warp *w) {
  const struct entry *e;
  for (struct walk it = walk_open(w); (e = walk_next(w, &it)) != NULL;) {
    char text[160], owed[160];
    checker_disassemble(c, e->word, e->pc, text, sizeof text);
    owed_text(e, owed, sizeof owed);
    say_line(v, "under way: seq %u pc 0x%x issued in cycle %" PRIu64 "  %s, not shown yet:%s", e->seq, e->pc, e->cycle,
             text, owed);
  }
}

static void next_instruction(const struct heddle_checker *c, const struct voice *v, const struct warp *w,
                             const struct heddle_standing *s) {
  struct heddle_isa_word word;
  struct heddle_isa_dec d;
  if (!code_word(c, s->pc, &word) || !heddle_isa_decode(word, &d)) return;
  for (unsigned n = 0; n < 6; n++)
    if (((unsigned)d.ctl.wait >> n & 1u) != 0) counter(c, v, w, n);
  if (w->open_count == 0) say_line(v, "nothing that records show: it could issue");
  if (heddle_isa_instr_info((enum heddle_isa_op)d.op)->drains && heddle_warp_pending(c->model, warp_at(c, w)) != 0)
    say_line(v, "its earlier accesses, before it may take effect");
}

void waiting_each(const struct heddle_checker *c, const struct warp *w, const struct heddle_standing *s, waiting_fn fn,
                  void *ctx) {
  const struct voice v = {fn, ctx};
  if (s->waiting)
    say_barrier(c, &v, w, s);
  else if (!s->ended)
    next_instruction(c, &v, w, s);
  parked(&v, s);
  under_way(c, &v, w);
}

/* Watchdogs: no warp waits longer than it may for what it may wait for. checker.h has the rules in words. */

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
    return impatient(c, w, &s, HEDDLE_CHECKER_WATCHDOG_ISSUE, idle, now, "could issue, and no warp issues");
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
