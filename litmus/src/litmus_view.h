/* SPDX-License-Identifier: Apache-2.0
 *
 * A test as one of the two models sees it: its events and what is the same in all its executions. For PTX an event is
 * an instruction. For Heddle it is what the compiler makes of one (isa/doc/15-memory-model.md): acquire and release
 * become a MEMBAR behind or before the access, fences a MEMBAR.
 */
#ifndef LITMUS_VIEW_H
#define LITMUS_VIEW_H

#include "cat.h"
#include "litmus_test.h"

enum view_kind { VIEW_PTX, VIEW_HEDDLE };

struct view {
  struct cat_execution x;                       /* rf, co and order-sc are empty */
  uint8_t event[TEST_THREADS][TEST_INSNS];      /* of an access; the first contents of location k are event k */
  uint8_t thread[EVENTS_MAX], insn[EVENTS_MAX]; /* of an event that is no first contents */
  uint32_t fences;                              /* fence.sc */
};

/* failed: the compare-and-swaps that do not write; NULL: none. False: more than 32 events. */
bool view_build(const struct test *t, enum view_kind kind, const bool failed[TEST_THREADS][TEST_INSNS], struct view *v);

#endif
