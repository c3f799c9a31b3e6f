/* SPDX-License-Identifier: Apache-2.0
 *
 * What the host can read at the end: event counters, trap registers, status, code and constants in memory.
 */
#include <string.h>
#include "cosim/checker/internal.h"

/* The event counters, each by its own rule. In a cycle in which a warp does not issue it waits for something, and what
 * that can be is told by the instruction behind which it waits and the one that it issues next: no more cycles may be
 * counted as one reason than lie where the reason can be. */

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

static bool counters_judge(struct heddle_checker *c, struct sm *s, const uint32_t *counter, bool held) {
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

static void counters_so_far(const struct heddle_checker *c, const struct sm *s, struct heddle_checker_so_far *out) {
  *out = (struct heddle_checker_so_far){.issued = s->issued, .lived = s->lived_least, .synced = s->sync_least};
  for (unsigned i = 0; i < c->cfg.warp_slots; i++) {
    const struct warp *w = &s->warp[i];
    if (w->live && w->next_seq != 0) out->lived += w->last_issue - w->first_issue + 1;
  }
}

static bool counters_running(struct heddle_checker *c, const struct sm *s, const struct heddle_checker_so_far *least,
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

/* What the host can read at the end: trap registers, event counters, status, code and constants in memory. */

static bool begin_comparison(struct heddle_checker *c) {
  c->now = NULL;
  c->w = NULL;
  c->e = NULL;
  return c->first.kind == HEDDLE_CHECKER_NONE;
}

/* The result of a comparison at the end; a difference gets the cycle of the end. */
static bool end_comparison(struct heddle_checker *c, bool ok) {
  if (!ok && c->first.kind != HEDDLE_CHECKER_NONE) c->first.cycle = c->last_cycle;
  return ok;
}

/* The same of one of several SMs, which the words name. */
static bool end_sm_comparison(struct heddle_checker *c, const struct sm *s, bool ok) {
  struct heddle_checker_difference *d = &c->first;
  char sm[SM_TEXT], note[sizeof d->note];
  if (!end_comparison(c, ok) && c->sms > 1 && d->kind != HEDDLE_CHECKER_NONE) {
    memcpy(note, d->note, sizeof note);
    (void)snprintf(d->note, sizeof d->note, "%s%.200s", sm_text(c, s->number, sm), note);
  }
  return ok;
}

bool heddle_checker_trap_registers(struct heddle_checker *c, const struct heddle_trap *host, uint32_t slot) {
  const struct heddle_trap *t = &c->trap;
  const enum heddle_checker_kind k = HEDDLE_CHECKER_TRAP_REGISTERS;
  if (!begin_comparison(c)) return false;
  return end_comparison(
      c, (c->sms == 1 || same(c, k, "TRAP_SM", t->sm, host->sm)) && same(c, k, "TRAP_CAUSE", t->cause, host->cause) &&
             same(c, k, "TRAP_CTAID_X", t->ctaid[0], host->ctaid[0]) &&
             same(c, k, "TRAP_CTAID_Y", t->ctaid[1], host->ctaid[1]) &&
             same(c, k, "TRAP_CTAID_Z", t->ctaid[2], host->ctaid[2]) &&
             same(c, k, "TRAP_WARP", t->warp_in_block, host->warp_in_block) &&
             same(c, k, "TRAP_SLOT", c->trap_slot, slot) && same(c, k, "TRAP_SEQ", t->seq, host->seq) &&
             same(c, k, "TRAP_PC", t->pc, host->pc) && same(c, k, "TRAP_LANES", t->lanes, host->lanes) &&
             same(c, k, "TRAP_ADDR", t->addr, host->addr));
}

/* An SM whose clock is known; NULL: none has issued. */
static const struct sm *with_clock(const struct heddle_checker *c) {
  for (unsigned i = 0; i < c->sms; i++)
    if (c->sm[i].clock_known) return &c->sm[i];
  return NULL;
}

bool heddle_checker_cycles(struct heddle_checker *c, uint64_t cycles, uint64_t seen) {
  const struct sm *s = with_clock(c);
  if (!begin_comparison(c)) return false;
  if (s == NULL || !shows(c, HEDDLE_RECORD_OPTION_ISSUE_CLOCK) || !checker_on(c, HEDDLE_CHECKER_COUNTER_BOUNDS))
    return true;
  const uint64_t least = c->over_cycle + s->clock_ahead, late = least + HEDDLE_CHECKER_END_LATE,
                 host = seen + s->clock_ahead;
  const uint64_t most = c->cfg.writes_back || late > host ? host : late;
  if (cycles >= least && cycles <= most) return true;
  return end_comparison(
      c, differ(c, HEDDLE_CHECKER_COUNTER_BOUNDS, "CYCLES",
                "CYCLES is %llu; by the clock that instructions read the grid ended after %llu at least and "
                "%llu at most",
                (unsigned long long)cycles, (unsigned long long)least, (unsigned long long)most));
}

bool heddle_checker_counters(struct heddle_checker *c, const uint32_t *counter, bool held, uint64_t cycle) {
  return heddle_checker_counters_of(c, c->cfg.sm, counter, held, cycle);
}

bool heddle_checker_counters_of(struct heddle_checker *c, unsigned sm, const uint32_t *counter, bool held,
                                uint64_t cycle) {
  struct sm *s = sm_numbered(c, sm);
  if (!begin_comparison(c) || s == NULL) return false;
  for (unsigned i = 0; i < c->cfg.warp_slots; i++)
    if (s->warp[i].live) counters_warp_ends(c, &s->warp[i], cycle);
  return end_sm_comparison(c, s, counters_judge(c, s, counter, held));
}

void heddle_checker_so_far(struct heddle_checker *c, unsigned sm, struct heddle_checker_so_far *out) {
  const struct sm *s = sm_numbered(c, sm);
  *out = (struct heddle_checker_so_far){0};
  if (s != NULL) counters_so_far(c, s, out);
}

bool heddle_checker_counters_running(struct heddle_checker *c, unsigned sm, const struct heddle_checker_so_far *least,
                                     const uint32_t *counter, uint64_t cycle) {
  const struct sm *s = sm_numbered(c, sm);
  if (!begin_comparison(c) || s == NULL) return false;
  return end_sm_comparison(c, s, counters_running(c, s, least, counter, cycle));
}

bool heddle_checker_cache_counters(struct heddle_checker *c, const uint32_t *counter) {
  return heddle_checker_cache_counters_of(c, c->cfg.sm, counter);
}

bool heddle_checker_cache_counters_of(struct heddle_checker *c, unsigned sm, const uint32_t *counter) {
  struct sm *s = sm_numbered(c, sm);
  if (!begin_comparison(c) || s == NULL) return false;
  return end_sm_comparison(c, s, c->cache == NULL || cache_count_judge(c, s, counter));
}

bool heddle_checker_idle(struct heddle_checker *c, bool running, bool draining) {
  if (!begin_comparison(c)) return false;
  if ((!running && !draining) || !checker_on(c, HEDDLE_CHECKER_END_IDLE)) return true;
  return end_comparison(c, differ(c, HEDDLE_CHECKER_END_IDLE, "STATUS",
                                  "the grid has come to its end, and the device says that it %s",
                                  running ? "runs" : "drains"));
}

/* ---- memory ---- */

static bool check_image(struct heddle_checker *c, enum heddle_checker_kind k, const char *what, const uint8_t *mine,
                        const uint8_t *image, uint64_t bytes) {
  if (!begin_comparison(c)) return false;
  c->stats.bytes_compared += bytes;
  if (bytes == 0 || memcmp(mine, image, bytes) == 0 || !checker_on(c, k)) return true;
  uint64_t at = 0;
  while (mine[at] == image[at]) at++;
  char subject[48];
  snprintf(subject, sizeof subject, "%s, byte 0x%llx", what, (unsigned long long)at);
  return end_comparison(c, differ(c, k, subject, "%s was launched with 0x%02x, and is 0x%02x in memory now", subject,
                                  mine[at], image[at]));
}

bool heddle_checker_code(struct heddle_checker *c, const uint8_t *image) {
  return check_image(c, HEDDLE_CHECKER_MEMORY_CODE, "code", c->launch->code, image, c->launch->code_bytes);
}

bool heddle_checker_constants(struct heddle_checker *c, unsigned bank, const uint8_t *image) {
  char what[32];
  if (bank >= 4) return true;
  snprintf(what, sizeof what, "constant bank %u", bank);
  return check_image(c, HEDDLE_CHECKER_MEMORY_CONSTANT, what, c->launch->cbank[bank], image,
                     c->launch->cbank_bytes[bank]);
}
