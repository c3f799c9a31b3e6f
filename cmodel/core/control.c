/* SPDX-License-Identifier: Apache-2.0
 *
 * Control instructions, and what a trap leaves behind.
 */
#include <string.h>

#include "state.h"

struct flow control_execute(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec) {
  struct flow f = {HEDDLE_TRAP_NONE, 0, 0};
  switch ((enum sem_control)op->control) {
  case SEM_BRA:
    f = diverge_branch(w, exec, op->target);
    break;
  case SEM_BRX:
    f = diverge_indirect(w, exec, op, m->launch.code_bytes);
    break;
  case SEM_BSSY:
    diverge_bssy(w, exec, op->bx);
    break;
  case SEM_BSYNC:
    f = diverge_bsync(w, exec, op->bx);
    break;
  case SEM_BREAK:
    diverge_break(w, exec, op->bx);
    break;
  case SEM_BAR_SYNC:
    f = barrier_arrive(m, w, exec, op);
    break;
  case SEM_EXIT:
    f = diverge_exit(w, exec);
    if (warp_live(w) == 0) warp_end(w);
    break;
  case SEM_NOP:
  case SEM_MEMBAR:
    w->pc += ISA_WORD_BYTES;
    break;
  }
  if (f.trap == HEDDLE_TRAP_NONE || f.trap == HEDDLE_TRAP_DEADLOCK) w->seq++;
  return f;
}

void trap_record(struct heddle_model *m, const struct warp *w, struct flow f, uint32_t seq, uint32_t pc) {
  if (m->trap.cause != HEDDLE_TRAP_NONE) return;
  m->trap = (struct heddle_trap){
      .cause = f.trap, .warp_in_block = w->index, .seq = seq, .pc = pc, .lanes = f.lanes, .addr = f.addr};
  memcpy(m->trap.ctaid, w->block->ctaid, sizeof m->trap.ctaid);
  const uint32_t *id = m->trap.ctaid;
  (void)model_fail(m, HEDDLE_TRAPPED, "trap %s: block (%u,%u,%u) warp %u seq %u pc 0x%08x lanes 0x%08x address 0x%llx",
                   heddle_cause_name(f.trap), id[0], id[1], id[2], w->index, seq, pc, f.lanes,
                   (unsigned long long)f.addr);
}
