/* SPDX-License-Identifier: Apache-2.0
 *
 * The end of a grid: waiting for it, what became of it, a trap in words. */
#include <stdio.h>
#include <string.h>

#include <heddle/explain.h>
#include "firmware/driver/internal.h"

/* A trap in words: what ran where (heddle/explain.h), buffers by the parameters that were launched with their
 * addresses. */

void driver_note_launch(struct heddle_context *c, const struct heddle_function *f, const uint32_t block[3],
                        uint32_t shared, void *const *params) {
  const struct heddle_kernel *k = f->kernel;
  struct driver_launched *l = &c->launched[c->started % c->room];
  *l = (struct driver_launched){.program = f->module->program, .kernel = k, .shared = shared};
  memcpy(l->block, block, sizeof l->block);
  for (uint32_t i = 0; i < k->params && i < DRIVER_PARAMS_KEPT; i++)
    if (k->param[i].size == sizeof(uint64_t)) memcpy(&l->param[i], params[i], sizeof(uint64_t));
}

/* The parameter that points into [base, limit], or -1. */
static int parameter_at(const struct driver_launched *l, uint64_t base, uint64_t limit) {
  for (uint32_t i = 0; i < l->kernel->params && i < DRIVER_PARAMS_KEPT; i++)
    if (l->kernel->param[i].size == sizeof(uint64_t) && l->param[i] >= base && l->param[i] <= limit) return (int)i;
  return -1;
}

static void list_span(const struct heddle_context *c, uint64_t at, uint64_t bytes, struct heddle_fault_buffer *to) {
  const struct driver_launched *l = driver_front(c);
  const int k = parameter_at(l, at, at + bytes);
  *to = (struct heddle_fault_buffer){
      .name = k >= 0 ? l->kernel->param[k].name : "", .argument = k, .base = at, .limit = at + bytes, .writable = true};
}

static unsigned list_variables(const struct heddle_module *m, struct heddle_fault_buffer *to) {
  const struct heddle_program *p = m->program;
  for (uint32_t i = 0; i < p->variables; i++)
    to[i] = (struct heddle_fault_buffer){.name = p->variable[i].name,
                                         .argument = -1,
                                         .base = m->global + p->variable[i].offset,
                                         .limit = m->global + p->variable[i].offset + p->variable[i].size,
                                         .writable = true};
  return p->variables;
}

static const struct heddle_module *owner(const struct heddle_context *c, uint64_t at) {
  const struct heddle_module *m = c->modules;
  while (m && m->global != at) m = m->next;
  return m;
}

/* All allocations, and all variables of modules. */
static struct heddle_fault_buffer *list_buffers(const struct heddle_context *c, unsigned *n) {
  const struct heap *h = &c->heap;
  size_t most = h->spans + 1;
  for (const struct driver_unified *u = c->unified; u; u = u->next) most++;
  for (const struct heddle_module *m = c->modules; m; m = m->next) most += m->program->variables;
  struct heddle_fault_buffer *all = pool_take(c->device->pool, most * sizeof *all);
  *n = 0;
  for (size_t i = 0; all && i < h->spans; i++) {
    const struct heap_span *s = &h->span[i];
    const struct heddle_module *m = owner(c, s->at);
    if (s->kind != HEAP_DATA) continue;
    if (m)
      *n += list_variables(m, all + *n);
    else
      list_span(c, s->at, s->bytes - c->device->port.pad, all + (*n)++);
  }
  for (const struct driver_unified *u = c->unified; all && u; u = u->next) list_span(c, u->at, u->bytes, all + (*n)++);
  return all;
}

/* of the front, for people */
static const char *driver_kernel(const struct heddle_context *c, char *text, size_t size) {
  return heddle_name_text(driver_front(c)->kernel->name, text, size);
}

static void find_allocator(const struct heddle_context *c, struct heddle_explanation *x) {
  const struct heddle_watch *w = driver_watch(c);
  if (!w || !x->nearest || !w->allocator(w->self, x->nearest->base, x->allocator, sizeof x->allocator))
    x->allocator[0] = '\0';
}

/* Behind the message. */
static void driver_explain_trap(struct heddle_context *c) {
  const struct driver_launched *l = driver_front(c);
  const struct heddle_trap_info *t = &c->trap;
  const size_t used = strlen(c->message);
  struct heddle_explanation x = {.size = sizeof x};
  if (used + 2 >= sizeof c->message) return;
  struct heddle_fault f = {.size = sizeof f,
                           .kind = t->cause == 0 ? HEDDLE_FAULT_UNDEFINED : HEDDLE_FAULT_TRAP,
                           .cause = t->cause == 0 ? "a register or a byte" : t->cause_name,
                           .program = l->program,
                           .kernel = l->kernel,
                           .block = {l->block[0], l->block[1], l->block[2]},
                           .has_place = true,
                           .pc = t->pc,
                           .ctaid = {t->block.x, t->block.y, t->block.z},
                           .warp = t->warp,
                           .lanes = t->lanes,
                           .sequence = t->sequence,
                           .has_address = heddle_cause_has_address(t->cause),
                           .address = t->address,
                           .within = heddle_cause_within(t->cause, t->address, c->space.open),
                           .shared_bytes = l->shared,
                           .local_bytes = l->kernel->local_bytes};
  struct heddle_fault_buffer *buffer = list_buffers(c, &f.buffers);
  f.buffer = buffer;
  (void)heddle_explain(&f, &x);
  find_allocator(c, &x);
  c->message[used] = '\n';
  const size_t end = used + 1 + heddle_explanation_text(&x, c->message + used + 1, sizeof c->message - used - 1);
  if (c->message[end - 1] == '\n') c->message[end - 1] = '\0';
  pool_give(c->device->pool, buffer);
}

/* ---- the end of a grid */

enum { POLL_US = 10, SLEEP_US = 100000, ABORT_POLLS = 100000 };

#define ENDED (HEDDLE_STATUS_DONE | HEDDLE_STATUS_TRAPPED | HEDDLE_STATUS_REFUSED)

static const char *cause_name(uint32_t cause) {
  static const char *const name[] = {"undefined_read", "illegal_instruction", "bad_pc",      "misaligned",
                                     "out_of_range",   "write_protected",     "const_range", "divergence_misuse",
                                     "deadlock",       "barrier_misuse",      "bus_error",   "breakpoint",
                                     "page_fault"};
  return cause < sizeof name / sizeof *name ? name[cause] : "unknown";
}

/* Where there is no room the trap has no name; its words have it. */
static void keep_function(struct heddle_context *c, const char *name) {
  const size_t bytes = strlen(name) + 1;
  pool_give(c->device->pool, c->trap_function);
  c->trap_function = pool_take(c->device->pool, bytes);
  if (c->trap_function) memcpy(c->trap_function, name, bytes);
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
  keep_function(c, driver_front(c)->kernel->name);
  t.cause_name = cause_name(t.cause);
  t.function = c->trap_function ? c->trap_function : "";
  c->trap = t;
  c->trapped = true;
  char name[400];
  const enum heddle_error e = driver_fail(
      c, HEDDLE_ERROR_TRAPPED, "trap %s at %s+0x%04x (pc 0x%04x), block %u,%u,%u warp %u lanes 0x%08x address 0x%llx",
      t.cause_name, driver_kernel(c, name, sizeof name), t.pc - driver_front(c)->kernel->entry_pc, t.pc, t.block.x,
      t.block.y, t.block.z, t.warp, t.lanes, (unsigned long long)t.address);
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

/* Of the launch in front, whose cycles stand at `reg`; its counters while no other has begun. */
static bool read_statistics(struct heddle_context *c, uint32_t reg, bool counters) {
  struct heddle_statistics s = {.launch = c->ended + 1};
  if (!driver_read64(c, reg, &s.cycles)) return false;
  for (uint32_t sm = 0; counters && sm < c->device->sms; sm++)
    if (!add_counters(c, sm, &s)) return false;
  c->statistics = s;
  c->has_statistics = true;
  return true;
}

/* The launch in front has ended. */
static void count_end(struct heddle_context *c) {
  c->cycles += c->statistics.cycles;
  c->until[++c->ended % HEDDLE_GRIDS_DATED] = c->cycles;
}

/* What launches held is no longer mapped. */
static enum heddle_error forget_held(struct heddle_context *c) {
  enum heddle_error e = HEDDLE_SUCCESS;
  for (size_t i = 0; c->space.open && i < c->heap.spans && e == HEDDLE_SUCCESS; i++)
    if (c->heap.span[i].kind == HEAP_LAUNCH) e = space_forget(c, c->heap.span[i].at, c->heap.span[i].bytes);
  return e;
}

/* Nothing runs any more: what has not ended never will, and caches have nothing of what launches held. Unified memory
 * is the host's again. */
static enum heddle_error retire(struct heddle_context *c, bool ended_well) {
  while (driver_runs(c)) c->until[++c->ended % HEDDLE_GRIDS_DATED] = c->cycles;
  c->rested = c->ended;
  enum heddle_error e = driver_come_home(c, ended_well);
  if (e == HEDDLE_SUCCESS) e = forget_held(c);
  heap_give_all(&c->heap, HEAP_LAUNCH);
  return e;
}

static enum heddle_error report_refusal(struct heddle_context *c, uint32_t status) {
  static const char *const why[] = {"no reason given", "a grid size of 0",   "block sizes",
                                    "too many warps",  "too many registers", "too much shared memory"};
  const uint32_t reason = (status & HEDDLE_STATUS_REFUSE_MASK) >> HEDDLE_STATUS_REFUSE_SHIFT;
  char name[400];
  return driver_fail(c, HEDDLE_ERROR_REFUSED, "%s: the device refuses the launch: %s",
                     driver_kernel(c, name, sizeof name),
                     reason < sizeof why / sizeof *why ? why[reason] : "unknown reason");
}

static void tell_end(struct heddle_context *c, enum heddle_error e, const char *words) {
  const struct heddle_watch *w = driver_launch_watch(c);
  if (w) w->ends(w->self, driver_front(c)->kernel->name, e, words);
}

/* What a port that judges grids says of this one. */
static enum heddle_error judged(struct heddle_context *c) {
  const struct heddle_port *p = &c->device->port;
  const char *why = "";
  char name[400];
  const enum heddle_error e = p->verdict ? p->verdict(p->self, &why) : HEDDLE_SUCCESS;
  return e == HEDDLE_SUCCESS ? e : driver_fail(c, e, "%s: %s", driver_kernel(c, name, sizeof name), why);
}

/* One look at a launch that is alone. */
static enum heddle_error look_alone(struct heddle_context *c) {
  uint32_t status = 0;
  if (!driver_read32(c, HEDDLE_REG_STATUS, &status)) return HEDDLE_ERROR_BUS;
  if ((status & ENDED) == 0) return HEDDLE_ERROR_NOT_READY;
  enum heddle_error e = read_statistics(c, HEDDLE_REG_CYCLES, true) ? HEDDLE_SUCCESS : HEDDLE_ERROR_BUS;
  if (e == HEDDLE_SUCCESS) e = judged(c);
  if (e == HEDDLE_SUCCESS && (status & HEDDLE_STATUS_REFUSED) != 0) e = report_refusal(c, status);
  if (e == HEDDLE_SUCCESS && (status & HEDDLE_STATUS_TRAPPED) != 0) e = read_trap(c);
  if (e == HEDDLE_ERROR_BUS) return e;
  tell_end(c, e, e == HEDDLE_SUCCESS ? "" : c->message);
  count_end(c);
  const enum heddle_error home = retire(c, e == HEDDLE_SUCCESS);
  return e == HEDDLE_SUCCESS ? home : e;
}

/* The launch in front, `number` on the device, went wrong. The device has stopped there, but where the next START came
 * just behind the end of the only launch: that one has begun anew, and the trap is gone. Gives up all behind it. */
static enum heddle_error gone_wrong(struct heddle_context *c, uint32_t number, uint32_t how) {
  const bool trapped = (how & HEDDLE_STATUS_TRAPPED) != 0;
  uint32_t status = 0, ended = 0;
  char name[400];
  enum heddle_error e = HEDDLE_SUCCESS;
  if (!driver_read32(c, HEDDLE_REG_STATUS, &status) || !driver_read32(c, HEDDLE_REG_ENDED, &ended))
    return HEDDLE_ERROR_BUS;
  const bool stands = ended == number && (status & (HEDDLE_STATUS_TRAPPED | HEDDLE_STATUS_REFUSED)) != 0;
  if (!read_statistics(c, HEDDLE_REG_ENDED_CYCLES(number % HEDDLE_ENDED_KEPT), stands)) return HEDDLE_ERROR_BUS;
  if (stands) {
    e = trapped ? read_trap(c) : report_refusal(c, status);
  } else {
    c->trapped = c->trapped && !trapped; /* the last trap is not the one that is known */
    e = driver_fail(c, trapped ? HEDDLE_ERROR_TRAPPED : HEDDLE_ERROR_REFUSED,
                    "%s %s; where and why is not known: the launch behind it had begun when the host looked",
                    driver_kernel(c, name, sizeof name), trapped ? "trapped" : "was refused");
  }
  if (e == HEDDLE_ERROR_BUS) return e;
  count_end(c);
  const enum heddle_error stopped = driver_runs(c) ? driver_stop(c) : HEDDLE_SUCCESS;
  (void)retire(c, false);
  return stopped == HEDDLE_SUCCESS ? e : stopped;
}

/* One look at those in the queue: which have ended since the last one. When all have, shared caches have been flushed.
 */
static enum heddle_error look_queued(struct heddle_context *c) {
  uint32_t ended = 0, how = 0;
  if (!driver_read32(c, HEDDLE_REG_ENDED, &ended)) return HEDDLE_ERROR_BUS;
  const uint32_t seen = c->base + (uint32_t)c->ended, count = ended - seen;
  if (count > c->started - c->ended)
    return driver_fail(c, HEDDLE_ERROR_BUS, "ENDED is %u, and %u to %u were started", ended, seen + 1,
                       c->base + (uint32_t)c->started);
  for (uint32_t i = 1; i <= count; i++) {
    const uint32_t number = seen + i, at = number % HEDDLE_ENDED_KEPT;
    if (!driver_read32(c, HEDDLE_REG_ENDED_HOW(at), &how)) return HEDDLE_ERROR_BUS;
    if ((how & HEDDLE_ENDED_HOW_NUMBER_MASK) != number << HEDDLE_ENDED_HOW_NUMBER_SHIFT || (how & ENDED) == 0)
      return driver_fail(c, HEDDLE_ERROR_BUS, "ENDED_HOW is 0x%x, of launch %u", how, number);
    if ((how & HEDDLE_ENDED_HOW_DONE) == 0) return gone_wrong(c, number, how);
    if (!read_statistics(c, HEDDLE_REG_ENDED_CYCLES(at), c->ended + 1 == c->started)) return HEDDLE_ERROR_BUS;
    count_end(c);
  }
  return driver_runs(c) ? HEDDLE_ERROR_NOT_READY : retire(c, true);
}

/* The launch in front may wait for pages. Where they cannot come it is given up, and all behind it. */
static enum heddle_error serve_pages(struct heddle_context *c) {
  bool served;
  const enum heddle_error e = driver_serve_faults(c, &served);
  if (e == HEDDLE_SUCCESS || e == HEDDLE_ERROR_BUS) return e == HEDDLE_SUCCESS ? HEDDLE_ERROR_NOT_READY : e;
  tell_end(c, e, c->message);
  const enum heddle_error stopped = driver_stop(c);
  (void)retire(c, false);
  return stopped == HEDDLE_SUCCESS ? e : stopped;
}

static enum heddle_error poll_launches(struct heddle_context *c) {
  const enum heddle_error e = c->queued ? look_queued(c) : look_alone(c);
  return e == HEDDLE_ERROR_NOT_READY && c->space.open ? serve_pages(c) : e;
}

enum heddle_error heddle_query(struct heddle_context *c) {
  if (!c) return HEDDLE_ERROR_INVALID_VALUE;
  return driver_runs(c) ? poll_launches(c) : HEDDLE_SUCCESS;
}

/* Lets time pass. A port that sleeps wakes up for what is waited for, one end or the end of all; it is looked at behind
 * the clear, so that none is slept through. */
static bool pass_time(struct heddle_context *c, unsigned left, uint32_t microseconds) {
  const struct heddle_port *p = &c->device->port;
  const uint32_t cause = HEDDLE_IRQ_CAUSE_STOPPED | (left > 0 ? HEDDLE_IRQ_CAUSE_LAUNCH : HEDDLE_IRQ_CAUSE_IDLE) |
                         (c->space.open ? HEDDLE_IRQ_CAUSE_FAULT : 0);
  if (p->sleeps && c->wakes_for != cause && !driver_write32(c, HEDDLE_REG_IRQ_MASK, cause)) return false;
  c->wakes_for = cause;
  p->wait(p->self, microseconds);
  return !p->sleeps || driver_write32(c, HEDDLE_REG_IRQ_CAUSE, cause);
}

/* Until no more than `left` launches are under way; NOT_READY: there still are, or some of those. How long a port has
 * slept it does not say: it begins with a short time, after which what had happened before is cleared, and sleeps twice
 * as long while nothing ends. */
static enum heddle_error wait_launches(struct heddle_context *c, unsigned left, uint64_t microseconds) {
  uint64_t waited = 0, part = POLL_US;
  enum heddle_error e = heddle_query(c);
  while (e == HEDDLE_ERROR_NOT_READY && c->started - c->ended > left && waited < microseconds) {
    const uint64_t ended = c->ended, faults = c->unified_info.faults;
    if (part > microseconds - waited) part = microseconds - waited;
    e = pass_time(c, left, (uint32_t)part) ? poll_launches(c) : HEDDLE_ERROR_BUS;
    waited += part;
    const bool moves = c->ended != ended || c->unified_info.faults != faults;
    part = !c->device->port.sleeps || moves ? POLL_US : 2 * part < SLEEP_US ? 2 * part : SLEEP_US;
  }
  return e;
}

static const char of_context[] = " (heddle_context_set_limit)";

/* `whose` milliseconds these are, for words. */
static enum heddle_error wait_until(struct heddle_context *c, unsigned left, uint32_t milliseconds, const char *whose) {
  const uint64_t limit = milliseconds == HEDDLE_FOREVER ? UINT64_MAX : (uint64_t)milliseconds * 1000;
  const enum heddle_error e = wait_launches(c, left, limit);
  char name[400];
  if (e != HEDDLE_ERROR_NOT_READY || c->started - c->ended <= left) return e;
  return driver_fail(c, HEDDLE_ERROR_TIMEOUT, "%s: not finished after %u ms%s; it goes on until it is aborted",
                     driver_kernel(c, name, sizeof name), milliseconds, whose);
}

enum heddle_error heddle_synchronize(struct heddle_context *c, uint32_t milliseconds) {
  return c ? wait_until(c, 0, milliseconds, "") : HEDDLE_ERROR_INVALID_VALUE;
}

enum heddle_error heddle_wait(struct heddle_context *c, uint32_t microseconds) {
  return c ? wait_launches(c, 0, microseconds) : HEDDLE_ERROR_INVALID_VALUE;
}

enum heddle_error driver_settle(struct heddle_context *c) {
  return wait_until(c, 0, c->limit_ms, of_context);
}

enum heddle_error driver_make_room(struct heddle_context *c) {
  if (!c->queued || c->started - c->rested >= DRIVER_LAUNCHES_HELD) return driver_settle(c);
  const enum heddle_error e = wait_until(c, c->room - 1, c->limit_ms, of_context);
  return e == HEDDLE_ERROR_NOT_READY ? HEDDLE_SUCCESS : e;
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
  if (!driver_runs(c)) return HEDDLE_SUCCESS;
  const enum heddle_error e = driver_stop(c);
  tell_end(c, HEDDLE_ERROR_TIMEOUT, "the host gave it up before its end");
  const enum heddle_error home = retire(c, false); /* whatever it answers, it is not waited for again */
  return e == HEDDLE_SUCCESS ? home : e;
}

enum heddle_error heddle_trap_last_sized(const struct heddle_context *c, struct heddle_trap_info *out, size_t bytes) {
  if (!c || !out) return HEDDLE_ERROR_INVALID_VALUE;
  if (!c->trapped) return HEDDLE_ERROR_NOT_FOUND;
  return driver_give_out(out, bytes, &c->trap, sizeof c->trap);
}

enum heddle_error heddle_statistics_last_sized(const struct heddle_context *c, struct heddle_statistics *out,
                                               size_t bytes) {
  if (!c || !out) return HEDDLE_ERROR_INVALID_VALUE;
  if (!c->has_statistics) return HEDDLE_ERROR_NOT_FOUND;
  return driver_give_out(out, bytes, &c->statistics, sizeof c->statistics);
}

enum heddle_error heddle_cycles_until(const struct heddle_context *c, uint64_t launch, uint64_t *cycles) {
  if (!c || !cycles) return HEDDLE_ERROR_INVALID_VALUE;
  if (launch > c->started || c->started - launch >= HEDDLE_GRIDS_DATED) return HEDDLE_ERROR_NOT_FOUND;
  if (launch > c->ended) return HEDDLE_ERROR_NOT_READY;
  *cycles = c->until[launch % HEDDLE_GRIDS_DATED];
  return HEDDLE_SUCCESS;
}
