/* SPDX-License-Identifier: Apache-2.0
 *
 * Making a failing program smaller. What is left out or changed stays so if the run still fails with the same
 * diagnosis, under the same seeds and modes, and the model alone still runs the program to its end. Few instructions
 * count most: where more than ten would be left, they may run in more threads than before. */
#ifndef HEDDLE_FUZZ_SHRINK_H
#define HEDDLE_FUZZ_SHRINK_H

#include "lab/fuzz/fuzz_case.h"

struct fuzz_small {
  struct fuzz_case c; /* memory may have become calm, the port free: the rest is as it was */
  struct fuzz_program p;
  unsigned instructions, before; /* in the text */
  unsigned runs;                 /* that it took */
  bool out_of_time;              /* it could have gone on */
};

/* `tree` is what c makes, and failed with `want`; nodes of it are left out. `seconds` bounds the time, but for one run.
 * False: no memory. */
bool fuzz_shrink(const struct fuzz_case *c, struct random_program *tree, const struct signature *want, double seconds,
                 struct fuzz_small *out);
void fuzz_small_clear(struct fuzz_small *s);

/* Writes DIR/NAME.s (the words as they ran, control codes and all), DIR/NAME.bin (what it reads, if it does) and
 * DIR/NAME.sh, which assembles and runs it without the generator. NAME says seed, program and machine and is left in
 * `name`. False after a message. */
bool fuzz_save(const struct fuzz_small *s, const struct fuzz_verdict *v, const char *dir, char *name, size_t size);

#endif
