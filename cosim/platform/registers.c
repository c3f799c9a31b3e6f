/* SPDX-License-Identifier: Apache-2.0
 * The register map as words. */
#include "cosim/platform/registers.h"

#include <string.h>

static uint32_t get(const struct registers *r, uint32_t reg) {
  return r->word[reg / 4];
}

void registers_set(struct registers *r, uint32_t reg, uint32_t value) {
  r->word[reg / 4] = value;
}

void registers_set64(struct registers *r, uint32_t reg, uint64_t value) {
  registers_set(r, reg, (uint32_t)value);
  registers_set(r, reg + 4, (uint32_t)(value >> 32));
}

static void control(struct registers *r, uint32_t value) {
  const bool running = get(r, HEDDLE_REG_STATUS) == HEDDLE_STATUS_RUNNING;
  if (value & HEDDLE_CONTROL_ABORT) {
    r->pending = false;
    r->abort = true;
    registers_set(r, HEDDLE_REG_STATUS, 0);
  } else if ((value & HEDDLE_CONTROL_START) && !running) {
    r->pending = true;
    registers_set(r, HEDDLE_REG_STATUS, HEDDLE_STATUS_RUNNING);
  }
}

/* A number that no SM has is dropped. */
static void select_sm(struct registers *r, uint32_t sm) {
  if (sm < get(r, HEDDLE_REG_CAP_SMS)) registers_set(r, HEDDLE_REG_SM_SELECT, sm);
}

bool registers_write32(struct registers *r, uint32_t reg, uint32_t value) {
  uint32_t kept;
  if (reg % 4 != 0 || reg >= HEDDLE_REG_BYTES) return false;
  if (reg == HEDDLE_REG_CONTROL)
    control(r, value);
  else if (reg == HEDDLE_REG_SM_SELECT)
    select_sm(r, value);
  else if (reg < HEDDLE_REG_LAUNCHES && get(r, HEDDLE_REG_STATUS) != HEDDLE_STATUS_RUNNING &&
           heddle_host_regs_kept(reg, value, &kept))
    registers_set(r, reg, kept); /* there is no queue, and no interrupt */
  return true;
}

/* Is it the register of another SM than the one that has been chosen? What all SMs have counted is told of the first, a
 * trap of the one that has it. */
static bool of_another(const struct registers *r, uint32_t reg) {
  const uint32_t sm = get(r, HEDDLE_REG_SM_SELECT);
  if (reg >= HEDDLE_REG_TRAP_CAUSE && reg <= HEDDLE_REG_TRAP_ADDR_HI) return sm != get(r, HEDDLE_REG_TRAP_SM);
  return sm != 0 && ((reg >= HEDDLE_REG_COUNTER(0) && reg < HEDDLE_REG_COUNTER(HEDDLE_COUNTERS)) ||
                     (reg >= HEDDLE_REG_CACHE_COUNTER(0) && reg < HEDDLE_REG_CACHE_COUNTER(HEDDLE_CACHE_COUNTERS)));
}

bool registers_read32(const struct registers *r, uint32_t reg, uint32_t *value) {
  if (reg % 4 != 0 || reg >= HEDDLE_REG_BYTES) return false;
  *value = reg == HEDDLE_REG_CONTROL || of_another(r, reg) ? 0 : get(r, reg);
  return true;
}

static bool read32(void *self, uint32_t reg, uint32_t *value) {
  return registers_read32(self, reg, value);
}

void registers_launch(const struct registers *r, struct heddle_host_launch *out) {
  struct registers own = *r;
  *out = (struct heddle_host_launch){.mode = 0};
  (void)heddle_host_launch_read(out, read32, &own);
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
