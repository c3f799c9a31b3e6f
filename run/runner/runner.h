/* SPDX-License-Identifier: Apache-2.0
 *
 * Running jobs where --on says: the model alone, the RTL alone, both in lockstep. One runner keeps one device, so that
 * several launches share its caches and its memory. */
#ifndef HEDDLE_RUNNER_H
#define HEDDLE_RUNNER_H

#include "run/job/result.h"

#include "run/options/options.h"

struct runner;

/* NULL: message on stderr, *status = TOOL_MISSING or TOOL_USAGE. */
struct runner *runner_new(const struct run_options *o, int *status);
void runner_free(struct runner *r);
/* Where a board says that it has memory; 0: it is no board, and memory is everywhere. */
uint64_t runner_memory_base(const struct runner *r);
/* Before processes are started that will each have a runner: they need not load the device each. False: it cannot be
 * loaded, and stderr has said why (TOOL_MISSING). */
bool runner_keep_device(const struct run_options *o);

/* Run one job; `image` (job->mem_bytes bytes) receives global memory as it was left, may be NULL. */
void runner_run(struct runner *r, const struct job *job, uint8_t *image, struct run_result *out);

#endif
