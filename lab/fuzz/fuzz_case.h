/* SPDX-License-Identifier: Apache-2.0
 *
 * One run of one random program, whole: whoever has a fuzz_case can do the run again and gets the same records, in any
 * process, after whatever other program. Each run has a device of its own, fresh from its seeds. */
#ifndef HEDDLE_FUZZ_CASE_H
#define HEDDLE_FUZZ_CASE_H

#include "lab/fuzz/fuzz_job.h"

struct fuzz_case {
  /* Machine (--on, --config), modes (--dep, --div, --sched, --calm, --latency, --hold), seeds of program, memory,
   * initial state and retire port, fault. max_cycles 0: fuzz_judge sets it from what the model alone needs. */
  struct run_options run;
  const struct random_knobs *knobs; /* borrowed */
  uint64_t index;                   /* program `index` of run.seed */
  unsigned other;                   /* not 0: instead of it the other-th of those that the device runs before it */
};

/* Makes of the options of a command what program `index` runs with. Seeds that were not given follow from --seed and
 * the index, each in its own way. The result of this function on its own result is the same. */
void fuzz_case_options(struct run_options *o, uint64_t index);
/* NULL: no memory. */
struct random_program *fuzz_case_program(const struct fuzz_case *c);

/* A program as it is launched: as it was generated, or what shrinking left of it. */
struct fuzz_program {
  char *text; /* owned, as are input and bank */
  struct random_launch launch;
  uint8_t *input, *bank[4]; /* what the launch points to */
};

/* A copy. False: no memory. */
bool fuzz_program_init(struct fuzz_program *p, struct random_program *from);
void fuzz_program_clear(struct fuzz_program *p);

/* The words that run: under the hardware's own scoreboard codes are hints, and none are given. Messages go to stderr
 * unless quiet. NULL: it does not assemble. */
struct heddle_program *fuzz_assemble(const struct fuzz_case *c, const struct fuzz_program *p, bool quiet);
struct fuzz_verdict {
  enum run_status status;
  struct signature diagnosis;
  char why[600];
  unsigned other;                       /* which of the programs before it failed, as of fuzz_case; 0: itself */
  char *report;                         /* of a difference or a hang; owned, may be NULL */
  uint64_t retired, cycles, max_cycles; /* max_cycles: the limit that held */
};

/* First lint and the model alone, with its own schedule and nothing undefined read; a program that fails there is not
 * given to the device ("alone." before its diagnosis). Then where c says. Both must leave the same memory
 * ("alone.memory") unless the launch says that it depends on order. */
void fuzz_judge(const struct fuzz_case *c, const struct fuzz_program *p, bool quiet, struct fuzz_verdict *v);
void fuzz_verdict_clear(struct fuzz_verdict *v);

#endif
