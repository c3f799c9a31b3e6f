/* SPDX-License-Identifier: Apache-2.0
 *
 * mma.sync as a program sees it: elements of the matrices into the registers that the PTX manual lists, a kernel with
 * one such instruction, and the elements back.
 */
#ifndef MMA_CASE_H
#define MMA_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/model.h>

struct mma_case {
  const char *opcode; /* behind "mma.sync.aligned." */
  uint8_t m, k;       /* n is 8 */
  uint8_t bits, sum;  /* of elements of A and B, of C and D */
};

/* "f16k16_f32" ...: a name of tests/silicon/mma. */
bool mma_case_of(const char *name, struct mma_case *c);

/* Raw elements of one product. */
struct mma_matrices {
  uint64_t a[16][32], b[32][8], c[16][8];
};

enum { MMA_RECORD = 64 }; /* bytes of a lane: A, B, C, D at 0, 16, 32, 48 */
/* Into the 32 records of a warp. */
void mma_put(const struct mma_case *c, const struct mma_matrices *m, uint8_t *warp);
uint64_t mma_get(const struct mma_case *c, const uint8_t *warp, unsigned row, unsigned column);

/* D = A B + C `times` times in each warp of `blocks` blocks of 64 threads, C being D from the second on. With `parted`
 * every other lane does something else before each. Fails the test when that does not run. */
struct mma_run {
  unsigned level, blocks, times;
  bool parted;
  enum heddle_divergence unit;
};
void mma_run(const struct mma_case *c, const struct mma_run *r, uint8_t *records);

#endif
