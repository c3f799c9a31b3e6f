/* SPDX-License-Identifier: Apache-2.0
 * heddle bench: options, and what the benchmarks share. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "heddle/config.h"
#include "json_out.h"
#include "options.h"
#include "result_json.h"
#include "tool.h"

static const char help[] =
    "usage: heddle bench rtl [options]\n"
    "       heddle bench model [options]\n"
    "       heddle bench compiler [FILE.ptx ...] [options]\n"
    "       heddle bench rate [options]\n\n"
    "rtl: cycles a second of the RTL with its retire port unconnected, with the port there but nobody looking, and of\n"
    "the same RTL in lockstep with the model, judged by the thread that clocks and by a second one; runs in turn, CPU\n"
    "time, medians. A lane result is one executing lane of one warp instruction that retired; in lockstep, with\n"
    "everything about it compared.\n"
    "model: warp instructions a second of the model alone beside bare loops over 32 lanes (the ceiling), and the same\n"
    "on two threads.\n"
    "compiler: instructions, registers, spills, stall cycles, CPU time to compile of the kernels of tests/silicon\n"
    "(beside the registers that ptxas takes) and of firmware/kernels, or of FILEs.\n"
    "rate: cycles of the RTL, beside the fewest that its configuration allows: issue, dependent instructions, bank\n"
    "conflicts, branches, shared and global memory, streams as a share of AXI's channels, kernels whole and in the\n"
    "steady state. No clock: the same every time.\n\n"
    "  --runs N           counted runs of each (default 7)\n"
    "  --scale N          size of the launch (default 3)\n"
    "  --json FILE        figures as JSON\n"
    "  --config NAME      machine configuration (default: wide; compiler: latencies of all)\n"
    "  --target MACHINE   compiler: rtl (default) or model; see 'heddle ptx'\n"
    "  --kernel NAME      rtl: of firmware/kernels (default: sgemm)\n"
    "  --variant NAME     rtl: fast (default: devices CONFIG_fast and CONFIG_bare), or test: the device that tests "
    "and\n"
    "                     campaigns use, with assertions; its retire port is always connected\n"
    "  --against BUILD    rtl: another build: its heddle, its folder, or its folder of devices. Both are run as\n"
    "                     processes in turn, and compared run by run\n"
    "\nrate (with --config, --json, --scale as above; --scale is of the kernels, default 1):\n"
    "  --dep MODE         control (default) or scoreboard\n"
    "  --on WHERE         rtl (default) or lockstep, which takes as many cycles\n"
    "  --only NAME,...    these rows\n"
    "  --latency N        memory answers after exactly N cycles (default 1); rows that end in _100: after 100\n"
    "  --little           FFMA by warps and chains instead: is it min(warps x chains / latency, 1 / beats)?\n"
    "  --check            with --little: exit status 1 when a point is more than 3% off\n"
    "  --picture FILE.png with --little: the same as a picture, beside an NVIDIA H200; takes gnuplot\n"
    "\nexample: heddle bench rtl --config wide\n"
    "         heddle bench rtl --config fpga --variant test --against ../before/build\n"
    "         heddle bench rate --config tiny --only ffma_chain\n"
    "         heddle bench rate --config sm --latency 300 --only stream_read,stream_copy,sgemm8x8_steady\n";

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

static int parse(struct bench_request *q, int argc, char **argv) {
  static const struct option options[] = {{"config", required_argument, NULL, 'c'},
                                          {"kernel", required_argument, NULL, 'k'},
                                          {"runs", required_argument, NULL, 'r'},
                                          {"scale", required_argument, NULL, 's'},
                                          {"json", required_argument, NULL, 'j'},
                                          {"target", required_argument, NULL, 't'},
                                          {"variant", required_argument, NULL, 'v'},
                                          {"against", required_argument, NULL, 'a'},
                                          {NULL, 0, NULL, 0}};
  for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    bool ok = true;
    switch (o) {
    case 'c':
      q->config = optarg;
      break;
    case 'k':
      q->kernel = optarg;
      break;
    case 'j':
      q->json = json_out_take(optarg);
      break;
    case 't':
      ok = run_target_find(optarg, &q->target);
      break;
    case 'v':
      ok = variant_find(optarg, &q->test_variant);
      break;
    case 'a':
      q->against = optarg;
      break;
    case 'r':
      ok = tool_number(optarg, BENCH_RUNS_MAX, &q->runs) && q->runs > 0;
      break;
    case 's':
      ok = tool_number(optarg, 64, &q->scale);
      break;
    default:
      ok = false;
      break;
    }
    if (!ok) return tool_usage("bench", "bad option");
  }
  if (q->config && !heddle_config_find(q->config)) {
    tool_error("configuration '%s' is not built", q->config);
    return TOOL_MISSING;
  }
  q->file = argv + optind + 1;
  q->files = argc - optind - 1;
  const bool files_allowed = optind < argc && strcmp(argv[optind], "compiler") == 0;
  return q->files == 0 || (q->files > 0 && files_allowed) ? TOOL_OK : tool_usage("bench", "%s", expected);
}

static int run(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "rate") == 0) return bench_rate(argc - 1, argv + 1);
  struct bench_request q = {.kernel = "sgemm", .runs = 7, .scale = 3};
  const int status = parse(&q, argc, argv);
  if (status != TOOL_OK) return status;
  if (strcmp(argv[optind], "compiler") == 0) return bench_compiler(&q);
  if (!q.config) q.config = "wide";
  if (strcmp(argv[optind], "rtl") == 0) return bench_rtl(&q);
  if (strcmp(argv[optind], "model") == 0) return bench_model(&q);
  return tool_usage("bench", "%s", expected);
}

const struct tool_command cmd_bench = {"bench", "measure the RTL, the checker, the model, the compiler", help, run};
