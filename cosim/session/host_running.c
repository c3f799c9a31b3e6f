/* SPDX-License-Identifier: Apache-2.0
 *
 * A host that does more than it must (host.h): registers that depend on what runs, read while it runs and after it. In
 * what cycle a read looks nobody knows but within SETTLES; so what is counted lies between what records had shown that
 * long before and that long behind it.
 */
#include <string.h>

#include <heddle/host.h>
#include "cosim/session/host.h"

#define SETTLES 16u /* more cycles than an issue record and its count lie apart */
#define TRAP_END (HEDDLE_REG_TRAP_SM + 4u)

/* Clocks, and judges what is shown meanwhile. */
bool host_pass(struct heddle_session *s, uint64_t cycles) {
  enum heddle_session_outcome o = HEDDLE_SESSION_OK;
  for (uint64_t done = 1; o == HEDDLE_SESSION_OK && cycles != 0 && done != 0; cycles -= done) {
    done = session_step(s, cycles);
    o = judge_taken(s);
    if (o == HEDDLE_SESSION_OK) o = run_sound(s);
  }
  return o == HEDDLE_SESSION_OK;
}

/* A number that no SM has is dropped. */
static bool select_sm(struct heddle_session *s, uint32_t sm) {
  const unsigned sms = session_shown(s);
  if (sms == 1) return true;
  bool ok = heddle_dut_write32(s->device, HEDDLE_REG_SM_SELECT, sm);
  if (ok && host_chance(s, 30)) ok = heddle_dut_write32(s->device, HEDDLE_REG_SM_SELECT, sms + host_below(s, 1000));
  return ok || session_say(s, HEDDLE_SESSION_DEVICE, "host: SM_SELECT cannot be written") == HEDDLE_SESSION_OK;
}

static bool read_counters(struct heddle_session *s, uint32_t counter[HEDDLE_SESSION_COUNTERS]) {
  bool ok = true;
  memset(counter, 0, HEDDLE_SESSION_COUNTERS * sizeof *counter);
  for (unsigned i = 0; ok && i < HEDDLE_COUNTERS; i++) ok = host_read32(s, HEDDLE_REG_COUNTER(i), &counter[i]);
  for (unsigned i = 0; ok && i < HEDDLE_CACHE_COUNTERS; i++)
    ok = host_read32(s, HEDDLE_REG_CACHE_COUNTER(i), &counter[HEDDLE_SESSION_CACHE_COUNTERS + i]);
  return ok;
}

/* None has fallen since it was read before in this grid. */
static bool grown(struct heddle_session *s, uint32_t sm, const uint32_t counter[HEDDLE_SESSION_COUNTERS]) {
  uint32_t *before = s->host.counter[sm];
  for (uint32_t i = 0; i < HEDDLE_SESSION_COUNTERS; i++) {
    const uint32_t k = i - HEDDLE_SESSION_CACHE_COUNTERS;
    const uint32_t reg = i < HEDDLE_SESSION_CACHE_COUNTERS ? HEDDLE_REG_COUNTER(i) : HEDDLE_REG_CACHE_COUNTER(k);
    if (counter[i] < before[i]) return host_wrong(s, "a counter that falls", reg, counter[i], before[i]);
    before[i] = counter[i];
  }
  return true;
}

/* The SM is in reset until STATUS no longer says that it drains: until then counters are those of the last grid. */
static bool says_running(uint32_t status) {
  return (status & (HEDDLE_STATUS_RUNNING | HEDDLE_STATUS_DRAINING)) == HEDDLE_STATUS_RUNNING;
}

static bool look_at_counters(struct heddle_session *s) {
  const unsigned sms = session_shown(s);
  const uint32_t sm = host_below(s, sms < HOST_SMS ? sms : HOST_SMS), number = heddle_dut_describe(s->device)->sm + sm;
  uint32_t counter[HEDDLE_SESSION_COUNTERS];
  struct heddle_checker_so_far least = {0};
  if (judge_taken(s) != HEDDLE_SESSION_OK) return false;
  if (s->checker != NULL) heddle_checker_so_far(s->checker, number, &least);
  if (!host_pass(s, SETTLES) || !select_sm(s, sm) || !read_counters(s, counter) || !grown(s, sm, counter)) return false;
  if (!host_pass(s, SETTLES)) return false;
  if (s->checker == NULL ||
      heddle_checker_counters_running(s->checker, number, &least, counter, heddle_dut_cycle(s->device)))
    return true;
  return judge_difference(s) == HEDDLE_SESSION_OK;
}

/* They go on, and not faster than the clock. */
static bool look_at_cycles(struct heddle_session *s) {
  uint32_t lo = 0, hi = 0;
  if (!host_read32(s, HEDDLE_REG_CYCLES, &lo) || !host_read32(s, HEDDLE_REG_CYCLES_HI, &hi)) return false;
  const uint64_t cycles = (uint64_t)hi << 32 | lo, most = heddle_dut_cycle(s->device) - s->first_cycle;
  if (cycles < s->host.cycles || cycles > most)
    return host_wrong(s, cycles > most ? "more cycles than were clocked" : "cycles that fall", HEDDLE_REG_CYCLES, lo,
                      (uint32_t)(cycles > most ? most : s->host.cycles));
  s->host.cycles = cycles;
  return true;
}

/* A trap is there while STATUS says so. */
static bool look_at_trap(struct heddle_session *s, uint32_t *status) {
  const uint32_t reg = HEDDLE_REG_TRAP_CAUSE + 4 * host_below(s, (TRAP_END - HEDDLE_REG_TRAP_CAUSE) / 4);
  uint32_t got = 0;
  if (!select_sm(s, host_below(s, session_shown(s))) || !host_read32(s, reg, &got)) return false;
  if (!host_read32(s, HEDDLE_REG_STATUS, status)) return false;
  if ((*status & HEDDLE_STATUS_TRAPPED) != 0 || got == 0) return true;
  return host_wrong(s, "of a trap that STATUS does not report", reg, got, 0);
}

/* What is told as lost memory has refused, and what is told once stays so. */
static bool look_at_lost(struct heddle_session *s, uint32_t *status) {
  uint32_t before = 0, lo = 0, hi = 0;
  uint64_t at = 0;
  if (!host_read32(s, HEDDLE_REG_STATUS, &before) || !host_read32(s, HEDDLE_REG_LOST_ADDR, &lo) ||
      !host_read32(s, HEDDLE_REG_LOST_ADDR_HI, &hi) || !host_read32(s, HEDDLE_REG_STATUS, status))
    return false;
  const bool was = (before & HEDDLE_STATUS_LOST) != 0, is = (*status & HEDDLE_STATUS_LOST) != 0;
  if ((was || s->host.told) && !is)
    return host_wrong(s, "lost is no longer reported", HEDDLE_REG_STATUS, *status, before);
  s->host.told = is;
  const bool refused = heddle_axi_mem_refused(heddle_dut_memory(s->device), &at);
  if (is && !refused)
    return host_wrong(s, "lost, and memory has refused nothing", HEDDLE_REG_STATUS, *status,
                      *status & ~(uint32_t)HEDDLE_STATUS_LOST);
  if (was != is) return true; /* the words may be of before and behind */
  const uint64_t want = is ? at / SESSION_LINE * SESSION_LINE : 0;
  if (lo != (uint32_t)want) return host_wrong(s, "the line that was lost", HEDDLE_REG_LOST_ADDR, lo, (uint32_t)want);
  const uint32_t high = (uint32_t)(want >> 32);
  return hi == high || host_wrong(s, "the line that was lost", HEDDLE_REG_LOST_ADDR_HI, hi, high);
}

/* In a queue cycles and counters begin anew with each launch, and when that is nobody knows so well. */
bool host_look_running(struct heddle_session *s, uint32_t *status) {
  const uint32_t drawn = host_below(s, 4), what = s->queue.runs && drawn != 0 ? 3 : drawn;
  if (what == 0) return look_at_trap(s, status);
  if (!host_read32(s, HEDDLE_REG_STATUS, status)) return false;
  if (!says_running(*status)) return true;
  return what == 1 ? look_at_counters(s) : what == 2 ? look_at_cycles(s) : look_at_lost(s, status);
}

/* ---- after the end ---- */

/* Counters of each SM stay, and over all SMs they are what was counted at the end (and judged, SM by SM). */
bool host_counted(struct heddle_session *s) {
  const unsigned sms = session_shown(s);
  uint32_t counter[HEDDLE_SESSION_COUNTERS], sum[HEDDLE_SESSION_COUNTERS] = {0};
  for (unsigned turn = 0; turn < 2; turn++)
    for (uint32_t k = 0; k < sms && k < HOST_SMS; k++) {
      const uint32_t sm = turn == 0 ? k : host_below(s, sms < HOST_SMS ? sms : HOST_SMS);
      if (!select_sm(s, sm) || !read_counters(s, counter)) return false;
      if (turn == 1 && memcmp(counter, s->host.counter[sm], sizeof counter) != 0)
        return host_wrong(s, "counters change behind the end: issued", HEDDLE_REG_COUNTER(0), counter[0],
                          s->host.counter[sm][0]);
      if (!grown(s, sm, counter)) return false;
      for (unsigned i = 0; i < HEDDLE_SESSION_COUNTERS && turn == 0; i++) sum[i] += counter[i];
    }
  for (unsigned i = 0; i < HEDDLE_SESSION_COUNTERS && sms <= HOST_SMS; i++)
    if (sum[i] != s->result.counter[i])
      return host_wrong(s, "counted in the grid",
                        i < HEDDLE_SESSION_CACHE_COUNTERS ? HEDDLE_REG_COUNTER(i)
                                                          : HEDDLE_REG_CACHE_COUNTER(i - HEDDLE_SESSION_CACHE_COUNTERS),
                        sum[i], s->result.counter[i]);
  return true;
}

/* What the register says of the session's trap; of an SM that has none 0. */
static uint32_t trap_word(const struct heddle_session *s, uint32_t reg, bool own) {
  const struct heddle_trap *t = &s->result.trap;
  if (reg == HEDDLE_REG_TRAP_SM) return t->sm;
  if (!own) return 0;
  switch (reg) {
  case HEDDLE_REG_TRAP_CAUSE:
    return t->cause;
  case HEDDLE_REG_TRAP_WARP:
    return t->warp_in_block;
  case HEDDLE_REG_TRAP_SLOT:
    return s->trap_slot;
  case HEDDLE_REG_TRAP_SEQ:
    return t->seq;
  case HEDDLE_REG_TRAP_PC:
    return t->pc;
  case HEDDLE_REG_TRAP_LANES:
    return t->lanes;
  case HEDDLE_REG_TRAP_ADDR:
    return (uint32_t)t->addr;
  case HEDDLE_REG_TRAP_ADDR_HI:
    return (uint32_t)(t->addr >> 32);
  default:
    return t->ctaid[(reg - HEDDLE_REG_TRAP_CTAID_X) / 4];
  }
}

/* No trap and nothing lost, unless STATUS says so. */
bool host_trap_as_told(struct heddle_session *s) {
  if (!select_sm(s, host_below(s, session_shown(s)))) return false;
  for (uint32_t reg = HEDDLE_REG_TRAP_CAUSE; reg <= HEDDLE_REG_LOST_ADDR_HI; reg += 4)
    if (!host_look(s, reg)) return false;
  return true;
}

/* As it was judged at the end: it stays until START or ABORT. */
bool host_trap_stays(struct heddle_session *s) {
  const unsigned sms = session_shown(s);
  for (unsigned n = 4 + host_below(s, 12); n-- > 0;) {
    const uint32_t reg = HEDDLE_REG_TRAP_CAUSE + 4 * host_below(s, (TRAP_END - HEDDLE_REG_TRAP_CAUSE) / 4);
    const uint32_t sm = host_chance(s, 50) ? s->result.trap.sm : host_below(s, sms);
    if (!select_sm(s, sm) ||
        !host_expect(s, "of the trap", reg, trap_word(s, reg, sms == 1 || sm == s->result.trap.sm)))
      return false;
  }
  return true;
}
