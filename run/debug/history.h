/* SPDX-License-Identifier: Apache-2.0
 *
 * What a launch has done so far: whose turns there were, and now and then its whole state. The model is deterministic,
 * so a moment before is the last state that was saved before it, and the turns from there on. */
#ifndef HEDDLE_DEBUG_HISTORY_H
#define HEDDLE_DEBUG_HISTORY_H

#include "run/debug/target.h"

#define HISTORY_TURN 512u /* instructions before the next warp has its turn, as heddle_model_run has them */

struct history *history_new(const struct target *t); /* t->now is its beginning; NULL: no memory */
void history_free(struct history *h);

/* The warp in slot w has executed n instructions; t->now counts them. */
void history_note(struct history *h, const struct target *t, unsigned w, uint64_t n);
/* Somebody has changed the state by hand: what came before does not lead to it. */
void history_changed(struct history *h, const struct target *t);

/* Whose turn it is, and how many instructions are left of it; false: nothing has been executed. */
bool history_turn(const struct history *h, unsigned *w, uint64_t *left);
/* At most so many instructions before a state is to be saved. */
uint64_t history_room(const struct history *h, const struct target *t);

/* Back to the state before instruction `time` (at most t->now): what was behind it is forgotten. False: that is no
 * longer known, or cannot be restored. */
bool history_go(struct history *h, struct target *t, uint64_t time);
uint64_t history_beginning(const struct history *h); /* the first moment that is known */

/* Instruction after instruction of the past, the saved states backwards: `before` sees the state in front of each,
 * `after` that behind it; the last moment for which either says true. False: there is none. `t` is then anywhere:
 * history_go is next. */
struct history_look {
  bool (*before)(struct target *t, unsigned w, void *ctx);
  bool (*after)(struct target *t, unsigned w, void *ctx);
  void (*begin)(struct target *t, void *ctx); /* at each saved state */
  void *ctx;
};
bool history_last(struct history *h, struct target *t, const struct history_look *look, uint64_t *time);

#endif
