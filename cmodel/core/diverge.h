/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside core/ only: divergence. Two units execute the same instructions; a model has one of them. In both, the path
 * `active` at `pc` of a warp issues next, and path[0 .. depth) wait for their turn: a stack with its top last, or
 * (`its`) a queue with its front first.
 */
#ifndef HEDDLE_CORE_DIVERGE_H
#define HEDDLE_CORE_DIVERGE_H

#include <assert.h>

#include "cmodel/core/state.h"

/* its: of the instructions that move lanes, so many in a turn; and so many of other paths while one waits. */
#define TURN_MOVES 64u
#define WAIT_MOVES (31u * TURN_MOVES)

/* ---- the instructions ---- */
void bmov_get(struct warp *w, const struct dop *op, uint32_t exec);
/* An instruction that moves lanes: `flow` is not `next`. pc is moved, seq is not. */
struct flow diverge_execute(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec);

/* ---- paths ---- */
/* The path of the lowest lane of `lanes`, all parked at x. (`since` has no meaning.) */
struct path parked_path(const struct warp *w, unsigned x, uint32_t lanes);
/* its: the waiting path that holds `lane` becomes active, the active one waits. False: no path that could issue. */
bool path_choose(struct warp *w, unsigned lane);
/* its: a path that has waited for WAIT_MOVES; mask 0: there is none. */
struct path path_starved(const struct warp *w);
/* The members that are parked at x go on. */
void path_release(struct warp *w, unsigned x);

/* All live members of x are parked there, at least one. */
static inline bool barrier_full(const struct warp *w, unsigned x) {
  return (w->parked[x] & w->member[x]) != 0 && (w->member[x] & ~w->exited & ~w->parked[x]) == 0;
}

static inline void release_check(struct warp *w, unsigned x) {
  if (barrier_full(w, x)) path_release(w, x);
}

/* Lanes leave x; with its last lane W has no members. */
static inline void barrier_leave(struct warp *w, unsigned x, uint32_t lanes) {
  w->parked[x] &= ~lanes;
  w->member[x] &= ~lanes;
  if (x == BARRIER_W && w->parked[x] == 0) w->member[x] = 0;
}

static inline void path_push(struct warp *w, uint32_t mask, uint32_t pc) {
  assert(mask != 0 && w->depth < PATHS_MAX);
  w->path[w->depth++] = (struct path){mask, pc, w->moves};
}

/* Waiting path d becomes active. */
static inline void path_take(struct warp *w, unsigned d) {
  const struct path p = w->path[d];
  w->active = p.mask;
  w->pc = p.pc;
  w->since = p.since;
  w->taken = w->seq;
  w->turn = 0;
  for (w->depth--; d < w->depth; d++) w->path[d] = w->path[d + 1];
}

/* With nothing active: a waiting path, or the end, or a deadlock. */
static inline struct flow path_pop(struct warp *w) {
  const bool stuck = w->active == 0 && w->depth == 0 && warp_live(w) != 0;
  if (w->active == 0 && w->depth != 0) path_take(w, w->its ? 0 : w->depth - 1);
  return (struct flow){.trap = stuck ? HEDDLE_TRAP_DEADLOCK : HEDDLE_TRAP_NONE, .lanes = stuck ? warp_live(w) : 0};
}

/* ---- for records ---- */
uint64_t diverge_hash(struct warp *w);

#endif
