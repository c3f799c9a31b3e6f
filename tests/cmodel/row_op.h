/* SPDX-License-Identifier: Apache-2.0
 *
 * Test helper: a row operation of one build, called bare and often. (rows_check compares; this only computes.)
 */
#ifndef HEDDLE_TEST_ROW_OP_H
#define HEDDLE_TEST_ROW_OP_H

#include "cmodel/sem/sem.h"

struct row_op {
  sem_fn *fn;
  struct sem_par par;
};

/* False when there is no such build here. An illegal word fails the test. */
bool row_op_get(struct row_op *op, struct heddle_isa_word word, unsigned build);

/* With all lanes executing. Rows (of several words) may be the same; those that the operation does not have may be
 * NULL. */
void row_op_run(const struct row_op *op, uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c);

/* The last build that this processor can run, as a model would choose. */
unsigned row_op_best(void);

#endif
