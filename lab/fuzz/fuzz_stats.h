/* SPDX-License-Identifier: Apache-2.0
 *
 * What random programs are made of, by what a warp executes: forms of instructions, how much of a program is prologue
 * and epilogue, how long programs are. The model runs them as one machine with its own order; lint proves their control
 * codes. */
#ifndef HEDDLE_FUZZ_STATS_H
#define HEDDLE_FUZZ_STATS_H

#include "lab/fuzz/fuzz_job.h"

struct fuzz_stats;

struct fuzz_stats *fuzz_stats_new(const struct run_options *run, size_t programs); /* NULL: no memory */
void fuzz_stats_free(struct fuzz_stats *s);

/* Runs one program, assembled as `program`. False: it does not end as its launch says, reads what was never written, or
 * lint finds a control code too weak; `why` says so. */
bool fuzz_stats_add(struct fuzz_stats *s, struct random_program *p, const struct heddle_program *program, char *why,
                    size_t size);

/* To stdout, and as JSON to `json` ("-": stdout; NULL: not). False: a file could not be written. */
bool fuzz_stats_print(struct fuzz_stats *s, const char *json);

#endif
