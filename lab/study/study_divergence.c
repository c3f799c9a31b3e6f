/* SPDX-License-Identifier: Apache-2.0
 *
 * heddle study divergence: options, one kernel after the other, on the model or on a device.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/array.h"
#include "base/file.h"
#include "lab/study/study_divergence.h"
#include "lab/study/study.h"
#include "run/cases/kernel_run.h"
#include "run/command/tool.h"
#include "run/command/json_out.h"
#include "run/runner/runner.h"

/* Kernels for the study of divergence: on the model, or on a device with a trace between. */

struct run_into {
  const struct divergence_request *q;
  struct studied *s;
  bool its, full;
};

static bool take_streams(void *ctx, const struct streams *s, bool its, char *why, size_t n) {
  const struct run_into *to = ctx;
  if (to->s->code == NULL) {
    to->s->code_bytes = s->code.words * ISA_STEP;
    to->s->code = malloc((size_t)to->s->code_bytes + 1);
    if (to->s->code == NULL) return snprintf(why, n, "no memory"), false;
    memcpy(to->s->code, s->bytes, to->s->code_bytes);
  }
  return divergence_add(&to->s->d, s, its, to->full, &to->q->how, why, n);
}

static unsigned at_most(unsigned n, unsigned most) {
  return n < most ? n : most;
}

/* A launch on a model of its own; `image` receives what it leaves. */
static bool launch_on_model(void *ctx, unsigned number, const struct job *j, uint8_t *image, char *why, size_t n) {
  struct run_into *to = ctx;
  (void)number;
  struct heddle_machine is = {.size = sizeof is};
  run_machine(&to->q->run, &is);
  const struct heddle_model_config c = {.size = sizeof c,
                                        .base = j->mem_base,
                                        .bytes = j->mem_bytes,
                                        .warp_slots = is.warps,
                                        .block_slots = is.blocks,
                                        .divergence = to->its ? HEDDLE_ITS : HEDDLE_STACK};
  const uint64_t most = to->q->run.max_cycles;
  const struct feed_machine machine = {.warp_slots = at_most(is.warps, HEDDLE_RECORD_WARPS),
                                       .block_slots = at_most(is.blocks, HEDDLE_RECORD_WARPS),
                                       .its = to->its,
                                       .most = most != 0 ? most : STUDY_MOST};
  struct heddle_model *m = heddle_model_new(&c);
  if (m == NULL) return snprintf(why, n, "no memory"), false;
  job_store_inputs(j, heddle_model_memory(m));
  struct heddle_launch l = j->launch;
  l.units = is.units;
  l.rtl_only = (is.units >> ISA_PART_MODEL & 1) == 0;
  bool ok = heddle_model_launch(m, &l) == HEDDLE_SUCCESS;
  if (!ok) snprintf(why, n, "the model: %s", heddle_model_diag(m));
  ok = ok && feed_model(m, &l, &machine, take_streams, to, why, n);
  if (ok) memcpy(image, heddle_model_memory(m), j->mem_bytes);
  heddle_model_free(m);
  return ok;
}

/* On the device, with a trace in a file that is gone afterwards. */
static int case_on_device(struct run_into *to, const struct kernel_case *c, bool *ok, char *why, size_t n) {
  char path[TEMPORARY_PATH];
  struct kernel_totals t = {0};
  struct run_options o = to->q->run;
  int status = TOOL_USAGE;
  if (!temporary_file(path, "study")) {
    tool_error("%s: no temporary file: %s", path, strerror(errno));
    return TOOL_USAGE;
  }
  o.trace = path;
  o.its = to->its;
  struct runner *r = runner_new(&o, &status);
  if (r != NULL) {
    status = TOOL_OK;
    *ok = kernel_run(r, to->s->program, c, &t, why, n);
    runner_free(r); /* completes the trace */
    *ok = *ok && feed_trace(path, take_streams, to, why, n);
  }
  temporary_remove(path);
  return status;
}

static int both_units(const struct divergence_request *q, const struct kernel_case *c, struct studied *s, char *why,
                      size_t n, bool *ok) {
  for (unsigned its = 0; its < 2 && *ok; its++) {
    struct run_into to = {q, s, its != 0, its == 0};
    if (q->run.on == ON_MODEL) {
      *ok = kernel_case_run(s->program, c, launch_on_model, &to, why, n);
      continue;
    }
    const int status = case_on_device(&to, c, ok, why, n);
    if (status != TOOL_OK) return status;
  }
  *ok = *ok && divergence_agree(&s->d, why, n);
  return TOOL_OK;
}

static int divergence_kernel(const struct divergence_request *q, const struct kernel_info *k, const char *dir,
                             struct studied *s) {
  char why[1024] = "no memory";
  struct heddle_machine is = {.size = sizeof is};
  run_machine(&q->run, &is);
  const enum kernel_form form = kernel_has(k, KERNEL_ASM) ? KERNEL_ASM : KERNEL_PTX;
  snprintf(s->name, sizeof s->name, form == KERNEL_ASM ? "%s" : "%s.%s", k->name, kernel_form_name(form));
  struct source_options with = run_source(&q->run);
  with.level = 1;
  s->program = kernel_program(dir, k, form, &with);
  if (s->program == NULL) return TOOL_USAGE;
  struct kernel_case *c = malloc(sizeof *c);
  bool ok = c != NULL && kernel_prepare(k, form, q->run.seed * 1000, (unsigned)q->scale, c);
  int status = TOOL_OK;
  if (ok) {
    if (!kernel_lacks(&is, s->program, c, s->lacks, sizeof s->lacks))
      status = both_units(q, c, s, why, sizeof why, &ok);
    kernel_case_clear(c);
  }
  free(c);
  if (status != TOOL_OK || ok) return status;
  tool_error("%s: %s", s->name, why);
  return TOOL_DIFFERENCE;
}

/* study_divergence.c: one kernel under both units, compared with what the host computed; a trace. An exit status. */
static int divergence_trace(const struct divergence_request *q, struct studied *s) {
  char why[1024];
  const char *base = strrchr(q->trace, '/');
  struct run_into to = {q, s, false, true};
  snprintf(s->name, sizeof s->name, "%.160s", base != NULL ? base + 1 : q->trace);
  if (feed_trace(q->trace, take_streams, &to, why, sizeof why)) return TOOL_OK;
  tool_error("%s", why);
  return TOOL_USAGE;
}

/* heddle study divergence: options, and one kernel after the other. */

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
