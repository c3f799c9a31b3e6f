/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside core/ only: divergence. Two units carry out the same instructions; a
 * model has one of them. In both, `active` and `pc` of a warp say what issues
 * next, and path[0 .. depth) holds the other lanes that could run.
 */
#ifndef HEDDLE_CORE_DIVERGE_H
#define HEDDLE_CORE_DIVERGE_H

#include "state.h"

/* ---- diverge.c: what both units share ---- */
void bmov_get(struct warp *w, const struct dop *op, uint32_t exec);
/* JMP by executing lanes: its trap, or none. */
struct flow jump_target(const struct dop *op, uint32_t exec);
/* The 32-bit operand b of the lowest executing lane. */
uint32_t leader_operand(const struct warp *w, const struct dop *op, uint32_t exec);
/* WARPSYNC: judge the members and, when nobody waits yet, set them. exec is not 0. */
struct flow warpsync_members(struct warp *w, const struct dop *op, uint32_t exec);
/* Targets of the executing lanes; a trap when one of them is no address of code. */
struct flow register_targets(const struct warp *w, const struct dop *op, uint32_t exec, uint32_t code_bytes,
                             uint64_t target[HEDDLE_LANES]);
/* Every live member of x is parked there, and somebody is. */
static inline bool barrier_full(const struct warp *w, unsigned x) {
  return (w->parked[x] & w->member[x]) != 0 && (w->member[x] & ~w->exited & ~w->parked[x]) == 0;
}
/* Lanes leave x; with its last lane W has no members. */
static inline void barrier_leave(struct warp *w, unsigned x, uint32_t lanes) {
  w->parked[x] &= ~lanes;
  w->member[x] &= ~lanes;
  if (x == BARRIER_W && w->parked[x] == 0) w->member[x] = 0;
}

/* ---- diverge_hash.c ---- */
uint64_t diverge_hash(struct warp *w);

/* ---- diverge_stack.c, diverge_its.c ---- */
/* An instruction that concerns masks, paths or PCs; pc is moved, seq is not. */
struct flow stack_execute(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec);
struct flow its_execute(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec);

/* ---- diverge_group.c: the groups of the `its` unit ---- */
/* A group that was passed over this often in a row must issue. */
#define GROUP_WAIT_MAX 4096u
/* Lanes become runnable at pc; they join the group there. `since`: the first issue that can pass them over. */
void group_join(struct warp *w, uint32_t lanes, uint32_t pc, uint32_t since);
/* The current group joins path[]; `next`: sequence number of the next issue. */
void group_put_back(struct warp *w, uint32_t next);
/* Path d becomes the current group. */
void group_take(const struct heddle_model *m, struct warp *w, unsigned d, uint32_t next);
/* With the current group in path[]: the model's own choice of the next one, as isa/doc/03-divergence.md words it.
 * `lanes` have just executed; `turn`: another group's turn. */
void group_follow(const struct heddle_model *m, struct warp *w, uint32_t lanes, bool turn, uint32_t next);

/* A group that must not be passed over again by the one at pc; mask 0: there is none. */
struct path group_starved(const struct warp *w, uint32_t pc);

/* Called where op_index(pc) >= fence. The current path may go on (true), or pc is no address of code. Under `its` the
 * fence is at the next group above, which the current one joins here. */
bool warp_meet(const struct heddle_model *m, struct warp *w);

/* Alone: how many instructions the warp may issue in this turn, at most `quantum`. Under `its` it may choose another
 * group first, so that none waits for GROUP_WAIT_MAX issues. */
unsigned warp_turn(const struct heddle_model *m, struct warp *w, unsigned quantum);

#endif
