/* SPDX-License-Identifier: Apache-2.0
 *
 * --cov FILE: what the runs of one runner reach, added to a coverage database when the runner ends. Coverage is of the
 * laboratory: made in lab/verify/coverage/cov_run.c, and without it in cov_absent.c, which refuses. */
#ifndef HEDDLE_COV_RUN_H
#define HEDDLE_COV_RUN_H

#include <heddle/session.h>
#include "run/options/options.h"

/* May the file be added to: is it not there yet, or a database of this machine? TOOL_OK, or a message. */
int cov_run_check(const struct run_options *o);

struct cov_run;
struct cov_run *cov_run_new(const struct run_options *o);               /* NULL: no memory */
void cov_run_watch(struct cov_run *v, struct heddle_session_config *c); /* before each session is opened */
void cov_run_closed(struct cov_run *v);                                 /* after each session was closed */
struct cov_collector *cov_run_collector(struct cov_run *v);             /* for runs of the model alone */
/* Adds to the file, and frees. */
void cov_run_free(struct cov_run *v);

#endif
