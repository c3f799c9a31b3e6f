/* SPDX-License-Identifier: Apache-2.0
 *
 * A host that does more than it must. Around and during launches it reads and writes registers of every kind, asks for
 * what must be refused, and gives up what it has started. What it must see then follows from isa/abi/host_regs.layout,
 * rtl/gpu/README.md and the configuration alone; what the device did before is known only as what was written to it.
 */
#include <string.h>

#include "heddle/config.h"
#include "heddle/host.h"
#include "heddle/isa_tables.h"
#include "internal.h"
#include "splitmix64.h"

#define WORDS (HEDDLE_REG_BYTES / 4)
#define BEGUN 2u    /* bursts of writes whose address memory has not taken: one is shown, of one the data is */
#define POLLS 4000u /* of STATUS: an abort waits for bursts of an adversarial memory */

static uint32_t below(struct session *s, uint32_t n) {
  return (uint32_t)((splitmix64(&s->host.rng) >> 32) % n);
}

static bool chance(struct session *s, unsigned percent) {
  return below(s, 100) < percent;
}

static bool wrong(struct session *s, const char *what, uint32_t reg, uint32_t got, uint32_t want) {
  (void)session_say(s, SESSION_DEVICE, "host: %s: register 0x%03x reads 0x%x, not 0x%x", what, reg, got, want);
  return false;
}

static bool read32(struct session *s, uint32_t reg, uint32_t *value) {
  if (device_read32(s->device, reg, value)) return true;
  (void)session_say(s, SESSION_DEVICE, "host: a read of register 0x%03x is answered with an error, or not at all", reg);
  return false;
}

static bool expect(struct session *s, const char *what, uint32_t reg, uint32_t want) {
  uint32_t got = 0;
  if (!read32(s, reg, &got)) return false;
  return got == want || wrong(s, what, reg, got, want);
}

/* ---- what a register holds */

void host_wrote(struct session *s, uint32_t reg, uint32_t value) {
  uint32_t kept;
  if (reg >= HEDDLE_REG_BYTES || !heddle_host_regs_kept(reg & ~3u, value, &kept)) return;
  s->host.holds[reg / 4] = kept;
  s->host.unknown[reg / 4] = false;
}

void host_was_reset(struct session *s) {
  memset(s->host.holds, 0, sizeof s->host.holds);
  memset(s->host.unknown, 0, sizeof s->host.unknown);
  s->host.status = 0;
}

bool host_units_plausible(uint32_t units, const struct heddle_config *m) {
  const uint32_t choice = HEDDLE_CAP_UNITS_SCHED | HEDDLE_CAP_UNITS_ITS;
  const bool straps = (units & HEDDLE_CAP_UNITS_SCHED) != 0, its = (units & HEDDLE_CAP_UNITS_ITS) != 0;
  return (units & ~choice) == (m->pipes | HEDDLE_CAP_UNITS_LOCAL) && its == (m->its || straps);
}

/* Of the machine, whatever it does. */
static bool constant(const struct heddle_config *m, uint32_t reg, uint32_t *want) {
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
              {HEDDLE_REG_ISA_HASH, (uint32_t)isa_hash()},
              {HEDDLE_REG_ISA_HASH_HI, (uint32_t)(isa_hash() >> 32)},
              {HEDDLE_REG_LATENCY_HASH, (uint32_t)m->latency_hash},
              {HEDDLE_REG_LATENCY_HASH_HI, (uint32_t)(m->latency_hash >> 32)},
              {HEDDLE_REG_CAP_COUNTERS, HEDDLE_COUNTERS},
              {HEDDLE_REG_CAP_L1, m->l1_bytes},
              {HEDDLE_REG_CAP_L2, m->l2_bytes},
              {HEDDLE_REG_CAP_PARTS, m->partitions},
              {HEDDLE_REG_CAP_SMS, m->sms}};
  for (size_t i = 0; i < sizeof word / sizeof *word; i++)
    if (word[i].reg == reg) {
      *want = word[i].value;
      return true;
    }
  return false;
}

/* False: it depends on what ran (status, cycles, counters, a trap). */
static bool foretold(const struct session *s, uint32_t reg, uint32_t *want) {
  const struct heddle_config *m = s->host.machine;
  const bool may_trap = (s->host.status & (HEDDLE_STATUS_TRAPPED | HEDDLE_STATUS_RUNNING)) != 0;
  uint32_t kept;
  if (constant(m, reg, want)) return true;
  *want = 0;
  if (heddle_host_regs_kept(reg, 0, &kept)) {
    *want = s->host.holds[reg / 4];
    return !s->host.unknown[reg / 4];
  }
  if (reg == HEDDLE_REG_STATUS || reg == HEDDLE_REG_CYCLES || reg == HEDDLE_REG_CYCLES_HI) return false;
  if (reg >= HEDDLE_REG_COUNTER(0) && reg < HEDDLE_REG_COUNTER(HEDDLE_COUNTERS)) return false;
  if (reg >= HEDDLE_REG_CACHE_COUNTER(0) && reg < HEDDLE_REG_CACHE_COUNTER(HEDDLE_CACHE_COUNTERS))
    return m->l1_bytes == 0;
  if (reg >= HEDDLE_REG_TRAP_CAUSE && reg <= HEDDLE_REG_TRAP_SM) return !may_trap;
  if (reg == HEDDLE_REG_LOST_ADDR || reg == HEDDLE_REG_LOST_ADDR_HI) return m->l2_bytes == 0 || s->cfg.error_limit == 0;
  return reg != HEDDLE_REG_CAP_UNITS;
}

/* ---- single accesses */

static bool look(struct session *s, uint32_t reg) {
  uint32_t got = 0, want;
  if (!read32(s, reg, &got)) return false;
  if (reg == HEDDLE_REG_CAP_UNITS && !host_units_plausible(got, s->host.machine))
    return wrong(s, "the machine has other units", reg, got, s->host.machine->pipes | HEDDLE_CAP_UNITS_LOCAL);
  return !foretold(s, reg, &want) || got == want || wrong(s, "what it must hold", reg, got, want);
}

/* Launch registers, capabilities, any other word. */
static uint32_t any_register(struct session *s) {
  switch (below(s, 4)) {
  case 0:
    return 4 * below(s, HEDDLE_REG_COUNTER(0) / 4);
  case 1:
    return HEDDLE_REG_GRID_X + 4 * below(s, (HEDDLE_REG_REGION_BASE(0) - HEDDLE_REG_GRID_X) / 4);
  case 2:
    return HEDDLE_REG_REGION_BASE(0) + 4 * below(s, 4 * HEDDLE_REGIONS);
  default:
    return 4 * below(s, WORDS);
  }
}

static uint32_t any_value(struct session *s) {
  static const uint32_t edge[] = {0, 1, 0xffffffff, 0x7ff, 0x800, 0x1ff, 0x200, 0xffffff, 0x1000000, 0x100000};
  return chance(s, 40) ? edge[below(s, sizeof edge / sizeof *edge)] : (uint32_t)splitmix64(&s->host.rng);
}

/* A whole word; whoever is in CONTROL's neighbourhood starts and stops nothing. */
static bool scribble(struct session *s, uint32_t reg, bool dropped) {
  const uint32_t value = any_value(s) & (reg == HEDDLE_REG_CONTROL ? ~3u : ~0u);
  if (!device_write32(s->device, reg, value)) {
    (void)session_say(s, SESSION_DEVICE, "host: a write of register 0x%03x is answered with an error, or not at all",
                      reg);
    return false;
  }
  if (!dropped) host_wrote(s, reg, value);
  return true;
}

/* Some bytes of a word: an error, and nothing is written or started. */
static bool part_of_word(struct session *s) {
  const uint32_t reg = chance(s, 30) ? HEDDLE_REG_CONTROL : any_register(s);
  const unsigned bytes = below(s, 15);
  const enum device_answer a = device_write_bytes(s->device, reg, any_value(s), bytes);
  if (a != DEVICE_ERROR) {
    (void)session_say(s, SESSION_DEVICE, "host: a write of bytes 0x%x of register 0x%03x is %s, not an error", bytes,
                      reg, a == DEVICE_OKAY ? "taken" : "not answered");
    return false;
  }
  return look(s, reg);
}

/* What is read does not notice a write of another word that is under way with it, whole or of some bytes, dropped or
 * not; nor does the next read. CONTROL starts and stops nothing so. */
static bool beside(struct session *s, uint32_t reg, bool dropped) {
  const bool whole = chance(s, 70);
  const uint32_t value = any_value(s) & (reg == HEDDLE_REG_CONTROL ? ~3u : ~0u);
  const unsigned bytes = whole ? 15 : below(s, 15);
  struct device_both b = {reg, value, bytes, any_register(s)};
  uint32_t got = 0, want;
  bool ok = false;
  if (b.read_addr / 4 == reg / 4) b.read_addr = HEDDLE_REG_ID;
  const enum device_answer a = device_write_and_read(s->device, &b, &got, &ok);
  if (a != (whole ? DEVICE_OKAY : DEVICE_ERROR) || !ok) {
    (void)session_say(s, SESSION_DEVICE, "host: a %s, of register 0x%03x and 0x%03x",
                      ok ? "write beside a read is answered wrongly" : "read beside a write is not answered", reg,
                      b.read_addr);
    return false;
  }
  if (whole && !dropped) host_wrote(s, reg, value);
  if (foretold(s, b.read_addr, &want) && got != want) return wrong(s, "beside a write", b.read_addr, got, want);
  return dropped || (look(s, reg) && look(s, b.read_addr));
}

/* While nothing runs. */
static bool fiddle(struct session *s) {
  const uint32_t reg = any_register(s);
  switch (below(s, 6)) {
  case 0:
    return part_of_word(s) && expect(s, "after a write of some bytes", HEDDLE_REG_STATUS, s->host.status);
  case 1:
    return scribble(s, reg, false) && look(s, reg);
  case 2:
  case 3:
    return beside(s, reg, false);
  default:
    return look(s, reg);
  }
}

/* ---- whole launches */

/* Says when STATUS no longer has any of `bits`. */
static bool wait_without(struct session *s, uint32_t bits, uint32_t *status) {
  for (unsigned i = 0; i < POLLS; i++) {
    if (!read32(s, HEDDLE_REG_STATUS, status)) return false;
    if ((*status & bits) == 0) return true;
    (void)session_step(s, 16);
    device_records_clear(s->device);
  }
  (void)session_say(s, SESSION_DEVICE, "host: STATUS is 0x%x without end", *status);
  return false;
}

static bool command(struct session *s, uint32_t value) {
  if (device_write32(s->device, HEDDLE_REG_CONTROL, value)) return true;
  (void)session_say(s, SESSION_DEVICE, "host: a write of CONTROL is answered with an error, or not at all");
  return false;
}

static bool quiet(struct session *s, const char *when) {
  for (unsigned i = 0; i < SESSION_DRAIN / 16 && !axi_mem_idle(device_memory(s->device)); i++)
    (void)session_step(s, 16);
  const char *why = device_failure(s->device);
  if (why == NULL) why = axi_mem_protocol_error(device_memory(s->device));
  if (why == NULL && !axi_mem_idle(device_memory(s->device))) why = "AXI is not idle";
  if (why == NULL) return true;
  (void)session_say(s, SESSION_DEVICE, "host: %s: %s", when, why);
  return false;
}

/* A shape that fits, then one thing about it that does not. */
struct shape {
  uint32_t grid[3], block[3], regs, shared;
};

static struct shape fitting(struct session *s) {
  const struct heddle_config *m = s->host.machine;
  const uint32_t warps = 1 + below(s, m->warps < 32 ? m->warps : 32);
  const uint32_t rows = (warps + m->partitions - 1) / m->partitions, room = m->regs / m->partitions / rows;
  const uint32_t x = 1 + below(s, 4), y = 1 + below(s, 3), z = 1 + below(s, 2);
  const uint32_t regs = 1 + below(s, room < 255 ? room : 255), shared = below(s, m->shared_bytes + 1);
  return (struct shape){{x, y, z}, {32 * warps, 1, 1}, regs, shared};
}

/* What it is refused for: the first of the reasons that holds. */
static uint32_t spoil(struct session *s, struct shape *a) {
  const struct heddle_config *m = s->host.machine;
  const uint32_t warps = a->block[0] / 32, rows = (warps + m->partitions - 1) / m->partitions;
  const uint32_t d = below(s, 3), most[3] = {1024, 1024, 64};
  switch (below(s, 6)) {
  case 0:
    a->grid[d] = 0;
    if (chance(s, 30)) a->regs = 0;
    return HEDDLE_REFUSE_GRID;
  case 1:
    a->block[d] = chance(s, 50) ? 0 : most[d] + 1 + (chance(s, 50) ? 0 : below(s, 0x10000));
    return HEDDLE_REFUSE_BLOCK;
  case 2: /* each dimension may be, but not all of them */
    a->block[0] = 32 * (1 + below(s, 32));
    a->block[1] = 1024 / a->block[0] + 1;
    if (chance(s, 50)) a->block[2] = a->block[1], a->block[1] = 1;
    if (a->block[2] > 64) a->block[1] = a->block[2], a->block[2] = 1;
    return HEDDLE_REFUSE_BLOCK;
  case 3:
    if (m->warps >= 32) break;
    a->block[0] = 32 * m->warps + 1 + below(s, 1024 - 32 * m->warps);
    return HEDDLE_REFUSE_WARPS;
  case 4:
    if (below(s, 2) != 0) break;
    a->shared = m->shared_bytes + 1 + (chance(s, 50) ? 0 : below(s, 0x2000000));
    return HEDDLE_REFUSE_SHARED;
  default:
    break;
  }
  const uint32_t room = m->regs / m->partitions / rows, first = room < 255 ? room + 1 : 256;
  a->regs = chance(s, 30) ? 0 : first + (chance(s, 40) ? 0 : below(s, 0x300));
  return HEDDLE_REFUSE_REGS;
}

static bool write_shape(struct session *s, const struct shape *a) {
  const struct {
    uint32_t reg, value;
  } word[] = {{HEDDLE_REG_GRID_X, a->grid[0]},   {HEDDLE_REG_GRID_Y, a->grid[1]},     {HEDDLE_REG_GRID_Z, a->grid[2]},
              {HEDDLE_REG_BLOCK_X, a->block[0]}, {HEDDLE_REG_BLOCK_Y, a->block[1]},   {HEDDLE_REG_BLOCK_Z, a->block[2]},
              {HEDDLE_REG_REGS, a->regs},        {HEDDLE_REG_SHARED_BYTES, a->shared}};
  for (size_t i = 0; i < sizeof word / sizeof *word; i++) {
    if (!device_write32(s->device, word[i].reg, word[i].value))
      return session_say(s, SESSION_DEVICE, "host: a launch register cannot be written") == SESSION_OK;
    host_wrote(s, word[i].reg, word[i].value);
  }
  return true;
}

/* How often STATUS is read, some cycles each time, before a launch that is refused must have ended: the cache that SMs
 * share is flushed before, a place after the other (rtl/l2/README.md). */
static unsigned looks(const struct heddle_config *m) {
  const unsigned places = m->l2_bytes / 128 / m->l2_banks, rows = 128 * 8 / m->axi_bits;
  return 100 + places * (rows + 1);
}

/* Nothing starts, nothing is counted, no record is shown. */
static bool refused_launch(struct session *s) {
  struct shape a = fitting(s);
  const uint32_t why = spoil(s, &a), want = HEDDLE_STATUS_REFUSED | why << HEDDLE_STATUS_REFUSE_SHIFT;
  uint32_t status = 0;
  size_t records = 0;
  device_records_clear(s->device);
  if (!write_shape(s, &a) || !command(s, HEDDLE_CONTROL_START)) return false;
  for (unsigned i = looks(s->host.machine); i != 0; i--) {
    if (!read32(s, HEDDLE_REG_STATUS, &status)) return false;
    if ((status & HEDDLE_STATUS_RUNNING) == 0) break;
  }
  if (status != want) return wrong(s, "a launch that must be refused", HEDDLE_REG_STATUS, status, want);
  s->host.status = status;
  (void)device_records(s->device, &records);
  if (records != 0) return wrong(s, "a launch that was refused shows records", HEDDLE_REG_STATUS, status, want);
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++)
    if (!expect(s, "counted in a launch that was refused", HEDDLE_REG_COUNTER(i), 0)) return false;
  for (unsigned i = 0; i < HEDDLE_CACHE_COUNTERS; i++)
    if (!expect(s, "counted in a launch that was refused", HEDDLE_REG_CACHE_COUNTER(i), 0)) return false;
  return quiet(s, "after a launch that was refused");
}

/* Where no code is: a trap at once, in lockstep like any launch. */
static bool astray(struct session *s) {
  const struct heddle_launch real = s->launch;
  const struct heddle_launch *l = &s->launch;
  const uint32_t beyond = 16 * below(s, 1000), within = 4 + 8 * below(s, 2);
  const uint32_t at[] = {l->code_bytes, l->code_bytes + beyond, 0x7ffffff0, 0xfffffff0, l->entry_pc + within};
  s->launch.entry_pc = at[below(s, sizeof at / sizeof *at)];
  const enum session_outcome o = run_launch(s);
  const uint32_t entry = s->launch.entry_pc;
  const struct heddle_trap *t = &s->result.trap;
  s->launch = real;
  if (o != SESSION_TRAPPED && o != SESSION_OK) return false;
  if (o == SESSION_TRAPPED && t->cause == HEDDLE_TRAP_BAD_PC && t->pc == entry) return true;
  (void)session_say(s, SESSION_DEVICE, "host: an entry where no code is ends with %s, not bad_pc",
                    o == SESSION_OK ? "no trap" : heddle_cause_name(t->cause));
  return false;
}

/* The launch itself, for a while. What it shows until then is judged; what it leaves in memory the real one finds
 * written over. */
static bool for_a_while(struct session *s) {
  if (!launch_for(s, 1 + (chance(s, 30) ? below(s, 60) : below(s, 4000)))) return false;
  if (chance(s, 40)) return true;
  const struct axi_mem_stats *now = axi_mem_statistics(device_memory(s->device)); /* until it has written */
  const uint64_t before = now->write_beats;
  for (unsigned i = 0; i < 4000 && now->write_beats == before; i++)
    if (!launch_on(s, 1)) return false;
  return launch_on(s, below(s, 12));
}

static bool given_up(struct session *s) {
  const bool reset = chance(s, 25);
  uint32_t status = 0;
  if (!for_a_while(s)) return false;
  if (reset) {
    device_reset(s->device);
    host_was_reset(s);
  } else if (!command(s, HEDDLE_CONTROL_ABORT | (chance(s, 50) ? HEDDLE_CONTROL_START : 0))) {
    return false;
  }
  const struct axi_mem_stats *axi = axi_mem_statistics(device_memory(s->device));
  const uint64_t reads = axi->reads + 1, writes = axi->writes + BEGUN;
  if (!wait_without(s, HEDDLE_STATUS_DRAINING, &status)) return false;
  /* What was written and is not in memory is given up, and that is told; so it stays until the next grid. */
  const uint32_t given = s->host.machine->l2_bytes != 0 ? status & HEDDLE_STATUS_DROPPED : 0;
  if (status != given) return wrong(s, "after an abort", HEDDLE_REG_STATUS, status, given);
  s->host.status = given;
  if (!quiet(s, "after an abort")) return false;
  if (axi->reads > reads || axi->writes > writes) {
    (void)session_say(s, SESSION_DEVICE, "host: after an abort bursts begin");
    return false;
  }
  device_records_clear(s->device);
  const struct axi_mem_stats before = *axi_mem_statistics(device_memory(s->device));
  (void)session_step(s, 200);
  const struct axi_mem_stats *now = axi_mem_statistics(device_memory(s->device));
  size_t records = 0;
  (void)device_records(s->device, &records);
  if (before.reads == now->reads && before.writes == now->writes && records == 0) return true;
  (void)session_say(s, SESSION_DEVICE, "host: after an abort something goes on");
  return false;
}

static bool hard_reset(struct session *s) {
  device_reset(s->device);
  device_records_clear(s->device);
  host_was_reset(s);
  for (uint32_t reg = HEDDLE_REG_GRID_X; reg <= HEDDLE_REG_LOCAL_BYTES; reg += 4)
    if (!look(s, reg)) return false;
  return expect(s, "after a reset", HEDDLE_REG_STATUS, 0) && expect(s, "after a reset", HEDDLE_REG_CYCLES, 0) &&
         expect(s, "after a reset", HEDDLE_REG_CYCLES_HI, 0);
}

/* All that does not depend on what ran. */
static bool survey(struct session *s) {
  for (uint32_t reg = 0; reg < HEDDLE_REG_COUNTER(0); reg += 4)
    if (!look(s, reg)) return false;
  return true;
}

/* ---- when */

static bool one_more(struct session *s) {
  switch (below(s, 5)) {
  case 0:
    return survey(s);
  case 1:
    return refused_launch(s);
  case 2:
    return astray(s);
  case 3:
    return given_up(s);
  default:
    return !chance(s, 30) || hard_reset(s);
  }
}

static bool before(struct session *s) {
  bool ok = true;
  for (unsigned n = 1 + below(s, 3); ok && n-- > 0;) {
    for (unsigned k = below(s, 6); ok && k-- > 0;) ok = fiddle(s);
    ok = ok && one_more(s);
  }
  for (unsigned k = below(s, 6); ok && k-- > 0;) ok = fiddle(s);
  return ok && quiet(s, "before the launch");
}

/* The launches of its own are in no trace, and nobody looks on. */
enum session_outcome host_before(struct session *s) {
  if (s->host.machine == NULL) return SESSION_OK;
  struct trace_writer *trace = s->trace;
  const session_observe_fn observe = s->cfg.observe;
  s->trace = NULL;
  s->cfg.observe = NULL;
  const bool ok = before(s);
  s->trace = trace;
  s->cfg.observe = observe;
  if (!ok) return s->result.outcome;
  device_records_clear(s->device);
  checker_free(s->checker);
  s->checker = NULL;
  memset(&s->result, 0, sizeof s->result);
  s->result.difference.kind = CHECKER_NONE;
  return SESSION_OK;
}

/* START has been written: a second one is none, launch registers stay. No grid ends as soon as this. */
enum session_outcome host_started(struct session *s) {
  uint32_t status = 0;
  if (s->host.machine == NULL) return SESSION_OK;
  bool ok = !chance(s, 50) || command(s, HEDDLE_CONTROL_START);
  return ok && host_meanwhile(s, &status) == SESSION_OK ? SESSION_OK : s->result.outcome;
}

/* Whether the grid still runs is known only behind a write: what was written while it may have ended is unknown. */
enum session_outcome host_meanwhile(struct session *s, uint32_t *status) {
  if (s->host.machine == NULL) return SESSION_OK;
  for (unsigned n = below(s, 4); n-- > 0;) {
    const uint32_t reg = chance(s, 50) ? HEDDLE_REG_GRID_X + 4 * below(s, 16) : any_register(s);
    bool ok = true, runs = true;
    uint32_t want;
    switch (below(s, 3)) {
    case 0:
      ok = part_of_word(s);
      break;
    case 1:
      ok = reg == HEDDLE_REG_CONTROL || (chance(s, 50) ? beside(s, reg, true) : scribble(s, reg, true));
      s->host.unknown[reg / 4] = heddle_host_regs_kept(reg, 0, &want);
      ok = ok && read32(s, HEDDLE_REG_STATUS, status);
      runs = (*status & HEDDLE_STATUS_RUNNING) != 0;
      if (runs) s->host.unknown[reg / 4] = false;
      break;
    default:
      break;
    }
    if (!ok || !look(s, reg)) return s->result.outcome;
    if (!runs) break;
  }
  return SESSION_OK;
}

/* A counter of the grid: over all SMs, whichever was looked at. */
static bool counted(struct session *s, uint32_t reg, uint32_t want) {
  const unsigned sms = session_shown(s);
  uint32_t sum = 0;
  for (uint32_t sm = 0; sm < sms; sm++) {
    uint32_t got = 0;
    if (sms > 1 && !device_write32(s->device, HEDDLE_REG_SM_SELECT, sm))
      return session_say(s, SESSION_DEVICE, "host: SM_SELECT cannot be written") == SESSION_OK;
    if (!read32(s, reg, &got)) return false;
    sum += got;
  }
  return sum == want || wrong(s, "counted in the grid", reg, sum, want);
}

/* How it ended stays until START or ABORT. */
static bool after(struct session *s) {
  const struct session_result *r = &s->result;
  uint32_t status = s->host.status;
  bool ok = true;
  for (unsigned k = below(s, 6); ok && k-- > 0;) ok = fiddle(s);
  ok = ok && expect(s, "how it ended", HEDDLE_REG_STATUS, status) &&
       expect(s, "cycles of the grid", HEDDLE_REG_CYCLES, (uint32_t)r->cycles) &&
       expect(s, "cycles of the grid", HEDDLE_REG_CYCLES_HI, (uint32_t)(r->cycles >> 32));
  for (unsigned i = 0; ok && i < HEDDLE_COUNTERS; i++) ok = counted(s, HEDDLE_REG_COUNTER(i), r->counter[i]);
  for (unsigned i = 0; ok && i < HEDDLE_CACHE_COUNTERS; i++)
    ok = counted(s, HEDDLE_REG_CACHE_COUNTER(i), r->counter[SESSION_CACHE_COUNTERS + i]);
  if (!ok || !chance(s, 50)) return ok;
  if (!command(s, HEDDLE_CONTROL_ABORT | (chance(s, 30) ? HEDDLE_CONTROL_START : 0)) ||
      !wait_without(s, HEDDLE_STATUS_DRAINING, &status))
    return false;
  if (status != 0) return wrong(s, "after an abort of nothing", HEDDLE_REG_STATUS, status, 0);
  s->host.status = 0;
  for (uint32_t reg = HEDDLE_REG_TRAP_CAUSE; reg <= HEDDLE_REG_TRAP_ADDR_HI; reg += 4)
    if (!look(s, reg)) return false;
  return quiet(s, "after an abort of nothing");
}

enum session_outcome host_after(struct session *s) {
  return s->host.machine == NULL || after(s) ? SESSION_OK : s->result.outcome;
}
