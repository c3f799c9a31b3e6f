/* SPDX-License-Identifier: Apache-2.0
 *
 * Random programs as jobs, and the programs that the same device runs before.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/config.h>
#include <heddle/isa_tables.h>
#include <heddle/lint.h>
#include <heddle/program.h>
#include "base/splitmix64.h"
#include "lab/fuzz/fuzz_case.h"
#include "run/command/tool.h"

/* Other programs on the same device. */

struct random_program *fuzz_other_program(const struct fuzz_case *c, const struct random_launch *l, unsigned other) {
  struct random_limits limits = fuzz_limits(&c->run, c->knobs);
  limits.base = l->base != 0 ? l->base : JOB_BASE;
  const uint64_t seed = splitmix64_mix(c->run.seed + 1) ^ splitmix64_mix(c->index + UINT64_C(0x100000000) * other);
  struct random_program *p = random_program_new(seed, other, &limits);
  if (p) random_program_set_host(p, l->host, other - 1);
  return p;
}

static bool make_other(const struct fuzz_case *c, const struct random_launch *l, unsigned k, struct fuzz_other *o,
                       char *why, size_t size) {
  struct random_program *from = fuzz_other_program(c, l, k + 1);
  (void)snprintf(why, size, "it cannot be built");
  bool ok = from && fuzz_program_init(&o->p, from);
  random_program_free(from);
  if (!ok) return false;
  o->program = fuzz_assemble(c, &o->p, true);
  ok = o->program && fuzz_job(&o->job, o->program, &o->p.launch, why, size);
  return ok && fuzz_proven(&c->run, o->program, why, size);
}

bool fuzz_others_make(const struct fuzz_case *c, const struct random_launch *l, struct fuzz_others *o, char *why,
                      size_t size) {
  char text[400];
  memset(o, 0, sizeof *o);
  if (c->run.on == ON_MODEL || c->run.on == ON_BOARD) return true;
  for (unsigned k = 0; k < l->others && k < FUZZ_OTHERS; k++) {
    o->n++;
    if (make_other(c, l, k, &o->other[k], text, sizeof text)) continue;
    (void)snprintf(why, size, "other program %u: %s", k + 1, text);
    return false;
  }
  return true;
}

void fuzz_others_clear(struct fuzz_others *o) {
  for (unsigned k = 0; k < o->n; k++) {
    job_clear(&o->other[k].job);
    heddle_program_free(o->other[k].program);
    fuzz_program_clear(&o->other[k].p);
  }
  o->n = 0;
}

/* Random programs as jobs. */

#define LOCAL_ALL (64u << 20) /* of all threads: memory is copied and compared some times */

/* As much as a thread may have and an offset reaches, unless that makes the machine's more than 64 MiB. */
static unsigned local_most(const struct heddle_config *c) {
  const unsigned warps = c->warps * (c->sms > 1 ? c->sms : 1); /* a core of another make says nothing of SMs */
  const unsigned each = LOCAL_ALL / (warps * HEDDLE_LANES) / 16 * 16;
  const unsigned reach = (unsigned)heddle_isa_field_most(ISA_F_OFF24) + 1, most = reach < each ? reach : each;
  return most < HEDDLE_LOCAL_MAX ? most : HEDDLE_LOCAL_MAX;
}

struct random_limits fuzz_limits(const struct run_options *run, const struct random_knobs *knobs) {
  const struct heddle_config *c = run->config;
  struct random_limits l = {.max_threads = c->warps * 32,
                            .max_regs = heddle_isa_registers(false),
                            .max_shared = c->shared_bytes,
                            .warp_regs = c->regs,
                            .partitions = c->partitions,
                            .sms = c->sms,
                            .max_local = local_most(c),
                            .units = heddle_config_units(c),
                            .its = run->its,
                            .base = run->board_base,
                            .knobs = knobs};
  tool_stalls(c->name, l.stall);
  return l;
}

unsigned fuzz_more(const struct random_launch *l, const char *name) {
  unsigned k;
  int end = 0;
  return sscanf(name, "more%2u%n", &k, &end) == 1 && name[end] == '\0' && k < l->more ? k : l->more;
}

/* By its name: a program that was shrunk may have lost one. */
static bool add_buffer(struct job *j, const struct random_launch *l, const char *name) {
  if (strcmp(name, "out") == 0) return job_add_buffer(j, NULL, l->out_bytes, true);
  if (strcmp(name, "input") == 0) return job_add_buffer(j, l->input, l->input_bytes, false);
  const unsigned k = fuzz_more(l, name);
  const bool writable = k < l->more && (l->more_writable >> k & 1) != 0;
  return k < l->more && job_add_buffer(j, writable ? NULL : l->input, l->more_bytes[k], writable);
}

/* `out` is the first parameter, and the bank there, unless a program that was shrunk has lost it. */
struct fuzz_errors fuzz_errors(const struct random_launch *l, const struct heddle_program *program,
                               const uint64_t *out) {
  const bool code = l->error_in == RANDOM_ERRORS_CODE;
  if (l->error_bytes == 0 || (l->error_in == RANDOM_ERRORS_OUT && !out) || (code && program->code_bytes < l->error_at))
    return (struct fuzz_errors){HEDDLE_ERRORS_AT, 0, 0};
  struct fuzz_errors e = {HEDDLE_ERRORS_AT, l->error_at, 0};
  if (l->error_in == RANDOM_ERRORS_OUT) e.base += *out;
  if (code) e.in = HEDDLE_ERRORS_CODE, e.base = program->code_bytes - l->error_at;
  if (l->error_in == RANDOM_ERRORS_LOCAL) e.in = HEDDLE_ERRORS_LOCAL;
  const unsigned bank = l->error_in == RANDOM_ERRORS_BANK1 ? 1 : l->error_in == RANDOM_ERRORS_BANK2 ? 2 : 0;
  if (bank != 0) e.in = (enum heddle_errors_in)(HEDDLE_ERRORS_BANK0 + bank);
  e.limit = e.base + l->error_bytes;
  if (bank != 0 && e.limit > l->bank_bytes[bank]) return (struct fuzz_errors){HEDDLE_ERRORS_AT, 0, 0};
  return e;
}

bool fuzz_job(struct job *j, const struct heddle_program *program, const struct random_launch *l, char *err,
              size_t size) {
  const struct heddle_kernel *k = heddle_program_kernel(program, "fuzz");
  (void)snprintf(err, size, "no kernel 'fuzz', an unknown parameter, or buffers that are too large");
  j->base = l->base;
  for (uint32_t i = 0; k && i < k->params; i++)
    if (!add_buffer(j, l, k->param[i].name)) return false;
  if (!k || !job_build(j, program, "fuzz", l->grid, l->block, err, size)) return false;
  for (unsigned b = 1; b < 3; b++) {
    j->launch.cbank[b] = l->bank[b];
    j->launch.cbank_bytes[b] = l->bank_bytes[b];
  }
  const char *first = k->params != 0 ? k->param[0].name : "";
  const struct fuzz_errors e = fuzz_errors(l, program, strcmp(first, "out") == 0 ? j->addr : NULL);
  j->error_in = e.in;
  j->error_base = e.base;
  j->error_limit = e.limit;
  j->launches = l->launches;
  j->apart = l->apart;
  j->host_seed = l->host;
  /* Regions and errors of memory are not looked at in an address space: what they are meant to bring would not come. */
  j->physical = l->trap == HEDDLE_TRAP_OUT_OF_RANGE || l->trap == HEDDLE_TRAP_WRITE_PROTECTED ||
                l->trap == HEDDLE_TRAP_BUS || e.limit != 0;
  return true;
}

static void found(void *ctx, const struct heddle_lint_finding *f) {
  char *why = ctx;
  if (why[0] == '\0')
    (void)snprintf(why, 200, "lint: pc 0x%x, %s, %u cycles short: %.100s", f->pc, f->place, f->missing, f->advice);
}

bool fuzz_proven(const struct run_options *run, const struct heddle_program *p, char *why, size_t size) {
  char text[200] = "";
  if (run->scoreboard) return true; /* codes are hints */
  const struct heddle_lint_options o = {.size = sizeof o, .finding = found, .ctx = text};
  const enum heddle_lint_verdict v = heddle_lint(p, &o, NULL);
  if (v == HEDDLE_LINT_PROVEN || v == HEDDLE_LINT_TOO_LARGE) return true;
  (void)snprintf(why, size, "%s", text[0] ? text : "lint: out of memory");
  return false;
}

enum run_status fuzz_expected(const struct random_launch *l, const struct run_result *r, char *why, size_t size) {
  if (l->trap == 0 || (r->status != RUN_OK && r->status != RUN_TRAP)) return r->status;
  if (r->status == RUN_TRAP && r->trap.cause == l->trap) return RUN_OK;
  const char *wanted = heddle_cause_name((enum heddle_cause)l->trap);
  if (r->status == RUN_OK)
    (void)snprintf(why, size, "no trap: the program is meant to end with %s", wanted);
  else
    (void)snprintf(why, size, "trap %s at pc 0x%x: the program is meant to end with %s",
                   heddle_cause_name(r->trap.cause), r->trap.pc, wanted);
  return RUN_DIFFERENCE;
}

struct random_launch fuzz_on_machine(const struct random_launch *l, const struct heddle_config *m,
                                     const struct run_result *r) {
  struct random_launch there = *l;
  const bool data = l->error_in == RANDOM_ERRORS_OUT || l->error_in == RANDOM_ERRORS_LOCAL;
  if (m != NULL && m->l2_bytes != 0 && l->trap == HEDDLE_TRAP_BUS && data && r->status == RUN_OK) there.trap = 0;
  return there;
}

struct random_launch fuzz_without_device(const struct random_launch *l) {
  struct random_launch alone = *l;
  if (alone.trap == HEDDLE_TRAP_BUS) alone.trap = 0;
  return alone;
}

bool fuzz_comparable(const struct random_launch *l) {
  return l->trap == 0 && !l->order_dependent;
}

int fuzz_knobs_file(struct random_knobs *k, const char *path) {
  char err[600];
  size_t size;
  uint8_t *text = tool_read_file(path, KNOB_TEXT_MAX, &size);
  if (!text) return TOOL_USAGE;
  const bool good = random_knobs_read(k, (const char *)text, size, path, err, sizeof err);
  free(text);
  if (good) return TOOL_OK;
  (void)fprintf(stderr, "%s\n", err);
  return TOOL_USAGE;
}

int fuzz_knob(struct random_knobs *k, const char *setting) {
  char err[400];
  if (random_knobs_set(k, setting, err, sizeof err)) return TOOL_OK;
  return tool_usage("fuzz", "--knob %s: %s", setting, err);
}
