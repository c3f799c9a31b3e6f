/* SPDX-License-Identifier: Apache-2.0
 * The register map as words. */
#include "cosim/platform/registers.h"

#include <string.h>

static uint32_t get_register(const struct registers *r, uint32_t reg) {
  return r->word[reg / 4];
}

void registers_set(struct registers *r, uint32_t reg, uint32_t value) {
  r->word[reg / 4] = value;
}

void registers_set64(struct registers *r, uint32_t reg, uint64_t value) {
  registers_set(r, reg, (uint32_t)value);
  registers_set(r, reg + 4, (uint32_t)(value >> 32));
}

uint64_t registers_get64(const struct registers *r, uint32_t reg) {
  return (uint64_t)get_register(r, reg + 4) << 32 | get_register(r, reg);
}

static bool has_mmu(const struct registers *r) {
  return (get_register(r, HEDDLE_REG_CAP_UNITS) & HEDDLE_CAP_UNITS_MMU) != 0;
}

static bool grid_runs(const struct registers *r) {
  return (get_register(r, HEDDLE_REG_STATUS) & HEDDLE_STATUS_RUNNING) != 0;
}

/* ---- pages */

static void empty_list(struct registers *r) {
  registers_set(r, HEDDLE_REG_FAULTS, 0);
}

static void control_pages(struct registers *r, uint32_t value) {
  if (!has_mmu(r) || !grid_runs(r)) return;
  r->exchange = (value & HEDDLE_CONTROL_EXCHANGE) != 0;
  if ((value & (HEDDLE_CONTROL_REPLAY | HEDDLE_CONTROL_FAIL)) == 0) return;
  empty_list(r);
  r->replay = true;
  r->fail = (value & HEDDLE_CONTROL_FAIL) != 0;
}

void registers_faults(struct registers *r, const struct registers_fault *list, unsigned count) {
  const uint32_t n = count < HEDDLE_FAULT_PLACES ? count : HEDDLE_FAULT_PLACES;
  memcpy(r->fault, list, n * sizeof *list);
  registers_set(r, HEDDLE_REG_FAULTS, n);
  if (n > 0) registers_set(r, HEDDLE_REG_IRQ_CAUSE, get_register(r, HEDDLE_REG_IRQ_CAUSE) | HEDDLE_IRQ_CAUSE_FAULT);
}

void registers_exchanged(struct registers *r, bool bad, uint64_t old) {
  const uint32_t status = get_register(r, HEDDLE_REG_STATUS) & ~HEDDLE_STATUS_EXCHANGE_BAD;
  registers_set(r, HEDDLE_REG_STATUS, status | (bad ? HEDDLE_STATUS_EXCHANGE_BAD : 0));
  if (!bad) registers_set64(r, HEDDLE_REG_ENTRY_OLD, old);
}

/* What FAULT_SELECT names, else 0. */
static uint32_t fault_word(const struct registers *r, uint32_t reg) {
  const uint32_t i = get_register(r, HEDDLE_REG_FAULT_SELECT);
  if (i >= get_register(r, HEDDLE_REG_FAULTS)) return 0;
  if (reg == HEDDLE_REG_FAULT_INFO) return r->fault[i].info;
  return (uint32_t)(reg == HEDDLE_REG_FAULT_PAGE ? r->fault[i].page : r->fault[i].page >> 32);
}

static bool is_fault_word(uint32_t reg) {
  return reg >= HEDDLE_REG_FAULT_PAGE && reg <= HEDDLE_REG_FAULT_INFO;
}

/* ---- what the host does */

static void control(struct registers *r, uint32_t value) {
  control_pages(r, value);
  if (value & HEDDLE_CONTROL_ABORT) {
    r->pending = false;
    r->abort = true;
    registers_set(r, HEDDLE_REG_STATUS, 0);
    empty_list(r);
  } else if ((value & HEDDLE_CONTROL_START) && !grid_runs(r)) {
    r->pending = true;
    registers_set(r, HEDDLE_REG_STATUS, HEDDLE_STATUS_RUNNING);
  }
}

/* A number that no SM has is dropped. */
static void select_sm(struct registers *r, uint32_t sm) {
  if (sm < get_register(r, HEDDLE_REG_CAP_SMS)) registers_set(r, HEDDLE_REG_SM_SELECT, sm);
}

static bool is_kept(const struct registers *r, uint32_t reg) {
  return reg < HEDDLE_REG_LAUNCHES ? !grid_runs(r) : reg >= HEDDLE_REG_TLB_WHAT && has_mmu(r);
}

bool registers_write32(struct registers *r, uint32_t reg, uint32_t value) {
  uint32_t kept;
  if (reg % 4 != 0 || reg >= HEDDLE_REG_BYTES) return false;
  if (reg == HEDDLE_REG_CONTROL)
    control(r, value);
  else if (reg == HEDDLE_REG_SM_SELECT)
    select_sm(r, value);
  else if (reg == HEDDLE_REG_IRQ_CAUSE)
    registers_set(r, reg, get_register(r, reg) & ~value);
  else if (is_kept(r, reg) && heddle_host_regs_kept(reg, value, &kept))
    registers_set(r, reg, kept); /* there is no queue, and no interrupt line */
  return true;
}

/* Is it the register of another SM than the one that has been chosen? What all SMs have counted is told of the first, a
 * trap of the one that has it. */
static bool of_another(const struct registers *r, uint32_t reg) {
  const uint32_t sm = get_register(r, HEDDLE_REG_SM_SELECT);
  if (reg >= HEDDLE_REG_TRAP_CAUSE && reg <= HEDDLE_REG_TRAP_ADDR_HI) return sm != get_register(r, HEDDLE_REG_TRAP_SM);
  return sm != 0 && ((reg >= HEDDLE_REG_COUNTER(0) && reg < HEDDLE_REG_COUNTER(HEDDLE_COUNTERS)) ||
                     (reg >= HEDDLE_REG_CACHE_COUNTER(0) && reg < HEDDLE_REG_CACHE_COUNTER(HEDDLE_CACHE_COUNTERS)));
}

bool registers_read32(const struct registers *r, uint32_t reg, uint32_t *value) {
  if (reg % 4 != 0 || reg >= HEDDLE_REG_BYTES) return false;
  *value = reg == HEDDLE_REG_CONTROL || of_another(r, reg) ? 0
           : is_fault_word(reg)                            ? fault_word(r, reg)
                                                           : get_register(r, reg);
  return true;
}

static bool read_map_register(void *self, uint32_t reg, uint32_t *value) {
  return registers_read32(self, reg, value);
}

void registers_launch(const struct registers *r, struct heddle_host_launch *out) {
  struct registers own = *r;
  *out = (struct heddle_host_launch){.size = sizeof *out, .mode = 0};
  (void)heddle_host_launch_read(out, read_map_register, &own);
}

void registers_done(struct registers *r) {
  registers_set(r, HEDDLE_REG_STATUS, HEDDLE_STATUS_DONE);
}

void registers_refused(struct registers *r, uint32_t why) {
  registers_set(r, HEDDLE_REG_STATUS, HEDDLE_STATUS_REFUSED | why << HEDDLE_STATUS_REFUSE_SHIFT);
}

void registers_trapped(struct registers *r, const struct heddle_trap *t) {
  registers_set(r, HEDDLE_REG_TRAP_CAUSE, (uint32_t)t->cause);
  for (unsigned d = 0; d < 3; d++) registers_set(r, HEDDLE_REG_TRAP_CTAID_X + 4 * d, t->ctaid[d]);
  registers_set(r, HEDDLE_REG_TRAP_WARP, t->warp_in_block);
  registers_set(r, HEDDLE_REG_TRAP_SEQ, t->seq);
  registers_set(r, HEDDLE_REG_TRAP_PC, t->pc);
  registers_set(r, HEDDLE_REG_TRAP_LANES, t->lanes);
  registers_set64(r, HEDDLE_REG_TRAP_ADDR, t->addr);
  registers_set(r, HEDDLE_REG_TRAP_SM, t->sm);
  registers_set(r, HEDDLE_REG_STATUS, HEDDLE_STATUS_TRAPPED);
}

void registers_undefined(struct registers *r, const struct heddle_undefined *u) {
  struct heddle_trap t = {.cause = HEDDLE_TRAP_NONE,
                          .warp_in_block = u->warp_in_block,
                          .seq = u->seq,
                          .pc = u->pc,
                          .lanes = u->lanes,
                          .addr = u->addr};
  memcpy(t.ctaid, u->ctaid, sizeof t.ctaid);
  registers_trapped(r, &t);
}
