/* SPDX-License-Identifier: Apache-2.0
 *
 * The `stack` divergence unit, as isa/doc/03-divergence.md words it.
 */
#include <assert.h>

#include "state.h"

static const struct flow no_trap = {HEDDLE_TRAP_NONE, 0, 0};

static void push(struct warp *w, uint32_t mask, uint32_t pc) {
  assert(mask != 0 && w->depth < PATHS_MAX);
  struct path *p = &w->path[w->depth++];
  p->mask = mask;
  p->pc = pc;
}

/* When every live member of x is parked there, they go on behind their BSYNC. */
static void release_check(struct warp *w, unsigned x) {
  if (!barrier_full(w, x)) return;
  const uint32_t free = w->parked[x] & w->member[x];
  barrier_leave(w, x, free);
  push(w, free, w->park_pc[x] + ISA_WORD_BYTES);
}

/* With nothing active: the top waiting path, or the end, or a deadlock. */
static struct flow pop(struct warp *w) {
  if (w->active != 0) return no_trap;
  if (w->depth > 0) {
    const struct path p = w->path[--w->depth];
    w->active = p.mask;
    w->pc = p.pc;
    return no_trap;
  }
  if (warp_live(w) == 0) return no_trap;
  return (struct flow){HEDDLE_TRAP_DEADLOCK, warp_live(w), 0};
}

static struct flow branch(struct warp *w, uint32_t exec, uint32_t target) {
  const uint32_t stay = w->active & ~exec;
  if (stay != 0) {
    push(w, stay, w->pc + ISA_WORD_BYTES);
    w->active = exec;
  }
  w->pc = target;
  return no_trap;
}

static struct flow indirect(struct warp *w, uint32_t exec, const struct dop *op, uint32_t code_bytes) {
  const uint32_t next = w->pc + ISA_WORD_BYTES, here = w->pc, stay = w->active & ~exec;
  uint64_t target[HEDDLE_LANES];
  const struct flow f = register_targets(w, op, exec, code_bytes, target);
  if (f.trap != HEDDLE_TRAP_NONE) return f;
  const uint64_t first = target[lowest_lane(exec)];
  uint32_t same = 0;
  for (unsigned i = 0; i < HEDDLE_LANES; i++)
    if (target[i] == first) same |= exec & 1u << i;
  if (stay != 0) push(w, stay, next);
  if ((exec & ~same) != 0) push(w, exec & ~same, here);
  w->active = same;
  w->pc = (uint32_t)first;
  return no_trap;
}

/* BSYNC, and WARPSYNC once its members stand. */
static struct flow park(struct warp *w, uint32_t exec, unsigned x) {
  const uint32_t strangers = exec & ~w->member[x];
  if (strangers != 0) return (struct flow){HEDDLE_TRAP_DIVERGENCE, strangers, 0};
  if (w->parked[x] != 0 && w->park_pc[x] != w->pc) return (struct flow){HEDDLE_TRAP_DIVERGENCE, exec, 0};
  w->park_pc[x] = w->pc;
  w->parked[x] |= exec;
  w->active &= ~exec;
  w->pc += ISA_WORD_BYTES;
  if (w->active == 0 && barrier_full(w, x)) { /* the usual case: pushed and popped at once */
    w->active = w->parked[x] & w->member[x];
    barrier_leave(w, x, w->active);
    return no_trap;
  }
  release_check(w, x);
  return pop(w);
}

static struct flow warpsync(struct warp *w, const struct dop *op, uint32_t exec) {
  const struct flow f = warpsync_members(w, op, exec);
  return f.trap != HEDDLE_TRAP_NONE ? f : park(w, exec, BARRIER_W);
}

static struct flow set_members(struct warp *w, unsigned x, uint32_t members) {
  w->member[x] = members;
  w->pc += ISA_WORD_BYTES;
  release_check(w, x);
  return no_trap;
}

static struct flow leave(struct warp *w, uint32_t exec) {
  w->exited |= exec;
  w->active &= ~exec;
  w->pc += ISA_WORD_BYTES;
  for (unsigned x = 0; x <= BARRIERS; x++) release_check(w, x);
  return pop(w);
}

struct flow stack_execute(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec) {
  const unsigned x = op->bx;
  struct flow f;
  if (exec != 0) {
    switch ((enum sem_control)op->control) {
    case SEM_JMP:
      f = jump_target(op, exec);
      return f.trap != HEDDLE_TRAP_NONE ? f : branch(w, exec, op->target);
    case SEM_BRA:
      return branch(w, exec, op->target);
    case SEM_BRX:
      return indirect(w, exec, op, m->launch.code_bytes);
    case SEM_BSYNC:
      return park(w, exec, x);
    case SEM_BREAK:
      return set_members(w, x, w->member[x] & ~exec);
    case SEM_BMOV_SET:
      return set_members(w, x, leader_operand(w, op, exec));
    case SEM_WARPSYNC:
      return warpsync(w, op, exec);
    case SEM_EXIT:
      return leave(w, exec);
    default: /* YIELD, NANOSLEEP: hints */
      break;
    }
  }
  w->pc += ISA_WORD_BYTES;
  return no_trap;
}
