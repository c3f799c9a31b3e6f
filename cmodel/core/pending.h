/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside core/ only: memory instructions of a warp that are not wholly performed.
 */
#ifndef HEDDLE_CORE_PENDING_H
#define HEDDLE_CORE_PENDING_H

#include "cmodel/core/state.h"

/* A memory instruction that has issued and is not wholly performed. */
struct pending {
  struct pending *next; /* of the same warp, in program order */
  const struct dop *op;
  uint32_t seq, pc, lanes; /* lanes: still to be performed */
  uint32_t result;         /* lanes whose registers wait */
  bool dead;               /* at or after an address trap: never performed */
  uint64_t addr[HEDDLE_LANES];
  alignas(64) uint32_t data[4][HEDDLE_LANES]; /* operand b; LDSM: what has been read */
  uint32_t swap[2][HEDDLE_LANES];             /* operand c of a compare and swap */
  bool marked;                                /* some bit of `data` is undefined: */
  struct mark_rows marks;
  bool async;                  /* half of a copy: nothing younger waits for it */
  struct pending *store;       /* of its load half: the other one; else NULL */
  uint32_t held;               /* of its store half: lanes that have not been loaded */
  bool constant;               /* a load of constants whose page is to come: nothing waits for it but its result */
  uint32_t placed;             /* in an address space: lanes in global memory whose addr is physical, */
  uint64_t virt[HEDDLE_LANES]; /* and where they are in it */
};

struct pending *pending_add(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t lanes);
void pending_clear(struct heddle_model *m, struct warp *w);
/* Of a copy the load half, or the `store` half. NULL: it waits for no such access. */
struct pending *pending_find(const struct warp *w, uint32_t seq, bool store);
/* The oldest that is not half of a copy, or is and `async`; NULL: none. */
const struct pending *pending_oldest(const struct warp *w, bool async);
bool pending_shared(const struct warp *w); /* for one to shared memory, copies apart */
/* The instruction whose result register `row` waits for in some of `lanes`. */
const struct pending *pending_producer(const struct warp *w, unsigned row, uint32_t lanes);

#endif
