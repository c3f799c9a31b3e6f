/* SPDX-License-Identifier: Apache-2.0
 *
 * Special registers. Sizes of block and grid are words of constant bank 0 (isa/doc/06-abi.md).
 */
#include "heddle/program.h"
#include "select.h"

static const struct {
  uint8_t is; /* 1 a word of bank 0, 2 S2R, 3 a clock, 4 a pair of it, 5 two words of bank 0; 0: not there */
  uint8_t what;
  const char *name;
} sources[] = {
    [IR_TID_X] = {2, ISA_SREG_SR_TID_X, ""},
    [IR_TID_Y] = {2, ISA_SREG_SR_TID_Y, ""},
    [IR_TID_Z] = {2, ISA_SREG_SR_TID_Z, ""},
    [IR_NTID_X] = {1, HEDDLE_BANK0_NTID_X, ""},
    [IR_NTID_Y] = {1, HEDDLE_BANK0_NTID_Y, ""},
    [IR_NTID_Z] = {1, HEDDLE_BANK0_NTID_Z, ""},
    [IR_CTAID_X] = {2, ISA_SREG_SR_CTAID_X, ""},
    [IR_CTAID_Y] = {2, ISA_SREG_SR_CTAID_Y, ""},
    [IR_CTAID_Z] = {2, ISA_SREG_SR_CTAID_Z, ""},
    [IR_NCTAID_X] = {1, HEDDLE_BANK0_NCTAID_X, ""},
    [IR_NCTAID_Y] = {1, HEDDLE_BANK0_NCTAID_Y, ""},
    [IR_NCTAID_Z] = {1, HEDDLE_BANK0_NCTAID_Z, ""},
    [IR_LANEID] = {2, ISA_SREG_SR_LANEID, ""},
    [IR_WARPID] = {2, ISA_SREG_SR_WARPID, ""},
    [IR_NWARPID] = {2, ISA_SREG_SR_NWARPID, ""},
    [IR_SMID] = {2, ISA_SREG_SR_SMID, ""},
    [IR_NSMID] = {2, ISA_SREG_SR_NSMID, ""},
    [IR_GRIDID] = {0, 0, "%gridid"},
    [IR_LANEMASK_EQ] = {2, ISA_SREG_SR_EQMASK, ""},
    [IR_LANEMASK_LT] = {2, ISA_SREG_SR_LTMASK, ""},
    [IR_LANEMASK_LE] = {2, ISA_SREG_SR_LEMASK, ""},
    [IR_LANEMASK_GT] = {2, ISA_SREG_SR_GTMASK, ""},
    [IR_LANEMASK_GE] = {2, ISA_SREG_SR_GEMASK, ""},
    [IR_CLOCK] = {3, ISA_SREG_SR_CLOCKLO, ""},
    [IR_CLOCK64] = {4, ISA_SREG2_SR_CLOCKLO, ""},
    [IR_DYNAMIC_SMEM] = {0, 0, "%dynamic_smem_size"},
    [IR_GLOBALS] = {5, HEDDLE_BANK0_GLOBALS, ""},
};

void select_sreg(struct select *s) {
  const struct ir_insn *i = s->insn;
  if (i->sreg == IR_STACK) {
    if (!sel_is(s, 0, s->m.f->frame->stack)) sel_mov(s, sel_dst(s, 0), s->m.f->frame->stack);
    return;
  }
  bool known = i->sreg < sizeof sources / sizeof sources[0];
  unsigned is = known ? sources[i->sreg].is : 0;
  if (is == 0 || sel_is_64(i->type) != (is >= 4)) {
    sel_refuse(s, "%s is not supported", known && is == 0 ? sources[i->sreg].name : "this special register");
    return;
  }
  if (is == 1 || is == 5) {
    sel_give_bank(s, sources[i->sreg].what, is == 5 ? 2 : 1);
    return;
  }
  struct mir_insn *m =
      sel_add(s, is == 4 ? ISA_OP_CS2R : ISA_OP_S2R, sel_dst_pair(s, 0), mir_none(), mir_none(), mir_none());
  mir_set(m, is == 4 ? ISA_F_SREG2 : ISA_F_SREG, sources[i->sreg].what);
  m->ordered = is >= 3;
}
