/* SPDX-License-Identifier: Apache-2.0
 *
 * Kinds of instructions.
 */
#include "compiler/graph/pass.h"

bool pass_is_warp_wide(const struct ir_insn *i) {
  switch (i->op) {
  case IR_SHFL:
  case IR_VOTE:
  case IR_MATCH:
  case IR_REDUX:
  case IR_ACTIVEMASK:
  case IR_MMA:
  case IR_LDSM:
  case IR_WARPSYNC:
  case IR_BAR:
    return true;
  default:
    return false;
  }
}

bool pass_can_speculate(const struct ir_insn *i) {
  if (ir_has_effect(i) || pass_is_warp_wide(i) || i->op == IR_PHI || i->op == IR_LD) return false;
  return i->op != IR_SREG || (i->sreg != IR_CLOCK && i->sreg != IR_CLOCK64);
}
