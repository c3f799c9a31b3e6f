/* SPDX-License-Identifier: Apache-2.0
 * heddle bench compiler: what compiled kernels execute. The kernels of firmware/kernels, from each PTX that clang made
 * of them, at the sizes of `heddle kernels`: warp instructions, on the model; with --config those of that machine's
 * RTL, and its cycles, over a memory that always answers after LATENCY cycles, so that two runs of one build print the
 * same. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lab/bench/bench.h"
#include "run/cases/kernel_run.h"
#include "run/command/tool.h"
#include "run/runner/runner.h"

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
  struct heddle_machine m;
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

json_t *bench_executed(const struct bench_request *q, int *status) {
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
