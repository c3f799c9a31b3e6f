/* SPDX-License-Identifier: Apache-2.0
 * The register map over a session in lockstep (heddle/session.h): launches of the host become launches of the session,
 * time that passes is the device's. Code and constants are placed by the session once more, behind the host's memory,
 * so the host's own copy of them is only read here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/explain.h>
#include <heddle/machine.h>
#include <heddle/session.h>
#include "cosim/device/launch_of_host.h"
#include "cosim/platform/platform.h"
#include "cosim/platform/registers.h"
#include "isa/lib/message.h"

enum { CYCLES_PER_US = 100 };

struct lockstep_port {
  char name[96], config[64]; /* the session borrows the second */
  struct heddle_session *session;
  uint64_t bytes, first, launches, seed; /* lockstep begins with launch number `first`; launches so far */
  struct registers regs;
  uint8_t *program; /* of the launch that runs: code, then banks */
  bool running, quiet;
  struct heddle_checker_difference difference; /* of the last grid; HEDDLE_CHECKER_NONE: nothing differed */
  bool undefined;                              /* it used what nobody has written */
  enum heddle_error verdict;
  char why[600];
  char *report;                    /* malloc'ed, or NULL */
  const struct heddle_program *of; /* of the launch that runs; NULL: nobody has said */
  const struct heddle_kernel *kernel;
};

static void disassemble_for_session(void *ctx, struct heddle_isa_word w, uint32_t pc, char *text, size_t bytes) {
  (void)ctx;
  heddle_disassemble(w, pc, text, bytes);
}

/* ---- opening */

/* What the device says of itself; registers of launches and grids are the host's and this port's. */
static bool show_device_registers(struct lockstep_port *p) {
  uint32_t value;
  static const uint32_t range[][2] = {{HEDDLE_REG_ID, HEDDLE_REG_CONTROL},
                                      {HEDDLE_REG_CAP_PARTS, HEDDLE_REG_SM_SELECT},
                                      {HEDDLE_REG_CAP_L1, HEDDLE_REG_CAP_L2 + 4}};
  for (size_t i = 0; i < sizeof range / sizeof *range; i++)
    for (uint32_t reg = range[i][0]; reg < range[i][1]; reg += 4) {
      if (!heddle_session_read32(p->session, reg, &value)) return false;
      /* its sessions have launches without pages */
      registers_set(&p->regs, reg, reg == HEDDLE_REG_CAP_UNITS ? value & ~HEDDLE_CAP_UNITS_MMU : value);
    }
  return true;
}

static enum heddle_error open_lockstep_session(struct lockstep_port *p, const struct lockstep_options *o,
                                               struct heddle_message *msg) {
  const struct heddle_session_config c = {.size = sizeof c,
                                          .mode = HEDDLE_SESSION_LOCKSTEP,
                                          .device_dir = o->devices,
                                          .config = p->config,
                                          .seed = o->seed,
                                          .adversarial = true,
                                          .max_insns = o->limit,
                                          .max_cycles = o->limit,
                                          .memory_base = PLATFORM_MEMORY_BASE,
                                          .memory_bytes = o->bytes,
                                          .trace = o->trace,
                                          .command = o->name,
                                          .disasm = disassemble_for_session};
  return heddle_session_open(&c, &p->session, msg);
}

enum heddle_error lockstep_port_new(const struct lockstep_options *o, struct lockstep_port **out,
                                    struct heddle_message *msg) {
  struct lockstep_port *p = *out = calloc(1, sizeof *p);
  if (!p) return message_fail(msg, HEDDLE_ERROR_HOST_MEMORY, NULL, "no memory");
  snprintf(p->name, sizeof p->name, "%s", o->name);
  snprintf(p->config, sizeof p->config, "%s", o->config);
  p->bytes = o->bytes;
  p->first = o->first;
  p->seed = o->seed;
  p->quiet = o->quiet;
  p->difference.kind = HEDDLE_CHECKER_NONE;
  enum heddle_error e = open_lockstep_session(p, o, msg);
  if (e == HEDDLE_SUCCESS) {
    heddle_session_model_alone(p->session, p->first > 1);
    if (!show_device_registers(p))
      e = message_fail(msg, HEDDLE_ERROR_BUS, NULL, "%s: registers of the device cannot be read", o->name);
  }
  if (e == HEDDLE_SUCCESS) return e;
  lockstep_port_free(p);
  *out = NULL;
  return e;
}

void lockstep_port_free(struct lockstep_port *p) {
  if (!p) return;
  (void)heddle_session_close(p->session, NULL);
  free(p->program);
  free(p->report);
  free(p);
}

const char *lockstep_port_diagnosis(const struct lockstep_port *p) {
  return p->report ? p->report : "";
}

const struct heddle_checker_difference *lockstep_port_difference(const struct lockstep_port *p) {
  return p->difference.kind != HEDDLE_CHECKER_NONE ? &p->difference : NULL;
}

const struct heddle_undefined *lockstep_port_undefined(const struct lockstep_port *p) {
  return p->undefined ? heddle_model_undefined(heddle_session_model(p->session)) : NULL;
}

/* ---- the end of a grid */

/* Kernel, line and thread, as of a trap. */
static void put_place(const struct lockstep_port *p, const struct heddle_checker_difference *d, FILE *to) {
  char text[2000];
  struct heddle_explanation x = {.size = sizeof x};
  if (!p->of || !d) return;
  struct heddle_fault f = {.size = sizeof f,
                           .kind = HEDDLE_FAULT_DIFFERENCE,
                           .program = p->of,
                           .kernel = p->kernel,
                           .has_place = d->has_warp,
                           .pc = d->pc,
                           .warp = d->warp_in_block,
                           .lanes = d->lanes,
                           .sequence = d->seq};
  memcpy(f.ctaid, d->ctaid, sizeof f.ctaid);
  for (unsigned i = 0; i < 3; i++) (void)registers_read32(&p->regs, HEDDLE_REG_BLOCK_X + 4 * i, &f.block[i]);
  (void)heddle_explain(&f, &x);
  (void)heddle_explanation_text(&x, text, sizeof text);
  fputs(text, to);
}

/* Whole, as `heddle run` prints it. */
static char *session_report(const struct lockstep_port *p, const struct heddle_checker_difference *d) {
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  if (!f) return NULL;
  fprintf(f, "%s, launch %llu, seed %llu: ", p->name, (unsigned long long)p->launches, (unsigned long long)p->seed);
  heddle_session_report_text(p->session, f);
  put_place(p, d, f);
  fclose(f);
  return text;
}

static void judge_launch(struct lockstep_port *p, enum heddle_error e, const struct heddle_session_result *r) {
  p->verdict = e;
  const bool limit = r->outcome == HEDDLE_SESSION_LIMIT && strncmp(r->message, "deadlock", 8) != 0;
  snprintf(p->why, sizeof p->why, "%s, launch %llu: %s%s", p->name, (unsigned long long)p->launches, r->message,
           limit ? ", the limit of HEDDLE_LIMIT; without it there is none" : "");
  registers_trapped(&p->regs, &(struct heddle_trap){.cause = HEDDLE_TRAP_BUS}); /* for hosts that ask nobody */
  if (e != HEDDLE_ERROR_DIFFERENCE && e != HEDDLE_ERROR_LIMIT) return;
  p->report = session_report(p, r->outcome == HEDDLE_SESSION_DIFFERENCE ? &r->difference : NULL);
  if (!p->quiet && p->report) fprintf(stderr, "%s", p->report);
}

/* Undefined reads are the program's fault, and told as the model tells them. */
static void undefined(struct lockstep_port *p) {
  registers_undefined(&p->regs, heddle_model_undefined(heddle_session_model(p->session)));
  p->undefined = true;
  p->report = session_report(p, NULL);
}

static void count_launch(struct lockstep_port *p, const struct heddle_session_result *r) {
  const bool device = r->cycles != 0;
  registers_set64(&p->regs, HEDDLE_REG_CYCLES, device ? r->cycles : r->insns); /* the model has no clock */
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++) registers_set(&p->regs, HEDDLE_REG_COUNTER(i), r->counter[i]);
  for (unsigned i = 0; i < HEDDLE_CACHE_COUNTERS; i++)
    registers_set(&p->regs, HEDDLE_REG_CACHE_COUNTER(i), r->counter[HEDDLE_SESSION_CACHE_COUNTERS + i]);
  registers_set(&p->regs, HEDDLE_REG_COUNTER(HEDDLE_COUNTER_ISSUED), (uint32_t)r->insns);
}

/* What the model refuses has not been shown to the device, whose reason follows from its sizes. */
static enum heddle_refuse reason(const struct lockstep_port *p, const struct heddle_session_result *r) {
  struct heddle_host_launch l = {.size = sizeof l};
  struct heddle_machine is = {.size = sizeof is};
  if (r->refuse != HEDDLE_REFUSE_NONE) return (enum heddle_refuse)r->refuse;
  registers_launch(&p->regs, &l);
  if (!heddle_machine_find(p->config, &is)) return HEDDLE_REFUSE_NONE;
  return heddle_machine_refuses(&is, l.grid, l.block, l.regs, l.shared_bytes);
}

static void note_refusal(struct lockstep_port *p, const struct heddle_session_result *r) {
  const enum heddle_refuse why = reason(p, r);
  if (why != HEDDLE_REFUSE_NONE)
    registers_refused(&p->regs, why);
  else
    judge_launch(p, HEDDLE_ERROR_REFUSED, r);
}

static void end_session_launch(struct lockstep_port *p, const struct heddle_session_result *r) {
  p->running = false;
  count_launch(p, r);
  switch (r->outcome) {
  case HEDDLE_SESSION_OK:
    registers_done(&p->regs);
    break;
  case HEDDLE_SESSION_TRAPPED:
    registers_trapped(&p->regs, &r->trap);
    break;
  case HEDDLE_SESSION_UNDEFINED:
    undefined(p);
    break;
  case HEDDLE_SESSION_REFUSED:
    note_refusal(p, r);
    break;
  case HEDDLE_SESSION_LIMIT:
  case HEDDLE_SESSION_HUNG:
    judge_launch(p, HEDDLE_ERROR_LIMIT, r);
    break;
  case HEDDLE_SESSION_FAILED:
    judge_launch(p, HEDDLE_ERROR_HOST_MEMORY, r);
    break;
  default: /* of HEDDLE_SESSION_DIFFERENCE there is a difference, else the hardware broke a rule of its own */
    if (r->outcome == HEDDLE_SESSION_DIFFERENCE) p->difference = r->difference;
    judge_launch(p, HEDDLE_ERROR_DIFFERENCE, r);
    break;
  }
}

/* ---- its start */

static const uint8_t *session_memory_at(void *self, uint64_t addr, uint64_t bytes) {
  const struct lockstep_port *p = self;
  if (addr < PLATFORM_MEMORY_BASE || addr - PLATFORM_MEMORY_BASE > p->bytes) return NULL;
  if (bytes > p->bytes - (addr - PLATFORM_MEMORY_BASE)) return NULL;
  return heddle_session_memory(p->session) + (addr - PLATFORM_MEMORY_BASE);
}

/* Code and banks as they are now: the session's memory is written when the grid ends. */
static bool keep_program(struct lockstep_port *p, struct heddle_launch *l) {
  size_t bytes = l->code_bytes;
  for (unsigned i = 0; i < HEDDLE_CBANKS; i++) bytes += l->cbank_bytes[i];
  free(p->program);
  uint8_t *to = p->program = malloc(bytes + 1);
  if (!to) return false;
  memcpy(to, l->code, l->code_bytes);
  l->code = to;
  to += l->code_bytes;
  for (unsigned i = 0; i < HEDDLE_CBANKS; i++) {
    if (l->cbank_bytes[i] == 0) continue;
    memcpy(to, l->cbank[i], l->cbank_bytes[i]);
    l->cbank[i] = to;
    to += l->cbank_bytes[i];
  }
  return true;
}

/* A device that has one policy ignores the choice of another. Divergence is the model's from the beginning: stack. */
static bool take_modes(struct lockstep_port *p, uint32_t mode) {
  uint32_t units = 0, sched = (mode & HEDDLE_MODE_SCHED_MASK) >> HEDDLE_MODE_SCHED_SHIFT;
  (void)registers_read32(&p->regs, HEDDLE_REG_CAP_UNITS, &units);
  if (!(units & HEDDLE_CAP_UNITS_SCHED)) sched = HEDDLE_POLICY_DEFAULT;
  heddle_session_modes(p->session, (mode & HEDDLE_MODE_SCOREBOARD) != 0, sched);
  return !(mode & HEDDLE_MODE_ITS) || !(units & HEDDLE_CAP_UNITS_ITS);
}

static void start_session_launch(struct lockstep_port *p) {
  struct heddle_host_launch from = {.size = sizeof from};
  struct heddle_launch l = {.size = sizeof l};
  struct heddle_session_result r = {.size = sizeof r, .outcome = HEDDLE_SESSION_FAILED, .message = "no memory"};
  if (p->launches >= p->first) heddle_session_model_alone(p->session, false);
  registers_launch(&p->regs, &from);
  if (!take_modes(p, from.mode)) {
    snprintf(r.message, sizeof r.message, "a host in lockstep has the divergence unit stack alone");
    judge_launch(p, HEDDLE_ERROR_NOT_SUPPORTED, &r);
    return;
  }
  if (!launch_of_host(&from, session_memory_at, p, &l)) {
    registers_trapped(&p->regs, &(struct heddle_trap){.cause = HEDDLE_TRAP_BUS});
    return;
  }
  l.units = UINT32_MAX;
  if (!keep_program(p, &l))
    judge_launch(p, HEDDLE_ERROR_HOST_MEMORY, &r);
  else if (heddle_session_start(p->session, &l, &r) == HEDDLE_SESSION_RUNNING)
    p->running = true;
  else
    end_session_launch(p, &r);
}

/* ---- the port */

static void clear_verdict(struct lockstep_port *p) {
  p->difference.kind = HEDDLE_CHECKER_NONE;
  p->undefined = false;
  p->verdict = HEDDLE_SUCCESS;
  p->why[0] = '\0';
  free(p->report);
  p->report = NULL;
}

static bool write_lockstep_register(void *self, uint32_t reg, uint32_t value) {
  struct lockstep_port *p = self;
  const bool pending = p->regs.pending, ok = registers_write32(&p->regs, reg, value);
  if (p->regs.abort && p->running) heddle_session_give_up(p->session);
  if (p->regs.abort) p->regs.abort = p->running = false;
  if (p->regs.pending && !pending) {
    p->launches++;
    clear_verdict(p);
  }
  return ok;
}

static bool read_lockstep_register(void *self, uint32_t reg, uint32_t *value) {
  const struct lockstep_port *p = self;
  return registers_read32(&p->regs, reg, value);
}

static bool read_session_memory(void *self, uint64_t addr, void *data, uint64_t bytes) {
  const uint8_t *from = session_memory_at(self, addr, bytes);
  if (from) memcpy(data, from, bytes);
  return from != NULL;
}

static bool write_session_memory(void *self, uint64_t addr, const void *data, uint64_t bytes) {
  struct lockstep_port *p = self;
  if (!session_memory_at(p, addr, bytes)) return false;
  memcpy(heddle_session_memory(p->session) + (addr - PLATFORM_MEMORY_BASE), data, bytes);
  return true;
}

static void wait_for_session(void *self, uint32_t microseconds) {
  struct lockstep_port *p = self;
  struct heddle_session_result r = {.size = sizeof r};
  if (p->regs.pending) {
    p->regs.pending = false;
    start_session_launch(p);
  }
  if (p->running &&
      heddle_session_go_on(p->session, (uint64_t)microseconds * CYCLES_PER_US, &r) != HEDDLE_SESSION_RUNNING)
    end_session_launch(p, &r);
}

static enum heddle_error verdict(void *self, const char **why) {
  const struct lockstep_port *p = self;
  *why = p->why;
  return p->verdict;
}

void lockstep_port_begins(struct lockstep_port *p, const struct heddle_seen_launch *l) {
  p->of = l ? l->program : NULL;
  p->kernel = l ? l->kernel : NULL;
}

void lockstep_port_bind(struct lockstep_port *p, struct heddle_port *port) {
  *port = (struct heddle_port){.size = sizeof *port,
                               .self = p,
                               .name = p->name,
                               .memory_base = PLATFORM_MEMORY_BASE,
                               .memory_bytes = p->bytes,
                               .read32 = read_lockstep_register,
                               .write32 = write_lockstep_register,
                               .read = read_session_memory,
                               .write = write_session_memory,
                               .wait = wait_for_session,
                               .verdict = verdict};
}
