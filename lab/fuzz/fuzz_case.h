/* SPDX-License-Identifier: Apache-2.0
 *
 * Random programs: as jobs, whole runs of them, what they execute.
 */
#ifndef HEDDLE_LAB_FUZZ_FUZZ_CASE_H
#define HEDDLE_LAB_FUZZ_FUZZ_CASE_H

#include "lab/verify/random/knobs.h"
#include "lab/verify/random/random_program.h"
#include "run/runner/runner.h"

/* Random programs as jobs: limits of a machine, and requirements of a program's launch. */

/* Options for the configuration at hand. `knobs` is borrowed. */
struct random_limits fuzz_limits(const struct run_options *run, const struct random_knobs *knobs);

/* Addresses with errors of memory, for a job and for `heddle run`; limit 0: none. out: address of that buffer. */
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

/* Expected result of the model alone: it has no memory with errors. */
struct random_launch fuzz_without_device(const struct random_launch *l);

/* Expected result of this machine, which ended as `r`. Where SMs share a cache, an access meets an error only if its
 * line has to be fetched, and a store never does. */
struct random_launch fuzz_on_machine(const struct random_launch *l, const struct heddle_config *m,
                                     const struct run_result *r);

/* Must the model alone leave the same memory? */
bool fuzz_comparable(const struct random_launch *l);

/* TOOL_OK, or TOOL_USAGE after a message. */
int fuzz_knobs_file(struct random_knobs *k, const char *path);
int fuzz_knob(struct random_knobs *k, const char *setting);

/* One run of one random program, whole: a fuzz_case repeats the run with the same records, in any process, after any
 * other program. Each run has a device of its own, fresh from its seeds. */

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

/* Other random programs that the same device runs, one after the other, before the one that is judged: other code at
 * the same addresses, other constants, other shapes. They follow from the case's seed and number, and are the same
 * whatever shrinking has left of the program itself. */

#define FUZZ_OTHERS 2u /* at most */

struct fuzz_other {
  struct fuzz_program p;
  struct heddle_program *program;
  struct job job; /* points into both */
};

struct fuzz_others {
  struct fuzz_other other[FUZZ_OTHERS];
  unsigned n;
};

/* The other-th of them (from 1), of a program with that launch; those before it are before it, too. NULL: no memory. */
struct random_program *fuzz_other_program(const struct fuzz_case *c, const struct random_launch *l, unsigned other);

/* As many as `l` says, with memory where `l` has it; none where there is no device. False: why says what is wrong. */
bool fuzz_others_make(const struct fuzz_case *c, const struct random_launch *l, struct fuzz_others *o, char *why,
                      size_t size);
void fuzz_others_clear(struct fuzz_others *o);

/* Content of random programs, by executed warp instructions: forms of instructions, share of prologue and epilogue,
 * lengths. The model runs them as one machine with its own order; lint proves their control codes. */

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
