/* SPDX-License-Identifier: Apache-2.0
 * heddle bench rtl: the RTL with its retire port unconnected, the RTL with it, the RTL in lockstep; interleaved runs,
 * CPU time. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lab/bench/bench.h"
#include "run/command/tool.h"
#include <heddle/asm.h>
#include <heddle/session.h>
#include "run/cases/kernel_run.h"
#include "run/runner/conclude.h"

struct prepared {
  const struct bench_request *q;
  struct heddle_program *program;
  struct kernel_case c;
  struct job job;
};

struct sample {
  double seconds, clocking; /* of all threads, of the one that clocks the RTL */
  uint64_t cycles, insns, lanes;
};

static bool prepare_job(struct prepared *p) {
  char folder[4096], path[4224], err[512];
  size_t size;
  const struct kernel_info *k = kernel_find(p->q->kernel);
  struct heddle_asm_options o = {.size = sizeof o, .message = tool_message};
  if (!k || !kernel_has(k, KERNEL_ASM)) {
    tool_error("no kernel '%s' in assembly", p->q->kernel);
    return false;
  }
  tool_stalls(p->q->config, o.stall);
  if (!data_path("kernels", folder, sizeof folder)) return false;
  snprintf(path, sizeof path, "%s/%s.s", folder, k->name);
  uint8_t *text = tool_read_file(path, 1u << 20, &size);
  if (!text) return false;
  p->program = heddle_assemble((const char *)text, size, path, &o);
  free(text);
  if (!p->program || !kernel_prepare(k, KERNEL_ASM, 1, (unsigned)p->q->scale, &p->c)) return false;
  if (kernel_job(&p->job, p->program, &p->c, 0, NULL, err, sizeof err)) return true;
  tool_error("%s", err);
  return false;
}

static struct heddle_session *open_way(const struct prepared *p, enum heddle_session_mode mode, const char *variant,
                                       bool beside) {
  char name[64], err[512];
  snprintf(name, sizeof name, "%s%s", p->q->config, variant);
  struct heddle_session_config c = {.size = sizeof c,
                                    .mode = mode,
                                    .config = name,
                                    .seed = 1,
                                    .memory_base = JOB_BASE,
                                    .memory_bytes = p->job.mem_bytes,
                                    .warp_slots = 32,
                                    .block_slots = 32,
                                    .beside = beside};
  struct heddle_session *s = heddle_session_open(&c, err, sizeof err);
  if (!s) tool_error("%s", err);
  return s;
}

static bool measure_session(const struct prepared *p, struct heddle_session *s, struct sample *out) {
  struct heddle_session_result r = {.size = sizeof r};
  memset(heddle_session_memory(s), 0, p->job.mem_bytes);
  job_store_inputs(&p->job, heddle_session_memory(s));
  const double start = bench_cpu_seconds(), mine = bench_thread_seconds();
  enum heddle_session_outcome o = heddle_session_run(s, &p->job.launch, &r);
  out->seconds = bench_cpu_seconds() - start;
  out->clocking = bench_thread_seconds() - mine;
  out->cycles = r.cycles;
  out->insns = r.insns;
  out->lanes = r.checked.lanes_executed;
  if (o != HEDDLE_SESSION_OK) tool_error("%s: %s", heddle_session_outcome_name(o), r.message);
  return o == HEDDLE_SESSION_OK;
}

/* The ways to run the RTL. BARE: retire port unconnected; PORT: connected, nobody looks; FULL: in lockstep; BESIDE: the
 * same, judged by a second thread. */
enum way { BARE, PORT, FULL, BESIDE, WAYS };

struct figures {
  struct sample last[WAYS];
  double rate[WAYS][BENCH_RUNS_MAX]; /* cycles a second */
  double ratio[BENCH_RUNS_MAX];      /* of the cost of a cycle: lockstep to the plain run of the same round */
  double beside[BENCH_RUNS_MAX];     /* of what the clocking thread spends on it, when another one judges */
};

static enum way plain_way(const struct bench_request *q) {
  return q->test_variant ? PORT : BARE;
}

static bool run_rounds(const struct prepared *p, struct heddle_session *s[WAYS], struct figures *f) {
  const enum way first = plain_way(p->q);
  for (uint64_t i = 0; i <= p->q->runs; i++) { /* the first one warms up */
    const size_t at = i == 0 ? 0 : i - 1;
    for (unsigned w = first; w < WAYS; w++) {
      if (!measure_session(p, s[w], &f->last[w])) return false;
      f->rate[w][at] = (double)f->last[w].cycles / f->last[w].seconds;
    }
    f->ratio[at] = f->rate[first][at] / f->rate[FULL][at];
    f->beside[at] = f->last[BESIDE].clocking / f->last[first].seconds;
  }
  return true;
}

static int report_ways(const struct bench_request *q, struct figures *f) {
  static const char *const name[WAYS] = {"retire port unconnected", "connected, nobody looks", "lockstep",
                                         "lockstep, judged beside"};
  const struct sample *c = &f->last[FULL];
  const double cycles = (double)c->cycles, ipc = (double)c->insns / cycles, lanes = (double)c->lanes / cycles;
  double rate[WAYS] = {0};
  printf("%s on %s%s: %" PRIu64 " cycles, %" PRIu64 " warp instructions, %" PRIu64 " lane results, IPC %.3f; %" PRIu64
         " runs in turn, CPU time\n",
         q->kernel, q->config, q->test_variant ? " (test)" : "", c->cycles, c->insns, c->lanes, ipc, q->runs);
  for (unsigned w = plain_way(q); w < WAYS; w++) {
    rate[w] = bench_median(f->rate[w], q->runs);
    printf("%-24s %10.0f cycles/s (median) %8.3f us a cycle\n", name[w], rate[w], 1e6 / rate[w]);
  }
  printf("checked                  %10.0f warp instructions/s, %.0f lane results/s\n", rate[FULL] * ipc,
         rate[FULL] * lanes);
  const double ratio = bench_median(f->ratio, q->runs), beside = bench_median(f->beside, q->runs);
  printf("cost of lockstep         %10.3f times (median of pairs, %.3f to %.3f)\n", ratio, f->ratio[0],
         f->ratio[q->runs - 1]);
  printf("judged beside            %10.3f times for the thread that clocks (%.3f to %.3f)\n", beside, f->beside[0],
         f->beside[q->runs - 1]);
  return bench_json(q, json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:I, s:I, s:I}", "config",
                                 q->config, "variant", q->test_variant ? "test" : "fast", "kernel", q->kernel, "ipc",
                                 ipc, "bare_cycles_per_second", rate[plain_way(q)], "port_cycles_per_second",
                                 rate[PORT], "lockstep_cycles_per_second", rate[FULL], "beside_cycles_per_second",
                                 rate[BESIDE], "ratio", ratio, "beside_ratio", beside, "lane_results_per_second",
                                 rate[FULL] * lanes, "cycles", (json_int_t)c->cycles, "warp_instructions",
                                 (json_int_t)c->insns, "lane_results", (json_int_t)c->lanes));
}

static int compare_ways(const struct prepared *p) {
  const struct bench_request *q = p->q;
  const char *variant = q->test_variant ? "" : "_fast";
  struct heddle_session *s[WAYS] = {NULL};
  struct figures f = {0};
  bool opened = true;
  for (unsigned w = plain_way(q); w < WAYS; w++) {
    s[w] = open_way(p, w >= FULL ? HEDDLE_SESSION_LOCKSTEP : HEDDLE_SESSION_RTL, w == BARE ? "_bare" : variant,
                    w == BESIDE);
    opened = opened && s[w] != NULL;
  }
  const bool ok = opened && run_rounds(p, s, &f);
  for (unsigned w = 0; w < WAYS; w++)
    if (s[w] != NULL) heddle_session_close(s[w]);
  if (!ok) return opened ? TOOL_DIFFERENCE : TOOL_MISSING;
  return report_ways(q, &f);
}

/* Once in lockstep, to know what the program does; then both builds. */
static int compare_builds(const struct prepared *p) {
  if (!bench_against_found(p->q)) return TOOL_MISSING;
  struct heddle_session *s = open_way(p, HEDDLE_SESSION_LOCKSTEP, p->q->test_variant ? "" : "_fast", false);
  struct sample once;
  if (s == NULL) return TOOL_MISSING;
  const bool ok = measure_session(p, s, &once);
  heddle_session_close(s);
  return ok ? bench_against(p->q, (double)once.lanes / (double)once.insns) : TOOL_DIFFERENCE;
}

int bench_rtl(const struct bench_request *q) {
  struct prepared p = {.q = q};
  int status = TOOL_USAGE;
  if (prepare_job(&p)) status = q->against != NULL ? compare_builds(&p) : compare_ways(&p);
  job_clear(&p.job);
  kernel_case_clear(&p.c);
  heddle_program_free(p.program);
  return status;
}
