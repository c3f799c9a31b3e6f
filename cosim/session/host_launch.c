/* SPDX-License-Identifier: Apache-2.0
 *
 * A host that does more than it must (host.h): whole launches beside the real one, each with an end that is known:
 * refused, trapped at once, given up, reset. The real one: launch.c (docs/how-a-launch-travels.md).
 */
#include <string.h>

#include <heddle/config.h>
#include <heddle/host.h>
#include "cosim/session/host.h"

#define LONG 400000u /* cycles until a launch that is given up at its end must have come there, as records show */
#define BEGUN 2u /* bursts of writes at a port whose address memory has not taken: one is shown, of one the data is */
#define POLLS 4000u /* of STATUS: an abort waits for bursts of an adversarial memory */

/* Says when STATUS no longer has any of `bits`. */
bool host_wait_without(struct heddle_session *s, uint32_t bits, uint32_t *status) {
  for (unsigned i = 0; i < POLLS; i++) {
    if (!host_read32(s, HEDDLE_REG_STATUS, status)) return false;
    if ((*status & bits) == 0) return true;
    (void)session_step(s, 16);
    heddle_dut_records_clear(s->device);
  }
  (void)session_say(s, HEDDLE_SESSION_DEVICE, "host: STATUS is 0x%x without end", *status);
  return false;
}

bool host_command(struct heddle_session *s, uint32_t value) {
  host_wrote(s, HEDDLE_REG_CONTROL, value);
  if (heddle_dut_write32(s->device, HEDDLE_REG_CONTROL, value)) return true;
  (void)session_say(s, HEDDLE_SESSION_DEVICE, "host: a write of CONTROL is answered with an error, or not at all");
  return false;
}

bool host_quiet(struct heddle_session *s, const char *when) {
  for (unsigned i = 0; i < SESSION_DRAIN / 16 && !heddle_axi_mem_idle(heddle_dut_memory(s->device)); i++)
    (void)session_step(s, 16);
  const char *why = heddle_dut_failure(s->device);
  if (why == NULL) why = heddle_axi_mem_protocol_error(heddle_dut_memory(s->device));
  if (why == NULL && !heddle_axi_mem_idle(heddle_dut_memory(s->device))) why = "AXI is not idle";
  if (why == NULL) return true;
  (void)session_say(s, HEDDLE_SESSION_DEVICE, "host: %s: %s", when, why);
  return false;
}

/* A launch that fits, of which then one thing does not. */
static struct heddle_launch fitting(struct heddle_session *s) {
  const struct heddle_config *m = s->host.machine;
  const uint32_t warps = 1 + host_below(s, m->warps < 32 ? m->warps : 32);
  const uint32_t rows = (warps + m->partitions - 1) / m->partitions, room = m->regs / m->partitions / rows;
  const uint32_t x = 1 + host_below(s, 4), y = 1 + host_below(s, 3), z = 1 + host_below(s, 2);
  const uint32_t regs = 1 + host_below(s, room < 255 ? room : 255), shared = host_below(s, m->shared_bytes + 1);
  return (struct heddle_launch){.size = sizeof(struct heddle_launch),
                                .grid = {x, y, z},
                                .block = {32 * warps, 1, 1},
                                .regs = regs,
                                .shared_bytes = shared};
}

/* As large as it may be: as many warps, registers, bytes as there are, and threads in two dimensions or three. */
static struct heddle_launch filling(struct heddle_session *s) {
  const struct heddle_config *m = s->host.machine;
  struct heddle_launch a = fitting(s);
  const uint32_t most = m->warps < 32 ? m->warps : 32;
  if (host_chance(s, 50)) a.block[0] = 32 * most;
  const uint32_t rows = (a.block[0] / 32 + m->partitions - 1) / m->partitions, room = m->regs / m->partitions / rows;
  if (a.regs > room || host_chance(s, 70)) a.regs = room < 255 ? room : 255;
  if (host_chance(s, 50)) a.shared_bytes = m->shared_bytes;
  const uint32_t by = 1u << host_below(s, 6);
  if (host_chance(s, 30)) a.block[1 + host_below(s, 2)] = by, a.block[0] /= by;
  if (host_chance(s, 30)) a.block[0] -= host_below(s, a.block[0] < 32 ? a.block[0] : 32);
  return a;
}

static void spoil_registers(struct heddle_session *s, struct heddle_launch *a) {
  const struct heddle_config *m = s->host.machine;
  const uint64_t threads = (uint64_t)a->block[0] * a->block[1] * a->block[2];
  const uint32_t warps = threads == 0 || threads > 1024 ? 1 : (uint32_t)(threads + 31) / 32;
  const uint32_t rows = (warps + m->partitions - 1) / m->partitions;
  const uint32_t room = m->regs / m->partitions / rows, first = room < 255 ? room + 1 : 256;
  a->regs = host_chance(s, 30) ? 0 : first + (host_chance(s, 40) ? 0 : host_below(s, 0x300));
}

static void spoil(struct heddle_session *s, struct heddle_launch *a) {
  const struct heddle_config *m = s->host.machine;
  const uint32_t d = host_below(s, 3), most[3] = {1024, 1024, 64}, what = host_below(s, 6);
  if (what == 0) {
    a->grid[d] = 0;
    if (host_chance(s, 30)) a->grid[host_below(s, 3)] = 0;
  } else if (what == 1) {
    a->block[d] = host_chance(s, 50) ? 0 : most[d] + 1 + (host_chance(s, 50) ? 0 : host_below(s, 0x10000));
    if (d == 2 && a->block[d] != 0 && host_chance(s, 60)) { /* no more threads than there may be, but too many in z */
      a->block[2] = most[2] + 1 + host_below(s, most[0] - most[2]);
      a->block[0] = 1 + host_below(s, most[0] / a->block[2]);
    }
  } else if (what == 2) { /* each dimension may be, but not all of them */
    a->block[0] = 32 * (1 + host_below(s, 32));
    a->block[1] = 1024 / a->block[0] + 1;
    if (host_chance(s, 50)) a->block[2] = a->block[1], a->block[1] = 1;
    if (a->block[2] > 64) a->block[1] = a->block[2], a->block[2] = 1;
  } else if (what == 3 && m->warps < 32) {
    a->block[0] = 32 * m->warps + 1 + host_below(s, 1024 - 32 * m->warps);
  } else if (what == 4 && host_chance(s, 50)) {
    a->shared_bytes = m->shared_bytes + 1 + (host_chance(s, 50) ? 0 : host_below(s, 0x2000000));
  } else {
    spoil_registers(s, a);
  }
}

static bool write_shape(struct heddle_session *s, const struct heddle_launch *a) {
  const struct {
    uint32_t reg, value;
  } word[] = {{HEDDLE_REG_GRID_X, a->grid[0]},   {HEDDLE_REG_GRID_Y, a->grid[1]},
              {HEDDLE_REG_GRID_Z, a->grid[2]},   {HEDDLE_REG_BLOCK_X, a->block[0]},
              {HEDDLE_REG_BLOCK_Y, a->block[1]}, {HEDDLE_REG_BLOCK_Z, a->block[2]},
              {HEDDLE_REG_REGS, a->regs},        {HEDDLE_REG_SHARED_BYTES, a->shared_bytes}};
  for (size_t i = 0; i < sizeof word / sizeof *word; i++) {
    if (!heddle_dut_write32(s->device, word[i].reg, word[i].value))
      return session_say(s, HEDDLE_SESSION_DEVICE, "host: a launch register cannot be written") == HEDDLE_SESSION_OK;
    host_wrote(s, word[i].reg, word[i].value);
  }
  return true;
}

/* How often STATUS is read, some cycles each time, before a launch that is refused must have ended: the cache that SMs
 * share is flushed before, a place after the other (rtl/l2/README.md); with an MMU what a launch of another space has
 * left in registers and in shared memory is set to 0 before, a row after the other. */
static unsigned looks(const struct heddle_config *m) {
  const unsigned places = m->l2_bytes / 128 / m->l2_banks, rows = 128 * 8 / m->axi_bits;
  const unsigned state = m->mmu == 0 ? 0 : m->regs * m->beats + m->shared_bytes / 4;
  return 100 + places * (rows + 1) + state;
}

/* Nothing starts, nothing is counted, no record is shown but of what still drains. */
static bool refused_launch(struct heddle_session *s, bool drains) {
  struct heddle_launch a = host_chance(s, 50) ? fitting(s) : filling(s);
  unsigned wrong = host_chance(s, 50) ? 1 : 2 + host_below(s, 3);
  do spoil(s, &a); /* what is wrong with one thing may be mended by the next */
  while (--wrong != 0 || session_refusal(s->host.machine, &a) == HEDDLE_REFUSE_NONE);
  const uint32_t why = session_refusal(s->host.machine, &a);
  const uint32_t want = HEDDLE_STATUS_REFUSED | why << HEDDLE_STATUS_REFUSE_SHIFT;
  uint32_t status = 0;
  size_t records = 0;
  heddle_dut_records_clear(s->device);
  if (!write_shape(s, &a) || !host_command(s, HEDDLE_CONTROL_START)) return false;
  for (unsigned i = looks(s->host.machine); i != 0; i--) {
    if (!host_read32(s, HEDDLE_REG_STATUS, &status)) return false;
    if ((status & HEDDLE_STATUS_RUNNING) == 0) break;
  }
  if (status != want) return host_wrong(s, "a launch that must be refused", HEDDLE_REG_STATUS, status, want);
  s->host.status = status;
  (void)heddle_dut_records(s->device, &records);
  if (records != 0 && !drains)
    return host_wrong(s, "a launch that was refused shows records", HEDDLE_REG_STATUS, status, want);
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++)
    if (!host_expect(s, "counted in a launch that was refused", HEDDLE_REG_COUNTER(i), 0)) return false;
  for (unsigned i = 0; i < HEDDLE_CACHE_COUNTERS; i++)
    if (!host_expect(s, "counted in a launch that was refused", HEDDLE_REG_CACHE_COUNTER(i), 0)) return false;
  return host_quiet(s, "after a launch that was refused");
}

/* Where no code is: a trap at once, in lockstep like any launch; so a block may be as large as it can be. */
static bool astray(struct heddle_session *s) {
  const struct heddle_launch real = s->launch;
  const struct heddle_launch *l = &s->launch;
  const uint32_t beyond = 16 * host_below(s, 1000), within = 4 + 8 * host_below(s, 2);
  const uint32_t at[] = {l->code_bytes, l->code_bytes + beyond, 0x7ffffff0, 0xfffffff0, l->entry_pc + within};
  s->launch.entry_pc = at[host_below(s, sizeof at / sizeof *at)];
  if (host_chance(s, 60)) {
    const struct heddle_launch a = filling(s);
    memcpy(s->launch.grid, a.grid, sizeof a.grid);
    memcpy(s->launch.block, a.block, sizeof a.block);
    s->launch.regs = a.regs;
    s->launch.shared_bytes = a.shared_bytes;
  }
  const enum heddle_session_outcome o = run_launch(s);
  const uint32_t entry = s->launch.entry_pc;
  const struct heddle_trap *t = &s->result.trap;
  s->launch = real;
  if (o != HEDDLE_SESSION_TRAPPED && o != HEDDLE_SESSION_OK) return false;
  if (o == HEDDLE_SESSION_TRAPPED && t->cause == HEDDLE_TRAP_BAD_PC && t->pc == entry) return true;
  (void)session_say(s, HEDDLE_SESSION_DEVICE, "host: an entry at 0x%x, where no code is, ends with %s at pc 0x%x",
                    entry, o == HEDDLE_SESSION_OK ? "no trap" : heddle_cause_name(t->cause), t->pc);
  return false;
}

static bool until_written(struct heddle_session *s) {
  const struct heddle_axi_mem_stats *now = heddle_axi_mem_statistics(heddle_dut_memory(s->device));
  const uint64_t before = now->write_beats;
  for (unsigned i = 0; i < 4000 && now->write_beats == before; i++)
    if (!launch_on(s, 1)) return false;
  return launch_on(s, host_below(s, 12));
}

/* To its end, or its trap, and behind: where SMs share a cache it is flushed then, which takes long. */
static bool to_its_end(struct heddle_session *s) {
  const bool flushed = s->host.machine->l2_bytes != 0;
  return launch_on(s, s->checker != NULL ? LONG : 4000) &&
         host_pass(s, host_below(s, flushed && host_chance(s, 50) ? 1500 : 30));
}

/* The launch itself, for a while. What it shows until then is judged; what it leaves in memory the real one finds
 * written over. */
static bool for_a_while(struct heddle_session *s) {
  static const uint32_t most[] = {1, 60, 4000};
  const uint32_t how = host_below(s, 10);
  if (!launch_for(s, how < 3 ? host_below(s, most[how]) : host_below(s, most[how % 2 + 1]))) return false;
  return how < 3 || (how < 8 ? until_written(s) : to_its_end(s));
}

/* What has been given up does nothing more. */
static bool silent(struct heddle_session *s) {
  heddle_dut_records_clear(s->device);
  const struct heddle_axi_mem_stats before = *heddle_axi_mem_statistics(heddle_dut_memory(s->device));
  (void)session_step(s, 200);
  const struct heddle_axi_mem_stats *now = heddle_axi_mem_statistics(heddle_dut_memory(s->device));
  size_t records = 0;
  (void)heddle_dut_records(s->device, &records);
  if (before.reads == now->reads && before.writes == now->writes && records == 0) return true;
  (void)session_say(s, HEDDLE_SESSION_DEVICE, "host: after an abort something goes on");
  return false;
}

/* How many are taken is known behind each START: the queue may be full, but not where it was not before. */
static bool queue_up(struct heddle_session *s, uint32_t n) {
  uint32_t *taken = &s->host.holds[HEDDLE_REG_LAUNCHES / 4], before = 0, got = 0;
  if (!device_start(s, &s->launch, NULL)) return false;
  while (n-- > 0) {
    if (!host_read32(s, HEDDLE_REG_STATUS, &before)) return false;
    if ((before & HEDDLE_STATUS_RUNNING) == 0) return true;
    if (!host_command(s, HEDDLE_CONTROL_START) || !host_read32(s, HEDDLE_REG_LAUNCHES, &got)) return false;
    if ((before & HEDDLE_STATUS_FULL) != 0 && got + 1 == *taken) --*taken;
    if (got != *taken) return host_wrong(s, "launches taken", HEDDLE_REG_LAUNCHES, got, *taken);
    heddle_dut_records_clear(s->device);
  }
  return true;
}

/* The one in front is given up; where it runs, it ends by that, and no other is. */
static bool skip_one(struct heddle_session *s) {
  const uint32_t taken = s->host.holds[HEDDLE_REG_LAUNCHES / 4];
  uint32_t before = 0, status = 0, ended = 0;
  if (!host_read32(s, HEDDLE_REG_ENDED, &before) || !host_read32(s, HEDDLE_REG_STATUS, &status)) return false;
  if (before == taken) return true;
  if (!host_command(s, HEDDLE_CONTROL_SKIP)) return false;
  if ((status & HEDDLE_STATUS_RUNNING) == 0) return true;
  for (unsigned i = 0; i < POLLS; i++) {
    if (!host_read32(s, HEDDLE_REG_ENDED, &ended)) return false;
    if (ended != before) break;
    (void)session_step(s, 16);
    heddle_dut_records_clear(s->device);
  }
  if (ended == before || taken - ended >= taken - before)
    return host_wrong(s, "a launch that was skipped ends", HEDDLE_REG_ENDED, ended, before + 1);
  return host_expect(s, "launches taken, one skipped", HEDDLE_REG_LAUNCHES, taken);
}

/* Others wait behind it, some more are skipped; then all are given up. */
static bool with_others(struct heddle_session *s) {
  if (!queue_up(s, host_below(s, 12))) return false;
  for (unsigned n = host_below(s, 4); n-- > 0;)
    if (!skip_one(s)) return false;
  heddle_dut_records_clear(s->device);
  return true;
}

/* Skipped alone: what it wrote goes to memory, and nothing is left of it, unless it had ended. */
static bool skipped(struct heddle_session *s) {
  uint32_t status = 0;
  if (!host_command(s, HEDDLE_CONTROL_SKIP) ||
      !host_wait_without(s, HEDDLE_STATUS_DRAINING | HEDDLE_STATUS_RUNNING, &status))
    return false;
  if (status != 0 && status != HEDDLE_STATUS_DONE)
    return host_wrong(s, "after a launch was skipped", HEDDLE_REG_STATUS, status, 0);
  s->host.status = status;
  return host_trap_as_told(s) && host_quiet(s, "after a launch was skipped") && silent(s);
}

bool host_given_up(struct heddle_session *s) {
  const bool reset = host_chance(s, 25), queue = host_has_queue(s);
  uint32_t status = 0, before = 0;
  if (!for_a_while(s)) return false;
  if (queue && !reset && host_chance(s, 30)) return skipped(s);
  if (queue && host_chance(s, 40) && !with_others(s)) return false;
  if (host_chance(s, 50) && !host_read32(s, HEDDLE_REG_STATUS, &before)) return false;
  if (reset) {
    heddle_dut_reset(s->device);
    host_was_reset(s);
  } else if (!host_command(s, HEDDLE_CONTROL_ABORT | (host_chance(s, 50) ? HEDDLE_CONTROL_START : 0))) {
    return false;
  }
  if (!reset && host_chance(s, 30)) return refused_launch(s, true) && silent(s); /* no grid runs: START counts */
  const struct heddle_axi_mem_stats *axi = heddle_axi_mem_statistics(heddle_dut_memory(s->device));
  const uint64_t reads = axi->reads + s->host.machine->axi_ports,
                 writes = axi->writes + BEGUN * s->host.machine->axi_ports;
  if (!host_wait_without(s, HEDDLE_STATUS_DRAINING, &status)) return false;
  /* What was written and is not in memory is given up, and that is told; so it stays until the next grid. */
  const bool ended = (before & (HEDDLE_STATUS_DONE | HEDDLE_STATUS_TRAPPED)) != 0;
  const uint32_t given = s->host.machine->l2_bytes != 0 && !ended ? status & HEDDLE_STATUS_DROPPED : 0;
  if (status != given) return host_wrong(s, "after an abort", HEDDLE_REG_STATUS, status, given);
  s->host.status = given;
  if (!host_trap_as_told(s) || !host_quiet(s, "after an abort")) return false;
  if (axi->reads > reads || axi->writes > writes) {
    (void)session_say(s, HEDDLE_SESSION_DEVICE, "host: after an abort bursts begin");
    return false;
  }
  return silent(s);
}

static bool hard_reset(struct heddle_session *s) {
  heddle_dut_reset(s->device);
  heddle_dut_records_clear(s->device);
  host_was_reset(s);
  for (uint32_t reg = HEDDLE_REG_GRID_X; reg <= HEDDLE_REG_LOCAL_BYTES; reg += 4)
    if (!host_look(s, reg)) return false;
  return host_expect(s, "after a reset", HEDDLE_REG_STATUS, 0) &&
         host_expect(s, "after a reset", HEDDLE_REG_CYCLES, 0) &&
         host_expect(s, "after a reset", HEDDLE_REG_CYCLES_HI, 0);
}

/* All that does not depend on what ran. */
static bool survey(struct heddle_session *s) {
  for (uint32_t reg = 0; reg < HEDDLE_REG_COUNTER(0); reg += 4)
    if (!host_look(s, reg)) return false;
  return true;
}

bool host_one_more(struct heddle_session *s) {
  switch (host_below(s, 5)) {
  case 0:
    return survey(s);
  case 1:
    return refused_launch(s, false);
  case 2:
    return astray(s);
  case 3:
    return host_given_up(s);
  default:
    return !host_chance(s, 30) || hard_reset(s);
  }
}
