/* SPDX-License-Identifier: Apache-2.0
 *
 * Results as JSON (version 1) and JUnit XML. */
#ifndef HEDDLE_RESULT_JSON_H
#define HEDDLE_RESULT_JSON_H

#include <jansson.h>

#include "runner.h"

/* One run; also written when it failed. */
bool result_write_json(const char *path, const struct run_options *o, const struct job *job, const struct run_result *r,
                       int exit_status);
json_t *result_json(const struct job *job, const struct run_result *r); /* NULL: no memory */
json_t *result_diagnosis(const struct run_diagnosis *d);
json_t *result_header(const struct run_options *o); /* version, build, seed, where */

/* A list of named results as JUnit. */
struct junit_case {
  const char *name, *failure; /* failure NULL = passed */
  const char *again;          /* the command that repeats it, or NULL */
  double seconds;
};
bool result_write_junit(const char *path, const char *suite, const struct junit_case *cases, size_t count);

#endif
