/* SPDX-License-Identifier: Apache-2.0
 * Kernels for the study of divergence: on the model, or on a device with a trace between. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "lab/study/divergence_study.h"
#include "run/cases/kernel_run.h"

struct into {
  const struct divergence_request *q;
  struct studied *s;
  bool its, full;
};

static bool take_streams(void *ctx, const struct streams *s, bool its, char *why, size_t n) {
  const struct into *to = ctx;
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
  struct into *to = ctx;
  (void)number;
  struct heddle_machine is;
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
  bool ok = heddle_model_launch(m, &l) == HEDDLE_OK;
  if (!ok) snprintf(why, n, "the model: %s", heddle_model_diag(m));
  ok = ok && feed_model(m, &l, &machine, take_streams, to, why, n);
  if (ok) memcpy(image, heddle_model_memory(m), j->mem_bytes);
  heddle_model_free(m);
  return ok;
}

/* On the device, with a trace in a file that is gone afterwards. */
static int case_on_device(struct into *to, const struct kernel_case *c, bool *ok, char *why, size_t n) {
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
    struct into to = {q, s, its != 0, its == 0};
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

int divergence_kernel(const struct divergence_request *q, const struct kernel_info *k, const char *dir,
                      struct studied *s) {
  char why[1024] = "no memory";
  struct heddle_machine is;
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

int divergence_trace(const struct divergence_request *q, struct studied *s) {
  char why[1024];
  const char *base = strrchr(q->trace, '/');
  struct into to = {q, s, false, true};
  snprintf(s->name, sizeof s->name, "%.160s", base != NULL ? base + 1 : q->trace);
  if (feed_trace(q->trace, take_streams, &to, why, sizeof why)) return TOOL_OK;
  tool_error("%s", why);
  return TOOL_USAGE;
}
