/* SPDX-License-Identifier: Apache-2.0
 *
 * Where --json goes: a file, or with "-" standard output; what else would be said there is then said on standard
 * error, so that a reader finds JSON and nothing else.
 */
#ifndef HEDDLE_TOOLS_JSON_OUT_H
#define HEDDLE_TOOLS_JSON_OUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* The value of --json, as the option is read. */
const char *json_out_take(const char *path);

FILE *json_out_open(const char *path); /* NULL: errno says why */
/* Writes root and a line's end, and lets it go; what goes wrong is reported. */
bool json_out_dump(const char *path, json_t *root);

#endif
