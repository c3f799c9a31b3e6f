/* SPDX-License-Identifier: Apache-2.0
 *
 * IMAD.WIDE with a constant addend: a base that the host gave, plus an index times a number, in one instruction instead
 * of LEA and LEA.HI.X. No form has an immediate besides, so the number wants a register: one for the whole kernel,
 * written at its start. Constants are fetched for each instruction, two words one after the other: a base that is read
 * more than once is better in registers (sel_give_bank). The number pays when it saves more than the MOV (other numbers
 * than powers of two always: LEA does not know them), and never where functions are called, since the register would
 * live across all calls.
 */
#include "compiler/select/select.h"

enum { IN_LOOP = 8 }; /* what is done in a loop counts so many times */

/* A word of 64 bits of constant bank 0 that will stand in the instructions themselves. */
static bool is_bank(struct select *s, const struct ir_operand *o) {
  for (unsigned steps = 0; steps < 4 && o->kind == IR_VALUE && o->value->def && !o->value->def->guard; steps++) {
    const struct ir_insn *i = o->value->def;
    if (i->op == IR_PARAM || i->op == IR_SREG)
      return sel_is_64(i->type) && (i->op == IR_PARAM || i->sreg == IR_GLOBALS) && !sel_wants_pair(s, o->value);
    if (i->op != IR_COPY && (i->op != IR_GENERIC || i->memory.space != PTX_GLOBAL)) return false;
    o = &i->src[0];
  }
  return false;
}

static struct sel_factor *factor_of(struct select *s, uint32_t number) {
  for (unsigned k = 0; k < s->factors; k++)
    if (s->factor[k].number == number) return &s->factor[k];
  if (s->factors == SEL_FACTORS) return NULL;
  s->factor[s->factors].number = number;
  return &s->factor[s->factors++];
}

static bool serves(struct select *s, const struct ir_insn *i) {
  return i->op == IR_MADWIDE && i->src[1].kind == IR_CONST && !(i->src[1].bits >> 31) && is_bank(s, &i->src[2]);
}

void sel_find_factors(struct select *s) {
  const struct mir_insn wanted = {
      .op = ISA_OP_IMAD_WIDE,
      .rd = {.kind = MIR_REG, .words = 2},
      .src = {{.kind = MIR_REG, .words = 1}, {.kind = MIR_REG, .words = 1}, mir_const(0, 0, 2)}};
  s->wide_addends = !s->ir->framed && mir_usable(s->m.f, &wanted);
  for (const struct ir_block *b = s->ir->first; b && s->wide_addends; b = b->next)
    for (const struct ir_insn *i = b->first; i; i = i->next) {
      struct sel_factor *f = serves(s, i) ? factor_of(s, (uint32_t)i->src[1].bits) : NULL;
      if (f) f->saves += b->loop_depth > 0 ? IN_LOOP : 1;
    }
}

struct mir_operand sel_factor(struct select *s, uint32_t number) {
  struct sel_factor *f = NULL;
  for (unsigned k = 0; k < s->factors && !f; k++)
    if (s->factor[k].number == number) f = &s->factor[k];
  if (!f || (f->saves < 2 && sel_power(number) >= 0)) return mir_none();
  if (f->reg.kind == MIR_NONE) {
    struct mir_builder start = {.f = s->m.f, .b = s->block[s->ir->first->id], .pos = s->ir->first->first->pos};
    f->reg = mir_new(s->m.f, MIR_R, 1);
    struct mir_insn *m = mir_add(&start, ISA_OP_MOV, f->reg, mir_none(), mir_imm(number), mir_none());
    mir_remove(start.b, m);
    mir_insert_before(start.b, start.b->first, m);
  }
  return f->reg;
}
