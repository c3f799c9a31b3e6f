/* SPDX-License-Identifier: Apache-2.0
 *
 * A host that does more than it must. Around and during launches it reads and writes registers of every kind, asks for
 * what must be refused, and gives up what it has started. What it must see then follows from isa/abi/host_regs.layout,
 * rtl/gpu/README.md and the configuration alone; what the device did before is known only as what was written to it.
 */
#include <string.h>

#include <heddle/config.h>
#include <heddle/host.h>
#include "host.h"

static bool fiddle_before_launch(struct heddle_session *s) {
  bool ok = true;
  for (unsigned n = 1 + host_below(s, 3); ok && n-- > 0;) {
    for (unsigned k = host_below(s, 6); ok && k-- > 0;) ok = host_fiddle(s);
    ok = ok && host_one_more(s);
  }
  for (unsigned k = host_below(s, 6); ok && k-- > 0;) ok = host_fiddle(s);
  return ok && host_quiet(s, "before the launch");
}

/* Launches of its own are in no trace, nobody looks on, and of what they say nothing is left. */
static bool aside(struct heddle_session *s, bool (*does)(struct heddle_session *)) {
  struct heddle_trace_writer *trace = s->trace;
  const heddle_session_observe_fn observe = s->cfg.observe;
  s->trace = NULL;
  s->cfg.observe = NULL;
  const bool ok = does(s);
  s->trace = trace;
  s->cfg.observe = observe;
  if (!ok) return false;
  heddle_dut_records_clear(s->device);
  heddle_checker_free(s->checker);
  s->checker = NULL;
  memset(&s->result, 0, sizeof s->result);
  s->result.difference.kind = HEDDLE_CHECKER_NONE;
  return true;
}

enum heddle_session_outcome host_before(struct heddle_session *s) {
  return s->host.machine == NULL || aside(s, fiddle_before_launch) ? HEDDLE_SESSION_OK : s->result.outcome;
}

/* START has been written: a second one is none where there is no queue, launch registers stay. While a grid runs the
 * cache is not flushed. No grid ends as soon as this. */
enum heddle_session_outcome host_started(struct heddle_session *s) {
  uint32_t status = 0;
  if (s->host.machine == NULL) return HEDDLE_SESSION_OK;
  const uint32_t none = host_has_queue(s) ? HEDDLE_CONTROL_FLUSH | HEDDLE_CONTROL_EMPTY : HEDDLE_CONTROL_START;
  bool ok = !host_chance(s, 50) || host_command(s, none);
  return ok && host_meanwhile(s, &status) == HEDDLE_SESSION_OK ? HEDDLE_SESSION_OK : s->result.outcome;
}

/* Where launch registers stay while a grid runs, whether it still does is known only behind a write: what was written
 * while it may have ended is unknown. A queue takes what is written for the next launch. */
enum heddle_session_outcome host_meanwhile(struct heddle_session *s, uint32_t *status) {
  if (s->host.machine == NULL) return HEDDLE_SESSION_OK;
  for (unsigned n = host_below(s, 4); n-- > 0;) {
    const uint32_t reg = host_chance(s, 50) ? HEDDLE_REG_GRID_X + 4 * host_below(s, 16) : host_any_register(s);
    const bool dropped = !host_has_queue(s) && reg < HEDDLE_REG_LAUNCHES; /* the interrupt's word is not */
    bool ok = true, runs = true;
    uint32_t want;
    switch (host_below(s, 4)) {
    case 0:
      ok = host_part_of_word(s);
      break;
    case 1:
      ok = reg == HEDDLE_REG_CONTROL ||
           (host_chance(s, 50) ? host_beside(s, reg, dropped) : host_scribble(s, reg, dropped));
      if (dropped) s->host.unknown[reg / 4] = heddle_host_regs_kept(reg, 0, &want);
      ok = ok && host_read32(s, HEDDLE_REG_STATUS, status);
      runs = (*status & HEDDLE_STATUS_RUNNING) != 0;
      if (runs && dropped) s->host.unknown[reg / 4] = false;
      break;
    default:
      ok = host_look_running(s, status);
      runs = (*status & HEDDLE_STATUS_RUNNING) != 0;
      break;
    }
    if (!ok) return s->result.outcome;
    if (!runs) break;
    if (!host_look(s, reg)) return s->result.outcome;
  }
  return HEDDLE_SESSION_OK;
}

/* Of the last launch the words that are kept say the same. */
static bool ended_as_told(struct heddle_session *s) {
  const uint32_t number = s->host.holds[HEDDLE_REG_LAUNCHES / 4], at = number % HEDDLE_ENDED_KEPT;
  const uint64_t cycles = s->result.cycles;
  if (!host_has_queue(s) || s->host.unknown[HEDDLE_REG_LAUNCHES / 4]) return true;
  return host_expect(s, "how the last launch ended", HEDDLE_REG_ENDED_HOW(at), number << 8 | (s->host.status & 15)) &&
         host_expect(s, "cycles of the last launch", HEDDLE_REG_ENDED_CYCLES(at), (uint32_t)cycles) &&
         host_expect(s, "cycles of the last launch", HEDDLE_REG_ENDED_CYCLES(at) + 4, (uint32_t)(cycles >> 32));
}

/* How it ended stays until START or ABORT. */
static bool fiddle_after_launch(struct heddle_session *s) {
  const struct heddle_session_result *r = &s->result;
  uint32_t status = s->host.status;
  bool ok = true;
  for (unsigned k = host_below(s, 6); ok && k-- > 0;) ok = host_fiddle(s);
  ok = ok && host_expect(s, "how it ended", HEDDLE_REG_STATUS, status) &&
       host_expect(s, "cycles of the grid", HEDDLE_REG_CYCLES, (uint32_t)r->cycles) &&
       host_expect(s, "cycles of the grid", HEDDLE_REG_CYCLES_HI, (uint32_t)(r->cycles >> 32)) && host_counted(s);
  ok = ok && ended_as_told(s) && host_trap_as_told(s) && ((status & HEDDLE_STATUS_TRAPPED) == 0 || host_trap_stays(s));
  if (!ok || !host_chance(s, 50)) return ok;
  if (!host_command(s, HEDDLE_CONTROL_ABORT | (host_chance(s, 30) ? HEDDLE_CONTROL_START : 0)) ||
      !host_wait_without(s, HEDDLE_STATUS_DRAINING, &status))
    return false;
  if (status != 0) return host_wrong(s, "after an abort of nothing", HEDDLE_REG_STATUS, status, 0);
  s->host.status = 0;
  return host_trap_as_told(s) && host_quiet(s, "after an abort of nothing");
}

/* Whatever comes next finds what a launch has left that was given up. */
enum heddle_session_outcome host_after(struct heddle_session *s) {
  if (s->host.machine == NULL) return HEDDLE_SESSION_OK;
  if (!fiddle_after_launch(s)) return s->result.outcome;
  if (!host_chance(s, 25)) return HEDDLE_SESSION_OK;
  const struct heddle_session_result result = s->result;
  struct heddle_checker *checker = s->checker;
  s->checker = NULL;
  if (!aside(s, host_given_up)) {
    heddle_checker_free(checker);
    return s->result.outcome;
  }
  s->result = result;
  s->checker = checker;
  return HEDDLE_SESSION_OK;
}
