/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a form as a program: assembly text that loads a, b and c, then the line of the table, then the store of d. It is
 * assembled, launched in blocks of 128 threads on the model, and compared with what silicon returned, every bit.
 */
#ifndef HEDDLE_SILICON_FORM_RUN_H
#define HEDDLE_SILICON_FORM_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/silicon/form_table.h"

#define FORM_BLOCK 128u

struct form_column {
  const uint8_t *bytes; /* little-endian elements */
  unsigned width;       /* bytes an element: 4 or 8; 0: the form has no such operand */
};

struct form_job {
  const struct form_line *form; /* FORM_ONE or FORM_SEQUENCE */
  unsigned count;               /* elements, at most FORM_COUNT_MAX; the last block's other threads work on zeros */
  struct form_column in[3];     /* a, b, c */
  struct form_column want;      /* d */
};
#define FORM_COUNT_MAX 4096u

/* True: every element equal. Else `why` has the first element that is not, and how many. */
bool form_run(const struct form_job *job, char *why, size_t size);

#endif
