/* SPDX-License-Identifier: Apache-2.0
 * --cov in a build without the laboratory (-DHEDDLE_LAB=OFF): it is refused, so that nothing is ever collected. */
#include <stddef.h>

#include "run/options/cov_run.h"

int cov_run_check(const struct run_options *o) {
  tool_error("--cov %s: this heddle was built without coverage (cmake -DHEDDLE_LAB=ON)", o->cov);
  return TOOL_MISSING;
}

struct cov_run *cov_run_new(const struct run_options *o) {
  (void)o;
  return NULL;
}

void cov_run_watch(struct cov_run *v, struct heddle_session_config *c) {
  (void)v, (void)c;
}

void cov_run_closed(struct cov_run *v) {
  (void)v;
}

struct cov_collector *cov_run_collector(struct cov_run *v) {
  (void)v;
  return NULL;
}

void cov_run_free(struct cov_run *v) {
  (void)v;
}
