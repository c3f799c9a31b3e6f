/* SPDX-License-Identifier: Apache-2.0
 * Output of a result: JSON, printed text, the same launch again after digests, the closing lines. */
#ifndef HEDDLE_RUN_RUNNER_CONCLUDE_H
#define HEDDLE_RUN_RUNNER_CONCLUDE_H

#include <jansson.h>

#include "run/job/waivers.h"
#include "run/runner/runner.h"

/* Results as JSON: the members of run beside the envelope (json_out.h). */

/* One run; also written when it failed. waived: why the failure is known, or NULL. */
bool result_write_json(const char *path, const struct run_options *o, const struct job *job, const struct run_result *r,
                       const struct waiver *waived, int exit_status);
json_t *result_diagnosis(const struct signature *d);
json_t *result_header(const struct run_options *o); /* seed, where it ran and how */
/* Member `counters`: of a device its events, too (profile.h). */
json_t *result_counters(const struct run_options *o, uint64_t retired, uint64_t cycles, const uint64_t *counter);

/* Printed text of a launch, on stdout, from an image of global memory [mem_base, mem_base + mem_bytes), when the
 * grid has ended or trapped; lost text is reported on stderr. Both are counted in the result. */
void printed_show(const struct job *j, const uint8_t *image, struct run_result *r);

/* heddle run --replay: judges the digests of a device of variant digest. Where digests are wrong, the same launch
 * runs once more on the device that sends all, and that is judged, too. */

/* Can it be, by the options? TOOL_OK, or what the command ends with. */
int run_replay_check(const struct run_options *o, const char *file);
/* The runner of `o` is gone, so that o->stream is complete; `file` gets the full stream, where it is needed. Says what
 * it finds. `status`: of the run; the exit status of both. *json: of the verdict. */
int run_replay(const struct run_options *o, const struct job *job, const char *file, int status, json_t **json);

/* Closing lines and files of a run. The exit status. `image`: global memory at the end; expect_trap: the expected
 * cause, or NULL; waived: reason of the waived failure, or NULL. */
int run_conclude(const struct run_options *o, const struct job *j, const char *expect_trap, const struct run_result *r,
                 const uint8_t *image, const struct waiver *waived);

#endif
