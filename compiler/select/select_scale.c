/* SPDX-License-Identifier: Apache-2.0
 *
 * Addresses of arrays: 64-bit operands that are an extended 32-bit number times a constant.
 */
#include "compiler/select/select.h"

static struct mir_operand sel_factor(struct select *s, uint32_t number) {
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

/* IMAD.WIDE with a constant addend: a base that the host gave, plus an index times a number, in one instruction instead
 * of LEA and LEA.HI.X. No form has an immediate besides, so the number wants a register: one for the whole kernel,
 * written at its start. Constants are fetched for each instruction, two words one after the other: a base that is read
 * more than once is better in registers (sel_give_bank). The number pays when it saves more than the MOV (other numbers
 * than powers of two always: LEA does not know them), and never where functions are called, since the register would
 * live across all calls. */

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

/* 64-bit operands that are an extended 32-bit number times a constant: indices of arrays. */

static bool is_extension(const struct ir_insn *i) {
  return i && i->op == IR_CVT && (i->type == PTX_S64 || i->type == PTX_U64) &&
         (i->type2 == PTX_S32 || i->type2 == PTX_U32);
}

bool sel_extended(struct select *s, const struct ir_operand *o, bool is_signed) {
  if (o->kind == IR_CONST) return is_signed ? (int64_t)o->bits == (int32_t)o->bits : o->bits <= UINT32_MAX;
  if (o->kind != IR_VALUE) return false;
  const struct sel_value *v = sel_value(s, o->value);
  if (!is_signed && v->known && v->whole.kind == MIR_NONE && v->word[1].kind == MIR_ZERO) return true;
  const struct ir_insn *i = sel_from_op(s, o, IR_CVT);
  return is_extension(i) && (i->type2 == PTX_S32) == is_signed;
}

static bool from_product(const struct ir_insn *i, struct sel_scaled *r) {
  if (i->op != IR_MULWIDE || ptx_type_bytes((enum ptx_type)i->type) != 4) return false;
  if (i->src[1].kind != IR_CONST || i->src[1].bits >> 31) return false;
  *r = (struct sel_scaled){i->src[0], i->type == PTX_S32, (uint32_t)i->src[1].bits};
  return true;
}

/* x << k, x extended. */
static bool from_left(struct select *s, const struct ir_insn *i, struct sel_scaled *r) {
  if (i->op != IR_SHL || i->src[1].kind != IR_CONST || i->src[1].bits > 30) return false;
  const struct ir_insn *x = sel_from_op(s, &i->src[0], IR_CVT);
  if (!is_extension(x)) return false;
  *r = (struct sel_scaled){x->src[0], x->type2 == PTX_S32, UINT32_C(1) << i->src[1].bits};
  return true;
}

/* (x << 32) >> k: the low word of x, extended, times 2^(32 - k). */
static bool from_both(struct select *s, const struct ir_insn *i, struct sel_scaled *r) {
  if (i->op != IR_SHR || i->src[1].kind != IR_CONST || i->src[1].bits < 2 || i->src[1].bits > 32) return false;
  const struct ir_insn *x = sel_from_op(s, &i->src[0], IR_SHL);
  if (!x || x->src[1].kind != IR_CONST || x->src[1].bits != 32) return false;
  *r = (struct sel_scaled){x->src[0], i->type == PTX_S64, UINT32_C(1) << (32 - i->src[1].bits)};
  return true;
}

bool sel_is_scaled(struct select *s, const struct ir_insn *i, struct sel_scaled *r) {
  if (i->dsts == 0 || i->dst[0]->class != IR_64) return false;
  return from_product(i, r) || from_left(s, i, r) || from_both(s, i, r);
}

bool sel_scaled(struct select *s, const struct ir_operand *o, struct sel_scaled *r) {
  const struct ir_insn *i = sel_from(s, o);
  if (!i || i->block->loop_depth < s->at->loop_depth) return false;
  if (!is_extension(i)) return sel_is_scaled(s, i, r);
  *r = (struct sel_scaled){i->src[0], i->type2 == PTX_S32, 1};
  return true;
}

/* LEA, LEA.HI.X: the base need not be a register pair. */
static void add_by_lea(struct select *s, struct sel_scaled x, struct ir_operand base) {
  struct mir_operand index = sel_reg(s, sel_low(s, x.index)), lo = sel_low(s, base), hi = sel_high(s, base);
  struct mir_operand d = sel_dst_late(s, 0), carry = sel_new_predicate(s);
  const unsigned shift = (unsigned)sel_power(x.scale);
  struct mir_insn *m = sel_op(s, ISA_OP_LEA, mir_word(d, 0), index, lo, mir_none());
  mir_set(m, ISA_F_SH5, shift);
  m->pd[0] = carry;
  m = sel_op(s, ISA_OP_LEA_HI_X, mir_word(d, 1), index, hi, mir_zero());
  mir_set(m, ISA_F_SH5, shift);
  mir_set(m, ISA_F_SX32, x.is_signed);
  m->ps[0] = carry;
  sel_finish(s, 0, d);
}

void sel_add_scaled(struct select *s, struct sel_scaled x, struct ir_operand base) {
  if (sel_narrow(s, 0)) {
    struct mir_operand index = sel_low(s, x.index), lo = sel_low(s, base);
    sel_mad_low(s, sel_dst(s, 0), index, x.scale, lo);
    return;
  }
  const struct mir_operand factor = sel_is_bank(s, base) ? sel_factor(s, x.scale) : mir_none();
  if (factor.kind != MIR_NONE) {
    struct mir_operand index = sel_reg(s, sel_low(s, x.index));
    sel_imad_wide(s, sel_dst(s, 0), index, factor, sel_wide(s, base), x.is_signed);
    return;
  }
  if (sel_power(x.scale) >= 0 && !sel_is_pair(s, base)) {
    add_by_lea(s, x, base);
    return;
  }
  struct mir_operand index = sel_low(s, x.index), pair = sel_pair(s, base);
  sel_imad_wide(s, sel_dst(s, 0), index, sel_imm(x.scale), pair, x.is_signed);
}

void sel_mad_low(struct select *s, struct mir_operand rd, struct mir_operand a, uint32_t n, struct mir_operand c) {
  int shift = sel_power(n);
  if (shift == 0) {
    sel_iadd(s, rd, mir_none(), a, c, mir_zero());
  } else if (shift > 0 && c.kind != MIR_REG && !c.neg) {
    struct mir_insn *m = sel_op(s, ISA_OP_LEA, rd, sel_reg(s, a), c, mir_none());
    mir_set(m, ISA_F_SH5, (unsigned)shift);
  } else {
    sel_imad(s, rd, a, sel_imm(n), c);
  }
}
