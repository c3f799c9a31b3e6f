/* SPDX-License-Identifier: Apache-2.0
 *
 * LDSM: 8x8 matrices of 16-bit elements, a row of sixteen bytes at each of
 * eight lanes' addresses, spread over the warp (isa/doc/10-matrices.md).
 */
#include "cmodel/core/state.h"

#define SIDE 8u /* rows and columns of a matrix */

uint32_t matrix_lanes(const struct dop *op) {
  return op->matrices * SIDE >= HEDDLE_LANES ? ALL_LANES : (1u << (op->matrices * SIDE)) - 1;
}

/* Plain: lane L receives columns 2 (L mod 4) and the next one of row L / 4, which are one word of that row. */
static void spread_rows(const uint32_t row[4][HEDDLE_LANES], unsigned first, uint32_t d[HEDDLE_LANES]) {
  for (unsigned i = 0; i < HEDDLE_LANES; i++) d[i] = row[i % 4][first + i / 4];
}

/* Transposed: rows 2 (L mod 4) and the next one, column L / 4. */
static void spread_columns(const uint32_t row[4][HEDDLE_LANES], unsigned first, uint32_t d[HEDDLE_LANES]) {
  for (unsigned i = 0; i < HEDDLE_LANES; i++) {
    const unsigned column = i / 4, r = first + 2 * (i % 4), shift = 16 * (column % 2);
    const uint32_t *word = row[column / 2];
    d[i] = (word[r] >> shift & 0xffff) | word[r + 1] >> shift << 16;
  }
}

void matrix_spread(const struct dop *op, const uint32_t row[4][HEDDLE_LANES], uint32_t (*d)[HEDDLE_LANES]) {
  for (unsigned n = 0; n < op->matrices; n++) (op->transposed ? spread_columns : spread_rows)(row, SIDE * n, d[n]);
}

uint32_t matrix_receivers(const struct dop *op, uint32_t lanes) {
  uint32_t to = 0;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned r = lowest_lane(rest) % SIDE;
    to |= op->transposed ? 0x11111111u << r / 2 : 0xfu << 4 * r;
  }
  return to;
}
