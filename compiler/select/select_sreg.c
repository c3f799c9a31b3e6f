/* SPDX-License-Identifier: Apache-2.0
 *
 * Special registers. Sizes of block and grid are words of constant bank 0 (isa/doc/06-abi.md).
 */
#include <heddle/program.h>
#include "compiler/select/select.h"

/* Where one comes from. */
enum source { NOWHERE, BANK_WORD, SPECIAL, CLOCK, CLOCK_PAIR, BANK_PAIR };

/* a row a line */
/* clang-format off */
static const struct {
  uint8_t is;   /* enum source */
  uint8_t what; /* offset in bank 0, or special register */
  const char *name;
} sources[] = {
    [IR_TID_X] = {SPECIAL, ISA_SREG_SR_TID_X, ""},
    [IR_TID_Y] = {SPECIAL, ISA_SREG_SR_TID_Y, ""},
    [IR_TID_Z] = {SPECIAL, ISA_SREG_SR_TID_Z, ""},
    [IR_NTID_X] = {BANK_WORD, HEDDLE_BANK0_NTID_X, ""},
    [IR_NTID_Y] = {BANK_WORD, HEDDLE_BANK0_NTID_Y, ""},
    [IR_NTID_Z] = {BANK_WORD, HEDDLE_BANK0_NTID_Z, ""},
    [IR_CTAID_X] = {SPECIAL, ISA_SREG_SR_CTAID_X, ""},
    [IR_CTAID_Y] = {SPECIAL, ISA_SREG_SR_CTAID_Y, ""},
    [IR_CTAID_Z] = {SPECIAL, ISA_SREG_SR_CTAID_Z, ""},
    [IR_NCTAID_X] = {BANK_WORD, HEDDLE_BANK0_NCTAID_X, ""},
    [IR_NCTAID_Y] = {BANK_WORD, HEDDLE_BANK0_NCTAID_Y, ""},
    [IR_NCTAID_Z] = {BANK_WORD, HEDDLE_BANK0_NCTAID_Z, ""},
    [IR_LANEID] = {SPECIAL, ISA_SREG_SR_LANEID, ""},
    [IR_WARPID] = {SPECIAL, ISA_SREG_SR_WARPID, ""},
    [IR_NWARPID] = {SPECIAL, ISA_SREG_SR_NWARPID, ""},
    [IR_SMID] = {SPECIAL, ISA_SREG_SR_SMID, ""},
    [IR_NSMID] = {SPECIAL, ISA_SREG_SR_NSMID, ""},
    [IR_GRIDID] = {NOWHERE, 0, "%gridid"},
    [IR_LANEMASK_EQ] = {SPECIAL, ISA_SREG_SR_EQMASK, ""},
    [IR_LANEMASK_LT] = {SPECIAL, ISA_SREG_SR_LTMASK, ""},
    [IR_LANEMASK_LE] = {SPECIAL, ISA_SREG_SR_LEMASK, ""},
    [IR_LANEMASK_GT] = {SPECIAL, ISA_SREG_SR_GTMASK, ""},
    [IR_LANEMASK_GE] = {SPECIAL, ISA_SREG_SR_GEMASK, ""},
    [IR_CLOCK] = {CLOCK, ISA_SREG_SR_CLOCKLO, ""},
    [IR_CLOCK64] = {CLOCK_PAIR, ISA_SREG2_SR_CLOCKLO, ""},
    [IR_SHARED_BYTES] = {BANK_WORD, HEDDLE_BANK0_SHARED, ""},
    [IR_GLOBALS] = {BANK_PAIR, HEDDLE_BANK0_GLOBALS, ""},
    [IR_ENVREG_0] = {BANK_WORD, HEDDLE_BANK0_ENVIRONMENT(0), ""},
    [IR_ENVREG_1] = {BANK_WORD, HEDDLE_BANK0_ENVIRONMENT(1), ""},
    [IR_ENVREG_2] = {BANK_WORD, HEDDLE_BANK0_ENVIRONMENT(2), ""},
    [IR_ENVREG_3] = {BANK_WORD, HEDDLE_BANK0_ENVIRONMENT(3), ""},
};
/* clang-format on */

void select_sreg(struct select *s) {
  const struct ir_insn *i = s->insn;
  if (i->sreg == IR_STACK) {
    if (!sel_is(s, 0, s->m.f->frame->stack)) sel_mov(s, sel_dst(s, 0), s->m.f->frame->stack);
    return;
  }
  bool known = i->sreg < sizeof sources / sizeof sources[0];
  unsigned is = known ? sources[i->sreg].is : NOWHERE;
  if (is == NOWHERE || sel_is_64(i->type) != (is == CLOCK_PAIR || is == BANK_PAIR)) {
    sel_refuse(s, "%s is not supported", known && is == NOWHERE ? sources[i->sreg].name : "this special register");
    return;
  }
  if (is == BANK_WORD || is == BANK_PAIR) {
    sel_give_bank(s, sources[i->sreg].what, is == BANK_PAIR ? 2 : 1);
    return;
  }
  struct mir_insn *m =
      sel_add(s, is == CLOCK_PAIR ? ISA_OP_CS2R : ISA_OP_S2R, sel_dst_pair(s, 0), mir_none(), mir_none(), mir_none());
  mir_set(m, is == CLOCK_PAIR ? ISA_F_SREG2 : ISA_F_SREG, sources[i->sreg].what);
  m->ordered = is == CLOCK || is == CLOCK_PAIR;
}
