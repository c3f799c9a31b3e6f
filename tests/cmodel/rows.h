/* SPDX-License-Identifier: Apache-2.0
 *
 * Test helper: one row operation, in every build of sem/ that this processor
 * can run, against expected rows.
 */
#ifndef HEDDLE_TEST_ROWS_H
#define HEDDLE_TEST_ROWS_H

#include "cmodel/sem/sem.h"
#include "base/splitmix64.h"

/* Rows of an operand of 1, 2 or 4 words. The word says how many of a and b count; those beyond are filled with
 * rubbish. (A test of single registers names them a and b, and of pairs a, a_up[0].) */
struct rows {
  struct heddle_isa_word word;
  uint32_t a[32], a_up[3][32], b[32], b_up[3][32], c[4][32]; /* after abs and neg; ISA_MODIFY_OWN: raw */
  uint32_t ps[3];
  uint32_t d[4][32]; /* expected */
  unsigned d_words;
  uint32_t pd[2]; /* expected */
  unsigned n_pd;
};

/* Fails the running cmocka test with the first lane that differs. Executes
 * with all lanes, then with a random mask and the result over a source (sem_def.whole_warp: with all lanes again). */
void rows_check(const struct rows *r, const char *what);

/* The upper word of a splitmix64; one state for each test. */
static inline uint32_t rnd32(uint64_t *state) {
  return (uint32_t)(splitmix64(state) >> 32);
}

/* Number of random cases: the first argument of the program, else `otherwise`. */
unsigned long case_count(int argc, char **argv, unsigned long otherwise);

#endif
