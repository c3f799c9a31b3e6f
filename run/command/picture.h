/* SPDX-License-Identifier: Apache-2.0
 *
 * Pictures by gnuplot, which reads a script with the points in it. */
#ifndef HEDDLE_TOOLS_PICTURE_H
#define HEDDLE_TOOLS_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

/* Runs gnuplot on a script that has been written to a file of its own (tmpfile); NULL: asks whether it runs at all. */
bool picture_gnuplot(FILE *script);
/* gnuplot runs, else TOOL_MISSING with what installs it, in the words of option `what`. */
int picture_ready(const char *what);
/* The path as gnuplot takes it: a quote is doubled, and nothing at its beginning has a meaning. No line breaks. */
void picture_path(FILE *script, const char *path);

#endif
