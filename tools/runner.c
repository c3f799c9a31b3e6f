/* SPDX-License-Identifier: Apache-2.0
 * Running jobs where --on says. */
#include <stdlib.h>
#include <string.h>

#include "runner_internal.h"

struct runner {
  struct run_options options;
  struct session_runner *session; /* NULL: the model alone */
};

struct runner *runner_new(const struct run_options *o, int *status) {
  struct runner *r = calloc(1, sizeof *r);
  *status = TOOL_USAGE;
  if (!r) return NULL;
  r->options = *o;
  if (o->on != ON_MODEL && !(r->session = session_runner_new(o))) {
    free(r);
    return NULL;
  }
  *status = TOOL_OK;
  return r;
}

void runner_free(struct runner *r) {
  if (!r) return;
  session_runner_free(r->session);
  free(r);
}

/* In control mode the program's own assumption about latencies must hold on this machine. */
static bool stalls_suffice(const struct run_options *o, const struct job *job, struct run_result *out) {
  uint8_t need[8];
  if (o->on == ON_MODEL || o->scoreboard || !tool_stalls(o->config->name, need)) return true;
  for (unsigned i = 0; i < 8; i++)
    if (job->kernel->stall[i] < need[i]) {
      out->status = RUN_BAD_INPUT;
      snprintf(out->message, sizeof out->message,
               "kernel %s was scheduled for shorter latencies than %s has; assemble it for --config %s, or use --dep "
               "scoreboard",
               job->kernel->name, o->config_name, o->config_name);
      return false;
    }
  return true;
}

void runner_run(struct runner *r, const struct job *job, uint8_t *image, struct run_result *out) {
  memset(out, 0, sizeof *out);
  if (!stalls_suffice(&r->options, job, out)) return;
  if (r->session)
    session_runner_run(r->session, job, image, out);
  else
    run_job_on_model(&r->options, job, image, out);
}

void run_result_clear(struct run_result *r) {
  free(r->report);
  json_decref(r->report_json);
  r->report = NULL;
  r->report_json = NULL;
}

int run_exit_status(enum run_status s) {
  static const int exits[] = {
      [RUN_OK] = TOOL_OK,       [RUN_DIFFERENCE] = TOOL_DIFFERENCE, [RUN_TRAP] = TOOL_TRAPPED,
      [RUN_LIMIT] = TOOL_LIMIT, [RUN_BAD_INPUT] = TOOL_USAGE,       [RUN_MISSING] = TOOL_MISSING};
  return exits[s];
}

const char *run_status_name(enum run_status s) {
  static const char *const names[] = {
      [RUN_OK] = "ok",       [RUN_DIFFERENCE] = "difference", [RUN_TRAP] = "trap",
      [RUN_LIMIT] = "limit", [RUN_BAD_INPUT] = "bad input",   [RUN_MISSING] = "missing"};
  return names[s];
}
