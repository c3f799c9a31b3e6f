/* SPDX-License-Identifier: Apache-2.0
 * heddle study bounds: options, and one kernel after the other. */
#include <stdlib.h>

#include "base/array.h"
#include "run/profile/bounds.h"
#include "run/command/json_out.h"
#include "run/runner/runner.h"
#include "lab/study/study.h"

const struct tool_option study_bounds_options[] = {
    {"config", "NAME", "machine (default fpga)", 'c', NULL},
    {"scale", "N", "size: 0 small, 1 (default) at least 10,000 warp instructions a kernel", 'x', NULL},
    {"seed", "N", "of the inputs (default 1)", 's', NULL},
    {"latency", "N", "memory answers after exactly N cycles (default 100)", 'l', NULL},
    {"max-cycles", "N", "limit of a launch", 'm', NULL},
    {"o", "DIR", "also write DIR/bounds.md and DIR/bounds.png there, the latter by gnuplot", 'o', NULL},
    {"json", "FILE", "the same as JSON (-: on stdout)", 'j', NULL},
    {0}};
static const struct tool_group groups[] = {{NULL, study_bounds_options}, {0}};

static int take_bounds_option(struct bounds_request *q, int option) {
  uint64_t n = 0;
  int status = TOOL_OK;
  switch (option) {
  case 'c':
    return run_options_take(&q->run, "study", RUN_OPTION_CONFIG, optarg);
  case 's':
    return run_options_take(&q->run, "study", RUN_OPTION_SEED, optarg);
  case 'm':
    return run_options_take(&q->run, "study", RUN_OPTION_MAX_CYCLES, optarg);
  case 'x':
    return study_number("scale", optarg, 0, 1000000, &q->scale);
  case 'l':
    status = study_number("latency", optarg, 1, 100000, &n);
    q->run.latency = (uint32_t)n;
    return status;
  case 'o':
    return q->out = optarg, TOOL_OK;
  case 'j':
    return q->run.json = json_out_take(optarg), TOOL_OK;
  default:
    return TOOL_USAGE;
  }
}

static int parse_bounds_options(struct bounds_request *q, int argc, char **argv) {
  optind = 1;
  for (int o; (o = tool_option_next("study", groups, argc, argv)) != -1;) {
    const int status = take_bounds_option(q, o);
    if (status != TOOL_OK) return status;
  }
  const int named = study_named(argc, argv);
  return named == TOOL_OK ? run_options_finish(&q->run, "study") : named;
}

struct into {
  const struct bounds_request *q;
  struct bounds *s;
};

static int study_bounds_kernel(void *ctx, const struct kernel_info *k, const char *dir) {
  const struct into *to = ctx;
  struct bounds *s = to->s;
  if (!array_room(&s->of, &s->room, s->n + 1, sizeof *s->of)) return tool_error("no memory"), TOOL_USAGE;
  s->of[s->n] = (struct bounded){.lacks = ""};
  return bounds_kernel(to->q, k, dir, &s->of[s->n++]);
}

static void print_bounds(const void *ctx, FILE *f) {
  bounds_table(f, ctx);
}

static int tell_bounds(const struct bounds_request *q, const struct bounds *s) {
  char picture[4352];
  print_bounds(s, stdout);
  if (q->run.json != NULL && !json_out_dump(q->run.json, bounds_json(q, s))) return TOOL_USAGE;
  if (q->out == NULL) return TOOL_OK;
  const int status = study_page(q->out, "bounds", print_bounds, s);
  snprintf(picture, sizeof picture, "%.4000s/bounds.png", q->out);
  return status == TOOL_OK ? bounds_plot(picture, q->run.config, s) : status;
}

int study_bounds(int argc, char **argv) {
  struct bounds_request q = {.scale = 1};
  struct bounds s = {0};
  struct into to = {&q, &s};
  run_options_init(&q.run);
  q.run.on = ON_LOCKSTEP;
  q.run.calm = true;
  q.run.latency = 100;
  int status = parse_bounds_options(&q, argc, argv);
  if (status == TOOL_OK) s.shared = q.run.config->l2_bytes != 0;
  if (status == TOOL_OK) status = study_folder(q.out);
  if (status == TOOL_OK && !runner_keep_device(&q.run)) status = TOOL_MISSING;
  if (status == TOOL_OK) status = study_kernels(argc, argv, study_bounds_kernel, &to);
  if (status == TOOL_OK) status = tell_bounds(&q, &s);
  free(s.of);
  return status;
}
