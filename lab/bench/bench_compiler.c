/* SPDX-License-Identifier: Apache-2.0
 *
 * heddle bench compiler: what becomes of kernels, beside the registers that another compiler takes for them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/ptx.h>
#include "firmware/kernels/kernels.h"
#include "lab/bench/bench.h"
#include "run/cases/kernel_run.h"
#include "run/command/tool.h"
#include "run/runner/runner.h"

/* heddle bench compiler: what compiled kernels execute. The kernels of firmware/kernels, from each PTX that clang made
 * of them, at the sizes of `heddle kernels`: warp instructions, on the model; with --config those of that machine's
 * RTL, and its cycles, over a memory that always answers after LATENCY cycles, so that two runs of one build print the
 * same. */

enum { LATENCY = 100, ROWS_MAX = 256 };

struct executed {
  const struct bench_request *q;
  struct run_options run;
  json_t *list;   /* of this run */
  json_t *before; /* of --against, by name; NULL: none */
  double ratio[2][ROWS_MAX];
  size_t ratios, failed;
};

/* "NAME", or "NAME.O0". */
static void row_name(const struct kernel_info *k, enum kernel_form form, char *to, size_t size) {
  snprintf(to, size, "%s%s", k->name, form == KERNEL_PTX ? "" : ".O0");
}

/* A row of --kernel; without it every one, but on RTL those of -O0, which take three times as long as the others. */
static bool asked_for(const struct bench_request *q, const char *name, enum kernel_form form) {
  const size_t n = strlen(name);
  if (!q->kernel) return !q->config || form == KERNEL_PTX;
  for (const char *p = q->kernel; *p; p += strcspn(p, ","), p += *p == ',')
    if (strcspn(p, ",") == n && memcmp(p, name, n) == 0) return true;
  return false;
}

/* This run's figure over the one before; 1 where there is neither, as cycles on the model. */
static double ratio_of(const json_t *now, const json_t *before, const char *key) {
  const double was = json_number_value(json_object_get(before, key));
  return was > 0 ? json_number_value(json_object_get(now, key)) / was : 1;
}

static void compare_with_before(struct executed *x, const char *name, const json_t *now) {
  const json_t *before = json_object_get(x->before, name);
  if (!before || x->ratios == ROWS_MAX) return;
  x->ratio[0][x->ratios] = ratio_of(now, before, "warp_instructions");
  x->ratio[1][x->ratios] = ratio_of(now, before, "cycles");
  printf(" %6.3f", x->ratio[0][x->ratios]);
  if (x->q->config) printf(" %6.3f", x->ratio[1][x->ratios]);
  printf(" of before");
  x->ratios++;
}

static void report_totals(struct executed *x, const char *name, const struct kernel_totals *t) {
  json_t *row = json_pack("{s:s, s:I, s:I}", "name", name, "warp_instructions", (json_int_t)t->retired, "cycles",
                          (json_int_t)t->cycles);
  printf("%-20s %9" PRIu64 " warp instructions", name, t->retired);
  if (t->cycles) printf(" %9" PRIu64 " cycles", t->cycles);
  compare_with_before(x, name, row);
  printf("\n");
  fflush(stdout);
  (void)json_array_append_new(x->list, row);
}

/* What the machine cannot run is no row. */
static bool machine_can_run(const struct executed *x, const struct heddle_program *p, const struct kernel_case *c) {
  char why[2048];
  struct heddle_machine m = {.size = sizeof m};
  if (!x->q->config) return true;
  run_machine(&x->run, &m);
  return rtl_lack(p, heddle_config_units(x->run.config), why, sizeof why) == 0 &&
         !kernel_lacks(&m, p, c, why, sizeof why);
}

static int run_case(struct executed *x, const char *name, const struct heddle_program *p, const struct kernel_case *c) {
  struct kernel_totals t = {0};
  char why[512] = "";
  int status = TOOL_OK;
  if (!machine_can_run(x, p, c)) return TOOL_OK;
  struct runner *r = runner_new(&x->run, &status);
  if (!r) return status;
  const bool ok = kernel_run(r, p, c, &t, why, sizeof why);
  runner_free(r);
  if (ok)
    report_totals(x, name, &t);
  else
    tool_error("bench compiler: %s: %s", name, why);
  x->failed += !ok;
  return TOOL_OK;
}

/* Not TOOL_OK: nothing can run here. A wrong result is counted, and the others go on. */
static int measure_form(struct executed *x, const char *folder, const struct kernel_info *k, enum kernel_form form) {
  const struct source_options with = {.target = x->q->target,
                                      .units = x->q->config ? heddle_config_units(x->run.config) : 0,
                                      .level = 1,
                                      .without = x->q->without,
                                      .config = x->q->config};
  char name[64];
  row_name(k, form, name, sizeof name);
  if (!kernel_has(k, form) || !asked_for(x->q, name, form)) return TOOL_OK;
  struct heddle_program *p = kernel_program(folder, k, form, &with);
  struct kernel_case *c = calloc(1, sizeof *c);
  const bool made = p && c && kernel_prepare(k, form, 1, (unsigned)x->q->scale, c);
  const int status = made ? run_case(x, name, p, c) : TOOL_USAGE;
  if (made) kernel_case_clear(c);
  free(c);
  heddle_program_free(p);
  return status;
}

/* Rows of a file of --json by their names. NULL after a message. */
static json_t *rows_before(const char *path) {
  json_error_t e;
  json_t *root = json_load_file(path, 0, &e), *named = json_object(), *row;
  size_t i;
  json_array_foreach(json_object_get(root, "executed"), i, row)(void)
      json_object_set(named, json_string_value(json_object_get(row, "name")), row);
  const bool some = json_object_size(named) > 0;
  if (!some) tool_error("%s: %s", path, root ? "no figures of 'heddle bench compiler --json'" : e.text);
  json_decref(root);
  if (some) return named;
  json_decref(named);
  return NULL;
}

static void print_ratios(struct executed *x) {
  static const char *const what[2] = {"warp instructions", "cycles"};
  for (unsigned i = 0; x->ratios > 0 && i < 2; i++) {
    if (i == 1 && !x->q->config) break;
    const double median = bench_median(x->ratio[i], x->ratios);
    printf("%s of before: median %5.3f, best %5.3f, worst %5.3f of %zu\n", what[i], median, x->ratio[i][0],
           x->ratio[i][x->ratios - 1], x->ratios);
  }
}

static int prepare_runs(struct executed *x, const struct bench_request *q) {
  x->q = q;
  run_options_init(&x->run);
  x->run.on = q->config ? ON_RTL : ON_MODEL;
  x->run.config_given = q->config != NULL;
  if (q->config) x->run.config_name = q->config;
  x->run.target = q->target;
  x->run.target_given = true;
  x->run.calm = true;
  x->run.latency = LATENCY;
  const int status = run_options_finish(&x->run, "bench");
  if (status == TOOL_OK && q->against && !(x->before = rows_before(q->against))) return TOOL_USAGE;
  return status;
}

/* what kernels execute: a list of rows */
static json_t *bench_executed(const struct bench_request *q, int *status) {
  struct executed *x = calloc(1, sizeof *x);
  char folder[4096];
  json_t *list = json_array();
  *status = TOOL_USAGE;
  if (!x || !data_path("kernels", folder, sizeof folder)) {
    free(x);
    return list;
  }
  x->list = list;
  *status = prepare_runs(x, q);
  for (const struct kernel_info *k = kernel_table; k->name && *status == TOOL_OK; k++)
    for (unsigned f = KERNEL_PTX; f < KERNEL_FORMS && *status == TOOL_OK; f++)
      *status = measure_form(x, folder, k, (enum kernel_form)f);
  if (*status == TOOL_OK) print_ratios(x);
  if (*status == TOOL_OK && x->failed > 0) *status = TOOL_DIFFERENCE;
  json_decref(x->before);
  free(x);
  return list;
}

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
    ok = heddle_ptx_compile((const char *)text, size, path, &b->options, &p, &figures, &kernels) == HEDDLE_SUCCESS;
    seconds[run] = bench_cpu_seconds() - start;
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
