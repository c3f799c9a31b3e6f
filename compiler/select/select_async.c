/* SPDX-License-Identifier: Apache-2.0
 *
 * Asynchronous copies, and groups of them by a counter of their own (isa/doc/14-asynchronous-copies.md).
 */
#include <heddle/hazard.h>
#include "compiler/select/select_memory.h"

void select_async_copy(struct select *s) {
  static const uint8_t sizes[5] = {[1] = ISA_CSIZE_32, [2] = ISA_CSIZE_64, [4] = ISA_CSIZE_128};
  const struct ir_insn *i = s->insn;
  const struct sel_address a = sel_address(s);
  const struct mir_operand to = sel_reg(s, sel_low(s, i->src[1]));
  struct mir_insn *m = sel_add(s, ISA_OP_LDGSTS_E, mir_none(), a.base, to, mir_none());
  sel_set_address(m, a);
  mir_set(m, ISA_F_CSIZE, sizes[i->memory.vector > 1 ? i->memory.vector : 1]);
}

void select_async_close(struct select *s) {
  (void)sel_add(s, ISA_OP_LDGDEPBAR, mir_none(), mir_none(), mir_none(), mir_none());
}

void select_async_wait(struct select *s) {
  const uint64_t left = s->insn->src[0].bits, most = (uint64_t)heddle_isa_field_most(ISA_F_SBK);
  struct mir_insn *m = sel_add(s, ISA_OP_DEPBAR_LE, mir_none(), mir_none(), mir_none(), mir_none());
  mir_set(m, ISA_F_SBN, HEDDLE_HAZARD_GROUPS);
  mir_set(m, ISA_F_SBK, left < most ? left : most); /* fewer is as good */
}
