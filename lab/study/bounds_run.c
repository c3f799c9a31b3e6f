/* SPDX-License-Identifier: Apache-2.0
 * Kernels for the study of bounds: in lockstep, so that what is counted has been compared. */
#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "run/profile/bounds.h"
#include <heddle/session.h>
#include "run/cases/kernel_run.h"

#define ROW 4u /* blocks, one after the other, of which all but the first find warm caches */

struct into {
  const struct bounds_request *q;
  struct bounded *b;
  struct bounds_counts *counts;
  bool on; /* this launch counts */
};

static void look_at_record(void *ctx, const struct heddle_model *m, const struct heddle_launch *l,
                           const struct heddle_retire_record *r) {
  const struct into *to = ctx;
  (void)m;
  (void)l;
  if (r != NULL && to->on) bounds_look(to->counts, r);
}

static struct heddle_session *open_lockstep(struct into *to, const struct job *j, char *why, size_t n) {
  const struct run_options *o = &to->q->run;
  const struct heddle_session_config c = {.size = sizeof c,
                                          .mode = HEDDLE_SESSION_LOCKSTEP,
                                          .config = o->config_name,
                                          .scoreboard = o->scoreboard,
                                          .its = o->its,
                                          .sched = o->sched,
                                          .seed = o->seed,
                                          .latency = o->latency,
                                          .max_cycles = o->max_cycles,
                                          .memory_base = j->mem_base,
                                          .memory_bytes = j->mem_bytes,
                                          .observe = look_at_record,
                                          .observe_ctx = to};
  return heddle_session_open(&c, why, n);
}

static bool run_in_session(struct heddle_session *s, const struct job *j, const struct heddle_launch *l,
                           struct heddle_session_result *r, char *why, size_t n) {
  memset(heddle_session_memory(s), 0, j->mem_bytes);
  job_store_inputs(j, heddle_session_memory(s));
  if (heddle_session_run(s, l, r) == HEDDLE_SESSION_OK) return true;
  snprintf(why, n, "%s: %.300s", heddle_session_outcome_name(r->outcome), r->message);
  return false;
}

/* How many blocks of a launch the machine holds at a time; one at least: it ran. */
static unsigned resident(const struct heddle_config *m, const struct heddle_launch *l, unsigned warps) {
  const unsigned places = min_u32(m->warps, m->partitions * (m->regs / m->partitions / (l->regs != 0 ? l->regs : 1)));
  const unsigned shared = l->shared_bytes != 0 ? m->shared_bytes / l->shared_bytes : m->blocks;
  const unsigned blocks = min_u32(min_u32(m->blocks, places / warps), shared);
  return blocks != 0 ? blocks : 1;
}

/* The first blocks of a launch, n at most along one side of its grid. */
static struct heddle_launch first_blocks(const struct heddle_launch *l, unsigned n) {
  struct heddle_launch some = *l;
  const unsigned side = l->grid[0] > 1 ? 0 : l->grid[1] > 1 ? 1 : 2;
  for (unsigned i = 0; i < 3; i++) some.grid[i] = i == side ? min_u32(n, l->grid[i]) : 1;
  return some;
}

/* What a block takes alone: the first one, for which every cache is cold, and those after it. */
struct alone {
  double first, later;
};

/* Blocks that want all shared memory come one after the other. */
static bool measure_alone(struct heddle_session *s, const struct job *j, const struct heddle_config *m, struct alone *a,
                          struct heddle_session_result *last, char *why, size_t n) {
  struct heddle_launch one = first_blocks(&j->launch, 1), row = first_blocks(&j->launch, ROW);
  const unsigned more = row.grid[0] * row.grid[1] * row.grid[2] - 1;
  if (!run_in_session(s, j, &one, last, why, n)) return false;
  a->first = a->later = (double)last->cycles;
  row.shared_bytes = m->shared_bytes;
  if (more == 0) return true;
  if (!run_in_session(s, j, &row, last, why, n)) return false;
  a->later = ((double)last->cycles - a->first) / more;
  return true;
}

/* Of blocks that are there at the same time each waits for itself alone; rounds of them follow each other. */
static void add_latency(struct bounded *b, const struct heddle_config *m, const struct heddle_launch *l,
                        const struct alone *a) {
  const uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
  const unsigned warps = (l->block[0] * l->block[1] * l->block[2] + HEDDLE_LANES - 1) / HEDDLE_LANES;
  const unsigned together = resident(m, l, warps) * m->sms;
  const uint64_t rounds = (blocks + together - 1) / together;
  b->bound[BOUND_LATENCY] += a->first + (double)(rounds - 1) * a->later;
  b->warps = warps * (blocks < together ? (unsigned)blocks : together);
  b->slots = m->warps * m->sms;
}

static bool launch_bounded(void *ctx, unsigned number, const struct job *j, uint8_t *image, char *why, size_t n) {
  struct into *to = ctx;
  (void)number;
  struct heddle_session *s = open_lockstep(to, j, why, n);
  if (s == NULL) return false;
  const struct heddle_config *m = to->q->run.config;
  struct heddle_session_result before = {.size = sizeof before}, all = {.size = sizeof all};
  struct alone alone;
  to->on = false;
  bool ok = measure_alone(s, j, m, &alone, &before, why, n);
  to->on = true;
  bounds_counts_begin(to->counts);
  ok = ok && run_in_session(s, j, &j->launch, &all, why, n);
  if (ok) {
    const double reads = (double)(all.memory.read_beats - before.memory.read_beats),
                 writes = (double)(all.memory.write_beats - before.memory.write_beats);
    to->b->cycles += all.cycles;
    to->b->issued += all.insns;
    to->b->bytes += (uint64_t)(reads + writes) * m->axi_bits / 8;
    to->b->bound[BOUND_READ] += reads / m->axi_ports;
    to->b->bound[BOUND_WRITE] += writes / m->axi_ports;
    add_latency(to->b, m, &j->launch, &alone);
    memcpy(image, heddle_session_memory(s), j->mem_bytes);
  }
  (void)heddle_session_close(s);
  return ok;
}

/* A count that a run went below is a count that is wrong. */
static bool bound_holds(const struct bounded *b, char *why, size_t n) {
  const enum bound holds = bounds_holds(b);
  if ((double)b->cycles >= b->bound[holds]) return true;
  snprintf(why, n, "%llu cycles, but %s alone takes %.0f: the bound is wrong", (unsigned long long)b->cycles,
           bound_name(holds), b->bound[holds]);
  return false;
}

int bounds_kernel(const struct bounds_request *q, const struct kernel_info *k, const char *dir, struct bounded *b) {
  char why[1024] = "no memory";
  const enum kernel_form form = kernel_has(k, KERNEL_ASM) ? KERNEL_ASM : KERNEL_PTX;
  struct into to = {.q = q, .b = b, .counts = bounds_counts_new(q->run.config)};
  struct heddle_machine is;
  run_machine(&q->run, &is);
  snprintf(b->name, sizeof b->name, form == KERNEL_ASM ? "%s" : "%s.%s", k->name, kernel_form_name(form));
  struct source_options with = run_source(&q->run);
  with.level = 1;
  struct heddle_program *p = kernel_program(dir, k, form, &with);
  if (p == NULL) return TOOL_USAGE;
  struct kernel_case *c = malloc(sizeof *c);
  bool ok = c != NULL && to.counts != NULL && kernel_prepare(k, form, q->run.seed * 1000, (unsigned)q->scale, c);
  if (ok && !kernel_lacks(&is, p, c, b->lacks, sizeof b->lacks)) {
    ok = kernel_case_run(p, c, launch_bounded, &to, why, sizeof why);
    bounds_count(to.counts, b);
    ok = ok && bound_holds(b, why, sizeof why);
  }
  if (c != NULL) kernel_case_clear(c);
  free(c);
  bounds_counts_free(to.counts);
  heddle_program_free(p);
  if (!ok) tool_error("%s: %s", b->name, why);
  return ok ? TOOL_OK : TOOL_DIFFERENCE;
}
