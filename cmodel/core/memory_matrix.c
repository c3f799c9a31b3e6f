/* SPDX-License-Identifier: Apache-2.0
 *
 * LDSM: 8x8 matrices of 16-bit elements, a row of sixteen bytes at each of
 * eight lanes' addresses, spread over the warp (isa/doc/10-matrices.md).
 */
#include "state.h"

#define SIDE 8u /* rows and columns of a matrix */

uint32_t matrix_lanes(const struct dop *op) {
  return op->matrices * SIDE >= HEDDLE_LANES ? ALL_LANES : (1u << (op->matrices * SIDE)) - 1;
}

/* Row and column of the low (k = 0) or high element that a lane receives. */
static void element_of(const struct dop *op, unsigned lane, unsigned k, unsigned *row, unsigned *column) {
  const unsigned pair = 2 * (lane % 4) + k, single = lane / 4;
  *row = op->transposed ? pair : single;
  *column = op->transposed ? single : pair;
}

static uint32_t element(const uint32_t row[4][HEDDLE_LANES], unsigned lane, unsigned column) {
  return row[column / 2][lane] >> (16 * (column % 2)) & 0xffff;
}

void matrix_spread(const struct dop *op, const uint32_t row[4][HEDDLE_LANES], uint32_t (*d)[HEDDLE_LANES]) {
  for (unsigned n = 0; n < op->matrices; n++)
    for (unsigned i = 0; i < HEDDLE_LANES; i++) {
      unsigned r, c;
      element_of(op, i, 0, &r, &c);
      const uint32_t low = element(row, SIDE * n + r, c);
      element_of(op, i, 1, &r, &c);
      d[n][i] = low | element(row, SIDE * n + r, c) << 16;
    }
}

uint32_t matrix_receivers(const struct dop *op, uint32_t lanes) {
  uint32_t to = 0;
  for (unsigned i = 0; i < HEDDLE_LANES; i++)
    for (unsigned k = 0; k < 2; k++) {
      unsigned r, c;
      element_of(op, i, k, &r, &c);
      for (unsigned n = 0; n < op->matrices; n++)
        if ((lanes >> (SIDE * n + r) & 1) != 0) to |= 1u << i;
    }
  return to;
}
