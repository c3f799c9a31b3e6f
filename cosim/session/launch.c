/* SPDX-License-Identifier: Apache-2.0
 *
 * The session's launch: whether it must be refused, its host registers, and what they say afterwards
 * (docs/how-a-launch-travels.md, B 7, 10, 20).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/host.h>
#include "cosim/session/internal.h"

/* Launches that the device must refuse, and those that it must not (isa/abi/host_regs.layout, "REFUSE"). */

static bool block_is_none(const struct heddle_launch *l) {
  const uint32_t *b = l->block;
  return b[0] == 0 || b[1] == 0 || b[2] == 0 || b[0] > 1024 || b[1] > 1024 || b[2] > 64 ||
         (uint64_t)b[0] * b[1] * b[2] > 1024;
}

/* Warps of `regs` registers each that find room: in every partition as many. */
static uint32_t room_for(const struct heddle_config *m, uint32_t regs) {
  const uint32_t places = m->warps / m->partitions, fit = m->regs / m->partitions / regs;
  return m->partitions * (fit < places ? fit : places);
}

uint32_t session_refusal(const struct heddle_config *m, const struct heddle_launch *l) {
  if (l->grid[0] == 0 || l->grid[1] == 0 || l->grid[2] == 0) return HEDDLE_REFUSE_GRID;
  if (block_is_none(l)) return HEDDLE_REFUSE_BLOCK;
  const uint32_t warps = (l->block[0] * l->block[1] * l->block[2] + HEDDLE_LANES - 1) / HEDDLE_LANES;
  if (warps > m->warps) return HEDDLE_REFUSE_WARPS;
  if (l->regs == 0 || l->regs > 255 || warps > room_for(m, l->regs)) return HEDDLE_REFUSE_REGS;
  return l->shared_bytes > m->shared_bytes ? HEDDLE_REFUSE_SHARED : HEDDLE_REFUSE_NONE;
}

/* With what the block asks for and what the machine has. */
static enum heddle_session_outcome tell_refusal(struct heddle_session *s, const struct heddle_config *m) {
  const struct heddle_launch *l = &s->launch;
  const uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
  const unsigned warps = (unsigned)((threads + HEDDLE_LANES - 1) / HEDDLE_LANES), reason = s->result.refuse;
  if (m != NULL && reason == HEDDLE_REFUSE_WARPS)
    return session_say(s, HEDDLE_SESSION_REFUSED,
                       "the device refuses the launch: a block has %u warps, %s has room for %u", warps, m->name,
                       m->warps);
  if (m != NULL && reason == HEDDLE_REFUSE_REGS)
    return session_say(s, HEDDLE_SESSION_REFUSED,
                       "the device refuses the launch: a block has %u warps of %u registers, %s has %u warp registers",
                       warps, l->regs, m->name, m->regs);
  if (m != NULL && reason == HEDDLE_REFUSE_SHARED)
    return session_say(s, HEDDLE_SESSION_REFUSED,
                       "the device refuses the launch: a block has %u bytes of shared memory, %s has %u",
                       l->shared_bytes, m->name, m->shared_bytes);
  return session_say(s, HEDDLE_SESSION_REFUSED, "the device refuses the launch: %s",
                     reason == HEDDLE_REFUSE_GRID    ? "a grid dimension is 0"
                     : reason == HEDDLE_REFUSE_BLOCK ? "a block dimension is 0 or too large, or more than 1,024 threads"
                                                     : "the block does not fit");
}

static const char *reason_name(uint32_t reason) {
  static const char *const name[] = {"nothing",   "its grid",      "its block",
                                     "its warps", "its registers", "its shared memory"};
  return reason < sizeof name / sizeof *name ? name[reason] : "a reason that there is not";
}

enum heddle_session_outcome judge_refusal(struct heddle_session *s, uint32_t status) {
  const struct heddle_config *m = heddle_dut_core(s->device) == NULL ? session_machine(s) : NULL;
  const uint32_t must = m != NULL ? session_refusal(m, &s->launch) : s->result.refuse, did = s->result.refuse;
  if (must != did)
    return session_say(s, HEDDLE_SESSION_DEVICE,
                       "STATUS says that the launch is refused for %s; by what %s has room for: %s", reason_name(did),
                       m->name, reason_name(must));
  return (status & HEDDLE_STATUS_REFUSED) == 0 ? HEDDLE_SESSION_OK : tell_refusal(s, m);
}

/* The session's launch, written into the host registers, and what they say afterwards
 * (docs/how-a-launch-travels.md, B 7, 10, 20). */

static bool write_host_register(void *session, uint32_t reg, uint32_t value) {
  struct heddle_session *s = session;
  host_wrote(s, reg, value);
  if (heddle_dut_write32(s->device, reg, value)) return true;
  (void)session_say(s, HEDDLE_SESSION_DEVICE, "the host bus answers a write of register 0x%x with an error", reg);
  return false;
}

bool device_read32(struct heddle_session *s, uint32_t reg, uint32_t *value) {
  if (heddle_dut_read32(s->device, reg, value)) return true;
  (void)session_say(s, HEDDLE_SESSION_DEVICE, "the host bus answers a read of register 0x%x with an error", reg);
  return false;
}

/* Code and constants lie behind global memory: the code first, banks after it, at multiples of 64. */
static uint64_t place_after(uint64_t at, uint32_t bytes) {
  return (at + bytes + 63) & ~UINT64_C(63);
}

/* Local memory lies behind code and constants: 32 threads' for each warp slot. */
static uint64_t local_base(const struct heddle_session *s) {
  return (s->cfg.memory_base + s->cfg.memory_bytes + HEDDLE_SESSION_RESERVE + 511) & ~UINT64_C(511);
}

/* Where memory answers with errors: in what, and how far from its beginning, the session's configuration says. */
static void place_errors(const struct heddle_session *s, struct heddle_launch *l) {
  const enum heddle_errors_in in = s->cfg.error_in;
  const unsigned bank =
      in >= HEDDLE_ERRORS_BANK0 && in < HEDDLE_ERRORS_LOCAL ? in - HEDDLE_ERRORS_BANK0 : HEDDLE_CBANKS;
  uint64_t from = 0;
  if (in == HEDDLE_ERRORS_CODE) from = l->code_at;
  if (in == HEDDLE_ERRORS_LOCAL) from = l->local_at;
  if (bank < HEDDLE_CBANKS) from = l->cbank_at[bank];
  l->errors = (struct heddle_errors){0, 0}; /* a bank that is not there lies nowhere */
  if (s->cfg.error_limit != 0 && (bank == HEDDLE_CBANKS || l->cbank_bytes[bank] != 0))
    l->errors = (struct heddle_errors){from + s->cfg.error_base, from + s->cfg.error_limit};
}

/* The same code, the same bank lies where an earlier one of `n` launches has it. */
static bool code_there(const struct heddle_launch *earlier, size_t n, struct heddle_launch *l) {
  for (size_t i = n; i-- > 0;)
    if (earlier[i].code == l->code && earlier[i].code_bytes == l->code_bytes) {
      l->code_at = earlier[i].code_at;
      return true;
    }
  return false;
}

static bool bank_there(const struct heddle_launch *earlier, size_t n, struct heddle_launch *l, unsigned bank) {
  for (size_t i = n; i-- > 0;)
    if (earlier[i].cbank[bank] == l->cbank[bank] && earlier[i].cbank_bytes[bank] == l->cbank_bytes[bank]) {
      l->cbank_at[bank] = earlier[i].cbank_at[bank];
      return true;
    }
  return false;
}

uint64_t launch_place(const struct heddle_session *s, const struct heddle_launch *earlier, size_t n,
                      struct heddle_launch *l, uint64_t used) {
  uint64_t at = s->cfg.memory_base + s->cfg.memory_bytes + used;
  if (l->pages) { /* code and banks lie where it says, in its space */
    l->local_at = local_base(s);
    l->errors = (struct heddle_errors){0, 0};
    return used;
  }
  if (!code_there(earlier, n, l)) {
    l->code_at = at;
    at = place_after(at, l->code_bytes);
  }
  for (unsigned i = 0; i < HEDDLE_CBANKS; i++)
    if (!bank_there(earlier, n, l, i)) {
      l->cbank_at[i] = at;
      at = place_after(at, l->cbank_bytes[i]);
    }
  l->local_at = local_base(s);
  place_errors(s, l);
  return at - s->cfg.memory_base - s->cfg.memory_bytes;
}

static bool store_code(struct heddle_session *s, const struct heddle_launch *l) {
  if (l->pages) return true;
  bool ok = heddle_dut_memory_store(s->device, l->code_at, l->code, l->code_bytes);
  for (unsigned i = 0; i < HEDDLE_CBANKS; i++)
    if (l->cbank_bytes[i] != 0)
      ok = ok && heddle_dut_memory_store(s->device, l->cbank_at[i], l->cbank[i], l->cbank_bytes[i]);
  if (!ok)
    (void)session_say(s, HEDDLE_SESSION_REFUSED, "code and constants do not fit into %" PRIu64 " bytes",
                      HEDDLE_SESSION_RESERVE);
  return ok;
}

uint64_t launch_local_bytes(const struct heddle_session *s, const struct heddle_launch *l) {
  const struct heddle_dut_info *d = heddle_dut_describe(s->device);
  return (uint64_t)l->local_bytes * HEDDLE_LANES * d->warp_slots * session_shown(s);
}

static bool local_fits(struct heddle_session *s, const struct heddle_launch *l) {
  const uint64_t bytes = launch_local_bytes(s, l);
  const struct heddle_axi_mem_config *m = heddle_axi_mem_configuration(heddle_dut_memory(s->device));
  if (bytes == 0 || l->local_at + bytes <= m->base + m->bytes) return true;
  (void)session_say(s, HEDDLE_SESSION_REFUSED, "local memory of %u bytes a thread does not fit into %" PRIu64 " bytes",
                    l->local_bytes, HEDDLE_SESSION_LOCAL);
  return false;
}

/* What local memory of the last launch holds now: what no thread writes must be so at the end. */
static bool keep_local(struct heddle_session *s, const struct heddle_launch *l) {
  const uint64_t bytes = launch_local_bytes(s, l);
  free(s->local);
  s->local = NULL;
  if (s->checker == NULL || heddle_dut_core(s->device) != NULL || bytes == 0) return true;
  s->local = malloc(bytes);
  if (s->local != NULL && heddle_dut_memory_load(s->device, l->local_at, s->local, bytes)) return true;
  return session_say(s, HEDDLE_SESSION_FAILED, "local memory of the device cannot be kept") == HEDDLE_SESSION_OK;
}

static bool add_memory_range(struct heddle_axi_mem_range *r, unsigned *n, uint64_t base, uint64_t limit) {
  for (unsigned i = 0; i < *n; i++)
    if (r[i].base == base && r[i].limit == limit) return true;
  if (*n == HEDDLE_AXI_MEM_RANGES) return false;
  r[(*n)++] = (struct heddle_axi_mem_range){base, limit};
  return true;
}

bool launch_may_write(const struct heddle_session *s, const struct heddle_launch *l, struct heddle_axi_mem_range *r,
                      unsigned *n) {
  bool ok = add_memory_range(r, n, l->local_at, l->local_at + launch_local_bytes(s, l));
  if (l->pages) return ok && add_memory_range(r, n, s->cfg.memory_base, s->cfg.memory_base + s->cfg.memory_bytes);
  for (unsigned i = 0; i < l->regions && i < HEDDLE_REGIONS; i++)
    if (l->region[i].writable) ok = ok && add_memory_range(r, n, l->region[i].base, l->region[i].limit);
  return ok;
}

/* A device built with one scheduling policy, or one divergence unit, would ignore the choice of another. */
static bool can_choose(struct heddle_session *s) {
  uint32_t units = 0;
  const bool sched = s->cfg.sched != HEDDLE_POLICY_DEFAULT;
  if (!sched && !s->cfg.its) return true;
  if (!device_read32(s, HEDDLE_REG_CAP_UNITS, &units)) return false;
  if (sched && !(units & HEDDLE_CAP_UNITS_SCHED)) {
    (void)session_say(s, HEDDLE_SESSION_REFUSED,
                      "the device was built with its configuration's scheduling policy alone");
    return false;
  }
  if (s->cfg.its && !(units & HEDDLE_CAP_UNITS_ITS)) {
    (void)session_say(s, HEDDLE_SESSION_REFUSED, "the device was built without the divergence unit its");
    return false;
  }
  return true;
}

bool device_load(struct heddle_session *s, const struct heddle_launch *l, size_t n) {
  struct heddle_axi_mem_range r[HEDDLE_AXI_MEM_RANGES];
  unsigned ranges = 0;
  if (!can_choose(s)) return false;
  if (!heddle_dut_memory_store(s->device, s->cfg.memory_base, s->memory, s->cfg.memory_bytes)) {
    (void)session_say(s, HEDDLE_SESSION_FAILED, "global memory is outside of the device's");
    return false;
  }
  for (size_t i = 0; i < n; i++) {
    if (!session_pages_allowed(s, &l[i]) || !store_code(s, &l[i]) || !local_fits(s, &l[i])) return false;
    (void)launch_may_write(s, &l[i], r, &ranges);
  }
  if (!keep_local(s, &l[n - 1])) return false;
  heddle_dut_memory_writable(s->device, r, ranges);
  heddle_dut_memory_errors(s->device, l->errors.base, l->errors.limit);
  return true;
}

static struct heddle_host_launch registers_of(const struct heddle_session *s, const struct heddle_launch *l) {
  struct heddle_host_launch to = {.size = sizeof to,
                                  .entry_pc = l->entry_pc,
                                  .regs = l->regs,
                                  .shared_bytes = l->shared_bytes,
                                  .mode = (s->cfg.scoreboard ? HEDDLE_MODE_SCOREBOARD : 0) |
                                          (s->cfg.its ? HEDDLE_MODE_ITS : 0) | (l->pages ? HEDDLE_MODE_PAGES : 0) |
                                          (l->pages && l->fault_trap ? HEDDLE_MODE_FAULT_TRAP : 0) |
                                          s->cfg.sched << HEDDLE_MODE_SCHED_SHIFT,
                                  .code_base = l->code_at,
                                  .code_bytes = l->code_bytes,
                                  .page_root = l->page_root,
                                  .space = l->space,
                                  .local_base = l->local_at,
                                  .local_bytes = l->local_bytes};
  memcpy(to.grid, l->grid, sizeof to.grid);
  memcpy(to.block, l->block, sizeof to.block);
  for (unsigned i = 0; i < HEDDLE_CBANKS; i++) {
    to.cbank_base[i] = l->cbank_at[i];
    to.cbank_bytes[i] = l->cbank_bytes[i];
  }
  for (unsigned i = 0; !l->pages && i < l->regions && i < HEDDLE_REGIONS; i++) {
    to.region_base[i] = l->region[i].base;
    to.region_limit[i] = l->region[i].limit;
    if (l->region[i].writable) to.region_write |= 1u << i;
  }
  return to;
}

bool device_start(struct heddle_session *s, const struct heddle_launch *l, const struct heddle_launch *before) {
  const struct heddle_host_launch to = registers_of(s, l), was = registers_of(s, before != NULL ? before : l);
  const bool ok = before != NULL ? heddle_host_launch_change(&to, &was, write_host_register, s) == HEDDLE_SUCCESS
                                 : heddle_host_launch_write(&to, write_host_register, s) == HEDDLE_SUCCESS;
  return ok && device_command(s, HEDDLE_CONTROL_START);
}

bool device_command(struct heddle_session *s, uint32_t what) {
  return write_host_register(s, HEDDLE_REG_CONTROL, what);
}

bool device_status(struct heddle_session *s, uint32_t *status) {
  return device_read32(s, HEDDLE_REG_STATUS, status);
}

static bool read_trap(struct heddle_session *s, struct heddle_trap *t) {
  uint32_t cause = 0, lo = 0, hi = 0;
  bool ok = session_shown(s) == 1 ||
            (device_read32(s, HEDDLE_REG_TRAP_SM, &t->sm) && write_host_register(s, HEDDLE_REG_SM_SELECT, t->sm));
  ok = ok && device_read32(s, HEDDLE_REG_TRAP_CAUSE, &cause) &&
       device_read32(s, HEDDLE_REG_TRAP_WARP, &t->warp_in_block) &&
       device_read32(s, HEDDLE_REG_TRAP_SLOT, &s->trap_slot) && device_read32(s, HEDDLE_REG_TRAP_SEQ, &t->seq) &&
       device_read32(s, HEDDLE_REG_TRAP_PC, &t->pc) && device_read32(s, HEDDLE_REG_TRAP_LANES, &t->lanes) &&
       device_read32(s, HEDDLE_REG_TRAP_ADDR, &lo) && device_read32(s, HEDDLE_REG_TRAP_ADDR_HI, &hi);
  for (uint32_t i = 0; ok && i < 3; i++) ok = device_read32(s, HEDDLE_REG_TRAP_CTAID_X + 4 * i, &t->ctaid[i]);
  t->cause = cause < HEDDLE_CAUSES ? (enum heddle_cause)cause : HEDDLE_TRAP_NONE;
  t->addr = (uint64_t)hi << 32 | lo;
  t->exact = t->cause != HEDDLE_TRAP_BUS && t->cause != HEDDLE_TRAP_PAGE &&
             (t->cause != HEDDLE_TRAP_WRITE_PROTECTED || !s->launch.pages);
  return ok;
}

/* Counters are the sums over all SMs. */
static bool add_counters(struct heddle_session *s, uint32_t sm, uint32_t counters) {
  struct heddle_session_result *r = &s->result;
  uint32_t value = 0;
  if (session_shown(s) > 1 && !write_host_register(s, HEDDLE_REG_SM_SELECT, sm)) return false;
  for (unsigned i = 0; i < counters && i < HEDDLE_SESSION_CACHE_COUNTERS; i++) {
    if (!device_read32(s, HEDDLE_REG_COUNTER(i), &value)) return false;
    r->counter[i] += value;
  }
  for (unsigned i = 0; r->has_cache && i < HEDDLE_CACHE_COUNTERS; i++) {
    if (!device_read32(s, HEDDLE_REG_CACHE_COUNTER(i), &value)) return false;
    r->counter[HEDDLE_SESSION_CACHE_COUNTERS + i] += value;
  }
  return true;
}

bool device_outcome(struct heddle_session *s, uint32_t status) {
  struct heddle_session_result *r = &s->result;
  uint32_t lo = 0, hi = 0, counters = 0, cache = 0;
  bool ok = device_read32(s, HEDDLE_REG_CYCLES, &lo) && device_read32(s, HEDDLE_REG_CYCLES_HI, &hi) &&
            device_read32(s, HEDDLE_REG_CAP_COUNTERS, &counters) && device_read32(s, HEDDLE_REG_CAP_L1, &cache);
  r->cycles = (uint64_t)hi << 32 | lo;
  r->has_cache = cache != 0;
  memset(r->counter, 0, sizeof r->counter);
  for (uint32_t sm = 0; ok && sm < session_shown(s); sm++) ok = add_counters(s, sm, counters);
  r->insns = r->counter[HEDDLE_COUNTER_ISSUED];
  r->refuse = (status & HEDDLE_STATUS_REFUSE_MASK) >> HEDDLE_STATUS_REFUSE_SHIFT;
  if (ok && (status & HEDDLE_STATUS_TRAPPED) != 0) ok = read_trap(s, &r->trap);
  return ok;
}
