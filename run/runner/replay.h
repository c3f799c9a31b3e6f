/* SPDX-License-Identifier: Apache-2.0
 *
 * heddle run --replay: what a device of variant digest has sent is judged; where digests are wrong, the same launch is
 * run once more on the device that sends all, and that is judged too. */
#ifndef HEDDLE_REPLAY_H
#define HEDDLE_REPLAY_H

#include "run/runner/runner.h"

/* Can it be, by the options? TOOL_OK, or what the command ends with. */
int run_replay_check(const struct run_options *o, const char *file);
/* The runner of `o` is gone, so that o->stream is complete; `file` gets the full stream, where it is needed. Says what
 * it finds. `status`: of the run; the exit status of both. *json: of the verdict. */
int run_replay(const struct run_options *o, const struct job *job, const char *file, int status, json_t **json);

#endif
