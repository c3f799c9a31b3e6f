/* SPDX-License-Identifier: Apache-2.0
 *
 * Other random programs that the same device runs, one after the other, before the one that is judged: other code at
 * the same addresses, other constants, other shapes. They follow from the case's seed and number, and are the same
 * whatever shrinking has left of the program itself. */
#ifndef HEDDLE_FUZZ_OTHERS_H
#define HEDDLE_FUZZ_OTHERS_H

#include "lab/fuzz/fuzz_case.h"

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

#endif
