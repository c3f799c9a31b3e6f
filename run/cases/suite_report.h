/* SPDX-License-Identifier: Apache-2.0
 * Reports of a suite: failures by signature, JUnit XML, the report. */
#ifndef HEDDLE_RUN_CASES_SUITE_REPORT_H
#define HEDDLE_RUN_CASES_SUITE_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "run/cases/suite.h"
#include "run/job/waivers.h"

/* Failures by signature (cosim/checker/report.h). A bucket is a member of a JSON object, under its signature:
 *   count      failures
 *   why, repeat, and further members of its owner: of the first failure
 *   smallest   a file that shows it, if a small one was made; instructions: number left in it
 *   waived     {"until", "reason"}, if it is known */

/* Counts a failure; `first`, which is let go, becomes the bucket if it is the first one. Returns the bucket. */
json_t *bucket_add(json_t *buckets, const char *signature, json_t *first);
/* Marks those that are waived, and counts their failures with the waiver. How many failures these are. */
json_int_t buckets_waive(json_t *buckets, struct waivers *w);
/* On stdout: "3 x s1:...", and of each how it is repeated. */
void buckets_print(json_t *buckets);

/* Results as JUnit XML, for whatever shows tests. */

/* A list of named results as JUnit. */
struct junit_case {
  const char *name, *failure; /* failure NULL = passed */
  const char *again;          /* the command that repeats it, or NULL */
  double seconds;
};
bool result_write_junit(const char *path, const char *suite, const struct junit_case *cases, size_t count);

/* Output of a suite: progress, failures, the closing line, files. */

/* A line that overwrites itself on a terminal; nothing else where. */
void suite_progress(const struct suite *s, size_t said);
/* Everything about all verdicts, by item; the exit status. `w`: failures that are known; NULL: none are. */
int suite_report(const struct suite *s, const struct suite_verdict *verdict, struct waivers *w);

#endif
