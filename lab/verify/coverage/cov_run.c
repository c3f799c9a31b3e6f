/* SPDX-License-Identifier: Apache-2.0
 * --cov: a collector beside each session. */
#include "run/options/cov_run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/verify/coverage/cov.h"

enum { DEVICES_MOST = 1000 };

struct cov_run {
  const char *path;
  struct cov *cov;
  struct cov_collector *collector;
  char queues[4096]; /* where a device of variant cover writes what it counted; "": it is another variant */
};

int cov_run_check(const struct run_options *o) {
  char err[512];
  if (access(o->cov, F_OK) != 0) return TOOL_OK;
  struct cov *c = cov_read(o->cov, o->config, err, sizeof err);
  if (c == NULL) {
    tool_error("--cov: %s; name a file of machine %s, or one that is not there yet", err, o->config->name);
    return TOOL_USAGE;
  }
  cov_free(c);
  return TOOL_OK;
}

/* Each device of variant `cover` writes a file of its own when it ends; who named one for it keeps it. */
static void expect_queues(struct cov_run *v, const struct run_options *o) {
  if (strstr(o->config_name, "_cover") == NULL || getenv("HEDDLE_COVERAGE") != NULL) return;
  snprintf(v->queues, sizeof v->queues, "%.4000s.queues-%ld", v->path, (long)getpid());
  if (setenv("HEDDLE_COVERAGE", v->queues, 1) != 0 || setenv("HEDDLE_COVERAGE_INSTANCES", "1", 1) != 0)
    v->queues[0] = '\0';
}

struct cov_run *cov_run_new(const struct run_options *o) {
  struct cov_run *v = calloc(1, sizeof *v);
  if (v == NULL) return NULL;
  v->path = o->cov;
  v->cov = cov_new(o->config);
  v->collector = v->cov != NULL ? cov_collector_new(v->cov, o->scoreboard, o->its) : NULL;
  if (v->collector != NULL) {
    expect_queues(v, o);
    return v;
  }
  cov_free(v->cov);
  free(v);
  return NULL;
}

void cov_run_watch(struct cov_run *v, struct heddle_session_config *c) {
  if (v == NULL) return;
  c->observe = cov_observe;
  c->observe_ctx = v->collector;
}

struct cov_collector *cov_run_collector(struct cov_run *v) {
  return v->collector;
}

void cov_run_closed(struct cov_run *v) {
  char path[4200], err[512];
  for (unsigned i = 0; v != NULL && v->queues[0] != '\0' && i < DEVICES_MOST; i++) {
    snprintf(path, sizeof path, "%s.%u", v->queues, i);
    if (access(path, F_OK) != 0) continue;
    if (!cov_add_queues(v->cov, path, err, sizeof err)) tool_error("--cov: %s", err);
    unlink(path);
  }
}

void cov_run_free(struct cov_run *v) {
  char err[512];
  if (v == NULL) return;
  if (v->queues[0] != '\0') {
    unsetenv("HEDDLE_COVERAGE");
    unsetenv("HEDDLE_COVERAGE_INSTANCES");
  }
  cov_collector_free(v->collector);
  if (!cov_add_to_file(v->cov, v->path, err, sizeof err)) tool_error("--cov: %s; what this run reached is lost", err);
  cov_free(v->cov);
  free(v);
}
