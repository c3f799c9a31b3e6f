/* SPDX-License-Identifier: Apache-2.0
 *
 * heddle bench rtl: the RTL with its retire port unconnected, with it, in lockstep; and two builds against each other.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <heddle/asm.h>
#include <heddle/session.h>
#include "base/file.h"
#include "base/process.h"
#include "lab/bench/bench.h"
#include "run/cases/kernel_run.h"
#include "run/command/tool.h"
#include "run/runner/conclude.h"

/* heddle bench rtl --against: two builds as processes, run in turn. Each is asked for what every build of this project
 * can do, so that the other one may be older: `bench rtl` for the fast devices, `kernels` for the test variant. */

#define ARGS 24u
#define FEW 1u /* launches of the short and the long run of a process: their difference is free of its start */
#define MANY 4u

enum side { THIS, OTHER, SIDES };
enum mode { PLAIN, LOCKSTEP, MODES };

/* A build: its program, and its devices. */
struct build {
  char heddle[4096], devices[4096];
};

struct asked {
  const struct bench_request *q;
  struct build build[SIDES];
  char json[TEMPORARY_PATH];
};

/* Of one run. */
struct shown {
  double cycles, insns; /* warp instructions of a launch */
  double rate[MODES];   /* cycles a second */
};

static bool is_executable(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISREG(s.st_mode) && access(path, X_OK) == 0;
}

/* `given`: a program, a build folder, or its folder of devices. */
static bool find_build(const char *given, struct build *b) {
  static const char *const form[3] = {"%s", "%s/heddle", "%s/../heddle"};
  for (unsigned i = 0; i < 3; i++) {
    char path[3072];
    const int n = snprintf(path, sizeof path, form[i], given);
    if (n < 0 || n >= (int)sizeof path || !is_executable(path)) continue;
    snprintf(b->heddle, sizeof b->heddle, "%s%s", strchr(path, '/') != NULL ? "" : "./", path);
    char *slash = strrchr(path, '/');
    if (slash != NULL) *slash = '\0';
    snprintf(b->devices, sizeof b->devices, "HEDDLE_DEVICES=%s/devices", slash != NULL ? path : ".");
    return true;
  }
  tool_error("no heddle to run at '%s'", given);
  return false;
}

static bool find_this(struct build *b) {
  const char *devices = getenv("HEDDLE_DEVICES");
  if (!find_build("/proc/self/exe", b)) return false;
  const ssize_t n = readlink("/proc/self/exe", b->heddle, sizeof b->heddle - 1);
  if (n <= 0) return false;
  b->heddle[n] = '\0';
  if (!find_build(b->heddle, b)) return false;
  if (devices != NULL) snprintf(b->devices, sizeof b->devices, "HEDDLE_DEVICES=%s", devices);
  return true;
}

static double children_seconds(void) {
  struct rusage u;
  getrusage(RUSAGE_CHILDREN, &u);
  return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* Runs the program to its end, silently; *seconds: CPU time. */
static bool run_child(const struct build *b, const char *const argv[], double *seconds) {
  const char *const settings[] = {b->devices, NULL};
  const struct process p = {.words = argv, .in = STDIN_FILENO, .out = -1, .err = STDERR_FILENO, .settings = settings};
  const double before = children_seconds();
  pid_t pid;
  const bool ok = process_start(&p, &pid) && process_wait(pid) == 0;
  *seconds = children_seconds() - before;
  if (!ok) tool_error("%s %s %s: failed", b->heddle, argv[1], argv[2]);
  return ok;
}

static double json_figure(const json_t *o, const char *name) {
  const json_t *v = json_object_get(o, name);
  return json_is_number(v) ? json_number_value(v) : 0;
}

/* `bench rtl` of a build, one counted run. */
static bool ask_bench(const struct asked *a, enum side side, struct shown *s) {
  const struct bench_request *q = a->q;
  char scale[24];
  double seconds;
  snprintf(scale, sizeof scale, "%" PRIu64, q->scale);
  const char *argv[ARGS] = {a->build[side].heddle,
                            "bench",
                            "rtl",
                            "--config",
                            q->config,
                            "--kernel",
                            q->kernel,
                            "--scale",
                            scale,
                            "--runs",
                            "1",
                            "--json",
                            a->json,
                            NULL};
  if (!run_child(&a->build[side], argv, &seconds)) return false;
  json_t *o = json_load_file(a->json, 0, NULL);
  s->cycles = json_figure(o, "cycles");
  s->insns = json_figure(o, "ipc") * s->cycles;
  s->rate[PLAIN] = json_figure(o, "bare_cycles_per_second");
  s->rate[LOCKSTEP] = json_figure(o, "lockstep_cycles_per_second");
  json_decref(o);
  return s->rate[PLAIN] > 0 && s->rate[LOCKSTEP] > 0;
}

static bool ask_kernels(const struct asked *a, enum side side, enum mode mode, unsigned launches, double v[3]) {
  const struct bench_request *q = a->q;
  char scale[24], count[24];
  snprintf(scale, sizeof scale, "%" PRIu64, q->scale);
  snprintf(count, sizeof count, "%u", launches);
  const char *argv[ARGS] = {a->build[side].heddle,
                            "kernels",
                            q->kernel,
                            "--form",
                            "asm",
                            "--on",
                            mode == PLAIN ? "rtl" : "lockstep",
                            "--config",
                            q->config,
                            "--scale",
                            scale,
                            "--launches",
                            count,
                            "--calm",
                            "--json",
                            a->json,
                            NULL};
  if (!run_child(&a->build[side], argv, &v[0])) return false;
  json_t *o = json_load_file(a->json, 0, NULL);
  const json_t *k = json_array_get(json_object_get(o, "kernels"), 0);
  v[1] = json_figure(k, "cycles");
  v[2] = json_figure(k, "warp_instructions");
  json_decref(o);
  return true;
}

/* A long run less a short one. */
static bool ask_test_variant(const struct asked *a, enum side side, struct shown *s) {
  for (unsigned mode = 0; mode < MODES; mode++) {
    double few[3], many[3];
    if (!ask_kernels(a, side, (enum mode)mode, FEW, few) || !ask_kernels(a, side, (enum mode)mode, MANY, many))
      return false;
    s->cycles = (many[1] - few[1]) / (MANY - FEW);
    s->insns = (many[2] - few[2]) / (MANY - FEW);
    s->rate[mode] = (many[1] - few[1]) / (many[0] - few[0]);
    if (!(s->cycles > 0 && s->rate[mode] > 0)) return false;
  }
  return true;
}

/* What two builds do in a second, run by run. */
struct race {
  double rate[SIDES][MODES][BENCH_RUNS_MAX],
      gain[MODES][BENCH_RUNS_MAX]; /* gain: instructions a second, this to other */
  double cost[SIDES][BENCH_RUNS_MAX];
  struct shown last[SIDES];
};

static bool run_race(const struct asked *a, struct race *r) {
  for (uint64_t i = 0; i < a->q->runs; i++) {
    for (unsigned k = 0; k < SIDES; k++) {
      const enum side side = (enum side)((k + i) % SIDES); /* who goes first changes */
      struct shown *s = &r->last[side];
      if (!(a->q->test_variant ? ask_test_variant(a, side, s) : ask_bench(a, side, s))) return false;
      for (unsigned w = 0; w < MODES; w++) r->rate[side][w][i] = s->rate[w];
      r->cost[side][i] = s->rate[PLAIN] / s->rate[LOCKSTEP];
    }
    const double fewer = r->last[THIS].insns / r->last[THIS].cycles * r->last[OTHER].cycles / r->last[OTHER].insns;
    for (unsigned w = 0; w < MODES; w++) r->gain[w][i] = r->rate[THIS][w][i] / r->rate[OTHER][w][i] * fewer;
  }
  return true;
}

static json_t *report_side(const struct bench_request *q, struct race *r, enum side side, double lanes) {
  static const char *const name[SIDES] = {"this build", "other build"};
  const struct shown *s = &r->last[side];
  const double ipc = s->insns / s->cycles, plain = bench_median(r->rate[side][PLAIN], q->runs),
               full = bench_median(r->rate[side][LOCKSTEP], q->runs), cost = bench_median(r->cost[side], q->runs);
  printf("%-12s plain %10.0f cycles/s   lockstep %10.0f cycles/s %10.0f warp instructions/s %12.0f lane results/s   "
         "cost of lockstep %.3f   IPC %.3f\n",
         name[side], plain, full, full * ipc, full * ipc * lanes, cost, ipc);
  return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f}", "ipc", ipc, "plain_cycles_per_second", plain,
                   "lockstep_cycles_per_second", full, "lane_results_per_second", full * ipc * lanes, "ratio", cost,
                   "cycles", s->cycles);
}

static double report_gain(const struct bench_request *q, struct race *r, enum mode mode) {
  static const char *const name[MODES] = {"plain", "lockstep"};
  const double medians = bench_median(r->rate[THIS][mode], q->runs) / bench_median(r->rate[OTHER][mode], q->runs);
  const double pairs = bench_median(r->gain[mode], q->runs);
  printf("%-12s %.3f times the cycles a second (medians); %.3f times the warp instructions a second (median of pairs, "
         "%.3f to %.3f)\n",
         name[mode], medians, pairs, r->gain[mode][0], r->gain[mode][q->runs - 1]);
  return pairs;
}

static bool find_both(struct asked *a) {
  return find_this(&a->build[THIS]) && find_build(a->q->against, &a->build[OTHER]);
}

/* both are there; else a message */
static bool bench_against_found(const struct bench_request *q) {
  struct asked a = {.q = q};
  return find_both(&a);
}

static int bench_against(const struct bench_request *q, double lanes) {
  struct asked a = {.q = q};
  struct race r = {0};
  if (!find_both(&a)) return TOOL_MISSING;
  if (!temporary_file(a.json, "bench")) return TOOL_USAGE;
  const bool ok = run_race(&a, &r);
  temporary_remove(a.json);
  if (!ok) return TOOL_DIFFERENCE;
  printf("%s on %s (%s): two builds in turn, %" PRIu64
         " runs of each, CPU time; %.1f lane results a warp instruction\n",
         q->kernel, q->config, q->test_variant ? "test" : "fast", q->runs, lanes);
  json_t *mine = report_side(q, &r, THIS, lanes), *theirs = report_side(q, &r, OTHER, lanes);
  const double plain = report_gain(q, &r, PLAIN), full = report_gain(q, &r, LOCKSTEP);
  if (r.last[THIS].insns < 0.999 * r.last[OTHER].insns || r.last[THIS].insns > 1.001 * r.last[OTHER].insns)
    printf("the builds ran %.0f and %.0f warp instructions: not the same program\n", r.last[THIS].insns,
           r.last[OTHER].insns);
  return bench_json(q, json_pack("{s:s, s:s, s:s, s:o, s:o, s:f, s:f}", "config", q->config, "variant",
                                 q->test_variant ? "test" : "fast", "kernel", q->kernel, "this", mine, "other", theirs,
                                 "plain_gain", plain, "lockstep_gain", full));
}

/* heddle bench rtl: the RTL with its retire port unconnected, the RTL with it, the RTL in lockstep; interleaved runs,
 * CPU time. */

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
  (void)heddle_assemble((const char *)text, size, path, &o, &p->program);
  free(text);
  if (!p->program || !kernel_prepare(k, KERNEL_ASM, 1, (unsigned)p->q->scale, &p->c)) return false;
  if (kernel_job(&p->job, p->program, &p->c, 0, NULL, err, sizeof err)) return true;
  tool_error("%s", err);
  return false;
}

static struct heddle_session *open_way(const struct prepared *p, enum heddle_session_mode mode, const char *variant,
                                       bool beside) {
  char name[64];
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
  struct heddle_session *s;
  struct heddle_message msg;
  if (heddle_session_open(&c, &s, &msg) != HEDDLE_SUCCESS) tool_error("%s", msg.text);
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

/* The ways to run the RTL. BARE: retire port unconnected; PORT: connected, not read; FULL: in lockstep; BESIDE: the
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
  static const char *const name[WAYS] = {"retire port unconnected", "connected, not read", "lockstep",
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
  for (unsigned w = 0; w < WAYS; w++) (void)heddle_session_close(s[w], NULL);
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
  (void)heddle_session_close(s, NULL);
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
