/* SPDX-License-Identifier: Apache-2.0
 *
 * What gdb has no words for: "monitor COMMAND". */
#ifndef HEDDLE_DEBUG_MONITOR_H
#define HEDDLE_DEBUG_MONITOR_H

#include <stdio.h>

#include "run/debug/target.h"

/* The answer to `line`, about the thread in warp slot w; `report`: of a difference, or NULL. */
void monitor_run(const struct target *t, unsigned w, unsigned lane, const char *report, const char *line, FILE *out);

#endif
