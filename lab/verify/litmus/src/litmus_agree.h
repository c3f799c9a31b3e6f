/* SPDX-License-Identifier: Apache-2.0
 *
 * Heddle's model against the judge of lists, `heddle order`: each execution, told as a list of accesses without stamps,
 * must be judged as the model has it. A list says what was read and what memory holds at the end, not in which order
 * writes came between: it holds if the model allows one such order.
 */
#ifndef LITMUS_AGREE_H
#define LITMUS_AGREE_H

#include "lab/verify/litmus/src/litmus_judge.h"
#include "lab/verify/litmus/src/litmus_programs.h"

struct agree {
  struct judge heddle;
  uint64_t programs, lists, holds; /* holds: of these the model allows */
  uint64_t narrow; /* lists whose judge could not ask a fence about bytes that other blocks touch, and let pass what the
                      model forbids: docs/order-list.md */
  uint64_t undecided;
  bool differs;
  struct test test; /* where they do */
  char *list;       /* as it was told; owned */
  bool allowed;     /* by the model */
  char judged[64];  /* by the judge */
};

/* False: they differ, or there is no memory. */
bool agree_test(struct agree *a, const struct test *t);
bool agree_programs(struct agree *a, const struct program_bounds *b);
void agree_print(const struct agree *a, FILE *to);
void agree_clear(struct agree *a);

#endif
