/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside core/ only: noticing, when the model runs alone, that no warp can ever
 * go on.
 */
#ifndef HEDDLE_CORE_LIVELOCK_H
#define HEDDLE_CORE_LIVELOCK_H

#include "cmodel/core/state.h"

/* Around one run of blocks. */
void watch_begin(struct heddle_model *m);
void watch_end(struct heddle_model *m);

/* After each round of turns; `count`: warp instructions so far. HEDDLE_ERROR_LIMIT, with words about every warp, when
 * the machine can only repeat itself. */
enum heddle_error deadlock_watch(struct heddle_model *m, uint64_t count);

/* The bytes that an instruction is about to write. */
struct watched {
  uint32_t lanes;
  uint64_t addr[HEDDLE_LANES];
  uint8_t bytes[HEDDLE_LANES][16];
};
/* Around each memory instruction while m->watch.on. False: it writes nothing, and watch_after is not needed. */
bool watch_before(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec, struct watched *before);
/* The watch is over when a byte has changed. */
void watch_after(struct heddle_model *m, const struct warp *w, const struct dop *op, const struct watched *before);

#endif
