/* SPDX-License-Identifier: Apache-2.0
 *
 * The `its` divergence unit, as isa/doc/03-divergence.md words it: what its
 * instructions do to the PC of each lane. diverge_group.c keeps the groups.
 */
#include "state.h"

#define BACKWARD_MAX 64u /* taken branches, with other groups runnable, before another group's turn */

static const struct flow no_trap = {HEDDLE_TRAP_NONE, 0, 0};

/* While an instruction is carried out: its lanes take their new places. */
static void go(struct warp *w, uint32_t lanes, uint32_t pc) {
  group_join(w, lanes, pc, w->seq + 1);
}

/* All lanes have their places: who goes on, if anybody. */
static struct flow follow(const struct heddle_model *m, struct warp *w, uint32_t lanes, bool turn) {
  group_follow(m, w, lanes, turn, w->seq + 1);
  if (w->active != 0 || warp_live(w) == 0) return no_trap;
  return (struct flow){HEDDLE_TRAP_DEADLOCK, warp_live(w), 0};
}

static struct flow next(struct warp *w) {
  w->pc += ISA_WORD_BYTES;
  return no_trap;
}

/* After a taken branch, with its lanes in their places. */
static bool branched_enough(struct warp *w, uint32_t target) {
  if (target > w->pc || w->depth < 2) return false;
  return ++w->back >= BACKWARD_MAX;
}

static struct flow branch(const struct heddle_model *m, struct warp *w, uint32_t exec, uint32_t target) {
  if (exec == w->active && w->depth == 0) {
    w->pc = target;
    return no_trap;
  }
  go(w, exec, target);
  go(w, w->active & ~exec, w->pc + ISA_WORD_BYTES);
  return follow(m, w, exec, branched_enough(w, target));
}

static struct flow indirect(const struct heddle_model *m, struct warp *w, uint32_t exec, const struct dop *op) {
  uint64_t target[HEDDLE_LANES];
  const struct flow f = register_targets(w, op, exec, m->launch.code_bytes, target);
  if (f.trap != HEDDLE_TRAP_NONE) return f;
  for (uint32_t rest = exec; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest);
    go(w, 1u << i, (uint32_t)target[i]);
  }
  go(w, w->active & ~exec, w->pc + ISA_WORD_BYTES);
  return follow(m, w, exec, branched_enough(w, (uint32_t)target[lowest_lane(exec)]));
}

/* Each lane behind the instruction that it waits at. */
static void let_go(struct warp *w, unsigned x, uint32_t lanes) {
  barrier_leave(w, x, lanes);
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest);
    go(w, 1u << i, w->lane_pc[i] + ISA_WORD_BYTES);
  }
}

static void release_check(struct warp *w, unsigned x) {
  if (barrier_full(w, x)) let_go(w, x, w->parked[x] & w->member[x]);
}

/* BSYNC, and WARPSYNC once its members stand. */
static struct flow park(const struct heddle_model *m, struct warp *w, uint32_t exec, unsigned x) {
  const uint32_t strangers = exec & ~w->member[x];
  if (strangers != 0) return (struct flow){HEDDLE_TRAP_DIVERGENCE, strangers, 0};
  w->parked[x] |= exec;
  if (w->parked[x] == exec && barrier_full(w, x)) { /* the usual case: all are here, and go to next as the others do */
    barrier_leave(w, x, exec);
    return next(w);
  }
  for (uint32_t rest = exec; rest != 0; rest &= rest - 1) w->lane_pc[lowest_lane(rest)] = w->pc;
  go(w, w->active & ~exec, w->pc + ISA_WORD_BYTES);
  release_check(w, x);
  return follow(m, w, exec, false);
}

static struct flow warpsync(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec) {
  const struct flow f = warpsync_members(w, op, exec);
  return f.trap != HEDDLE_TRAP_NONE ? f : park(m, w, exec, BARRIER_W);
}

static struct flow set_members(const struct heddle_model *m, struct warp *w, unsigned x, uint32_t members) {
  w->member[x] = members;
  if (!barrier_full(w, x)) return next(w);
  go(w, w->active, w->pc + ISA_WORD_BYTES);
  release_check(w, x);
  return follow(m, w, w->active, false);
}

static struct flow leave(const struct heddle_model *m, struct warp *w, uint32_t exec) {
  w->exited |= exec;
  go(w, w->active & ~exec, w->pc + ISA_WORD_BYTES);
  for (unsigned x = 0; x <= BARRIERS; x++) release_check(w, x);
  return follow(m, w, exec, false);
}

/* Barriers whose members are all here, parked there, or gone let their lanes go: a lock holder among them can then end
 * what the yielding lanes wait for. Not those at a WARPSYNC: what comes behind it counts on all of them. */
static struct flow yield(const struct heddle_model *m, struct warp *w, uint32_t exec) {
  go(w, w->active, w->pc + ISA_WORD_BYTES);
  for (unsigned x = 0; x < BARRIERS; x++) {
    const uint32_t parked = w->parked[x];
    if (parked != 0 && (w->member[x] & ~w->exited & ~parked & ~exec) == 0) let_go(w, x, parked);
  }
  return follow(m, w, exec, true);
}

struct flow its_execute(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec) {
  const unsigned x = op->bx;
  struct flow f;
  if (exec == 0) return next(w);
  switch ((enum sem_control)op->control) {
  case SEM_JMP:
    f = jump_target(op, exec);
    return f.trap != HEDDLE_TRAP_NONE ? f : branch(m, w, exec, op->target);
  case SEM_BRA:
    return branch(m, w, exec, op->target);
  case SEM_BRX:
    return indirect(m, w, exec, op);
  case SEM_BSYNC:
    return park(m, w, exec, x);
  case SEM_BREAK:
    return set_members(m, w, x, w->member[x] & ~exec);
  case SEM_BMOV_SET:
    return set_members(m, w, x, leader_operand(w, op, exec));
  case SEM_WARPSYNC:
    return warpsync(m, w, op, exec);
  case SEM_EXIT:
    return leave(m, w, exec);
  case SEM_YIELD:
    return yield(m, w, exec);
  case SEM_NANOSLEEP:
    go(w, w->active, w->pc + ISA_WORD_BYTES);
    return follow(m, w, exec, true);
  default:
    return next(w);
  }
}
