/* SPDX-License-Identifier: Apache-2.0
 *
 * The end of a launch: the device comes to rest, and what records do not show is compared: registers, memory, AXI.
 */
#include <string.h>

#include "cosim/session/internal.h"

/* After the end, reads may still be on their way (of instructions ahead), and of a grid that trapped, or was refused,
 * anything. But a host that has read DONE reads memory next: writes are there. */
static enum heddle_session_outcome drain(struct heddle_session *s, uint32_t status) {
  if ((status & HEDDLE_STATUS_DONE) != 0 && s->own_device && heddle_axi_mem_writing(heddle_dut_memory(s->device)))
    return session_say(s, HEDDLE_SESSION_DEVICE, "STATUS says that the grid has ended, and AXI writes are outstanding");
  for (unsigned i = 0; i < SESSION_DRAIN / 16 && !heddle_axi_mem_idle(heddle_dut_memory(s->device)); i++)
    (void)session_step(s, 16);
  const enum heddle_session_outcome o = judge_taken(s);
  if (o != HEDDLE_SESSION_OK) return o;
  if (!heddle_axi_mem_idle(heddle_dut_memory(s->device)))
    return session_say(s, HEDDLE_SESSION_DEVICE, "AXI is not idle after the end of the grid");
  return run_sound(s);
}

/* A grid may trap while warps of a block are still being started: the records of those that are left are its own, not
 * those of the next launch. */
static enum heddle_session_outcome settle_device(struct heddle_session *s) {
  enum heddle_session_outcome o = HEDDLE_SESSION_OK;
  for (unsigned calm = 0, all = 0; o == HEDDLE_SESSION_OK && calm < SESSION_SETTLE && all < SESSION_DRAIN;
       calm++, all++) {
    size_t n;
    (void)session_step(s, 1);
    (void)heddle_dut_records(s->device, &n);
    if (n != 0) calm = 0;
    o = judge_taken(s);
  }
  return o;
}

/* The counters of SM number `sm`, which the host chooses. */
bool session_read_counters(struct heddle_session *s, unsigned sm, uint32_t *counter) {
  bool ok = heddle_dut_write32(s->device, HEDDLE_REG_SM_SELECT, sm);
  for (unsigned i = 0; ok && i < HEDDLE_COUNTERS; i++)
    ok = heddle_dut_read32(s->device, HEDDLE_REG_COUNTER(i), &counter[i]);
  for (unsigned i = 0; ok && s->result.has_cache && i < HEDDLE_CACHE_COUNTERS; i++)
    ok = heddle_dut_read32(s->device, HEDDLE_REG_CACHE_COUNTER(i), &counter[HEDDLE_SESSION_CACHE_COUNTERS + i]);
  return ok;
}

/* Counters that a device does not have read as 0. Of a device of somebody else's nobody knows how its port is held; one
 * that sends a stream holds it itself. */
static bool compare_counters(struct heddle_session *s) {
  const bool held = s->cfg.withhold_ready || !s->own_device || heddle_dut_has_stream(s->device);
  const unsigned first = heddle_dut_describe(s->device)->sm, sms = session_shown(s);
  for (unsigned sm = first; sm < first + sms; sm++) {
    uint32_t own[HEDDLE_SESSION_COUNTERS] = {0}, *counter = s->result.counter;
    if (sms > 1 && !session_read_counters(s, sm, counter = own)) return false;
    if (!heddle_checker_counters_of(s->checker, sm, counter, held, heddle_dut_cycle(s->device)) ||
        (s->result.has_cache &&
         !heddle_checker_cache_counters_of(s->checker, sm, counter + HEDDLE_SESSION_CACHE_COUNTERS)))
      return false;
  }
  return true;
}

static const uint8_t *dram_at(const struct heddle_session *s, uint64_t addr) {
  const struct heddle_axi_mem *m = heddle_dut_memory(s->device);
  return heddle_axi_mem_view(m) + (addr - heddle_axi_mem_configuration(m)->base);
}

static bool missing(void *session, uint64_t addr) {
  const struct heddle_session *s = session;
  return heddle_axi_mem_missing(heddle_dut_memory(s->device), addr);
}

/* `seen`: the cycle in which STATUS said that the grid is over. */
static bool compare_host(struct heddle_session *s, uint32_t status, uint64_t seen) {
  if (heddle_dut_core(s->device) != NULL) return true; /* its registers are made of its records */
  const bool running = (status & HEDDLE_STATUS_RUNNING) != 0, draining = (status & HEDDLE_STATUS_DRAINING) != 0;
  return heddle_checker_idle(s->checker, running, draining) && compare_counters(s) &&
         heddle_checker_cycles(s->checker, s->result.cycles, seen) &&
         ((status & HEDDLE_STATUS_TRAPPED) == 0 ||
          heddle_checker_trap_registers(s->checker, &s->result.trap, s->trap_slot));
}

static enum heddle_session_outcome compare_end(struct heddle_session *s, uint32_t status, uint64_t seen) {
  const uint64_t now = heddle_dut_cycle(s->device);
  if (!judge_trace_end(s)) return session_say(s, HEDDLE_SESSION_FAILED, "the trace cannot be written");
  heddle_checker_lost(s->checker, missing, s);
  if (!heddle_checker_finish(s->checker, now) || !compare_host(s, status, seen) ||
      !heddle_checker_memory(s->checker, s->cfg.memory_base, s->memory, s->cfg.memory_bytes) ||
      (s->local != NULL && queue_is_last(s) &&
       !heddle_checker_local(s->checker, s->local, dram_at(s, s->launch.local_at))))
    return judge_difference(s);
  if ((status & HEDDLE_STATUS_TRAPPED) == 0) return HEDDLE_SESSION_OK;
  return session_say(s, HEDDLE_SESSION_TRAPPED, "trap %s", heddle_cause_name(s->result.trap.cause));
}

/* A write that strayed into code or constants would not show in global memory. */
static enum heddle_session_outcome launch_intact(struct heddle_session *s, const struct heddle_launch *l) {
  if (l->pages) return HEDDLE_SESSION_OK; /* they lie in global memory, which is compared */
  bool code = memcmp(dram_at(s, l->code_at), l->code, l->code_bytes) == 0, constants = true;
  for (unsigned i = 0; i < HEDDLE_CBANKS; i++)
    if (l->cbank_bytes[i] != 0 && memcmp(dram_at(s, l->cbank_at[i]), l->cbank[i], l->cbank_bytes[i]) != 0)
      constants = false;
  if (code && constants) return HEDDLE_SESSION_OK;
  if (s->checker == NULL || l != queue_front(s))
    return session_say(s, HEDDLE_SESSION_DEVICE, "%s in memory was overwritten",
                       code ? "a constant bank" : "the program");
  (void)heddle_checker_code(s->checker, dram_at(s, l->code_at));
  for (unsigned i = 0; i < HEDDLE_CBANKS; i++)
    (void)(l->cbank_bytes[i] == 0 || heddle_checker_constants(s->checker, i, dram_at(s, l->cbank_at[i])));
  return judge_difference(s);
}

/* Of a queue: what each of its launches was given. */
static enum heddle_session_outcome program_intact(struct heddle_session *s) {
  enum heddle_session_outcome o = launch_intact(s, queue_front(s));
  for (size_t i = 0; o == HEDDLE_SESSION_OK && s->queue.runs && i < s->queue.launches; i++)
    o = launch_intact(s, &s->queue.launch[i]);
  return o;
}

/* Where a cache writes back nobody traps: the host is told that memory refused a write, and which was the first. */
static bool lost_as_told(struct heddle_session *s, uint32_t status) {
  const struct heddle_config *c = session_machine(s);
  uint64_t at = 0;
  uint32_t lo = 0, hi = 0;
  const bool refused = c != NULL && c->l2_bytes != 0 && heddle_axi_mem_refused(heddle_dut_memory(s->device), &at);
  const bool told = (status & HEDDLE_STATUS_LOST) != 0;
  s->host.lost = refused ? at / SESSION_LINE * SESSION_LINE : 0;
  if (heddle_dut_core(s->device) != NULL) return true; /* it has no such register */
  if (!heddle_dut_read32(s->device, HEDDLE_REG_LOST_ADDR, &lo) ||
      !heddle_dut_read32(s->device, HEDDLE_REG_LOST_ADDR_HI, &hi))
    return session_say(s, HEDDLE_SESSION_DEVICE, "the host bus answers a read of LOST_ADDR with an error") ==
           HEDDLE_SESSION_OK;
  const uint64_t got = (uint64_t)hi << 32 | lo;
  if (told == refused && got == s->host.lost) return true;
  return session_say(s, HEDDLE_SESSION_DEVICE,
                     "STATUS is 0x%x and LOST_ADDR 0x%llx; memory has %s a write, at 0x%llx first", status,
                     (unsigned long long)got, refused ? "refused" : "not refused",
                     (unsigned long long)s->host.lost) == HEDDLE_SESSION_OK;
}

/* What the host reads when the grid has ended, and no record shows. */
static enum heddle_session_outcome host_plausible(struct heddle_session *s, uint32_t status) {
  const uint32_t waits = s->queue.runs ? HEDDLE_STATUS_WAITING | HEDDLE_STATUS_FULL : 0;
  const uint32_t known =
      waits | HEDDLE_STATUS_RUNNING | HEDDLE_STATUS_DONE | HEDDLE_STATUS_TRAPPED | HEDDLE_STATUS_REFUSED |
      HEDDLE_STATUS_DRAINING | HEDDLE_STATUS_REFUSE_MASK | HEDDLE_STATUS_LOST |
      (s->launch.pages ? HEDDLE_STATUS_EXCHANGE_BAD : 0); /* of the last EXCHANGE, if there was one */
  const uint64_t clocked = heddle_dut_cycle(s->device) - s->first_cycle;
  if ((status & ~known) != 0 || ((status & HEDDLE_STATUS_REFUSED) == 0) != (s->result.refuse == 0))
    return session_say(s, HEDDLE_SESSION_DEVICE, "STATUS is 0x%x: %s", status,
                       (status & ~known) != 0 ? "bits that it does not have"
                                              : "a reason without a refusal, or the reverse");
  if (s->result.cycles > clocked)
    return session_say(s, HEDDLE_SESSION_DEVICE, "CYCLES says %llu, of %llu since the launch was written",
                       (unsigned long long)s->result.cycles, (unsigned long long)clocked);
  return lost_as_told(s, status) ? HEDDLE_SESSION_OK : s->result.outcome;
}

/* What its records do not show, nor what is read back at the end. */
static enum heddle_session_outcome kept_inside(struct heddle_session *s) {
  uint64_t addr;
  if (!heddle_axi_mem_strayed(heddle_dut_memory(s->device), &addr)) return HEDDLE_SESSION_OK;
  return session_say(s, HEDDLE_SESSION_DEVICE,
                     "AXI: a write at 0x%llx, which is in no writable region nor in local memory",
                     (unsigned long long)addr);
}

enum heddle_session_outcome end_launch(struct heddle_session *s, uint32_t status) {
  const uint64_t seen = heddle_dut_cycle(s->device);
  enum heddle_session_outcome o = (status & HEDDLE_STATUS_TRAPPED) != 0 ? settle_device(s) : HEDDLE_SESSION_OK;
  if (o == HEDDLE_SESSION_OK) o = drain(s, status);
  if (o != HEDDLE_SESSION_OK) return o;
  if (!device_status(s, &status) || !device_outcome(s, status)) return s->result.outcome;
  s->host.status = status;
  o = host_plausible(s, status);
  if (o != HEDDLE_SESSION_OK) return o;
  o = judge_taken(s);
  if (o != HEDDLE_SESSION_OK) return o;
  o = judge_refusal(s, status);
  if (o != HEDDLE_SESSION_OK) return o;
  (void)heddle_dut_memory_load(s->device, s->cfg.memory_base, s->memory, s->cfg.memory_bytes);
  o = program_intact(s);
  if (o == HEDDLE_SESSION_OK && s->checker != NULL) o = compare_end(s, status, seen);
  if ((o == HEDDLE_SESSION_OK || o == HEDDLE_SESSION_TRAPPED) && kept_inside(s) != HEDDLE_SESSION_OK)
    return s->result.outcome;
  if (s->checker != NULL) return o;
  if (o == HEDDLE_SESSION_OK && (status & HEDDLE_STATUS_TRAPPED) != 0)
    return session_say(s, HEDDLE_SESSION_TRAPPED, "trap %s at pc 0x%x", heddle_cause_name(s->result.trap.cause),
                       s->result.trap.pc);
  return o;
}
