/* SPDX-License-Identifier: Apache-2.0
 *
 * The fault of a run, explained (heddle/explain.h) with what its job knows: kernel, buffers by their parameters. */
#ifndef HEDDLE_EXPLAINED_H
#define HEDDLE_EXPLAINED_H

#include "run/job/result.h"

struct explained {
  struct heddle_fault fault;
  struct heddle_fault_buffer *buffer; /* owned */
  struct heddle_explanation x;
};

/* False: the run has no fault, or no memory. The result and the job must stay. */
bool explained_make(struct explained *e, const struct job *job, const struct run_result *r);
void explained_clear(struct explained *e);
void explained_print(FILE *to, const struct job *job, const struct run_result *r);
/* NULL: no fault. */
json_t *explained_json(const struct job *job, const struct run_result *r);

#endif
