/* SPDX-License-Identifier: Apache-2.0
 * Jobs on the model alone. */
#include <string.h>

#include "runner_internal.h"

static void store(void *ctx, uint64_t addr, const void *data, uint64_t bytes) {
  const struct model_memory *m = ctx;
  memcpy(m->at + (addr - m->base), data, bytes);
}

void run_job_on_model(const struct run_options *o, const struct job *job, uint8_t *image, struct run_result *out) {
  struct heddle_model *m = heddle_model_new(job->mem_base, job->mem_bytes, o->config->warps, o->config->blocks);
  if (!m) {
    out->status = RUN_BAD_INPUT;
    snprintf(out->message, sizeof out->message, "out of memory");
    return;
  }
  struct model_memory memory = {.at = heddle_model_memory(m), .base = job->mem_base};
  job_store_inputs(job, store, &memory);
  enum heddle_status s = heddle_model_launch(m, &job->launch);
  if (s == HEDDLE_OK) s = heddle_model_run(m, o->max_cycles, &out->retired);
  switch (s) {
  case HEDDLE_OK: out->status = RUN_OK; break;
  case HEDDLE_TRAPPED:
    out->status = RUN_TRAP;
    out->trap = *heddle_model_trap(m);
    break;
  case HEDDLE_LIMIT: out->status = RUN_LIMIT; break;
  case HEDDLE_UNDEFINED: out->status = RUN_DIFFERENCE; break;
  default: out->status = RUN_BAD_INPUT; break;
  }
  if (s != HEDDLE_OK) snprintf(out->message, sizeof out->message, "%s", heddle_model_diag(m));
  if (image) memcpy(image, heddle_model_memory(m), job->mem_bytes);
  heddle_model_free(m);
}
