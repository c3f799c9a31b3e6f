/* SPDX-License-Identifier: Apache-2.0
 *
 * All candidate executions of a test: of each read, from which write; of each location, in which order its writes come;
 * of each compare-and-swap, whether it writes. Models choose among them.
 */
#ifndef LITMUS_CANDIDATE_H
#define LITMUS_CANDIDATE_H

#include "lab/verify/litmus/src/litmus_test.h"
#include "lab/verify/litmus/src/litmus_view.h"

#define FROM_START (-1)

struct candidate_access {
  uint8_t thread, insn, loc;
  bool reads, writes;
};

struct candidate {
  unsigned accesses;
  struct candidate_access access[TEST_ACCESSES];
  int8_t from[TEST_ACCESSES]; /* of one that reads: index of an access, or FROM_START */
  unsigned writes[TEST_LOCS];
  uint8_t order[TEST_LOCS][TEST_ACCESSES]; /* each location's writes, the first one first */
  uint32_t read[TEST_ACCESSES], written[TEST_ACCESSES];
  bool failed[TEST_THREADS][TEST_INSNS]; /* compare-and-swaps that do not write */
};

/* Asked of each candidate whose values can be worked out. `fresh`: of another set of failed compare-and-swaps than the
 * last, the first one too. False: enough. */
typedef bool candidate_fn(void *ctx, const struct candidate *c, bool fresh);
void candidate_each(const struct test *t, candidate_fn *f, void *ctx);

/* rf and co of v, which was built with c->failed. */
void candidate_apply(const struct candidate *c, const struct test *t, struct view *v);

/* What registers and memory hold at the end: registers of thread 0, 1 ..., then locations; returns how many. */
#define OUTCOME_MAX (TEST_THREADS * TEST_REGS + TEST_LOCS)
unsigned candidate_outcome(const struct candidate *c, const struct test *t, uint32_t value[OUTCOME_MAX]);
/* Of value k of an outcome: "P0:r1", or a location. */
void candidate_value_name(const struct test *t, unsigned k, char *buf, size_t bytes);

#endif
