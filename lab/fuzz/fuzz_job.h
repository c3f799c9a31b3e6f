/* SPDX-License-Identifier: Apache-2.0
 *
 * Random programs as jobs: what a machine can take, and what a program's launch asks for. */
#ifndef HEDDLE_FUZZ_JOB_H
#define HEDDLE_FUZZ_JOB_H

#include "lab/verify/random/knobs.h"
#include "lab/verify/random/random_program.h"
#include "run/runner/runner.h"

/* Of the configuration at hand. `knobs` is borrowed. */
struct random_limits fuzz_limits(const struct run_options *run, const struct random_knobs *knobs);

/* What memory answers with errors, for a job and for `heddle run`; limit 0: nothing. out: where that buffer lies. */
struct fuzz_errors {
  enum heddle_errors_in in;
  uint64_t base, limit;
};
struct fuzz_errors fuzz_errors(const struct random_launch *l, const struct heddle_program *program,
                               const uint64_t *out);

/* The launch of `program` as a job, which borrows both. False: err says why. */
bool fuzz_job(struct job *j, const struct heddle_program *program, const struct random_launch *l, char *err,
              size_t size);

/* Are its control codes sufficient, where they count? False: why says which is not. */
bool fuzz_proven(const struct run_options *run, const struct heddle_program *p, char *why, size_t size);

/* Which of launch.more a parameter is; launch.more: none. */
unsigned fuzz_more(const struct random_launch *l, const char *name);

/* How a run ended, by what its launch says: RUN_OK where it trapped as it is meant to; where it did not, a difference
 * with `why`. */
enum run_status fuzz_expected(const struct random_launch *l, const struct run_result *r, char *why, size_t size);

/* What the model alone is to do: it knows no memory that answers with errors. */
struct random_launch fuzz_without_device(const struct random_launch *l);

/* What this machine was to do, which ended as `r` says: where SMs share a cache, an access meets an error only if its
 * line has to be fetched, and a store never does. */
struct random_launch fuzz_on_machine(const struct random_launch *l, const struct heddle_config *m,
                                     const struct run_result *r);

/* Must the model alone leave the same memory? */
bool fuzz_comparable(const struct random_launch *l);

/* TOOL_OK, or TOOL_USAGE after a message. */
int fuzz_knobs_file(struct random_knobs *k, const char *path);
int fuzz_knob(struct random_knobs *k, const char *setting);

#endif
