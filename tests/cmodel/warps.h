/* SPDX-License-Identifier: Apache-2.0
 *
 * Test helper: warp-wide row operations. One execution is given whole, lanes
 * with their mask, and compared in every build, with the result in a row of its
 * own and over each source.
 */
#ifndef HEDDLE_TEST_WARPS_H
#define HEDDLE_TEST_WARPS_H

#include "tests/cmodel/rows.h"

struct warp {
  struct heddle_isa_word word;
  bool uniform_result; /* the same word into all lanes, executing or not */
  bool has_pd;
  uint32_t a[2][32], b[32], c[32], ps0, exec;
  uint32_t d[32], pd0; /* expected, in the executing lanes */
};

/* Does this lane execute? False for numbers that are no lane. */
bool warp_runs(const struct warp *w, int lane);

/* One execution in all builds. */
void warp_run(const struct warp *w, const char *what);

/* Fills d and pd0, which are 0 before. */
typedef void warp_reference(struct warp *w, unsigned mode);

/* `random` lanes in warps with random operands and masks, against `ref`. */
void warp_try(struct warp *w, warp_reference *ref, unsigned mode, const char *what, unsigned long random);

/* Elements n to n + 31 of tests/silicon/ops with all lanes executing: a, b and c are the inputs of class i32, d the
 * result of `op`. */
struct warp warp_silicon(struct heddle_isa_word word, const char *op, unsigned n);

#endif
