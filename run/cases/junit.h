/* SPDX-License-Identifier: Apache-2.0
 *
 * Results as JUnit XML, for whatever shows tests. */
#ifndef HEDDLE_TOOLS_JUNIT_H
#define HEDDLE_TOOLS_JUNIT_H

#include <stdbool.h>
#include <stddef.h>

/* A list of named results as JUnit. */
struct junit_case {
  const char *name, *failure; /* failure NULL = passed */
  const char *again;          /* the command that repeats it, or NULL */
  double seconds;
};
bool result_write_junit(const char *path, const char *suite, const struct junit_case *cases, size_t count);

#endif
