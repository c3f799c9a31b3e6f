/* SPDX-License-Identifier: Apache-2.0
 * heddle study divergence: options, and one kernel after the other. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "run/command/tool.h"
#include "lab/study/divergence_study.h"
#include "run/command/json_out.h"
#include "run/runner/runner.h"
#include "lab/study/study.h"

const struct tool_option study_divergence_options[] = {
    {"on", "WHERE", "model (default) or rtl: where kernels run", 'w', "model rtl"},
    {"config", "NAME", "machine (default: on the model the whole one, else fpga)", 'c', NULL},
    {"scale", "N", "size: 0 small (default), 1 at least 10,000 warp instructions a kernel", 'x', NULL},
    {"seed", "N", "of the inputs (default 1)", 's', NULL},
    {"policy", "NAME",
     "of dynamic warp formation: majority (default: where most threads wait, until none is left there) or pc (the "
     "lowest address)",
     'p', "majority pc"},
    {"join", "WARP",
     "which warp threads join there: last (default: the youngest, as a table with an entry an address has it) or any "
     "that has room",
     'i', "last any"},
    {"pool", "N", "warps of blocks that live at once, for dynamic warp formation (default 16)", 'n', NULL},
    {"branches", NULL, "also a table of the branches that diverged", 'b', NULL},
    {"trace", "FILE", "no kernel: a recorded trace, of any core at any profile", 't', NULL},
    {"max-cycles", "N", "limit of a launch (model: warp instructions)", 'm', NULL},
    {"o", "DIR", "also write DIR/divergence.md and DIR/divergence.png there, the latter by gnuplot", 'o', NULL},
    {"json", "FILE", "the same as JSON (-: on stdout)", 'j', NULL},
    {0}};
static const struct tool_group groups[] = {{NULL, study_divergence_options}, {0}};

static int take_policy(struct divergence_request *q, const char *name) {
  q->how.formation.policy = strcmp(name, "pc") == 0 ? POLICY_PC : POLICY_MAJORITY;
  if (strcmp(name, "pc") == 0 || strcmp(name, "majority") == 0) return TOOL_OK;
  return tool_usage("study", "--policy %s: expected majority or pc", name);
}

static int take_join(struct divergence_request *q, const char *name) {
  q->how.formation.any = strcmp(name, "any") == 0;
  if (strcmp(name, "any") == 0 || strcmp(name, "last") == 0) return TOOL_OK;
  return tool_usage("study", "--join %s: expected last or any", name);
}

static int take_place(struct divergence_request *q, const char *name) {
  if (strcmp(name, "model") == 0 || strcmp(name, "rtl") == 0)
    return run_options_take(&q->run, "study", RUN_OPTION_ON, name);
  return tool_usage("study", "--on %s: expected model or rtl", name);
}

static int take_pool(struct divergence_request *q) {
  uint64_t n;
  const int status = study_number("pool", optarg, 1, 65536, &n);
  if (status == TOOL_OK) q->how.formation.warps = (unsigned)n;
  return status;
}

static int take_divergence_option(struct divergence_request *q, int option) {
  switch (option) {
  case 'w':
    return take_place(q, optarg);
  case 'c':
    return run_options_take(&q->run, "study", RUN_OPTION_CONFIG, optarg);
  case 's':
    return run_options_take(&q->run, "study", RUN_OPTION_SEED, optarg);
  case 'm':
    return run_options_take(&q->run, "study", RUN_OPTION_MAX_CYCLES, optarg);
  case 'x':
    return study_number("scale", optarg, 0, 1000000, &q->scale);
  case 'p':
    return take_policy(q, optarg);
  case 'i':
    return take_join(q, optarg);
  case 'n':
    return take_pool(q);
  case 'b':
    return q->branches = true, TOOL_OK;
  case 't':
    return q->trace = optarg, TOOL_OK;
  case 'o':
    return q->out = optarg, TOOL_OK;
  case 'j':
    return q->run.json = json_out_take(optarg), TOOL_OK;
  default:
    return TOOL_USAGE;
  }
}

static int parse_divergence_options(struct divergence_request *q, int argc, char **argv) {
  optind = 1;
  for (int o; (o = tool_option_next("study", groups, argc, argv)) != -1;) {
    const int status = take_divergence_option(q, o);
    if (status != TOOL_OK) return status;
  }
  const int named = study_named(argc, argv);
  if (named != TOOL_OK) return named;
  if (q->trace != NULL && optind < argc) return tool_usage("study", "--trace FILE or kernels, not both");
  return run_options_finish(&q->run, "study");
}

static struct studied *more(struct study *s) {
  if (!array_room(&s->of, &s->room, s->n + 1, sizeof *s->of)) return NULL;
  s->of[s->n] = (struct studied){.lacks = ""};
  return &s->of[s->n++];
}

struct into {
  const struct divergence_request *q;
  struct study *s;
};

static int study_divergence_kernel(void *ctx, const struct kernel_info *k, const char *dir) {
  const struct into *to = ctx;
  struct studied *one = more(to->s);
  if (one == NULL) return tool_error("no memory"), TOOL_USAGE;
  return divergence_kernel(to->q, k, dir, one);
}

static int kernels(const struct divergence_request *q, int argc, char **argv, struct study *s) {
  struct into to = {q, s};
  if (q->run.on != ON_MODEL && !runner_keep_device(&q->run)) return TOOL_MISSING;
  return study_kernels(argc, argv, study_divergence_kernel, &to);
}

static void print_divergence(const void *ctx, FILE *f) {
  const struct into *to = ctx;
  divergence_table(f, to->s);
  if (!to->q->branches) return;
  fputc('\n', f);
  divergence_branches(f, to->s);
}

static int tell_divergence(const struct divergence_request *q, struct study *s) {
  const struct into of = {q, s};
  char picture[4352];
  print_divergence(&of, stdout);
  if (q->run.json != NULL && !json_out_dump(q->run.json, divergence_json(q, s))) return TOOL_USAGE;
  if (q->out == NULL) return TOOL_OK;
  const int status = study_page(q->out, "divergence", print_divergence, &of);
  snprintf(picture, sizeof picture, "%.4000s/divergence.png", q->out);
  return status == TOOL_OK ? divergence_plot(picture, s) : status;
}

int study_divergence(int argc, char **argv) {
  struct divergence_request q = {.how = {{POLICY_MAJORITY, 16, false, false}}};
  struct study s = {0};
  run_options_init(&q.run);
  q.run.on = ON_MODEL;
  int status = parse_divergence_options(&q, argc, argv);
  if (status == TOOL_OK) status = study_folder(q.out);
  if (status == TOOL_OK && q.trace != NULL) {
    struct studied *one = more(&s);
    status = one != NULL ? divergence_trace(&q, one) : TOOL_USAGE;
  } else if (status == TOOL_OK) {
    status = kernels(&q, argc, argv, &s);
  }
  if (status == TOOL_OK) status = tell_divergence(&q, &s);
  for (size_t k = 0; k < s.n; k++) {
    divergence_clear(&s.of[k].d);
    heddle_program_free(s.of[k].program);
    free(s.of[k].code);
  }
  free(s.of);
  return status;
}
