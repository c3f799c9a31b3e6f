/* SPDX-License-Identifier: Apache-2.0
 * Graphs written by hand, for tests. The arena is the test's to free. */
#ifndef HEDDLE_TEST_HAND_H
#define HEDDLE_TEST_HAND_H

#include "compiler/ir/ir.h"

struct hand {
  struct ptx_arena *arena;
  struct ir_function *f;
};

/* So many empty blocks in a row, b[0] the entry. */
static inline struct hand hand_new(unsigned blocks, struct ir_block **b) {
  struct hand h = {.arena = ptx_arena_new(1 << 24)};
  h.f = ptx_alloc(h.arena, sizeof *h.f);
  *h.f = (struct ir_function){.name = "hand", .entry = true, .arena = h.arena};
  for (unsigned k = 0; k < blocks; k++) {
    b[k] = ir_block_new(h.f);
    if (k) ir_block_place(b[k - 1], b[k]);
  }
  h.f->first = b[0];
  return h;
}

#endif
