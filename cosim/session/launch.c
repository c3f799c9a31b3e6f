/* SPDX-License-Identifier: Apache-2.0
 *
 * The session's launch, written into the host registers, and what they say afterwards
 * (docs/how-a-launch-travels.md, B 7, 10, 20).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/host.h>
#include "cosim/session/internal.h"

static bool write32(void *session, uint32_t reg, uint32_t value) {
  struct heddle_session *s = session;
  host_wrote(s, reg, value);
  if (heddle_dut_write32(s->device, reg, value)) return true;
  (void)session_say(s, HEDDLE_SESSION_DEVICE, "the host bus answers a write of register 0x%x with an error", reg);
  return false;
}

static bool read32(struct heddle_session *s, uint32_t reg, uint32_t *value) {
  if (heddle_dut_read32(s->device, reg, value)) return true;
  (void)session_say(s, HEDDLE_SESSION_DEVICE, "the host bus answers a read of register 0x%x with an error", reg);
  return false;
}

/* Code and constants lie behind global memory: the code first, banks after it, at multiples of 64. */
static uint64_t after(uint64_t at, uint32_t bytes) {
  return (at + bytes + 63) & ~UINT64_C(63);
}

/* Local memory lies behind code and constants: 32 threads' for each warp slot. */
static uint64_t local_base(const struct heddle_session *s) {
  return (s->cfg.memory_base + s->cfg.memory_bytes + HEDDLE_SESSION_RESERVE + 511) & ~UINT64_C(511);
}

void launch_place(struct heddle_session *s) {
  struct heddle_launch *l = &s->launch;
  uint64_t at = s->cfg.memory_base + s->cfg.memory_bytes, from = 0;
  l->code_at = at;
  at = after(at, l->code_bytes);
  for (unsigned i = 0; i < HEDDLE_CBANKS; i++) {
    l->cbank_at[i] = at;
    at = after(at, l->cbank_bytes[i]);
  }
  const enum heddle_errors_in in = s->cfg.error_in;
  const unsigned bank =
      in >= HEDDLE_ERRORS_BANK0 && in < HEDDLE_ERRORS_LOCAL ? in - HEDDLE_ERRORS_BANK0 : HEDDLE_CBANKS;
  if (in == HEDDLE_ERRORS_CODE) from = l->code_at;
  l->local_at = local_base(s);
  if (in == HEDDLE_ERRORS_LOCAL) from = l->local_at;
  if (bank < HEDDLE_CBANKS) from = l->cbank_at[bank];
  l->errors = (struct heddle_errors){0, 0}; /* a bank that is not there lies nowhere */
  if (s->cfg.error_limit != 0 && (bank == HEDDLE_CBANKS || l->cbank_bytes[bank] != 0))
    l->errors = (struct heddle_errors){from + s->cfg.error_base, from + s->cfg.error_limit};
}

static bool place_code(struct heddle_session *s, struct heddle_host_launch *to) {
  const struct heddle_launch *l = &s->launch;
  bool ok = heddle_dut_memory_store(s->device, l->code_at, l->code, l->code_bytes);
  to->code_base = l->code_at;
  to->code_bytes = l->code_bytes;
  for (unsigned i = 0; i < HEDDLE_CBANKS; i++) {
    to->cbank_base[i] = l->cbank_at[i];
    to->cbank_bytes[i] = l->cbank_bytes[i];
    if (l->cbank_bytes[i] != 0)
      ok = ok && heddle_dut_memory_store(s->device, l->cbank_at[i], l->cbank[i], l->cbank_bytes[i]);
  }
  if (!ok)
    (void)session_say(s, HEDDLE_SESSION_REFUSED, "code and constants do not fit into %" PRIu64 " bytes",
                      HEDDLE_SESSION_RESERVE);
  return ok;
}

uint64_t launch_local_bytes(const struct heddle_session *s) {
  const struct heddle_dut_info *d = heddle_dut_describe(s->device);
  return (uint64_t)s->launch.local_bytes * HEDDLE_LANES * d->warp_slots * session_shown(s);
}

static bool place_local(struct heddle_session *s, struct heddle_host_launch *to) {
  const uint64_t bytes = launch_local_bytes(s);
  const struct heddle_axi_mem_config *m = heddle_axi_mem_configuration(heddle_dut_memory(s->device));
  to->local_base = s->launch.local_at;
  to->local_bytes = s->launch.local_bytes;
  if (bytes == 0 || to->local_base + bytes <= m->base + m->bytes) return true;
  (void)session_say(s, HEDDLE_SESSION_REFUSED, "local memory of %u bytes a thread does not fit into %" PRIu64 " bytes",
                    s->launch.local_bytes, HEDDLE_SESSION_LOCAL);
  return false;
}

static void fill_regions(const struct heddle_launch *l, struct heddle_host_launch *to) {
  for (unsigned i = 0; i < l->regions && i < HEDDLE_REGIONS; i++) {
    to->region_base[i] = l->region[i].base;
    to->region_limit[i] = l->region[i].limit;
    if (l->region[i].writable) to->region_write |= 1u << i;
  }
}

/* What local memory holds now: what no thread writes must be so at the end. */
static bool keep_local(struct heddle_session *s) {
  const uint64_t bytes = launch_local_bytes(s);
  free(s->local);
  s->local = NULL;
  if (s->checker == NULL || heddle_dut_core(s->device) != NULL || bytes == 0) return true;
  s->local = malloc(bytes);
  if (s->local != NULL && heddle_dut_memory_load(s->device, s->launch.local_at, s->local, bytes)) return true;
  return session_say(s, HEDDLE_SESSION_FAILED, "local memory of the device cannot be kept") == HEDDLE_SESSION_OK;
}

/* What the grid may write: writable regions, and local memory. */
static void allow_writes(struct heddle_session *s, const struct heddle_host_launch *to) {
  const struct heddle_launch *l = &s->launch;
  const uint64_t local = launch_local_bytes(s);
  struct heddle_axi_mem_range r[HEDDLE_AXI_MEM_RANGES];
  unsigned n = 0;
  for (unsigned i = 0; i < l->regions && i < HEDDLE_REGIONS; i++)
    if (l->region[i].writable) r[n++] = (struct heddle_axi_mem_range){l->region[i].base, l->region[i].limit};
  r[n++] = (struct heddle_axi_mem_range){to->local_base, to->local_base + local};
  heddle_dut_memory_writable(s->device, r, n);
}

/* A device built with one scheduling policy, or one divergence unit, would ignore the choice of another. */
static bool can_choose(struct heddle_session *s) {
  uint32_t units = 0;
  const bool sched = s->cfg.sched != HEDDLE_POLICY_DEFAULT;
  if (!sched && !s->cfg.its) return true;
  if (!read32(s, HEDDLE_REG_CAP_UNITS, &units)) return false;
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

bool device_start(struct heddle_session *s) {
  if (!can_choose(s)) return false;
  if (!heddle_dut_memory_store(s->device, s->cfg.memory_base, s->memory, s->cfg.memory_bytes)) {
    (void)session_say(s, HEDDLE_SESSION_FAILED, "global memory lies outside of the device's");
    return false;
  }
  const struct heddle_launch *l = &s->launch;
  struct heddle_host_launch to = {.entry_pc = l->entry_pc,
                                  .regs = l->regs,
                                  .shared_bytes = l->shared_bytes,
                                  .mode = (s->cfg.scoreboard ? HEDDLE_MODE_SCOREBOARD : 0) |
                                          (s->cfg.its ? HEDDLE_MODE_ITS : 0) | s->cfg.sched << HEDDLE_MODE_SCHED_SHIFT};
  memcpy(to.grid, l->grid, sizeof to.grid);
  memcpy(to.block, l->block, sizeof to.block);
  fill_regions(l, &to);
  if (!place_code(s, &to) || !place_local(s, &to) || !keep_local(s)) return false;
  allow_writes(s, &to);
  heddle_dut_memory_errors(s->device, l->errors.base, l->errors.limit);
  return heddle_host_launch_write(&to, write32, s) && write32(s, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_START);
}

bool device_status(struct heddle_session *s, uint32_t *status) {
  return read32(s, HEDDLE_REG_STATUS, status);
}

static bool read_trap(struct heddle_session *s, struct heddle_trap *t) {
  uint32_t cause = 0, lo = 0, hi = 0;
  bool ok = session_shown(s) == 1 || (read32(s, HEDDLE_REG_TRAP_SM, &t->sm) && write32(s, HEDDLE_REG_SM_SELECT, t->sm));
  ok = ok && read32(s, HEDDLE_REG_TRAP_CAUSE, &cause) && read32(s, HEDDLE_REG_TRAP_WARP, &t->warp_in_block) &&
       read32(s, HEDDLE_REG_TRAP_SLOT, &s->trap_slot) && read32(s, HEDDLE_REG_TRAP_SEQ, &t->seq) &&
       read32(s, HEDDLE_REG_TRAP_PC, &t->pc) && read32(s, HEDDLE_REG_TRAP_LANES, &t->lanes) &&
       read32(s, HEDDLE_REG_TRAP_ADDR, &lo) && read32(s, HEDDLE_REG_TRAP_ADDR_HI, &hi);
  for (uint32_t i = 0; ok && i < 3; i++) ok = read32(s, HEDDLE_REG_TRAP_CTAID_X + 4 * i, &t->ctaid[i]);
  t->cause = cause < HEDDLE_CAUSES ? (enum heddle_cause)cause : HEDDLE_TRAP_NONE;
  t->addr = (uint64_t)hi << 32 | lo;
  return ok;
}

/* Counters are the sums over all SMs. */
static bool add_counters(struct heddle_session *s, uint32_t sm, uint32_t counters) {
  struct heddle_session_result *r = &s->result;
  uint32_t value = 0;
  if (session_shown(s) > 1 && !write32(s, HEDDLE_REG_SM_SELECT, sm)) return false;
  for (unsigned i = 0; i < counters && i < HEDDLE_SESSION_CACHE_COUNTERS; i++) {
    if (!read32(s, HEDDLE_REG_COUNTER(i), &value)) return false;
    r->counter[i] += value;
  }
  for (unsigned i = 0; r->has_cache && i < HEDDLE_CACHE_COUNTERS; i++) {
    if (!read32(s, HEDDLE_REG_CACHE_COUNTER(i), &value)) return false;
    r->counter[HEDDLE_SESSION_CACHE_COUNTERS + i] += value;
  }
  return true;
}

bool device_outcome(struct heddle_session *s, uint32_t status) {
  struct heddle_session_result *r = &s->result;
  uint32_t lo = 0, hi = 0, counters = 0, cache = 0;
  bool ok = read32(s, HEDDLE_REG_CYCLES, &lo) && read32(s, HEDDLE_REG_CYCLES_HI, &hi) &&
            read32(s, HEDDLE_REG_CAP_COUNTERS, &counters) && read32(s, HEDDLE_REG_CAP_L1, &cache);
  r->cycles = (uint64_t)hi << 32 | lo;
  r->has_cache = cache != 0;
  memset(r->counter, 0, sizeof r->counter);
  for (uint32_t sm = 0; ok && sm < session_shown(s); sm++) ok = add_counters(s, sm, counters);
  r->insns = r->counter[HEDDLE_COUNTER_ISSUED];
  r->refuse = (status & HEDDLE_STATUS_REFUSE_MASK) >> HEDDLE_STATUS_REFUSE_SHIFT;
  if (ok && (status & HEDDLE_STATUS_TRAPPED) != 0) ok = read_trap(s, &r->trap);
  return ok;
}
