/* SPDX-License-Identifier: Apache-2.0
 * Running jobs where --on says. */
#include <stdlib.h>
#include <string.h>

#include "runner_internal.h"

struct runner {
  struct run_options options;
};

struct runner *runner_new(const struct run_options *o, int *status) {
  struct runner *r = calloc(1, sizeof *r);
  if (!r) {
    *status = TOOL_USAGE;
    return NULL;
  }
  r->options = *o;
  if (o->on != ON_MODEL) {
    tool_error("--on %s is not built", run_on_name(o->on));
    *status = TOOL_MISSING;
    free(r);
    return NULL;
  }
  return r;
}

void runner_free(struct runner *r) { free(r); }

void runner_run(struct runner *r, const struct job *job, uint64_t seed, uint8_t *image, struct run_result *out) {
  (void)seed;
  memset(out, 0, sizeof *out);
  run_model(&r->options, job, image, out);
}

void run_result_clear(struct run_result *r) {
  free(r->report);
  r->report = NULL;
}

int run_exit_status(enum run_status s) {
  static const int exits[] = {[RUN_OK] = TOOL_OK,          [RUN_DIFFERENCE] = TOOL_DIFFERENCE,
                              [RUN_TRAP] = TOOL_TRAPPED,   [RUN_LIMIT] = TOOL_LIMIT,
                              [RUN_BAD_INPUT] = TOOL_USAGE, [RUN_MISSING] = TOOL_MISSING};
  return exits[s];
}

const char *run_status_name(enum run_status s) {
  static const char *const names[] = {[RUN_OK] = "ok",           [RUN_DIFFERENCE] = "difference", [RUN_TRAP] = "trap",
                                      [RUN_LIMIT] = "limit",     [RUN_BAD_INPUT] = "bad input",   [RUN_MISSING] = "missing"};
  return names[s];
}
