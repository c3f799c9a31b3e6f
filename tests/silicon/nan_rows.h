/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads nan.txt: rows of a form are together, and become columns of operands and results.
 *
 * 16-bit operands: the low half of a register is the row's, the high half that of the row as far from the end as this
 * one is from the beginning. Where operands and result have 16 bits the high half must be that row's result
 * (FP16x2 instructions). A 16-bit result of wider operands has a high half of zero.
 */
#ifndef HEDDLE_SILICON_NAN_ROWS_H
#define HEDDLE_SILICON_NAN_ROWS_H

#include <stdint.h>

#include "tests/silicon/form_run.h"

struct nan_row {
  const char *form;
  unsigned digits[4]; /* hexadecimal, of a, b, c and the result; 0: no such operand */
  uint64_t value[4];
};

struct nan_rows {
  char *text; /* the file; the rows point into it */
  struct nan_row *row;
  unsigned rows;
};

/* A line that is no row fails the running test. */
void nan_rows_read(struct nan_rows *x, const char *path);
void nan_rows_free(struct nan_rows *x);

/* How many rows of one form begin at `first`. */
unsigned nan_rows_of_form(const struct nan_rows *x, unsigned first);

/* Slot 0-2: operands, 3: the result; `count` elements of the n rows that begin at r, which are repeated where they do
 * not suffice. Free the bytes. */
struct form_column nan_rows_column(const struct nan_row *r, unsigned n, unsigned slot, unsigned count);

#endif
