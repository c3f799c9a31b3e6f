/* SPDX-License-Identifier: Apache-2.0
 *
 * Which program this is, and what is built beside it. */
#ifndef HEDDLE_TOOLS_VERSION_H
#define HEDDLE_TOOLS_VERSION_H

#include <jansson.h>
#include <stdio.h>

const char *version_number(void); /* "0.3.0" */
void version_print(FILE *to);     /* what `heddle --version` says */
json_t *version_json(void);       /* version, commit, isa */

#endif
