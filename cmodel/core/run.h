/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside core/ only: between run.c and run.c.
 */
#ifndef HEDDLE_CORE_RUN_H
#define HEDDLE_CORE_RUN_H

#include "cmodel/core/execute.h"

/* Rare events stay out of the loop over instructions. */
#define RARELY __attribute__((cold, noinline))

/* WAITS: for a page, at the instruction, of which nothing is done. */
enum turn { TURN_SPENT, TURN_BLOCKED, TURN_WAITS, TURN_FAILED };

/* The warp lacks the page that w->wait names: a trap, or it stays at this instruction. */
enum turn run_without_page(struct heddle_model *m, struct warp *w, enum heddle_error *s);

#endif
