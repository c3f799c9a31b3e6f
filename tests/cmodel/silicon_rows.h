/* SPDX-License-Identifier: Apache-2.0
 *
 * Test helper: one row operation on the inputs of tests/silicon/ops, against
 * what the H200 returned for them. A warp there is 32 consecutive elements.
 */
#ifndef HEDDLE_TEST_SILICON_ROWS_H
#define HEDDLE_TEST_SILICON_ROWS_H

#include "tests/cmodel/rows.h"

#define SILICON_COUNT 2048u

/* The first SILICON_COUNT 32-bit words of ops/NAME. */
void silicon_read(uint32_t to[SILICON_COUNT], const char *name);

/* All inputs of one form with a 32-bit result. `class`: i32 or f32. `to`: for each input slot the operand that takes
 * it: a, b, c, or C, the upper word of c; other operands are 0. `ps0`: that predicate source, in all lanes. */
void silicon_rows(const char *op, const char *class, struct heddle_isa_word word, const char *to, bool ps0);

#endif
