/* SPDX-License-Identifier: Apache-2.0
 *
 * A host that does more than it must (host.h): single accesses. What a register must hold follows from
 * isa/abi/host_regs.layout, the configuration, and what was written to it.
 */
#include <string.h>

#include <heddle/config.h>
#include <heddle/host.h>
#include <heddle/isa_tables.h>
#include "cosim/session/host.h"
#include "base/splitmix64.h"

#define WORDS (HEDDLE_REG_BYTES / 4)

uint32_t host_below(struct heddle_session *s, uint32_t n) {
  return (uint32_t)((splitmix64(&s->host.rng) >> 32) % n);
}

bool host_chance(struct heddle_session *s, unsigned percent) {
  return host_below(s, 100) < percent;
}

bool host_wrong(struct heddle_session *s, const char *what, uint32_t reg, uint32_t got, uint32_t want) {
  (void)session_say(s, HEDDLE_SESSION_DEVICE, "host: %s: register 0x%03x reads 0x%x, not 0x%x", what, reg, got, want);
  return false;
}

bool host_read32(struct heddle_session *s, uint32_t reg, uint32_t *value) {
  if (heddle_dut_read32(s->device, reg, value)) return true;
  (void)session_say(s, HEDDLE_SESSION_DEVICE,
                    "host: a read of register 0x%03x is answered with an error, or not at all", reg);
  return false;
}

bool host_expect(struct heddle_session *s, const char *what, uint32_t reg, uint32_t want) {
  uint32_t got = 0;
  if (!host_read32(s, reg, &got)) return false;
  return got == want || host_wrong(s, what, reg, got, want);
}

/* ---- what a register holds */

bool host_has_queue(const struct heddle_session *s) {
  return s->host.machine != NULL && s->host.machine->launch_queue != 0;
}

/* Does a write stay? Where there is no queue there is no word behind the launch but those of the interrupt, of which
 * the cause changes by itself. */
static bool stays(const struct heddle_session *s, uint32_t reg, uint32_t value, uint32_t *kept) {
  const bool mmu = s->host.machine != NULL && s->host.machine->mmu != 0, of_mmu = reg >= HEDDLE_REG_TLB_WHAT;
  const bool launch = reg < HEDDLE_REG_LAUNCHES; /* a machine without an MMU keeps those of pages, and looks at none */
  const bool there = launch || reg == HEDDLE_REG_IRQ_MASK || (host_has_queue(s) && reg >= HEDDLE_REG_LAUNCHES);
  if ((of_mmu ? !mmu : !there) || reg == HEDDLE_REG_IRQ_CAUSE || !heddle_host_regs_kept(reg, value, kept)) return false;
  if (reg == HEDDLE_REG_IRQ_MASK && !mmu) *kept &= ~HEDDLE_IRQ_CAUSE_FAULT; /* no page faults: no such bit */
  return true;
}

void host_wrote(struct heddle_session *s, uint32_t reg, uint32_t value) {
  const uint32_t wins = HEDDLE_CONTROL_ABORT | HEDDLE_CONTROL_SKIP;
  uint32_t kept;
  if (reg == HEDDLE_REG_CONTROL && host_has_queue(s) && (value & (HEDDLE_CONTROL_START | wins)) == HEDDLE_CONTROL_START)
    s->host.holds[HEDDLE_REG_LAUNCHES / 4]++;
  if (reg >= HEDDLE_REG_BYTES || !stays(s, reg & ~3u, value, &kept)) return;
  s->host.holds[reg / 4] = kept;
  s->host.unknown[reg / 4] = false;
}

void host_begins(struct heddle_session *s) {
  memset(s->host.counter, 0, sizeof s->host.counter);
  s->host.cycles = 0;
  s->host.told = false;
  s->host.status = HEDDLE_STATUS_RUNNING;
}

void host_was_reset(struct heddle_session *s) {
  memset(s->host.holds, 0, sizeof s->host.holds);
  memset(s->host.unknown, 0, sizeof s->host.unknown);
  s->host.status = 0;
}

bool host_units_plausible(uint32_t units, const struct heddle_config *m) {
  const uint32_t choice = HEDDLE_CAP_UNITS_SCHED | HEDDLE_CAP_UNITS_ITS;
  const bool straps = (units & HEDDLE_CAP_UNITS_SCHED) != 0, its = (units & HEDDLE_CAP_UNITS_ITS) != 0;
  const uint32_t mmu = m->mmu != 0 ? HEDDLE_CAP_UNITS_MMU : 0;
  return (units & ~choice) == (m->pipes | HEDDLE_CAP_UNITS_LOCAL | mmu) && its == (m->its || straps);
}

/* Of the machine, whatever it does. */
static bool machine_constant(const struct heddle_config *m, uint32_t reg, uint32_t *want) {
  const struct {
    uint32_t reg, value;
  } word[] = {{HEDDLE_REG_ID, HEDDLE_ID},
              {HEDDLE_REG_VERSION, HEDDLE_VERSION},
              {HEDDLE_REG_CAP_LANES, m->lanes},
              {HEDDLE_REG_CAP_WARPS, m->warps},
              {HEDDLE_REG_CAP_REGS, m->regs},
              {HEDDLE_REG_CAP_SHARED, m->shared_bytes},
              {HEDDLE_REG_CAP_BLOCKS, m->blocks},
              {HEDDLE_REG_CAP_AXI_BITS, m->axi_bits},
              {HEDDLE_REG_CFG_HASH, (uint32_t)m->hash},
              {HEDDLE_REG_CFG_HASH_HI, (uint32_t)(m->hash >> 32)},
              {HEDDLE_REG_ISA_HASH, (uint32_t)heddle_isa_hash()},
              {HEDDLE_REG_ISA_HASH_HI, (uint32_t)(heddle_isa_hash() >> 32)},
              {HEDDLE_REG_LATENCY_HASH, (uint32_t)m->latency_hash},
              {HEDDLE_REG_LATENCY_HASH_HI, (uint32_t)(m->latency_hash >> 32)},
              {HEDDLE_REG_CAP_COUNTERS, HEDDLE_COUNTERS},
              {HEDDLE_REG_CAP_L1, m->l1_bytes},
              {HEDDLE_REG_CAP_L2, m->l2_bytes},
              {HEDDLE_REG_CAP_QUEUE, m->launch_queue},
              {HEDDLE_REG_CAP_PARTS, m->partitions},
              {HEDDLE_REG_CAP_SMS, m->sms}};
  for (size_t i = 0; i < sizeof word / sizeof *word; i++)
    if (word[i].reg == reg) {
      *want = word[i].value;
      return true;
    }
  return false;
}

/* Of what the device says of its queue. When none runs, all have ended. */
static bool foretold_queue(const struct heddle_session *s, uint32_t reg, uint32_t *want) {
  const uint32_t at = HEDDLE_REG_LAUNCHES / 4;
  const bool runs = (s->host.status & HEDDLE_STATUS_RUNNING) != 0;
  if (reg == HEDDLE_REG_IRQ_CAUSE) return false;
  if (!host_has_queue(s)) return true;
  if (reg == HEDDLE_REG_LAUNCHES || reg == HEDDLE_REG_ENDED) *want = s->host.holds[at];
  if (reg == HEDDLE_REG_LAUNCHES) return !s->host.unknown[at];
  if (reg == HEDDLE_REG_ENDED) return !s->host.unknown[at] && !runs;
  return reg < HEDDLE_REG_ENDED_CYCLES(0) || reg >= HEDDLE_REG_ENDED_CYCLES(HEDDLE_ENDED_KEPT);
}

/* What an MMU tells of itself. */
static bool tells_of_pages(const struct heddle_config *m, uint32_t reg) {
  return m->mmu != 0 && (reg == HEDDLE_REG_ENTRY_OLD || reg == HEDDLE_REG_ENTRY_OLD_HI ||
                         (reg >= HEDDLE_REG_FAULTS && reg <= HEDDLE_REG_FAULT_INFO && reg != HEDDLE_REG_FAULT_SELECT));
}

/* False: it depends on what ran (status, cycles, counters, a trap). */
static bool foretold(const struct heddle_session *s, uint32_t reg, uint32_t *want) {
  const struct heddle_config *m = s->host.machine;
  const bool may_trap = (s->host.status & (HEDDLE_STATUS_TRAPPED | HEDDLE_STATUS_RUNNING)) != 0;
  uint32_t kept;
  if (machine_constant(m, reg, want)) return true;
  *want = 0;
  if (tells_of_pages(m, reg)) return false;
  if (reg >= HEDDLE_REG_LAUNCHES && !stays(s, reg, 0, &kept)) return foretold_queue(s, reg, want);
  if (stays(s, reg, 0, &kept)) {
    *want = s->host.holds[reg / 4];
    return !s->host.unknown[reg / 4];
  }
  if (reg == HEDDLE_REG_STATUS || reg == HEDDLE_REG_CYCLES || reg == HEDDLE_REG_CYCLES_HI) return false;
  if (reg >= HEDDLE_REG_COUNTER(0) && reg < HEDDLE_REG_COUNTER(HEDDLE_COUNTERS)) return false;
  if (reg >= HEDDLE_REG_CACHE_COUNTER(0) && reg < HEDDLE_REG_CACHE_COUNTER(HEDDLE_CACHE_COUNTERS))
    return m->l1_bytes == 0;
  if (reg >= HEDDLE_REG_TRAP_CAUSE && reg <= HEDDLE_REG_TRAP_SM) return !may_trap;
  if (reg == HEDDLE_REG_LOST_ADDR || reg == HEDDLE_REG_LOST_ADDR_HI) {
    const uint64_t lost = (s->host.status & HEDDLE_STATUS_LOST) != 0 ? s->host.lost : 0;
    *want = (uint32_t)(reg == HEDDLE_REG_LOST_ADDR ? lost : lost >> 32);
    return (s->host.status & HEDDLE_STATUS_RUNNING) == 0;
  }
  return reg != HEDDLE_REG_CAP_UNITS;
}

/* ---- single accesses */

bool host_look(struct heddle_session *s, uint32_t reg) {
  uint32_t got = 0, want;
  if (!host_read32(s, reg, &got)) return false;
  if (reg == HEDDLE_REG_CAP_UNITS && !host_units_plausible(got, s->host.machine))
    return host_wrong(s, "the machine has other units", reg, got, s->host.machine->pipes | HEDDLE_CAP_UNITS_LOCAL);
  return !foretold(s, reg, &want) || got == want || host_wrong(s, "what it must hold", reg, got, want);
}

/* Launch registers, capabilities, any other word. */
uint32_t host_any_register(struct heddle_session *s) {
  switch (host_below(s, 4)) {
  case 0:
    return 4 * host_below(s, HEDDLE_REG_COUNTER(0) / 4);
  case 1:
    return HEDDLE_REG_GRID_X + 4 * host_below(s, (HEDDLE_REG_REGION_BASE(0) - HEDDLE_REG_GRID_X) / 4);
  case 2:
    return HEDDLE_REG_REGION_BASE(0) + 4 * host_below(s, 4 * HEDDLE_REGIONS);
  default:
    return 4 * host_below(s, WORDS);
  }
}

static uint32_t any_value(struct heddle_session *s) {
  static const uint32_t edge[] = {0, 1, 0xffffffff, 0x7ff, 0x800, 0x1ff, 0x200, 0xffffff, 0x1000000, 0x100000};
  return host_chance(s, 40) ? edge[host_below(s, sizeof edge / sizeof *edge)] : (uint32_t)splitmix64(&s->host.rng);
}

/* Whoever is in CONTROL's neighbourhood starts, stops and flushes nothing, and asks the mmu for nothing: of that a
 * checker would have to be told. The end of a launch flushes. */
static uint32_t harmless_value(struct heddle_session *s, uint32_t reg) {
  const uint32_t ends = HEDDLE_CONTROL_START | HEDDLE_CONTROL_ABORT;
  const uint32_t queue = HEDDLE_CONTROL_SKIP | HEDDLE_CONTROL_FLUSH | HEDDLE_CONTROL_EMPTY;
  const uint32_t mmu =
      HEDDLE_CONTROL_REPLAY | HEDDLE_CONTROL_FAIL | HEDDLE_CONTROL_EXCHANGE | HEDDLE_CONTROL_INVALIDATE;
  const uint32_t value = any_value(s);
  if (reg == HEDDLE_REG_CONTROL) return value & ~(mmu | (host_has_queue(s) ? ends | queue : ends));
  return reg == HEDDLE_REG_CACHE_MODE ? value & ~(uint32_t)HEDDLE_CACHE_MODE_KEEP : value;
}

/* A whole word. */
bool host_scribble(struct heddle_session *s, uint32_t reg, bool dropped) {
  const uint32_t value = harmless_value(s, reg);
  if (!heddle_dut_write32(s->device, reg, value)) {
    (void)session_say(s, HEDDLE_SESSION_DEVICE,
                      "host: a write of register 0x%03x is answered with an error, or not at all", reg);
    return false;
  }
  if (!dropped) host_wrote(s, reg, value);
  return true;
}

/* Some bytes of a word: an error, and nothing is written or started. */
bool host_part_of_word(struct heddle_session *s) {
  const uint32_t reg = host_chance(s, 30) ? HEDDLE_REG_CONTROL : host_any_register(s);
  const unsigned bytes = host_below(s, 15);
  const enum heddle_dut_answer a = heddle_dut_write_bytes(s->device, reg, any_value(s), bytes);
  if (a != HEDDLE_DUT_ERROR) {
    (void)session_say(s, HEDDLE_SESSION_DEVICE, "host: a write of bytes 0x%x of register 0x%03x is %s, not an error",
                      bytes, reg, a == HEDDLE_DUT_OKAY ? "taken" : "not answered");
    return false;
  }
  return host_look(s, reg);
}

/* What is read does not notice a write of another word that is under way with it, whole or of some bytes, dropped or
 * not; nor does the next read. */
bool host_beside(struct heddle_session *s, uint32_t reg, bool dropped) {
  const bool whole = host_chance(s, 70);
  const uint32_t value = harmless_value(s, reg);
  const unsigned bytes = whole ? 15 : host_below(s, 15);
  struct heddle_dut_both b = {reg, value, bytes, host_any_register(s)};
  uint32_t got = 0, want;
  bool ok = false;
  if (b.read_addr / 4 == reg / 4) b.read_addr = HEDDLE_REG_ID;
  const enum heddle_dut_answer a = heddle_dut_write_and_read(s->device, &b, &got, &ok);
  if (a != (whole ? HEDDLE_DUT_OKAY : HEDDLE_DUT_ERROR) || !ok) {
    (void)session_say(s, HEDDLE_SESSION_DEVICE, "host: a %s, of register 0x%03x and 0x%03x",
                      ok ? "write beside a read is answered wrongly" : "read beside a write is not answered", reg,
                      b.read_addr);
    return false;
  }
  if (whole && !dropped) host_wrote(s, reg, value);
  if (foretold(s, b.read_addr, &want) && got != want) return host_wrong(s, "beside a write", b.read_addr, got, want);
  return dropped || (host_look(s, reg) && host_look(s, b.read_addr));
}

/* While nothing runs. */
bool host_fiddle(struct heddle_session *s) {
  const uint32_t reg = host_any_register(s);
  switch (host_below(s, 6)) {
  case 0:
    return host_part_of_word(s) && host_expect(s, "after a write of some bytes", HEDDLE_REG_STATUS, s->host.status);
  case 1:
    return host_scribble(s, reg, false) && host_look(s, reg);
  case 2:
  case 3:
    return host_beside(s, reg, false);
  default:
    return host_look(s, reg);
  }
}
