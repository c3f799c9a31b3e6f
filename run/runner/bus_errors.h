/* SPDX-License-Identifier: Apache-2.0
 *
 * --bus-errors: where memory answers with errors, as text. */
#ifndef HEDDLE_BUS_ERRORS_H
#define HEDDLE_BUS_ERRORS_H

#include "run/job/job.h"

int bus_errors_take(struct job *j, const char *text); /* "0x102000:128", "code+0x40:16"; TOOL_OK, or told */
bool bus_errors_fit(const struct job *j);             /* after job_build: do they lie in what there is? False: told */

#endif
