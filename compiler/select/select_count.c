/* SPDX-License-Identifier: Apache-2.0
 *
 * Counting and finding bits; bytes.
 */
#include "compiler/select/select.h"

static void flo(struct select *s, struct mir_operand rd, struct mir_operand x, bool is_signed, bool left) {
  struct mir_insn *m = sel_op(s, ISA_OP_FLO, rd, mir_none(), x, mir_none());
  mir_set(m, ISA_F_SIGN, is_signed ? ISA_SIGN_S32 : ISA_SIGN_U32);
  mir_set(m, ISA_F_SH, left ? ISA_SH_SH : ISA_SH_NONE);
}

static struct mir_operand not_zero(struct select *s, struct mir_operand x) {
  struct mir_operand p = sel_new_predicate(s);
  struct mir_insn *m = sel_op(s, ISA_OP_ISETP, mir_none(), sel_reg(s, x), mir_zero(), mir_none());
  mir_set(m, ISA_F_ICMP, ISA_ICMP_NE);
  m->pd[0] = p;
  return p;
}

static void at_most(struct select *s, struct mir_operand rd, struct mir_operand x, uint32_t most) {
  struct mir_insn *m = sel_op(s, ISA_OP_IMNMX, rd, x, mir_imm(most), mir_none());
  mir_set(m, ISA_F_SIGN, ISA_SIGN_U32);
  m->ps[0] = sel_choice(true);
}

/* The topmost one of 64 bits; a word of zeros gives all ones, which another 32 does not change. */
static void find_64(struct select *s, struct mir_operand rd, struct mir_operand lo, struct mir_operand hi, bool left) {
  struct mir_operand t = sel_new(s, 1), u = sel_new(s, 1), more = sel_new(s, 1), p = not_zero(s, hi);
  flo(s, t, hi, false, left);
  flo(s, u, lo, false, left);
  sel_lop3(s, more, left ? u : t, mir_imm(32), mir_zero(), 0xfc);
  sel_sel(s, rd, left ? t : more, left ? more : u, p);
}

/* BFIND: of a negative number the topmost zero. */
void select_bfind(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool is_signed = sel_is_signed(i->type);
  struct mir_operand lo = sel_low(s, i->src[0]);
  if (!sel_is_64(i->type)) {
    flo(s, sel_dst(s, 0), lo, is_signed, i->shift_amount);
    return;
  }
  struct mir_operand hi = sel_high(s, i->src[0]);
  if (is_signed) {
    struct mir_operand sign = sel_new(s, 1), l = sel_new(s, 1), h = sel_new(s, 1);
    (void)sel_shf(s, sign, mir_zero(), mir_imm(31), hi, true, ISA_SHTYPE_S32, true);
    sel_lop3(s, l, sign, lo, mir_zero(), 0x3c);
    sel_lop3(s, h, sign, hi, mir_zero(), 0x3c);
    lo = l;
    hi = h;
  }
  find_64(s, sel_dst(s, 0), lo, hi, i->shift_amount);
}

static void popc(struct select *s, struct mir_operand rd, struct mir_operand x) {
  (void)sel_op(s, ISA_OP_POPC, rd, mir_none(), x, mir_none());
}

static void count_64(struct select *s, struct mir_operand lo, struct mir_operand hi) {
  struct mir_operand t = sel_new(s, 1), u = sel_new(s, 1);
  if (s->insn->op == IR_POPC) {
    popc(s, t, lo);
    popc(s, u, hi);
    sel_iadd(s, sel_dst(s, 0), mir_none(), t, u, mir_zero());
    return;
  }
  find_64(s, t, lo, hi, true);
  at_most(s, sel_dst(s, 0), t, 64);
}

/* POPC, CLZ, BREV */
void select_count(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool wide = sel_is_64(i->type);
  struct mir_operand lo = sel_low(s, i->src[0]), hi = wide ? sel_high(s, i->src[0]) : mir_zero();
  if (i->op == IR_BREV) {
    struct mir_operand d = wide ? sel_dst_late(s, 0) : sel_dst(s, 0);
    (void)sel_op(s, ISA_OP_BREV, mir_word(d, 0), mir_none(), wide ? hi : lo, mir_none());
    if (d.words == 2) (void)sel_op(s, ISA_OP_BREV, mir_word(d, 1), mir_none(), lo, mir_none());
    sel_finish(s, 0, d);
  } else if (wide) {
    count_64(s, lo, hi);
  } else if (i->op == IR_POPC) {
    popc(s, sel_dst(s, 0), lo);
  } else {
    struct mir_operand t = sel_new(s, 1);
    flo(s, t, lo, false, true);
    at_most(s, sel_dst(s, 0), t, 32);
  }
}

/* PRMT a b selector; DP4A a b c, bytes of a and b signed by type and type2 */
void select_bytes(struct select *s) {
  const struct ir_insn *i = s->insn;
  struct mir_operand a = sel_low(s, i->src[0]), b = sel_low(s, i->src[1]), c = sel_low(s, i->src[2]);
  if (i->op == IR_PRMT) {
    mir_set(sel_op(s, ISA_OP_PRMT, sel_dst(s, 0), a, c, b), ISA_F_PRMT, i->permute);
    return;
  }
  struct mir_insn *m = sel_op(s, ISA_OP_IDP4A, sel_dst(s, 0), a, b, c);
  mir_set(m, ISA_F_BYTEA, sel_is_signed(i->type) ? ISA_BYTE8_S8 : ISA_BYTE8_U8);
  mir_set(m, ISA_F_BYTEB, sel_is_signed(i->type2) ? ISA_BYTE8_S8 : ISA_BYTE8_U8);
}
