/* SPDX-License-Identifier: Apache-2.0
 *
 * What the host can read at the end: trap registers, event counters, status, code and constants in memory.
 */
#include <string.h>

#include "cosim/checker/cache.h"

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
