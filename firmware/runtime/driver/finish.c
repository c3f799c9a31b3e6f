/* SPDX-License-Identifier: Apache-2.0
 * The end of a grid: waiting for it, what became of it. */
#include <stdio.h>
#include <string.h>

#include "firmware/runtime/driver/internal.h"

enum { POLL_US = 10, ABORT_POLLS = 100000 };

#define ENDED (HEDDLE_STATUS_DONE | HEDDLE_STATUS_TRAPPED | HEDDLE_STATUS_REFUSED)

static const char *cause_name(uint32_t cause) {
  static const char *const name[] = {"undefined_read", "illegal_instruction", "bad_pc",      "misaligned",
                                     "out_of_range",   "write_protected",     "const_range", "divergence_misuse",
                                     "deadlock",       "barrier_misuse",      "bus_error",   "breakpoint"};
  return cause < sizeof name / sizeof *name ? name[cause] : "unknown";
}

static enum heddle_error read_trap(struct heddle_context *c) {
  struct heddle_trap_info t = {.cause = 0};
  const struct {
    uint32_t reg, *to;
  } word[] = {{HEDDLE_REG_TRAP_CAUSE, &t.cause},     {HEDDLE_REG_TRAP_CTAID_X, &t.block.x},
              {HEDDLE_REG_TRAP_CTAID_Y, &t.block.y}, {HEDDLE_REG_TRAP_CTAID_Z, &t.block.z},
              {HEDDLE_REG_TRAP_WARP, &t.warp},       {HEDDLE_REG_TRAP_SEQ, &t.sequence},
              {HEDDLE_REG_TRAP_PC, &t.pc},           {HEDDLE_REG_TRAP_LANES, &t.lanes}};
  if (!driver_read32(c, HEDDLE_REG_TRAP_SM, &t.sm) || !driver_write32(c, HEDDLE_REG_SM_SELECT, t.sm))
    return HEDDLE_ERROR_BUS;
  for (size_t i = 0; i < sizeof word / sizeof *word; i++)
    if (!driver_read32(c, word[i].reg, word[i].to)) return HEDDLE_ERROR_BUS;
  if (!driver_read64(c, HEDDLE_REG_TRAP_ADDR, &t.address)) return HEDDLE_ERROR_BUS;
  memcpy(c->trap_function, c->function, sizeof c->trap_function);
  t.cause_name = cause_name(t.cause);
  t.function = c->trap_function;
  c->trap = t;
  c->trapped = true;
  char name[400];
  const enum heddle_error e = driver_fail(
      c, HEDDLE_ERROR_TRAPPED, "trap %s at %s+0x%04x (pc 0x%04x), block %u,%u,%u warp %u lanes 0x%08x address 0x%llx",
      t.cause_name, driver_kernel(c, name, sizeof name), t.pc - c->entry_pc, t.pc, t.block.x, t.block.y, t.block.z,
      t.warp, t.lanes, (unsigned long long)t.address);
  driver_explain_trap(c);
  return e;
}

static bool add_counters(struct heddle_context *c, uint32_t sm, struct heddle_statistics *s) {
  uint32_t value = 0;
  if (!driver_write32(c, HEDDLE_REG_SM_SELECT, sm)) return false;
  for (unsigned i = 0; i < HEDDLE_COUNTERS && i < c->device->counters; i++) {
    if (!driver_read32(c, HEDDLE_REG_COUNTER(i), &value)) return false;
    s->counter[i] += value;
  }
  for (unsigned i = 0; i < HEDDLE_CACHE_COUNTERS && c->device->l1_bytes != 0; i++) {
    if (!driver_read32(c, HEDDLE_REG_CACHE_COUNTER(i), &value)) return false;
    s->cache[i] += value;
  }
  return true;
}

static bool read_statistics(struct heddle_context *c) {
  struct heddle_statistics s = {.cycles = 0};
  uint32_t lo = 0, hi = 0;
  if (!driver_read32(c, HEDDLE_REG_CYCLES, &lo) || !driver_read32(c, HEDDLE_REG_CYCLES_HI, &hi)) return false;
  s.cycles = (uint64_t)hi << 32 | lo;
  for (uint32_t sm = 0; sm < c->device->sms; sm++)
    if (!add_counters(c, sm, &s)) return false;
  c->statistics = s;
  c->ended = true;
  return true;
}

/* Nothing runs any more. */
static void retire(struct heddle_context *c) {
  c->running = false;
  if (c->bank0) (void)heap_give(&c->heap, c->bank0, HEAP_CODE);
  c->bank0 = 0;
  if (c->local) (void)heap_give(&c->heap, c->local, HEAP_CODE);
  c->local = 0;
}

static enum heddle_error refused(struct heddle_context *c, uint32_t status) {
  static const char *const why[] = {"no reason given", "a grid size of 0",   "block sizes",
                                    "too many warps",  "too many registers", "too much shared memory"};
  const uint32_t reason = (status & HEDDLE_STATUS_REFUSE_MASK) >> HEDDLE_STATUS_REFUSE_SHIFT;
  char name[400];
  return driver_fail(c, HEDDLE_ERROR_REFUSED, "%s: the device refuses the launch: %s",
                     driver_kernel(c, name, sizeof name),
                     reason < sizeof why / sizeof *why ? why[reason] : "unknown reason");
}

static void tell_end(struct heddle_context *c, enum heddle_error e, const char *words) {
  const struct heddle_watch *w = driver_watch(c);
  if (w) w->ends(w->self, c->function, e, words);
}

/* What a port that judges grids says of this one. */
static enum heddle_error judged(struct heddle_context *c) {
  const struct heddle_port *p = &c->device->port;
  const char *why = "";
  char name[400];
  const enum heddle_error e = p->verdict ? p->verdict(p->self, &why) : HEDDLE_SUCCESS;
  return e == HEDDLE_SUCCESS ? e : driver_fail(c, e, "%s: %s", driver_kernel(c, name, sizeof name), why);
}

/* One look. */
static enum heddle_error look(struct heddle_context *c) {
  uint32_t status = 0;
  if (!driver_read32(c, HEDDLE_REG_STATUS, &status)) return HEDDLE_ERROR_BUS;
  if ((status & ENDED) == 0) return HEDDLE_ERROR_NOT_READY;
  enum heddle_error e = read_statistics(c) ? HEDDLE_SUCCESS : HEDDLE_ERROR_BUS;
  if (e == HEDDLE_SUCCESS) e = judged(c);
  if (e == HEDDLE_SUCCESS && (status & HEDDLE_STATUS_REFUSED) != 0) e = refused(c, status);
  if (e == HEDDLE_SUCCESS && (status & HEDDLE_STATUS_TRAPPED) != 0) e = read_trap(c);
  if (e == HEDDLE_ERROR_BUS) return e;
  retire(c);
  tell_end(c, e, e == HEDDLE_SUCCESS ? "" : c->message);
  return e;
}

enum heddle_error heddle_query(struct heddle_context *c) {
  if (!c) return HEDDLE_ERROR_INVALID_VALUE;
  return c->running ? look(c) : HEDDLE_SUCCESS;
}

enum heddle_error heddle_synchronize(struct heddle_context *c, uint32_t milliseconds) {
  if (!c) return HEDDLE_ERROR_INVALID_VALUE;
  const struct heddle_port *p = &c->device->port;
  const uint64_t limit = (uint64_t)milliseconds * 1000;
  char name[400];
  enum heddle_error e = heddle_query(c);
  for (uint64_t waited = 0; e == HEDDLE_ERROR_NOT_READY; waited += POLL_US) {
    if (milliseconds != HEDDLE_FOREVER && waited >= limit)
      return driver_fail(c, HEDDLE_ERROR_TIMEOUT, "%s: not finished after %u ms", driver_kernel(c, name, sizeof name),
                         milliseconds);
    p->wait(p->self, POLL_US);
    e = look(c);
  }
  return e;
}

enum heddle_error driver_settle(struct heddle_context *c) {
  return c->running ? heddle_synchronize(c, c->limit_ms) : HEDDLE_SUCCESS;
}

enum heddle_error driver_stop(struct heddle_context *c) {
  uint32_t status = HEDDLE_STATUS_DRAINING;
  const struct heddle_port *p = &c->device->port;
  bool ok = driver_write32(c, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_ABORT);
  for (unsigned i = 0; ok && status != 0 && i < ABORT_POLLS; i++) {
    ok = driver_read32(c, HEDDLE_REG_STATUS, &status);
    if (ok && status != 0) p->wait(p->self, POLL_US);
  }
  if (ok && status != 0) return driver_fail(c, HEDDLE_ERROR_BUS, "the device does not stop, status 0x%x", status);
  return ok ? HEDDLE_SUCCESS : HEDDLE_ERROR_BUS;
}

enum heddle_error heddle_abort(struct heddle_context *c) {
  if (!c) return HEDDLE_ERROR_INVALID_VALUE;
  if (!c->running) return HEDDLE_SUCCESS;
  const enum heddle_error e = driver_stop(c);
  retire(c); /* whatever it answers, it is not waited for again */
  tell_end(c, HEDDLE_ERROR_TIMEOUT, "the host gave it up before its end");
  return e;
}

enum heddle_error heddle_trap_last_sized(const struct heddle_context *c, struct heddle_trap_info *out, size_t bytes) {
  if (!c || !out) return HEDDLE_ERROR_INVALID_VALUE;
  if (!c->trapped) return HEDDLE_ERROR_NOT_FOUND;
  return driver_give_out(out, bytes, &c->trap, sizeof c->trap);
}

enum heddle_error heddle_statistics_last_sized(const struct heddle_context *c, struct heddle_statistics *out,
                                               size_t bytes) {
  if (!c || !out) return HEDDLE_ERROR_INVALID_VALUE;
  if (!c->ended) return HEDDLE_ERROR_NOT_FOUND;
  return driver_give_out(out, bytes, &c->statistics, sizeof c->statistics);
}
