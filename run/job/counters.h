/* SPDX-License-Identifier: Apache-2.0
 *
 * The device's event counters of a launch, as --profile shows them. */
#ifndef HEDDLE_COUNTERS_H
#define HEDDLE_COUNTERS_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "run/job/result.h"

/* A line, and one of the cache if it has counted; the model has no counters, only instructions. */
void profile_print(FILE *to, const char *name, uint64_t retired, uint64_t cycles, const uint64_t counter[RUN_COUNTERS]);
const char *profile_name(unsigned counter); /* by enum heddle_counter */
json_t *profile_json(const uint64_t counter[RUN_COUNTERS]);

#endif
