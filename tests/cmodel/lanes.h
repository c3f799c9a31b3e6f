/* SPDX-License-Identifier: Apache-2.0
 *
 * Test helper: integer row operations that treat every lane alike, against a
 * reference for one lane.
 */
#ifndef HEDDLE_TEST_LANES_H
#define HEDDLE_TEST_LANES_H

#include "tests/cmodel/rows.h"

/* Operands of one lane (c1: the upper word of a pair), and what it must give: 64 bits of result and two predicates. */
struct lane {
  uint32_t a, b, c, c1;
  bool p0, p1, p2;
  uint64_t d;
  bool pd0, pd1;
};

/* Fills d, pd0, pd1. It may change the operands first, to make them more interesting. */
typedef void lane_reference(struct lane *l, unsigned variant);

struct lane_case {
  struct heddle_isa_word word;
  lane_reference *ref;
  unsigned variant, d_words, n_pd;
  const char *what;
};

/* Three edge values in all combinations, then `random` cases, in all builds and with masks (rows_check). */
void lanes_try(const struct lane_case *t, unsigned long random);

/* An edge value, a small number, a number of random length or its negative, or anything. */
uint32_t lanes_operand(uint64_t *seed);

#endif
