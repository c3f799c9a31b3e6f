/* SPDX-License-Identifier: Apache-2.0
 * heddle bench rtl --against: two builds as processes, run in turn. Each is asked for what every build of this project
 * can do, so that the other one may be older: `bench rtl` for the fast devices, `kernels` for the test variant. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/process.h"
#include "lab/bench/bench.h"
#include "run/command/tool.h"

#define ARGS 24u
#define FEW 1u /* launches of the short and the long run of a process: their difference is free of its start */
#define MANY 4u

enum side { THIS, OTHER, SIDES };
enum way { PLAIN, LOCKSTEP, WAYS };

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
  double rate[WAYS];    /* cycles a second */
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

static bool ask_kernels(const struct asked *a, enum side side, enum way way, unsigned launches, double v[3]) {
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
                            way == PLAIN ? "rtl" : "lockstep",
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
  for (unsigned way = 0; way < WAYS; way++) {
    double few[3], many[3];
    if (!ask_kernels(a, side, (enum way)way, FEW, few) || !ask_kernels(a, side, (enum way)way, MANY, many))
      return false;
    s->cycles = (many[1] - few[1]) / (MANY - FEW);
    s->insns = (many[2] - few[2]) / (MANY - FEW);
    s->rate[way] = (many[1] - few[1]) / (many[0] - few[0]);
    if (!(s->cycles > 0 && s->rate[way] > 0)) return false;
  }
  return true;
}

/* What two builds do in a second, run by run. */
struct race {
  double rate[SIDES][WAYS][BENCH_RUNS_MAX], gain[WAYS][BENCH_RUNS_MAX]; /* gain: instructions a second, this to other */
  double cost[SIDES][BENCH_RUNS_MAX];
  struct shown last[SIDES];
};

static bool run_race(const struct asked *a, struct race *r) {
  for (uint64_t i = 0; i < a->q->runs; i++) {
    for (unsigned k = 0; k < SIDES; k++) {
      const enum side side = (enum side)((k + i) % SIDES); /* who goes first changes */
      struct shown *s = &r->last[side];
      if (!(a->q->test_variant ? ask_test_variant(a, side, s) : ask_bench(a, side, s))) return false;
      for (unsigned w = 0; w < WAYS; w++) r->rate[side][w][i] = s->rate[w];
      r->cost[side][i] = s->rate[PLAIN] / s->rate[LOCKSTEP];
    }
    const double fewer = r->last[THIS].insns / r->last[THIS].cycles * r->last[OTHER].cycles / r->last[OTHER].insns;
    for (unsigned w = 0; w < WAYS; w++) r->gain[w][i] = r->rate[THIS][w][i] / r->rate[OTHER][w][i] * fewer;
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

static double report_gain(const struct bench_request *q, struct race *r, enum way way) {
  static const char *const name[WAYS] = {"plain", "lockstep"};
  const double medians = bench_median(r->rate[THIS][way], q->runs) / bench_median(r->rate[OTHER][way], q->runs);
  const double pairs = bench_median(r->gain[way], q->runs);
  printf("%-12s %.3f times the cycles a second (medians); %.3f times the warp instructions a second (median of pairs, "
         "%.3f to %.3f)\n",
         name[way], medians, pairs, r->gain[way][0], r->gain[way][q->runs - 1]);
  return pairs;
}

static bool find_both(struct asked *a) {
  return find_this(&a->build[THIS]) && find_build(a->q->against, &a->build[OTHER]);
}

bool bench_against_found(const struct bench_request *q) {
  struct asked a = {.q = q};
  return find_both(&a);
}

int bench_against(const struct bench_request *q, double lanes) {
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
