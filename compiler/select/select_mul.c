/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of integers, with and without a sum behind.
 */
#include "compiler/select/select.h"

static bool is_zero_operand(struct mir_operand x) {
  return x.kind == MIR_ZERO;
}

void sel_mul64(struct select *s, struct mir_operand rd, struct ir_operand a, struct ir_operand b,
               struct mir_operand c) {
  bool both_signed = sel_extended(s, &a, true) && sel_extended(s, &b, true);
  struct mir_operand al = sel_low(s, a), bl = sel_low(s, b);
  if (both_signed) {
    sel_imad_wide(s, rd, al, bl, c, true);
    return;
  }
  sel_imad_wide(s, rd, al, bl, c, false);
  if (!sel_extended(s, &b, false)) sel_imad(s, mir_word(rd, 1), al, sel_high(s, b), mir_word(rd, 1));
  if (!sel_extended(s, &a, false)) sel_imad(s, mir_word(rd, 1), bl, sel_high(s, a), mir_word(rd, 1));
}

/* MUL, MAD: the low words. */
void select_mul(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool mad = i->op == IR_MAD;
  const struct ir_operand zero = ir_bits(0);
  if (!sel_is_64(i->type) || sel_narrow(s, 0)) {
    struct mir_operand a = sel_low(s, i->src[0]), c = sel_low(s, mad ? i->src[2] : zero);
    if (i->src[1].kind == IR_CONST && !is_zero_operand(c))
      sel_mad_low(s, sel_dst(s, 0), a, (uint32_t)i->src[1].bits, c);
    else
      sel_imad(s, sel_dst(s, 0), a, sel_low(s, i->src[1]), c);
    return;
  }
  struct mir_operand c = mad ? sel_pair(s, i->src[2]) : mir_zero();
  sel_touch(s);
  struct mir_operand d = sel_dst_late(s, 0);
  sel_mul64(s, d, i->src[0], i->src[1], c);
  sel_finish(s, 0, d);
}

/* rd -= a where `sign` is negative. */
static void subtract_where(struct select *s, struct mir_operand rd, struct mir_operand sign, struct mir_operand al,
                           struct mir_operand ah) {
  struct mir_operand mask = sel_new(s, 1), l = sel_new(s, 1), h = sel_new(s, 1), carry = sel_new_predicate(s);
  (void)sel_shf(s, mask, mir_zero(), mir_imm(31), sign, true, ISA_SHTYPE_S32, true);
  sel_lop3(s, l, mask, al, mir_zero(), 0xc0);
  sel_lop3(s, h, mask, ah, mir_zero(), 0xc0);
  sel_iadd(s, mir_word(rd, 0), carry, mir_word(rd, 0), sel_neg(l), mir_zero());
  sel_iaddx(s, mir_word(rd, 1), mir_none(), mir_word(rd, 1), sel_neg(h), mir_zero(), carry);
}

/* The upper 64 of 128 bits: four products, carried along in the addends; then a signed one is set right. */
void sel_mulhi64(struct select *s, struct mir_operand rd, struct ir_operand a, struct ir_operand b, bool is_signed) {
  struct mir_operand al = sel_low(s, a), ah = sel_high(s, a), bl = sel_low(s, b), bh = sel_high(s, b),
                     carry = sel_new_predicate(s);
  struct mir_operand t = sel_new(s, 2), u = sel_new(s, 2), v = sel_new(s, 2);
  sel_imad_wide(s, t, al, bl, mir_zero(), false);
  sel_imad_wide(s, u, ah, bl, sel_join(s, mir_word(t, 1), mir_zero()), false);
  sel_imad_wide(s, v, al, bh, sel_join(s, mir_word(u, 0), mir_zero()), false);
  sel_imad_wide(s, rd, ah, bh, sel_join(s, mir_word(u, 1), mir_zero()), false);
  sel_iadd(s, mir_word(rd, 0), carry, mir_word(rd, 0), mir_word(v, 1), mir_zero());
  sel_iaddx(s, mir_word(rd, 1), mir_none(), mir_word(rd, 1), mir_zero(), mir_zero(), carry);
  if (!is_signed) return;
  subtract_where(s, rd, ah, bl, bh);
  subtract_where(s, rd, bh, al, ah);
}

/* MULHI, MADHI */
void select_mulhi(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool mad = i->op == IR_MADHI, is_signed = sel_is_signed(i->type);
  if (sel_is_64(i->type)) {
    struct mir_operand h = sel_new(s, 2);
    sel_mulhi64(s, h, i->src[0], i->src[1], is_signed);
    if (mad) {
      struct mir_operand carry = sel_new_predicate(s), lo = sel_low(s, i->src[2]), hi = sel_high(s, i->src[2]);
      sel_iadd(s, mir_word(h, 0), carry, mir_word(h, 0), lo, mir_zero());
      sel_iaddx(s, mir_word(h, 1), mir_none(), mir_word(h, 1), hi, mir_zero(), carry);
    }
    sel_finish(s, 0, h);
    return;
  }
  struct mir_operand a = sel_low(s, i->src[0]), b = sel_low(s, i->src[1]), c = mad ? sel_low(s, i->src[2]) : mir_zero();
  struct mir_operand h = mad ? sel_new(s, 1) : sel_dst(s, 0);
  struct mir_insn *m = sel_swap(s, ISA_OP_IMAD_HI, h, a, b, mir_zero());
  mir_set(m, ISA_F_SIGN, is_signed ? ISA_SIGN_S32 : ISA_SIGN_U32);
  if (mad) sel_iadd(s, sel_dst(s, 0), mir_none(), h, c, mir_zero());
}

/* MULWIDE, MADWIDE: factors of 32 bits, the rest of 64. */
void select_mulwide(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool mad = i->op == IR_MADWIDE, is_signed = sel_is_signed(i->type);
  if (ptx_type_bytes((enum ptx_type)i->type) != 4) {
    sel_refuse(s, "factors of this type");
    return;
  }
  if (mad && i->src[1].kind == IR_CONST && !(i->src[1].bits >> 31)) {
    sel_add_scaled(s, (struct sel_scaled){i->src[0], is_signed, (uint32_t)i->src[1].bits}, i->src[2]);
    return;
  }
  struct mir_operand a = sel_low(s, i->src[0]), b = sel_low(s, i->src[1]);
  if (sel_narrow(s, 0)) {
    sel_imad(s, sel_dst(s, 0), a, b, mad ? sel_low(s, i->src[2]) : mir_zero());
    return;
  }
  const bool in_registers = a.kind == MIR_REG && b.kind == MIR_REG && s->wide_addends;
  struct mir_operand c = !mad ? mir_zero() : in_registers ? sel_wide(s, i->src[2]) : sel_pair(s, i->src[2]);
  sel_imad_wide(s, sel_dst(s, 0), a, b, c, is_signed);
}
