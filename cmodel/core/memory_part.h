/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside core/memory*.c only: spaces as bytes of the host, and what lanes do
 * there.
 */
#ifndef HEDDLE_CORE_MEMORY_PART_H
#define HEDDLE_CORE_MEMORY_PART_H

#include "cmodel/core/execute.h"

/* A space as bytes of the host. Local memory is interleaved: word k of lane i is word 32 * k + i of the slice. */
struct window {
  uint8_t *byte, *defined; /* defined: bits of 1 for those that are; NULL: all */
  uint64_t base, bytes;    /* of the space: first address, size (local: of one thread) */
  uint32_t stride;         /* bytes of the host from one word of a lane to its next */
};

static inline void window_of(const struct heddle_model *m, const struct warp *w, const struct dop *op, unsigned space,
                             struct window *v) {
  const unsigned bank = op->bank % BANKS;
  if (space == ISA_SPACE_GLOBAL)
    *v = (struct window){m->memory, m->global_defined, m->base, m->bytes, 4};
  else if (space == ISA_SPACE_SHARED)
    *v = (struct window){w->block->shared, w->block->shared_defined, 0, m->launch.shared_bytes, 4};
  else if (space == ISA_SPACE_LOCAL)
    *v = (struct window){w->local, w->local_defined, 0, m->launch.local_bytes, 4 * HEDDLE_LANES};
  else
    *v = (struct window){m->bank[bank], NULL, 0, bank == op->bank ? m->launch.cbank_bytes[bank] : 0, 4};
}

/* Generic addresses of shared (1) and local (2) memory begin here. */
#define SPACE_SHIFT 56
#define GENERIC_BASE(space) ((uint64_t)((space) == ISA_SPACE_SHARED ? 1 : 2) << SPACE_SHIFT)

/* ---- memory.c ---- */
/* Lanes of one space, checked; the bytes of a lane begin at v.byte + at[lane]. */
struct part {
  struct window v;
  uint32_t lanes;
  const uint32_t *on; /* lanes as a row */
  alignas(64) uint32_t at[HEDDLE_LANES];
};
/* Before `bytes` of global memory, `at` bytes into the window, are written; of other spaces nothing. */
void part_keep(const struct part *t, const struct heddle_model *m, size_t at, size_t bytes);
void part_perform(const struct part *t, const struct heddle_model *m, struct warp *w, const struct dop *op,
                  const struct rows_of *r);
/* Does some lane read an unwritten byte? */
bool part_unset(const struct part *t, const struct heddle_model *m, const struct dop *op);

/* ---- memory_atomic.c ---- */
/* One read-modify-write a lane, ascending; the old values go to r->d. `together`: other threads of the host do it too.
 */
void part_atomic(const struct part *t, const struct dop *op, const struct rows_of *r, bool together);

#endif
