/* SPDX-License-Identifier: Apache-2.0
 *
 * Integer division, absolute values and differences, minimum and maximum.
 */
#include "compiler/select/select.h"

/* As expansions take them: a 64-bit constant of one word is an immediate. */
static struct mir_operand factor(struct select *s, struct ir_operand o, bool wide) {
  if (!wide) return sel_low(s, o);
  return o.kind == IR_CONST && !(o.bits >> 32) ? sel_imm((uint32_t)o.bits) : sel_pair(s, o);
}

void select_divide(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool wide = sel_is_64(i->type);
  struct mir_operand a = factor(s, i->src[0], wide), b = factor(s, i->src[1], wide);
  sel_finish(s, 0, expand_div_int(&s->m, (enum ptx_type)i->type, i->op == IR_REM, a, b));
}

/* p = a < b, 64 bits. */
static struct mir_operand less(struct select *s, const struct ir_insn *i, struct mir_operand a[2],
                               struct mir_operand b[2]) {
  struct mir_operand q = sel_new_predicate(s), p = sel_new_predicate(s);
  struct mir_operand al = sel_reg(s, a[0]), ah = sel_reg(s, a[1]);
  struct mir_insn *m = sel_op(s, ISA_OP_ISETP, mir_none(), al, b[0], mir_none());
  mir_set(m, ISA_F_ICMP, ISA_ICMP_LT);
  mir_set(m, ISA_F_SIGN, ISA_SIGN_U32);
  m->pd[0] = q;
  m = sel_op(s, ISA_OP_ISETP_EX, mir_none(), ah, b[1], mir_none());
  mir_set(m, ISA_F_ICMP, ISA_ICMP_LT);
  mir_set(m, ISA_F_SIGN, sel_is_signed(i->type) ? ISA_SIGN_S32 : ISA_SIGN_U32);
  m->ps[2] = q;
  m->pd[0] = p;
  return p;
}

static void operand_words(struct select *s, struct ir_operand o, struct mir_operand w[2]) {
  for (unsigned k = 0; k < 2; k++) w[k] = sel_word(s, o, k);
}

void select_minmax(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool max = i->op == IR_MAX;
  if (!sel_is_64(i->type)) {
    struct mir_insn *m =
        sel_swap(s, ISA_OP_IMNMX, sel_dst(s, 0), sel_low(s, i->src[0]), sel_low(s, i->src[1]), mir_none());
    mir_set(m, ISA_F_SIGN, sel_is_signed(i->type) ? ISA_SIGN_S32 : ISA_SIGN_U32);
    m->ps[0] = sel_choice(!max);
    return;
  }
  struct mir_operand a[2], b[2];
  operand_words(s, i->src[0], a);
  operand_words(s, i->src[1], b);
  struct mir_operand p = less(s, i, a, b), d = sel_dst(s, 0);
  for (unsigned k = 0; k < d.words; k++) sel_sel(s, mir_word(d, k), max ? b[k] : a[k], max ? a[k] : b[k], p);
}

void select_abs(struct select *s) {
  const struct ir_insn *i = s->insn;
  if (!sel_is_64(i->type)) {
    (void)sel_op(s, ISA_OP_IABS, sel_dst(s, 0), mir_none(), sel_low(s, i->src[0]), mir_none());
    return;
  }
  struct mir_operand a[2], p = sel_new_predicate(s), carry = sel_new_predicate(s), n = sel_new(s, 2);
  operand_words(s, i->src[0], a);
  struct mir_insn *m = sel_op(s, ISA_OP_ISETP, mir_none(), a[1], mir_zero(), mir_none());
  mir_set(m, ISA_F_ICMP, ISA_ICMP_LT);
  m->pd[0] = p;
  sel_iadd(s, mir_word(n, 0), carry, sel_neg(sel_reg(s, a[0])), mir_zero(), mir_zero());
  sel_iaddx(s, mir_word(n, 1), mir_none(), sel_neg(sel_reg(s, a[1])), mir_zero(), mir_zero(), carry);
  struct mir_operand d = sel_dst(s, 0);
  for (unsigned k = 0; k < d.words; k++) sel_sel(s, mir_word(d, k), mir_word(n, k), a[k], p);
}

/* |a - b| + c */
void select_sad(struct select *s) {
  const struct ir_insn *i = s->insn;
  if (!sel_is_64(i->type)) {
    struct mir_operand x[3];
    for (unsigned k = 0; k < 3; k++) x[k] = sel_low(s, i->src[k]);
    struct mir_insn *m = sel_swap(s, ISA_OP_VABSDIFF, sel_dst(s, 0), x[0], x[1], x[2]);
    mir_set(m, ISA_F_SIGN, sel_is_signed(i->type) ? ISA_SIGN_S32 : ISA_SIGN_U32);
    return;
  }
  struct mir_operand a[2], b[2], c[2], more = sel_new(s, 2), fewer = sel_new(s, 2);
  operand_words(s, i->src[0], a);
  operand_words(s, i->src[1], b);
  operand_words(s, i->src[2], c);
  struct mir_operand p = less(s, i, a, b), carry = sel_new_predicate(s), t = sel_new(s, 2);
  for (unsigned k = 0; k < 2; k++) {
    sel_sel(s, mir_word(more, k), b[k], a[k], p);
    sel_sel(s, mir_word(fewer, k), a[k], b[k], p);
  }
  sel_iadd(s, mir_word(t, 0), carry, mir_word(more, 0), sel_neg(mir_word(fewer, 0)), mir_zero());
  sel_iaddx(s, mir_word(t, 1), mir_none(), mir_word(more, 1), sel_neg(mir_word(fewer, 1)), mir_zero(), carry);
  carry = sel_new_predicate(s);
  struct mir_operand d = sel_dst_pair(s, 0);
  sel_iadd(s, mir_word(d, 0), carry, mir_word(t, 0), c[0], mir_zero());
  sel_iaddx(s, mir_word(d, 1), mir_none(), mir_word(t, 1), c[1], mir_zero(), carry);
}
