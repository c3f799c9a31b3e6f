/* SPDX-License-Identifier: Apache-2.0
 * A sparse matrix times a vector, added up in the two kernels' orders. Rows are empty, short, and now and then long. */
#include <math.h>

#include "firmware/kernels/case.h"
#include "firmware/kernels/host/host.h"

enum { LANES = 32, ROWS = 4, SCALAR_BLOCK = 64 };
enum { FIRST, COLUMN, VALUE, X, SCALAR, VECTOR };

struct matrix {
  const uint32_t *first, *column;
  const float *value, *x;
};

static float every(const struct matrix *a, uint32_t from, uint32_t end, uint32_t step) {
  float sum = 0;
  for (uint32_t i = from; i < end; i += step) sum = fmaf(a->value[i], a->x[a->column[i]], sum);
  return sum;
}

static float by_lanes(const struct matrix *a, uint32_t r) {
  float s[LANES];
  for (uint32_t lane = 0; lane < LANES; lane++) s[lane] = every(a, a->first[r] + lane, a->first[r + 1], LANES);
  for (uint32_t span = LANES / 2; span > 0; span /= 2)
    for (uint32_t lane = 0; lane < span; lane++) s[lane] += s[lane + span];
  return s[0];
}

static uint32_t row_length(uint64_t *seed) {
  const uint32_t r = case_word(seed);
  return r % 11 == 0 ? 0 : r % 13 == 0 ? 40 + r / 13 % 60 : r / 143 % 12;
}

static void launch_rows(struct kernel_case *c, const char *entry, unsigned y, uint32_t threads, uint32_t block,
                        uint32_t rows) {
  struct kernel_launch *l = case_launch(c, entry);
  launch_line(l, threads, block);
  for (unsigned k = FIRST; k <= X; k++) launch_buffer(l, k);
  launch_buffer(l, y);
  launch_u32(l, rows);
}

bool spmv_prepare(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const uint32_t rows = scale ? 403 * scale : 117, columns = scale ? 611 : 201;
  uint32_t *first = case_buffer(c, CASE_IN, (rows + 1) * 4);
  if (!first) return false;
  for (uint32_t r = 0; r < rows; r++) first[r + 1] = first[r] + row_length(&seed);
  const uint32_t entries = first[rows] + 1;
  uint32_t *column = case_buffer(c, CASE_IN, entries * 4);
  float *value = case_buffer(c, CASE_IN, entries * 4), *x = case_buffer(c, CASE_IN, columns * 4);
  case_buffer(c, CASE_OUT, rows * 4);
  case_buffer(c, CASE_OUT, rows * 4);
  if (!case_has_memory(c)) return false;
  for (uint32_t i = 0; i < entries; i++) column[i] = case_word(&seed) % columns, value[i] = case_float(&seed);
  for (uint32_t i = 0; i < columns; i++) x[i] = case_float(&seed);
  case_seal(c, &seed);
  const struct matrix a = {first, column, value, x};
  float *scalar = case_expect(c, SCALAR), *vector = case_expect(c, VECTOR);
  for (uint32_t r = 0; r < rows; r++) {
    scalar[r] = every(&a, first[r], first[r + 1], 1);
    vector[r] = by_lanes(&a, r);
  }
  launch_rows(c, "spmv_scalar", SCALAR, rows, SCALAR_BLOCK, rows);
  launch_rows(c, "spmv_vector", VECTOR, (rows + ROWS - 1) / ROWS * ROWS * LANES, ROWS * LANES, rows);
  return true;
}
