/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside core/ only: memory instructions of a warp that are not wholly performed.
 */
#ifndef HEDDLE_CORE_PENDING_H
#define HEDDLE_CORE_PENDING_H

#include "cmodel/core/state.h"

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
