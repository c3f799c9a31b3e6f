/* SPDX-License-Identifier: Apache-2.0
 *
 * One PTX operation on many inputs, each with every set of its operands written as constants. Constants that the
 * compiler folds, rewrites, or puts into the words of instructions must give what the operation gives.
 */
#ifndef HEDDLE_TESTS_PTX_IMMEDIATE_H
#define HEDDLE_TESTS_PTX_IMMEDIATE_H

#include <stdbool.h>
#include <stdint.h>

enum { IMMEDIATE_MOST = 2048 }; /* elements */

struct immediate_operand {
  bool is_there;
  char kind;      /* of ".f32": 'f' */
  unsigned width; /* bytes */
  uint8_t *raw;   /* IMMEDIATE_MOST numbers */
};

struct immediate_form {
  const char *name;
  char body[400];                /* the operation itself: registers a, b, c; d the result */
  struct immediate_operand o[4]; /* a, b, c; d: what must come out */
  unsigned count;                /* of elements */
};

uint64_t immediate_number(const struct immediate_operand *o, unsigned k);
void immediate_put(struct immediate_operand *o, unsigned k, uint64_t x);
void immediate_free(struct immediate_form *f);

/* `samples` of the elements, spread over all from `first` on: as literals of the operation itself or behind a mov,
 * which propagation takes away; for both targets; optimised and not. Returns how many differ and prints the first. */
unsigned immediate_try(const struct immediate_form *f, unsigned first, unsigned samples);
/* The operation is run with all operands loaded; its results are what must come out. */
void immediate_run(struct immediate_form *f);

#endif
