/* SPDX-License-Identifier: Apache-2.0
 *
 * Control instructions, and what a trap leaves behind.
 */
#include <string.h>

#include "cmodel/core/state.h"

static struct flow carry_out_control(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec) {
  static const struct flow no_trap = {.trap = HEDDLE_TRAP_NONE};
  switch ((enum sem_control)op->control) {
  case SEM_BAR_SYNC:
  case SEM_BAR_ARV:
  case SEM_BAR_RED:
  case SEM_BAR_POPC:
    return barrier_arrive(m, w, exec, op);
  case SEM_BPT:
    if (exec != 0) return (struct flow){.trap = HEDDLE_TRAP_BREAKPOINT, .lanes = exec};
    break;
  case SEM_BMOV_GET:
    bmov_get(w, op, exec);
    break;
  case SEM_BSSY:
    w->member[op->bx] |= exec;
    break;
  case SEM_NOP:
  case SEM_MEMBAR:
    break;
  default:
    return diverge_execute(m, w, op, exec);
  }
  w->pc += op_step(op);
  return no_trap;
}

struct flow control_execute(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec) {
  w->hashed = false;
  w->seq++; /* of the path that issues next */
  const struct flow f = carry_out_control(m, w, op, exec);
  if (f.trap != HEDDLE_TRAP_NONE && f.trap != HEDDLE_TRAP_DEADLOCK) {
    w->seq--;
    return f;
  }
  if (warp_live(w) != 0) return f;
  warp_end(w);
  m->watch.on = false;
  return f;
}

void trap_record(struct heddle_model *m, const struct warp *w, struct flow f, uint32_t seq, uint32_t pc) {
  struct heddle_trap *t = &m->now.trap_of[sm_of(m, w)];
  if (t->cause != HEDDLE_TRAP_NONE) return;
  *t = (struct heddle_trap){.cause = f.trap,
                            .warp_in_block = w->index,
                            .seq = seq,
                            .pc = pc,
                            .lanes = f.lanes,
                            .addr = f.addr,
                            .sm = w->smid,
                            .offset = f.offset,
                            .exact = true};
  memcpy(t->ctaid, w->block->ctaid, sizeof t->ctaid);
  if (m->now.trap.cause != HEDDLE_TRAP_NONE) return; /* of another SM */
  m->now.trap = *t;
  const uint32_t *id = t->ctaid;
  (void)model_fail(m, HEDDLE_TRAPPED, "trap %s: block (%u,%u,%u) warp %u seq %u pc 0x%08x lanes 0x%08x address 0x%llx",
                   heddle_cause_name(f.trap), id[0], id[1], id[2], w->index, seq, pc, f.lanes,
                   (unsigned long long)f.addr);
}
