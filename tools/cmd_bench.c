/* SPDX-License-Identifier: Apache-2.0
 * heddle bench: figures, never a pass or fail. Interleaved runs, medians, CPU time. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "heddle/asm.h"
#include "heddle/session.h"
#include "job.h"
#include "kernels.h"
#include "result_json.h"

static const char help[] =
    "usage: heddle bench rtl [options]\n"
    "       heddle bench model [options]\n\n"
    "rtl: cycles a second of the RTL with its retire port unconnected, and of the same RTL in lockstep with the model;\n"
    "runs in turn, CPU time, medians. model: warp instructions a second of the model alone, one thread.\n\n"
    "  --config NAME      machine configuration (default: wide)\n"
    "  --kernel NAME      of firmware/kernels (default: sgemm)\n"
    "  --runs N           counted runs of each (default 7)\n"
    "  --scale N          size of the launch (default 3)\n"
    "  --json FILE        figures as JSON\n"
    "\nexample: heddle bench rtl --config wide\n";

#define RUNS_MAX 99u

struct request {
  const char *config, *kernel, *json;
  uint64_t runs, scale;
  struct heddle_program *program;
  struct kernel_case c;
  struct job job;
};

struct sample {
  double seconds;
  uint64_t cycles, insns;
};

static double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double median(double *v, size_t n) {
  qsort(v, n, sizeof *v, ascending);
  return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static bool prepare(struct request *q) {
  char path[1024], err[512];
  size_t size;
  const struct kernel_info *k = kernel_find(q->kernel);
  struct heddle_asm_options o = {.message = tool_message};
  if (!k) {
    tool_error("no kernel '%s'", q->kernel);
    return false;
  }
  tool_stalls(q->config, o.stall);
  snprintf(path, sizeof path, "%s/%s.s", KERNEL_DIR, k->name);
  uint8_t *text = tool_read_file(path, 1u << 20, &size);
  if (!text) return false;
  q->program = heddle_assemble((const char *)text, size, path, &o);
  free(text);
  if (!q->program || !kernel_prepare(k, 1, (unsigned)q->scale, &q->c)) return false;
  for (unsigned i = 0; i < q->c.args; i++)
    if (q->c.arg[i].is_buffer)
      job_add_buffer(&q->job, q->c.arg[i].init, q->c.arg[i].bytes, true);
    else
      job_add_scalar(&q->job, q->c.arg[i].scalar, q->c.arg[i].bytes_scalar);
  if (job_build(&q->job, q->program, k->name, q->c.grid, q->c.block, err, sizeof err)) return true;
  tool_error("%s", err);
  return false;
}

static void store(void *ctx, uint64_t addr, const void *data, uint64_t bytes) {
  memcpy((uint8_t *)ctx + (addr - JOB_BASE), data, bytes);
}

static struct session *open_session(const struct request *q, enum session_mode mode, const char *variant) {
  char name[64], err[512];
  snprintf(name, sizeof name, "%s%s", q->config, variant);
  struct session_config c = {.mode = mode, .config = name, .seed = 1, .memory_base = JOB_BASE,
                             .memory_bytes = q->job.mem_bytes, .warp_slots = 32, .block_slots = 32};
  struct session *s = session_open(&c, err, sizeof err);
  if (!s) tool_error("%s", err);
  return s;
}

static bool measure(const struct request *q, struct session *s, struct sample *out) {
  struct session_result r;
  memset(session_memory(s), 0, q->job.mem_bytes);
  job_store_inputs(&q->job, store, session_memory(s));
  double start = cpu_seconds();
  enum session_outcome o = session_run(s, &q->job.launch, &r);
  out->seconds = cpu_seconds() - start;
  out->cycles = r.cycles;
  out->insns = r.insns;
  if (o != SESSION_OK) tool_error("%s: %s", session_outcome_name(o), r.message);
  return o == SESSION_OK;
}

static int write_json(const struct request *q, json_t *root) {
  if (!q->json) {
    json_decref(root);
    return TOOL_OK;
  }
  return result_dump(q->json, root) ? TOOL_OK : TOOL_USAGE;
}

static int bench_rtl(const struct request *q) {
  struct session *bare = open_session(q, SESSION_RTL, "_bare"), *full = open_session(q, SESSION_LOCKSTEP, "_fast");
  double alone[RUNS_MAX], checked[RUNS_MAX], ratio[RUNS_MAX];
  struct sample a = {0}, c = {0};
  bool ok = bare && full && measure(q, bare, &a) && measure(q, full, &c); /* warm up */
  for (uint64_t i = 0; ok && i < q->runs; i++) {
    ok = measure(q, bare, &a) && measure(q, full, &c);
    alone[i] = (double)a.cycles / a.seconds;
    checked[i] = (double)c.cycles / c.seconds;
    ratio[i] = c.seconds / a.seconds * (double)a.cycles / (double)c.cycles;
  }
  if (bare) session_close(bare);
  if (full) session_close(full);
  if (!ok) return bare && full ? TOOL_DIFFERENCE : TOOL_MISSING;
  double ma = median(alone, q->runs), mc = median(checked, q->runs), mr = median(ratio, q->runs);
  double ipc = (double)c.insns / (double)c.cycles;
  printf("%s on %s: %" PRIu64 " cycles, %" PRIu64 " warp instructions, IPC %.3f; %" PRIu64 " runs in turn, CPU time\n",
         q->kernel, q->config, c.cycles, c.insns, ipc, q->runs);
  printf("retire port unconnected  %10.0f cycles/s (median)\n", ma);
  printf("lockstep                 %10.0f cycles/s (median)  %.0f warp instructions/s\n", mc, mc * ipc);
  printf("cost of lockstep         %10.3f times (median of pairs, %.3f to %.3f)\n", mr, ratio[0], ratio[q->runs - 1]);
  return write_json(q, json_pack("{s:i, s:s, s:s, s:f, s:f, s:f, s:f, s:I}", "version", 1, "config", q->config, "kernel",
                                 q->kernel, "ipc", ipc, "bare_cycles_per_second", ma, "lockstep_cycles_per_second", mc,
                                 "ratio", mr, "cycles", (json_int_t)c.cycles));
}

static int bench_model(const struct request *q) {
  struct session *s = open_session(q, SESSION_MODEL, "");
  double rate[RUNS_MAX];
  struct sample m = {0};
  bool ok = s && measure(q, s, &m);
  for (uint64_t i = 0; ok && i < q->runs; i++) {
    ok = measure(q, s, &m);
    rate[i] = (double)m.insns / m.seconds;
  }
  if (s) session_close(s);
  if (!ok) return TOOL_DIFFERENCE;
  double mr = median(rate, q->runs);
  printf("%s on the model: %" PRIu64 " warp instructions, %.2f million a second (median of %" PRIu64 ", %.2f to %.2f)\n",
         q->kernel, m.insns, mr / 1e6, q->runs, rate[0] / 1e6, rate[q->runs - 1] / 1e6);
  return write_json(q, json_pack("{s:i, s:s, s:f, s:I}", "version", 1, "kernel", q->kernel,
                                 "warp_instructions_per_second", mr, "warp_instructions", (json_int_t)m.insns));
}

static int parse(struct request *q, int argc, char **argv) {
  static const struct option options[] = {{"config", required_argument, NULL, 'c'}, {"kernel", required_argument, NULL, 'k'},
                                          {"runs", required_argument, NULL, 'r'},   {"scale", required_argument, NULL, 's'},
                                          {"json", required_argument, NULL, 'j'},   {NULL, 0, NULL, 0}};
  for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    bool ok = true;
    switch (o) {
    case 'c': q->config = optarg; break;
    case 'k': q->kernel = optarg; break;
    case 'j': q->json = optarg; break;
    case 'r': ok = tool_number(optarg, RUNS_MAX, &q->runs) && q->runs > 0; break;
    case 's': ok = tool_number(optarg, 64, &q->scale); break;
    default: ok = false; break;
    }
    if (!ok) return tool_usage("bench", "bad option");
  }
  if (!heddle_config_find(q->config)) {
    tool_error("configuration '%s' is not built", q->config);
    return TOOL_MISSING;
  }
  return optind + 1 == argc ? TOOL_OK : tool_usage("bench", "expected rtl or model");
}

static int run(int argc, char **argv) {
  struct request q = {.config = "wide", .kernel = "sgemm", .runs = 7, .scale = 3};
  int status = parse(&q, argc, argv);
  if (status != TOOL_OK) return status;
  const char *what = argv[optind];
  if (strcmp(what, "rtl") != 0 && strcmp(what, "model") != 0) return tool_usage("bench", "expected rtl or model");
  status = !prepare(&q) ? TOOL_USAGE : strcmp(what, "rtl") == 0 ? bench_rtl(&q) : bench_model(&q);
  job_clear(&q.job);
  kernel_case_clear(&q.c);
  heddle_program_free(q.program);
  return status;
}

const struct tool_command cmd_bench = {"bench", "measure the RTL, the checker, the model", help, run};
