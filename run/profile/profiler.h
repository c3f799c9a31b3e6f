/* SPDX-License-Identifier: Apache-2.0
 *
 * --profile-out DIR: cycles of each warp, charged to instructions and lines (docs/profile.md). Source: the class
 * that a device reports for each warp in each cycle (heddle_dut_classes), and its records. The sums must equal the
 * device's own event counters. */
#ifndef HEDDLE_PROFILER_H
#define HEDDLE_PROFILER_H

#include <heddle/session.h>
#include "run/options/options.h"
#include "run/job/job.h"

struct profiler;
struct profiler *profiler_new(const struct run_options *o);               /* NULL: no memory */
void profiler_watch(struct profiler *p, struct heddle_session_config *c); /* before a session is opened */
void profiler_begin(struct profiler *p, const struct job *job);           /* the collected data is dropped */
/* A launch has come to its end: its counters are read. */
void profiler_launched(struct profiler *p, struct heddle_session *s, const struct heddle_session_result *r);
/* Is what was charged, of each class of each SM, what the counters say? False, with what is not, if anything is
 * missing. */
bool profiler_is_counted(const struct profiler *p, char *why, size_t n);
/* All files. A runner of several jobs has a folder for each in that of --profile-out. */
bool profiler_write(struct profiler *p, char *why, size_t n);
void profiler_free(struct profiler *p);

#endif
