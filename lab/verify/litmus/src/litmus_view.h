/* SPDX-License-Identifier: Apache-2.0
 *
 * A test as one of the two models sees it: its events and what is the same in all its executions. For PTX an event is
 * an instruction. For Heddle it is what the compiler makes of one: litmus_mapping.h.
 */
#ifndef LITMUS_VIEW_H
#define LITMUS_VIEW_H

#include "lab/verify/litmus/src/cat.h"
#include "lab/verify/litmus/src/litmus_mapping.h"

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

#endif
