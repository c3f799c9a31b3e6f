/* SPDX-License-Identifier: Apache-2.0
 *
 * heddle bench model: the model alone beside bare lane loops, and on two threads. All in one process, interleaved.
 */
#include <stddef.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/model.h>
#include "lab/bench/bench.h"
#include "run/command/tool.h"
#include "run/job/job.h"
#include "run/runner/conclude.h"

enum bench_kernel {
  BENCH_FFMA,
  BENCH_INTEGER,
  BENCH_MIXED,
  BENCH_DIVERGENT,
  BENCH_GLOBAL,
  BENCH_SHARED,
  BENCH_GATHER,
  BENCH_KERNELS
};

/* Programs that keep one part of the model busy. */

static const char *const names[BENCH_KERNELS] = {"ffma", "integer", "mixed", "divergent", "global", "shared", "gather"};

static const char *bench_kernel_name(enum bench_kernel k) {
  return names[k];
}

/* R0 thread of the grid, R2:R3 its word in the first quarter of `out`, R4-R7 factors, R32-R59 data, R8 trips left. */
static void prologue(FILE *f, const char *name) {
  fprintf(f,
          ".kernel %s\n.param u64 out\n.param u32 n\n.shared room 4096\n"
          "  S2R R0, SR_CTAID.X ;\n  S2R R1, SR_TID.X ;\n  IMAD R0, R0, c[0x0][0x0], R1 ;\n"
          "  MOV R2, 0x4 ;\n  MOV R10, c[0x0][out] ;\n  MOV R11, c[0x0][out+4] ;\n"
          "  IMAD.WIDE R2, R0, R2, R10 ;\n  MOV R8, c[0x0][n] ;\n  LOP3.LUT R9, R1, 0xff, RZ, 0xc0 ;\n"
          "  SHF.L.U32 R9, R9, 0x2, RZ ;\n",
          name);
  for (unsigned i = 0; i < 4; i++) fprintf(f, "  MOV R%u, 0x%x ;\n", 4 + i, 0x3f800000 - i); /* near 1.0 */
  for (unsigned i = 0; i < 28; i++) fprintf(f, "  I2F.U32 R%u, R1 ;\n", 32 + i);
  fprintf(f, "  ISETP.GE.U32.AND P1, PT, R1, 0x10, PT ;\n  STS [R9], R32 ;\nloop:\n");
}

static void epilogue(FILE *f) {
  fprintf(f, "  IADD3 R8, R8, -1, RZ ;\n  ISETP.NE.U32.AND P0, PT, R8, 0x0, PT ;\n@P0 BRA loop ;\n  STG.E [R2], R32 "
             ";\n  EXIT ;\n.end\n");
}

/* An even step: what FFMA reads in `mixed` is what FFMA wrote. Integers would be subnormal numbers at times, over which
 * the host takes a hundred cycles. */
static void write_arithmetic(FILE *f, enum bench_kernel k) {
  static const char *const integer[] = {"IADD3 R%u, R%u, R%u, R%u ;\n", "LOP3.LUT R%u, R%u, R%u, R%u, 0x6a ;\n",
                                        "IMAD R%u, R%u, R%u, R%u ;\n", "IADD3 R%u, R%u, R%u, R%u ;\n"};
  static const char fma[] = "FFMA R%u, R%u, R%u, R%u ;\n";
  for (unsigned i = 0; i < 64; i++) {
    const char *form =
        k == BENCH_FFMA || (k == BENCH_MIXED && i % 2 == 0) ? fma : integer[k == BENCH_INTEGER ? i % 4 : 0];
    fprintf(f, form, 32 + i % 28, 32 + (i + 4) % 28, 4 + i % 4, 32 + i % 28);
  }
}

/* Two arms of four additions by lane, eight times, every other time one inside the other. */
static void divergent(FILE *f) {
  for (unsigned i = 0; i < 8; i++) {
    fprintf(f, "  BSSY B0, join%u ;\n@P1 BRA other%u ;\n", i, i);
    for (unsigned k = 0; k < 4; k++) fprintf(f, "  IADD3 R%u, R%u, R4, RZ ;\n", 32 + k, 33 + k);
    fprintf(f, "  BRA join%u ;\nother%u:\n", i, i);
    for (unsigned k = 0; k < 4; k++) fprintf(f, "  IADD3 R%u, R%u, R5, RZ ;\n", 40 + k, 41 + k);
    fprintf(f, "join%u:\n  BSYNC B0 ;\n", i);
  }
}

/* `quarter`: bytes from a thread's word to its next one. */
static void write_accesses(FILE *f, enum bench_kernel k, unsigned quarter) {
  for (unsigned i = 0; i < 8; i++) {
    const unsigned r = 32 + i, off = quarter * (i % 4);
    if (k == BENCH_GLOBAL) fprintf(f, "  STG.E [R2+0x%x], R%u ;\n  LDG.E R%u, [R2+0x%x] ;\n", off, r, r + 8, off);
    if (k == BENCH_SHARED)
      fprintf(f, "  STS [R9+0x%x], R%u ;\n  LDS R%u, [R9+0x%x] ;\n", 0x400 * (i % 4), r, r + 8, 0x400 * (i % 4));
    if (k == BENCH_GATHER) /* each lane its own place of the block's 4 KiB, scattered */
      fprintf(f, "  IMAD R12, R9, 0x%x, R9 ;\n  LOP3.LUT R12, R12, 0x3fc, RZ, 0xc0 ;\n  LDS R%u, [R12] ;\n", 2 * i + 5,
              r + 8);
  }
}

static void write_bench_kernel(FILE *f, enum bench_kernel k, unsigned quarter) {
  prologue(f, names[k]);
  if (k == BENCH_GATHER) fprintf(f, "  BAR.SYNC 0 ;\n");
  if (k <= BENCH_MIXED)
    write_arithmetic(f, k);
  else if (k == BENCH_DIVERGENT)
    divergent(f);
  else
    write_accesses(f, k, quarter);
  epilogue(f);
}

/* malloc'ed text of all kernels for a grid of that many threads; NULL: no memory. */
static char *bench_kernel_text(unsigned threads, size_t *size) {
  char *text = NULL;
  FILE *f = open_memstream(&text, size);
  if (f == NULL) return NULL;
  for (unsigned k = 0; k < BENCH_KERNELS; k++) write_bench_kernel(f, (enum bench_kernel)k, 4 * threads);
  if (fclose(f) == 0) return text;
  free(text);
  return NULL;
}

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
  const bool ok = text != NULL && heddle_assemble(text, size, "bench", &o, &b->program) == HEDDLE_SUCCESS;
  free(text);
  if (!ok) return false;
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
  enum heddle_error s = heddle_model_launch(m, &b->job[k].launch);
  const double cpu = bench_cpu_seconds(), wall = bench_wall_seconds();
  if (s == HEDDLE_SUCCESS) s = heddle_model_run(m, 0, &f->insns);
  f->wall[t][run] = bench_wall_seconds() - wall;
  if (t == 0) f->alone[run] = (double)f->insns / (bench_cpu_seconds() - cpu);
  if (s != HEDDLE_SUCCESS) tool_error("%s: %s", bench_kernel_name(k), heddle_model_diag(m));
  return s == HEDDLE_SUCCESS;
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
