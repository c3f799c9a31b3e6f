/* SPDX-License-Identifier: Apache-2.0
 *
 * Results as JSON: the members of run beside the envelope (json_out.h). */
#ifndef HEDDLE_RESULT_JSON_H
#define HEDDLE_RESULT_JSON_H

#include <jansson.h>

#include "run/runner/runner.h"
#include "run/job/waivers.h"

/* One run; also written when it failed. waived: why the failure is known, or NULL. */
bool result_write_json(const char *path, const struct run_options *o, const struct job *job, const struct run_result *r,
                       const struct waiver *waived, int exit_status);
json_t *result_json(const struct job *job, const struct run_result *r); /* NULL: no memory */
json_t *result_diagnosis(const struct signature *d);
json_t *result_header(const struct run_options *o); /* seed, where it ran and how */
/* Member `counters`: of a device its events, too (profile.h). */
json_t *result_counters(const struct run_options *o, uint64_t retired, uint64_t cycles, const uint64_t *counter);

#endif
