/* SPDX-License-Identifier: Apache-2.0
 *
 * Row operations beside rows of values: all lanes, lanes alike, across lanes, on the inputs of tests/silicon/ops.
 */
#ifndef HEDDLE_TEST_ROWS_H
#define HEDDLE_TEST_ROWS_H

#include <stdint.h>
#include "base/splitmix64.h"
#include "cmodel/sem/sem.h"

/* Test helper: one row operation, in every build of sem/ that this processor
 * can run, against expected rows. */

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

/* Test helper: integer row operations that treat every lane alike, against a
 * reference for one lane. */

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

/* Test helper: one row operation on the inputs of tests/silicon/ops, against
 * what the H200 returned for them. A warp there is 32 consecutive elements. */

#define SILICON_COUNT 2048u

/* All inputs of one form with a 32-bit result. `class`: i32 or f32. `to`: for each input slot the operand that takes
 * it: a, b, c, or C, the upper word of c; other operands are 0. `ps0`: that predicate source, in all lanes. */
void silicon_rows(const char *op, const char *class, struct heddle_isa_word word, const char *to, bool ps0);

/* Test helper: warp-wide row operations. One execution is given whole, lanes
 * with their mask, and compared in every build, with the result in a row of its
 * own and over each source. */

struct warp_case {
  struct heddle_isa_word word;
  bool uniform_result; /* the same word into all lanes, executing or not */
  bool has_pd;
  uint32_t a[2][32], b[32], c[32], ps0, exec;
  uint32_t d[32], pd0; /* expected, in the executing lanes */
};

/* Does this lane execute? False for numbers that are no lane. */
bool warp_runs(const struct warp_case *w, int lane);

/* One execution in all builds. */
void warp_run(const struct warp_case *w, const char *what);

/* Fills d and pd0, which are 0 before. */
typedef void warp_reference(struct warp_case *w, unsigned mode);

/* `random` lanes in warps with random operands and masks, against `ref`. */
void warp_try(struct warp_case *w, warp_reference *ref, unsigned mode, const char *what, unsigned long random);

/* Elements n to n + 31 of tests/silicon/ops with all lanes executing: a, b and c are the inputs of class i32, d the
 * result of `op`. */
struct warp_case warp_silicon(struct heddle_isa_word word, const char *op, unsigned n);

/* Test helper: binary32 values worth trying. */

extern const uint32_t f32_edges[];
extern const unsigned f32_edge_count;

/* Three operands with exponents near enough to each other that rounding,
 * cancellation, overflow and underflow of a*b+c happen often. */
void f32_random3(uint64_t *state, uint32_t v[3]);

/* Test helper: a row operation of one build, called bare and often. (rows_check compares; this only computes.) */

struct row_op {
  sem_fn *fn;
  struct sem_par par;
};

/* False when there is no such build here. An illegal word fails the test. */
bool row_op_get(struct row_op *op, struct heddle_isa_word word, unsigned build);

/* With all lanes executing. Rows (of several words) may be the same; those that the operation does not have may be
 * NULL. */
void row_op_run(const struct row_op *op, uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c);

/* The last build that this processor can run, as a model would choose. */
unsigned row_op_best(void);

#endif
