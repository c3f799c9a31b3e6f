/* SPDX-License-Identifier: Apache-2.0
 * heddle bench: options, and what the benchmarks share. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lab/bench/bench.h"
#include <heddle/config.h>
#include "run/command/json_out.h"
#include "run/programs/source.h"
#include "run/options/options.h"
#include "run/runner/conclude.h"
#include "run/command/tool.h"

static const struct tool_option own[] = {
    {"runs", "N", "counted runs of each (default 7)", 'r', NULL},
    {"scale", "N", "size of the launch (default 3; compiler: of each kernel, default 1)", 's', NULL},
    {"json", "FILE", "figures as JSON (-: on stdout)", 'j', NULL},
    {"config", "NAME",
     "machine configuration (default: wide; compiler: latencies of all, and kernels execute on the model)", 'c', NULL},
    {"target", "MACHINE", "compiler: rtl (default) or model; see 'heddle ptx'", 't', "rtl model"},
    {"without", "PASSES", "compiler: " SOURCE_WITHOUT, 'w', NULL},
    {"kernel", "NAME",
     "of firmware/kernels. rtl: default sgemm; compiler: what executes, several with commas, of clang -O0 NAME.O0 "
     "(default: all, on RTL without those)",
     'k', NULL},
    {"variant", "NAME",
     "rtl: fast (default: devices CONFIG_fast and CONFIG_bare), or test: the device that tests and campaigns use, with "
     "assertions; its retire port is always connected",
     'v', "fast test"},
    {"against", "BUILD",
     "rtl: another build: its heddle, its folder, or its folder of devices. Both are run as processes in turn, and "
     "compared run by run. compiler: a file that --json has written; prints what kernels execute as ratios to it",
     'a', NULL},
    {0}};
static const struct tool_group groups[] = {{"rtl, model, compiler:", own}, {"rate:", bench_rate_options}, {0}};
static const char *const usage[] = {"rtl [options]", "model [options]", "compiler [FILE.ptx ...] [options]",
                                    "rate [options]", NULL};
static const char *const examples[] = {
    "heddle bench rtl --config wide",
    "heddle bench rtl --config fpga --variant test --against ../before/build",
    "heddle bench compiler --config sm --json now.json --against before.json",
    "heddle bench rate --config tiny --only ffma_chain",
    "heddle bench rate --config sm --latency 300 --only stream_read,stream_copy,sgemm8x8_steady",
    NULL};
static const char about[] =
    "rtl: cycles a second of the RTL with its retire port unconnected, with the port there but nobody looking, and of "
    "the same RTL in lockstep with the model, judged by the thread that clocks and by a second one; runs in turn, CPU "
    "time, medians. A lane result is one executing lane of one warp instruction that retired; in lockstep, with "
    "everything about it compared.\nmodel: warp instructions a second of the model alone beside bare loops over 32 "
    "lanes (the ceiling), and the same on two threads.\ncompiler: instructions, registers, spills, stall cycles, CPU "
    "time to compile of the kernels of tests/silicon (beside the registers that ptxas takes) and of firmware/kernels, "
    "or of FILEs; then what those of firmware/kernels execute from all PTX that clang made of them: warp instructions, "
    "with --config on that machine's RTL, and cycles.\nrate: cycles of the RTL, beside the fewest that its "
    "configuration allows: issue, dependent "
    "instructions, bank conflicts, branches, shared and global memory, streams as a share of AXI's channels, kernels "
    "whole and in the steady state. No clock: the same every time.";

static const char expected[] = "expected rtl, model, compiler or rate";

double bench_cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_thread_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_wall_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

double bench_median(double *v, size_t n) {
  qsort(v, n, sizeof *v, ascending);
  return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

int bench_json(const struct bench_request *q, json_t *root) {
  if (!q->json) {
    json_decref(root);
    return TOOL_OK;
  }
  return json_out_dump(q->json, root) ? TOOL_OK : TOOL_USAGE;
}

static bool variant_find(const char *name, bool *test) {
  *test = strcmp(name, "test") == 0;
  return *test || strcmp(name, "fast") == 0;
}

static bool take_bench_option(struct bench_request *q, int option) {
  switch (option) {
  case 'c':
    q->config = optarg;
    return true;
  case 'k':
    q->kernel = optarg;
    return true;
  case 'j':
    q->json = json_out_take(optarg);
    return true;
  case 't':
    return run_target_find(optarg, &q->target);
  case 'v':
    return variant_find(optarg, &q->test_variant);
  case 'a':
    q->against = optarg;
    return true;
  case 'w':
    return heddle_ptx_passes(optarg, &q->without, NULL) == HEDDLE_SUCCESS;
  case 'r':
    return tool_number(optarg, BENCH_RUNS_MAX, &q->runs) && q->runs > 0;
  case 's':
    return tool_number(optarg, 64, &q->scale);
  default:
    return false;
  }
}

static int parse_bench_options(struct bench_request *q, int argc, char **argv) {
  static const struct tool_group those[] = {{NULL, own}, {0}};
  for (int o; (o = tool_option_next("bench", those, argc, argv)) != -1;)
    if (!take_bench_option(q, o)) return tool_option_bad("bench", those, o);
  if (q->config && !heddle_config_find(q->config)) {
    tool_error("configuration '%s' is not built", q->config);
    return TOOL_MISSING;
  }
  q->file = argv + optind + 1;
  q->files = argc - optind - 1;
  const bool files_allowed = optind < argc && strcmp(argv[optind], "compiler") == 0;
  return q->files == 0 || (q->files > 0 && files_allowed) ? TOOL_OK : tool_usage("bench", "%s", expected);
}

static int bench_main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "rate") == 0) return bench_rate(argc - 1, argv + 1);
  struct bench_request q = {.runs = 7, .scale = UINT64_MAX};
  const int status = parse_bench_options(&q, argc, argv);
  if (status != TOOL_OK) return status;
  if (q.scale == UINT64_MAX) q.scale = strcmp(argv[optind], "compiler") == 0 ? 1 : 3;
  if (strcmp(argv[optind], "compiler") == 0) return bench_compiler(&q);
  if (!q.config) q.config = "wide";
  if (!q.kernel) q.kernel = "sgemm";
  if (strcmp(argv[optind], "rtl") == 0) return bench_rtl(&q);
  if (strcmp(argv[optind], "model") == 0) return bench_model(&q);
  return tool_usage("bench", "%s", expected);
}

const struct tool_command cmd_bench = {"bench",    "measure the RTL, the checker, the model, the compiler",
                                       bench_main, usage,
                                       about,      groups,
                                       examples,   "rtl model compiler rate"};
