/* SPDX-License-Identifier: Apache-2.0
 *
 * A model asked about the executions of a test: each candidate, or which outcomes there are.
 */
#ifndef LITMUS_JUDGE_H
#define LITMUS_JUDGE_H

#include "lab/verify/litmus/src/litmus_candidate.h"

struct judge { /* one model over one test */
  struct cat *model;
  enum view_kind kind;
  unsigned narrow; /* litmus_mapping.h */
  struct view view;
};

/* For the executions with c's failed compare-and-swaps; before any of them. False: too many events. */
bool judge_start(struct judge *j, const struct test *t, const struct candidate *c);
/* There is an order of its fence.sc with which the model allows it. */
bool judge_allows(struct judge *j, const struct test *t, const struct candidate *c, const char **broken);

#define OUTCOMES_MAX 4096u
struct outcomes {
  unsigned width, count;
  uint32_t (*value)[OUTCOME_MAX]; /* sorted; each once */
  uint64_t candidates, allowed;
  bool too_many;
};
/* All that the model allows. False: no memory, too many events or outcomes. */
bool judge_outcomes(struct cat *model, enum view_kind kind, unsigned narrow, const struct test *t, struct outcomes *o);
bool outcomes_has(const struct outcomes *o, const uint32_t *value);
void outcomes_free(struct outcomes *o);

#endif
