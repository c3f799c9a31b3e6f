/* SPDX-License-Identifier: Apache-2.0
 *
 * Is one model at least as strong as the other: whatever Heddle's allows of a program, PTX's allows.
 */
#ifndef LITMUS_INCLUSION_H
#define LITMUS_INCLUSION_H

#include "lab/verify/litmus/src/litmus_judge.h"
#include "lab/verify/litmus/src/litmus_programs.h"

struct inclusion {
  struct judge heddle, ptx;
  uint64_t programs, candidates, by_heddle, by_ptx; /* by_ptx: of those that Heddle's allows */
  bool broken;
  struct test test; /* the counterexample */
  struct candidate candidate;
  const char *axiom; /* of PTX, that it breaks */
};

/* False: a counterexample, or the test is too large (axiom is NULL then). */
bool inclusion_test(struct inclusion *i, const struct test *t);
/* All programs of b->events events. False: a counterexample. */
bool inclusion_programs(struct inclusion *i, const struct program_bounds *b);
/* The counterexample as a litmus test with its outcome, and who reads from whom. */
void inclusion_print(const struct inclusion *i, FILE *to);

#endif
