/* SPDX-License-Identifier: Apache-2.0
 *
 * What lint says of the units and limits of a program, beside its control codes. */
#ifndef HEDDLE_LINT_NEEDS_H
#define HEDDLE_LINT_NEEDS_H

#include <jansson.h>

#include <heddle/machine.h>

/* A line on stdout and a member of `list` for each kernel that `m` (NULL: no machine is asked about) cannot run with a
 * single warp, and for each whose note says something else than its words. How many. */
unsigned lint_needs(const char *file, const struct heddle_program *p, const struct heddle_machine *m, json_t *list);

#endif
