/* SPDX-License-Identifier: Apache-2.0
 *
 * A test as one of the two models sees it: its events and what is the same in all its executions. For PTX an event is
 * an instruction. For Heddle it is what the compiler makes of one: litmus_test.h.
 */
#ifndef HEDDLE_LAB_VERIFY_LITMUS_SRC_LITMUS_CANDIDATE_H
#define HEDDLE_LAB_VERIFY_LITMUS_SRC_LITMUS_CANDIDATE_H

#include "lab/verify/litmus/src/cat.h"
#include "lab/verify/litmus/src/litmus_test.h"

enum view_kind { VIEW_PTX, VIEW_HEDDLE };

struct view {
  struct cat_execution x;                       /* rf, co and order-sc are empty */
  uint8_t event[TEST_THREADS][TEST_INSNS];      /* of an access; the first contents of location k are event k */
  uint8_t thread[EVENTS_MAX], insn[EVENTS_MAX]; /* of an event that is no first contents */
  uint32_t fences;                              /* fence.sc */
};

/* narrow: of VIEW_HEDDLE, as mapping_behind has it. failed: the compare-and-swaps that do not write; NULL: none. False:
 * more than 32 events. */
bool view_build(const struct test *t, enum view_kind kind, unsigned narrow, const bool failed[TEST_THREADS][TEST_INSNS],
                struct view *v);

/* All candidate executions of a test: of each read, from which write; of each location, in which order its writes come;
 * of each compare-and-swap, whether it writes. Models choose among them. */

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

/* Called for each candidate with computable values. `fresh`: of another set of failed compare-and-swaps than the
 * last, the first one too. False: enough. */
typedef bool candidate_fn(void *ctx, const struct candidate *c, bool fresh);
void candidate_each(const struct test *t, candidate_fn *f, void *ctx);

/* rf and co of v, which was built with c->failed. */
void candidate_apply(const struct candidate *c, const struct test *t, struct view *v);

/* Values of registers and memory at the end: registers of thread 0, 1 ..., then locations; returns how many. */
#define OUTCOME_MAX (TEST_THREADS * TEST_REGS + TEST_LOCS)
unsigned candidate_outcome(const struct candidate *c, const struct test *t, uint32_t value[OUTCOME_MAX]);
/* Name of value k of an outcome: "P0:r1", or a location. */
void candidate_value_name(const struct test *t, unsigned k, char *buf, size_t bytes);

#endif
