/* SPDX-License-Identifier: Apache-2.0
 * Running jobs where --on says, and what each back end tells of a fault. */
#include "runner.h"

#include <stdlib.h>
#include <string.h>

#include "run/runner/runner_internal.h"
#include "run/sanitize/findings.h"

/* What a back end knows of a fault: the same of all of them. */

static struct heddle_fault *begin_fault(struct run_result *out, enum heddle_fault_kind kind, const char *cause) {
  out->fault.known = true;
  out->fault.fault = (struct heddle_fault){.size = sizeof out->fault.fault, .kind = kind};
  snprintf(out->fault.cause, sizeof out->fault.cause, "%s", cause);
  return &out->fault.fault;
}

static void put_place(struct heddle_fault *f, const struct heddle_trap *t) {
  f->has_place = true;
  f->pc = t->pc;
  memcpy(f->ctaid, t->ctaid, sizeof f->ctaid);
  f->warp = t->warp_in_block;
  f->lanes = t->lanes;
  f->sequence = t->seq;
}

/* out->trap */
static void run_fault_trap(struct run_result *out, const struct job *job) {
  struct heddle_fault *f = begin_fault(out, HEDDLE_FAULT_TRAP, heddle_cause_name(out->trap.cause));
  put_place(f, &out->trap);
  f->units = job->launch.units;
  f->has_address = heddle_cause_has_address(out->trap.cause);
  f->address = out->trap.addr + out->trap.offset;
  f->within = out->trap.exact ? 0 : heddle_cause_within(out->trap.cause, out->trap.addr, true);
}

static void run_fault_undefined(struct run_result *out, const struct heddle_undefined *u) {
  struct heddle_fault *f = begin_fault(out, HEDDLE_FAULT_UNDEFINED, u->what);
  struct heddle_trap t = {.warp_in_block = u->warp_in_block, .seq = u->seq, .pc = u->pc, .lanes = u->lanes};
  memcpy(t.ctaid, u->ctaid, sizeof t.ctaid);
  if (u->pc != UINT32_MAX) put_place(f, &t);
  f->has_address = u->has_addr;
  f->address = u->addr;
  f->at_end = u->at_end;
  snprintf(out->fault.origin, sizeof out->fault.origin, "%s", u->origin);
  f->loaded = u->loaded;
  f->first_pc = u->first_pc;
}

void run_fault_difference(struct run_result *out, const struct heddle_checker_difference *d) {
  struct heddle_fault *f = begin_fault(out, HEDDLE_FAULT_DIFFERENCE, heddle_checker_kind_name(d->kind));
  if (!d->has_warp) return;
  struct heddle_trap t = {.warp_in_block = d->warp_in_block, .seq = d->seq, .pc = d->pc, .lanes = d->lanes};
  memcpy(t.ctaid, d->ctaid, sizeof t.ctaid);
  put_place(f, &t);
}

/* ---- who does not go on */

static void say_why(const struct heddle_standing *s, struct heddle_fault_wait *w) {
  if (s->waiting) {
    snprintf(w->why, sizeof w->why, "barrier %u, where %d of %u warps are", s->bar_id, __builtin_popcount(s->bar_here),
             s->bar_needs);
    return;
  }
  snprintf(w->why, sizeof w->why, "repeats itself");
  for (unsigned x = 0; x < sizeof s->parked / sizeof *s->parked; x++) {
    char name[16] = "WARPSYNC";
    if (s->parked[x] == 0) continue;
    if (x < 16) snprintf(name, sizeof name, "B%u", x);
    snprintf(w->why, sizeof w->why, "lanes 0x%08x wait at %s, pc 0x%04x, for lanes 0x%08x", s->parked[x], name,
             s->park_pc[x], s->missing[x]);
    return;
  }
}

void run_fault_deadlock(struct run_result *out, const struct heddle_model *m, unsigned slots) {
  struct heddle_fault *f = begin_fault(out, HEDDLE_FAULT_DEADLOCK, "");
  for (unsigned i = 0; m && i < slots && f->waits < RUN_WAITS; i++) {
    struct heddle_standing s;
    if (!heddle_warp_standing(m, i, &s) || s.ended || s.bar_reached) continue;
    struct heddle_fault_wait *w = &out->fault.wait[f->waits++];
    /* A warp that waits at a barrier stands behind it. */
    *w = (struct heddle_fault_wait){.warp = s.index, .pc = s.waiting ? s.bar_pc : s.pc, .lanes = s.active};
    memcpy(w->ctaid, s.ctaid, sizeof w->ctaid);
    say_why(&s, w);
  }
  if (f->waits == 0) return;
  const struct heddle_fault_wait *w = &out->fault.wait[0];
  struct heddle_trap t = {.warp_in_block = w->warp, .pc = w->pc, .lanes = w->lanes};
  memcpy(t.ctaid, w->ctaid, sizeof t.ctaid);
  put_place(f, &t);
}

/* Running jobs where --on says. */

struct runner {
  struct run_options options;
  struct session_runner *session;    /* NULL: the model alone, or a board */
  struct board_runner *board;        /* NULL: no board */
  struct heddle_trace_writer *trace; /* of the model alone, or NULL */
};

struct runner *runner_new(const struct run_options *o, int *status) {
  struct runner *r = calloc(1, sizeof *r);
  *status = TOOL_USAGE;
  if (!r) return NULL;
  r->options = *o;
  if (o->on == ON_BOARD && !(r->board = board_runner_new(o, status))) {
    free(r);
    return NULL;
  }
  if (o->on != ON_MODEL && o->on != ON_BOARD && !(r->session = session_runner_new(o))) {
    free(r);
    return NULL;
  }
  if (o->on == ON_MODEL && o->trace && !(r->trace = model_trace(o))) {
    free(r);
    return NULL;
  }
  *status = TOOL_OK;
  return r;
}

void runner_free(struct runner *r) {
  if (!r) return;
  session_runner_free(r->session);
  board_runner_free(r->board);
  if (heddle_trace_close(r->trace, NULL) != HEDDLE_SUCCESS) tool_error("the trace could not be completed");
  free(r);
}

uint64_t runner_memory_base(const struct runner *r) {
  return r->board ? board_runner_memory_base(r->board) : 0;
}

void run_diagnose(struct run_result *out, const char *kind, struct heddle_isa_word word, const char *what) {
  struct signature *d = &out->diagnosis;
  snprintf(d->kind, sizeof d->kind, "%s", kind);
  signature_op(word, d->op, sizeof d->op);
  snprintf(d->what, sizeof d->what, "%s", what);
}

void run_diagnose_trap(struct run_result *out, const struct job *job) {
  struct heddle_isa_word word = {0};
  if (out->trap.pc < job->program->code_bytes) word = heddle_program_word(job->program, out->trap.pc);
  run_diagnose(out, "trap", word, heddle_cause_name(out->trap.cause));
  run_fault_trap(out, job);
}

void run_diagnose_undefined(struct run_result *out, const struct job *job, const struct heddle_undefined *u) {
  struct heddle_isa_word word = {0};
  if (u->pc < job->program->code_bytes) word = heddle_program_word(job->program, u->pc);
  run_diagnose(out, "undefined.read", word, "");
  run_fault_undefined(out, u);
}

/* In control mode the program's own assumption about latencies must hold on this machine. */
static bool stalls_suffice(const struct run_options *o, const struct job *job, struct run_result *out) {
  struct heddle_machine m = {.size = sizeof m};
  if (o->on == ON_MODEL || o->scoreboard) return true;
  run_machine(o, &m);
  if (heddle_machine_covered(&m, job->kernel)) return true;
  out->status = RUN_BAD_INPUT;
  snprintf(out->message, sizeof out->message,
           "kernel %s was scheduled for shorter latencies than %s has; assemble it for --config %s, or use --dep "
           "scoreboard",
           job->kernel->name, o->config_name, o->config_name);
  return false;
}

/* A limit, not a deadlock: which it was. */
static void name_limit(struct run_result *out) {
  const size_t n = strlen(out->message);
  const bool reached = strncmp(out->message, "not finished", 12) == 0 || strncmp(out->message, "limit", 5) == 0;
  if (out->status == RUN_LIMIT && reached) snprintf(out->message + n, sizeof out->message - n, " (--max-cycles)");
}

void runner_run(struct runner *r, const struct job *job, uint8_t *image, struct run_result *out) {
  memset(out, 0, sizeof *out);
  if (!stalls_suffice(&r->options, job, out)) return;
  if (r->session)
    session_runner_run(r->session, job, image, out);
  else if (r->board)
    board_runner_run(r->board, job, image, out);
  else
    run_job_on_model(&r->options, job, image, out, r->trace);
  name_limit(out);
  if (out->fault.known && !run_on_whole(&r->options)) out->fault.fault.units = heddle_config_units(r->options.config);
}

void run_result_clear(struct run_result *r) {
  findings_free(r->findings);
  r->findings = NULL;
  free(r->report);
  json_decref(r->report_json);
  free(r->issued);
  free(r->each);
  json_decref(r->fidelity);
  json_decref(r->refused);
  json_decref(r->digests);
  r->report = NULL;
  r->issued = NULL;
  r->each = NULL;
  r->report_json = r->refused = r->digests = r->fidelity = NULL;
}

int run_exit_status(enum run_status s) {
  static const int exits[] = {[RUN_OK] = TOOL_OK,
                              [RUN_DIFFERENCE] = TOOL_DIFFERENCE,
                              [RUN_TRAP] = TOOL_TRAPPED,
                              [RUN_LIMIT] = TOOL_LIMIT,
                              [RUN_BAD_INPUT] = TOOL_USAGE,
                              [RUN_MISSING] = TOOL_MISSING,
                              [RUN_UNDEFINED] = TOOL_TRAPPED,
                              [RUN_FOUND] = TOOL_TRAPPED};
  return exits[s];
}

const char *run_status_name(enum run_status s) {
  static const char *const names[] = {[RUN_OK] = "ok",
                                      [RUN_DIFFERENCE] = "difference",
                                      [RUN_TRAP] = "trap",
                                      [RUN_LIMIT] = "limit",
                                      [RUN_BAD_INPUT] = "bad input",
                                      [RUN_MISSING] = "missing",
                                      [RUN_UNDEFINED] = "undefined",
                                      [RUN_FOUND] = "found"};
  return names[s];
}
