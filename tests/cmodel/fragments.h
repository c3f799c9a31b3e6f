/* SPDX-License-Identifier: Apache-2.0
 *
 * Test helper: matrices into the registers of a warp and back, by the formulas of isa/doc/10-matrices.md, "Where
 * elements lie".
 */
#ifndef HEDDLE_TEST_FRAGMENTS_H
#define HEDDLE_TEST_FRAGMENTS_H

#include "tests/cmodel/rows.h"

/* Rows of A, columns of B, and k between. Sizes of elements in bits: 8, 16, 32; 64 is DMMA's 8x8x4. */
struct shape {
  unsigned m, n, k, bits_ab, bits_cd;
};

/* Raw elements. */
struct matrices {
  struct shape shape;
  uint64_t a[16][32], b[32][8], c[16][8], d[16][8];
};

/* Fills a, b, c and d of *r. */
void fragments_put(struct rows *r, const struct matrices *m);

/* Element (i, j) of the result rows d. */
uint64_t fragments_get(const uint32_t d[4][32], struct shape s, unsigned i, unsigned j);

#endif
