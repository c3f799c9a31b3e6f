/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside core/ only: calls of an observer (heddle/observer.h). All of it is called only with one.
 */
#ifndef HEDDLE_CORE_OBSERVE_H
#define HEDDLE_CORE_OBSERVE_H

#include "cmodel/core/state.h"

/* Is the access reported? Constants are not. */
static inline bool observed(const struct heddle_model *m, const struct dop *op) {
  return m->observer.size != 0 && op->kind == DOP_MEMORY && op->space != ISA_SPACE_CONST;
}

/* Before an access of exec, which is not 0: the lanes that are to perform it. The others' results are written. */
uint32_t observe_access(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec);
/* A control instruction, before and after its effect; `before`: from the first to the second. */
uint32_t observe_control(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec);
void observe_controlled(struct heddle_model *m, struct warp *w, uint32_t pc, uint32_t before);
void observe_block(struct heddle_model *m, struct block *b, enum heddle_event_kind kind);
void observe_release(struct heddle_model *m, struct block *b, unsigned id);
/* HEDDLE_ERROR_UNDEFINED at the instruction `op` of w, which has not happened: does the run go on? Then it reads
 * nothing undefined any more. */
bool observe_undefined(struct heddle_model *m, struct warp *w, const struct dop *op);

#endif
