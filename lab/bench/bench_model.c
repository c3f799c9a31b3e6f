/* SPDX-License-Identifier: Apache-2.0
 * heddle bench model: the model alone beside bare lane loops, and on two threads. All in one process, interleaved. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lab/bench/bench.h"
#include "lab/bench/bench_bare.h"
#include "lab/bench/bench_kernels.h"
#include <heddle/asm.h>
#include <heddle/model.h>
#include "run/job/job.h"
#include "run/runner/conclude.h"
#include "run/command/tool.h"

enum { BLOCK = 256, BLOCKS = 64, TRIPS = 40, BARE_OPERATIONS = 4000000 };

struct bench {
  const struct bench_request *q;
  struct heddle_program *program;
  struct heddle_model *model[2]; /* on one thread, on two */
  struct job job[BENCH_KERNELS];
};

struct figures {
  double alone[BENCH_RUNS_MAX], wall[2][BENCH_RUNS_MAX];
  uint64_t insns;
};

static bool prepare_job(struct bench *b, enum bench_kernel k) {
  const uint32_t grid[3] = {BLOCKS, 1, 1}, block[3] = {BLOCK, 1, 1};
  char err[256];
  struct job *j = &b->job[k];
  if (job_add_buffer(j, NULL, (uint64_t)BLOCK * BLOCKS * 16, true) && job_add_scalar(j, TRIPS * b->q->scale, 4) &&
      job_build(j, b->program, bench_kernel_name(k), grid, block, err, sizeof err))
    return true;
  tool_error("%s: %s", bench_kernel_name(k), err);
  return false;
}

static bool prepare_kernels(struct bench *b) {
  size_t size = 0;
  struct heddle_asm_options o = {.size = sizeof o, .message = tool_message};
  (void)tool_stalls(NULL, o.stall);
  char *text = bench_kernel_text(BLOCK * BLOCKS, &size);
  if (text != NULL) b->program = heddle_assemble(text, size, "bench", &o);
  free(text);
  if (b->program == NULL) return false;
  for (unsigned k = 0; k < BENCH_KERNELS; k++)
    if (!prepare_job(b, (enum bench_kernel)k)) return false;
  for (unsigned t = 0; t < 2; t++) {
    const struct heddle_model_config c = {.size = sizeof c,
                                          .base = b->job[0].mem_base,
                                          .bytes = b->job[0].mem_bytes,
                                          .warp_slots = 32,
                                          .block_slots = 4,
                                          .threads = t + 1};
    b->model[t] = heddle_model_new(&c);
    if (b->model[t] == NULL) return false;
  }
  return true;
}

static bool once(const struct bench *b, enum bench_kernel k, unsigned t, struct figures *f, uint64_t run) {
  struct heddle_model *m = b->model[t];
  enum heddle_status s = heddle_model_launch(m, &b->job[k].launch);
  const double cpu = bench_cpu_seconds(), wall = bench_wall_seconds();
  if (s == HEDDLE_OK) s = heddle_model_run(m, 0, &f->insns);
  f->wall[t][run] = bench_wall_seconds() - wall;
  if (t == 0) f->alone[run] = (double)f->insns / (bench_cpu_seconds() - cpu);
  if (s != HEDDLE_OK) tool_error("%s: %s", bench_kernel_name(k), heddle_model_diag(m));
  return s == HEDDLE_OK;
}

static double ceiling_once(enum bare_kind kind) {
  const double start = bench_cpu_seconds();
  const uint64_t n = bare_run(kind, BARE_OPERATIONS);
  return (double)n / (bench_cpu_seconds() - start);
}

static const char *const bare_names[BARE_KINDS] = {"ffma", "integer", "mixed"};

static void report_kernel(const struct bench *b, enum bench_kernel k, struct figures *f,
                          const double ceiling[BARE_KINDS], json_t *kernels) {
  const uint64_t runs = b->q->runs;
  double speedup[BENCH_RUNS_MAX];
  for (uint64_t i = 0; i < runs; i++) speedup[i] = f->wall[0][i] / f->wall[1][i];
  const double rate = bench_median(f->alone, runs), twice = bench_median(speedup, runs);
  const enum bare_kind beside = (unsigned)k < BARE_KINDS ? (enum bare_kind)k : BARE_MIXED;
  const double of_ceiling = rate / ceiling[beside];
  printf("%-10s %8.1f million a second  %5.2f of the bare loop %-8s two threads %5.2f times\n", bench_kernel_name(k),
         rate / 1e6, of_ceiling, bare_names[beside], twice);
  (void)json_object_set_new(kernels, bench_kernel_name(k),
                            json_pack("{s:f, s:f, s:f}", "warp_instructions_per_second", rate, "two_threads", twice,
                                      "of_ceiling", of_ceiling));
}

static int measure_model(const struct bench *b) {
  static struct figures f[BENCH_KERNELS];
  static double bare[BARE_KINDS][BENCH_RUNS_MAX];
  const uint64_t runs = b->q->runs;
  bool ok = true;
  for (uint64_t run = 0; run <= runs && ok; run++) { /* the first one warms up and is overwritten */
    const uint64_t at = run == 0 ? 0 : run - 1;
    for (unsigned k = 0; k < BARE_KINDS; k++) bare[k][at] = ceiling_once((enum bare_kind)k);
    for (unsigned k = 0; k < BENCH_KERNELS && ok; k++)
      ok = once(b, (enum bench_kernel)k, 0, &f[k], at) && once(b, (enum bench_kernel)k, 1, &f[k], at);
  }
  if (!ok) return TOOL_DIFFERENCE;
  double ceiling[BARE_KINDS];
  json_t *bares = json_object(), *kernels = json_object();
  printf("warp instructions of 32 lanes; medians of %" PRIu64 " runs in turn, CPU time; threads by wall time\n", runs);
  for (unsigned k = 0; k < BARE_KINDS; k++) {
    ceiling[k] = bench_median(bare[k], runs);
    printf("bare loop %-8s %6.1f million a second\n", bare_names[k], ceiling[k] / 1e6);
    (void)json_object_set_new(bares, bare_names[k], json_real(ceiling[k]));
  }
  for (unsigned k = 0; k < BENCH_KERNELS; k++) report_kernel(b, (enum bench_kernel)k, &f[k], ceiling, kernels);
  return bench_json(b->q, json_pack("{s:o, s:o}", "ceiling", bares, "kernels", kernels));
}

int bench_model(const struct bench_request *q) {
  struct bench b = {.q = q};
  const int status = prepare_kernels(&b) ? measure_model(&b) : TOOL_USAGE;
  for (unsigned k = 0; k < BENCH_KERNELS; k++) job_clear(&b.job[k]);
  for (unsigned t = 0; t < 2; t++) heddle_model_free(b.model[t]);
  heddle_program_free(b.program);
  return status;
}
