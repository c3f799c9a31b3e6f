/* SPDX-License-Identifier: Apache-2.0
 *
 * Test helper: binary32 values worth trying.
 */
#ifndef HEDDLE_TEST_F32_CASES_H
#define HEDDLE_TEST_F32_CASES_H

#include <stdint.h>

extern const uint32_t f32_edges[];
extern const unsigned f32_edge_count;

/* Three operands whose exponents lie near enough to each other that rounding,
 * cancellation, overflow and underflow of a*b+c happen often. */
void f32_random3(uint64_t *state, uint32_t v[3]);

#endif
