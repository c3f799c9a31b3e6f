/* SPDX-License-Identifier: Apache-2.0
 * heddle bench compiler: what becomes of kernels, beside the registers that another compiler takes for them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/bench/bench.h"
#include "run/command/tool.h"
#include "firmware/kernels/kernels.h"
#include <heddle/ptx.h>

enum { TEXT_MAX = 64 << 20, KERNELS_MAX = 1024 };

/* Registers that ptxas gives these kernels (tests/silicon/kernels). */
static const struct {
  const char *kernel;
  unsigned registers;
} ptxas[] = {{"vecadd", 12},    {"saxpy", 10},      {"reduce", 12},    {"sgemm", 32},
             {"histogram", 12}, {"mandelbrot", 17}, {"transpose", 14}, {"ifelse", 14}};
enum { KNOWN = sizeof ptxas / sizeof *ptxas };

struct bench {
  const struct bench_request *q;
  struct heddle_ptx_options options;
  bool beside; /* these kernels may be in the table above */
  double ratio[KERNELS_MAX], slowest;
  size_t ratios, kernels, spilling;
  json_t *list;
};

static unsigned ptxas_registers(const char *kernel) {
  for (size_t i = 0; i < KNOWN; i++)
    if (strcmp(ptxas[i].kernel, kernel) == 0) return ptxas[i].registers;
  return 0;
}

static void report_figures(struct bench *b, const struct heddle_ptx_figures *f, double seconds) {
  const unsigned theirs = b->beside ? ptxas_registers(f->name) : 0;
  const double ratio = theirs ? (double)f->registers / theirs : 0;
  printf("%-16s %7u instructions %4u registers %3u uniform", f->name, f->instructions, f->registers,
         f->uniform_registers);
  if (theirs)
    printf(" (ptxas %3u, %4.2f)", theirs, ratio);
  else
    printf("                   ");
  printf(" %4u spilled %6u stall cycles %8.2f ms\n", f->spilled_values, f->stall_cycles, seconds * 1e3);
  if (theirs && b->ratios < KERNELS_MAX) b->ratio[b->ratios++] = ratio;
  b->kernels++;
  b->spilling += f->spilled_values > 0;
  if (seconds > b->slowest) b->slowest = seconds;
  json_t *o =
      json_pack("{s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:f}", "name", f->name, "instructions", (int)f->instructions,
                "registers", (int)f->registers, "uniform_registers", (int)f->uniform_registers, "spilled_values",
                (int)f->spilled_values, "spill_loads", (int)f->spill_loads, "spill_stores", (int)f->spill_stores,
                "stall_cycles", (int)f->stall_cycles, "seconds", seconds);
  if (theirs) (void)json_object_set_new(o, "ptxas_registers", json_integer(theirs));
  (void)json_array_append_new(b->list, o);
}

/* Time is that of the whole file, over its kernels. */
static bool one_file(struct bench *b, const char *path) {
  double seconds[BENCH_RUNS_MAX];
  size_t size, kernels = 0;
  struct heddle_ptx_figures *figures = NULL;
  uint8_t *text = tool_read_file(path, TEXT_MAX, &size);
  if (!text) return false;
  struct heddle_program *p = NULL; /* of the last run: names of its figures */
  bool ok = true;
  for (uint64_t run = 0; run < b->q->runs && ok; run++) {
    free(figures);
    heddle_program_free(p);
    const double start = bench_cpu_seconds();
    p = heddle_ptx_compile((const char *)text, size, path, &b->options, &figures, &kernels);
    seconds[run] = bench_cpu_seconds() - start;
    ok = p != NULL;
  }
  const double median = ok ? bench_median(seconds, b->q->runs) / (double)kernels : 0;
  for (size_t k = 0; ok && k < kernels; k++) report_figures(b, &figures[k], median);
  free(figures);
  heddle_program_free(p);
  free(text);
  return ok;
}

static bool known_files(struct bench *b) {
  char folder[4096];
  bool ok = data_path("silicon/kernels", folder, sizeof folder);
  for (size_t i = 0; i < KNOWN && ok; i++) {
    char path[4224];
    snprintf(path, sizeof path, "%s/%s.ptx", folder, ptxas[i].kernel);
    ok = one_file(b, path) && ok;
  }
  return ok;
}

/* What clang -O2 made of the kernels of firmware/kernels. */
static bool own_files(struct bench *b) {
  char folder[4096];
  bool ok = data_path("kernels", folder, sizeof folder);
  for (const struct kernel_info *k = kernel_table; k->name && ok; k++) {
    char file[128], path[4224];
    if (!kernel_has(k, KERNEL_PTX)) continue;
    kernel_file(k, KERNEL_PTX, file, sizeof file);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    ok = one_file(b, path) && ok;
  }
  return ok;
}

/* A table with its last lines; the JSON list of it. */
static json_t *print_kernel_table(struct bench *b, bool (*files)(struct bench *b), bool *ok) {
  b->list = json_array();
  b->kernels = b->spilling = b->ratios = 0;
  b->slowest = 0;
  *ok = files(b) && *ok;
  printf("%zu kernels, %zu with spills, the slowest %.2f ms\n", b->kernels, b->spilling, b->slowest * 1e3);
  return b->list;
}

static bool given_files(struct bench *b) {
  bool ok = true;
  for (int i = 0; i < b->q->files; i++) ok = one_file(b, b->q->file[i]) && ok;
  return ok;
}

int bench_compiler(const struct bench_request *q) {
  struct bench b = {.q = q,
                    .options = {.size = sizeof b.options,
                                .target = q->target,
                                .level = 1,
                                .without = q->without,
                                .message = tool_message},
                    .beside = true};
  bool ok = tool_stalls(q->config, b.options.stall);
  b.options.fp64_latency = tool_fp64_latency(q->config);
  json_t *list = print_kernel_table(&b, q->files > 0 ? given_files : known_files, &ok);
  double median = b.ratios > 0 ? bench_median(b.ratio, b.ratios) : 0;
  if (b.ratios > 0)
    printf("registers beside ptxas: median ratio %4.2f over %zu of %zu kernels\n", median, b.ratios, b.kernels);
  json_t *root = json_pack("{s:f, s:o}", "median_register_ratio", median, "kernels", list);
  b.beside = false;
  int executed = TOOL_OK;
  if (q->files == 0) {
    printf("\nfirmware/kernels\n");
    (void)json_object_set_new(root, "own_kernels", print_kernel_table(&b, own_files, &ok));
    printf("\nexecuted\n");
    (void)json_object_set_new(root, "executed", bench_executed(q, &executed));
  }
  const int status = bench_json(q, root);
  return !ok ? TOOL_USAGE : executed != TOOL_OK ? executed : status;
}
