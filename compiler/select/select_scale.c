/* SPDX-License-Identifier: Apache-2.0
 *
 * 64-bit operands that are an extended 32-bit number times a constant: indices of arrays.
 */
#include "compiler/select/select.h"

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
