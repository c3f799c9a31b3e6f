/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside core/ only: between run.c and run_memory.c.
 */
#ifndef HEDDLE_CORE_RUN_H
#define HEDDLE_CORE_RUN_H

#include "cmodel/core/execute.h"

/* What happens rarely stays out of the loop over instructions. */
#define RARELY __attribute__((cold, noinline))

/* WAITS: for a page, at the instruction, of which nothing is done. */
enum turn { TURN_SPENT, TURN_BLOCKED, TURN_WAITS, TURN_FAILED };

/* ---- run.c */
enum turn trap_out(struct heddle_model *m, const struct warp *w, struct flow f, uint32_t seq, uint32_t pc,
                   enum heddle_status *s);

/* ---- run_memory.c */
enum turn run_memory(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                     enum heddle_status *s);
/* With undefined sources, none of which decides. */
enum turn run_marked_memory(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                            enum heddle_status *s);
/* The warp lacks the page that w->wait names: a trap, or it stays at this instruction. */
enum turn run_without_page(struct heddle_model *m, struct warp *w, enum heddle_status *s);

#endif
