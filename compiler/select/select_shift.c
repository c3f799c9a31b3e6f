/* SPDX-License-Identifier: Apache-2.0
 *
 * Shifts. Amounts clamp at the width.
 */
#include "compiler/select/select.h"

struct shift {
  struct mir_operand lo, hi;
  unsigned n; /* below 64 */
  bool right, is_signed;
};

/* rd = x shifted by n, 0 <= n < 32, zeros or signs coming in */
static void shift_word(struct select *s, const struct shift *h, struct mir_operand rd, struct mir_operand x,
                       unsigned n) {
  if (n == 0)
    sel_mov(s, rd, x);
  else if (h->right)
    (void)sel_shf(s, rd, mir_zero(), mir_imm(n), x, true, h->is_signed ? ISA_SHTYPE_S32 : ISA_SHTYPE_U32, true);
  else
    (void)sel_shf(s, rd, x, mir_imm(n), mir_zero(), false, ISA_SHTYPE_U32, false);
}

/* The word that bits leave for the other one. */
static void near_word(struct select *s, const struct shift *h, struct mir_operand rd) {
  if (h->n < 32)
    shift_word(s, h, rd, h->right ? h->hi : h->lo, h->n);
  else if (h->is_signed)
    shift_word(s, h, rd, h->hi, 31);
  else
    sel_mov(s, rd, mir_zero());
}

/* The word that bits come to from the other one. */
static void far_word(struct select *s, const struct shift *h, struct mir_operand rd) {
  if (h->n >= 32)
    shift_word(s, h, rd, h->right ? h->hi : h->lo, h->n - 32);
  else if (h->n == 0)
    sel_mov(s, rd, h->right ? h->lo : h->hi);
  else
    (void)sel_shf(s, rd, h->lo, mir_imm(h->n), h->hi, h->right, ISA_SHTYPE_U64, !h->right);
}

/* By a known amount: only what is wanted is read. The far word needs both words of the operand and is written first. */
static void by_constant(struct select *s, bool right, bool is_signed, unsigned n) {
  const struct ir_operand a = s->insn->src[0];
  const bool low_only = sel_narrow(s, 0);
  bool reads_lo = right ? n < 32 : n < 32 || !low_only, reads_hi = right || (n < 32 && !low_only);
  struct shift h = {.n = n, .right = right, .is_signed = is_signed};
  h.lo = reads_lo ? sel_low(s, a) : mir_zero();
  h.hi = reads_hi ? sel_high(s, a) : mir_zero();
  struct mir_operand d = sel_dst(s, 0);
  if (right) {
    far_word(s, &h, mir_word(d, 0));
    if (!low_only) near_word(s, &h, mir_word(d, 1));
  } else {
    if (!low_only) far_word(s, &h, mir_word(d, 1));
    near_word(s, &h, mir_word(d, 0));
  }
}

static void by_number(struct select *s, bool right, bool is_signed) {
  const struct ir_insn *i = s->insn;
  const unsigned type = is_signed ? ISA_SHTYPE_S64 : ISA_SHTYPE_U64;
  struct mir_operand lo = sel_reg(s, sel_low(s, i->src[0])), n = sel_low(s, i->src[1]);
  if (sel_narrow(s, 0) && !right) {
    (void)sel_shf(s, sel_dst(s, 0), lo, n, mir_zero(), false, type, false);
    return;
  }
  struct mir_operand hi = sel_reg(s, sel_high(s, i->src[0])), d = sel_dst(s, 0);
  if (d.words == 1) {
    (void)sel_shf(s, d, lo, n, hi, true, type, false);
    return;
  }
  (void)sel_shf(s, mir_word(d, right ? 0 : 1), lo, n, hi, right, type, !right);
  (void)sel_shf(s, mir_word(d, right ? 1 : 0), lo, n, hi, right, type, right);
}

static void wide(struct select *s, bool right, bool is_signed) {
  const struct ir_insn *i = s->insn;
  struct sel_scaled x;
  if (!sel_narrow(s, 0) && sel_is_scaled(s, i, &x)) {
    struct mir_operand index = sel_low(s, x.index);
    sel_imad_wide(s, sel_dst(s, 0), index, mir_imm(x.scale), mir_zero(), x.is_signed);
  } else if (i->src[1].kind != IR_CONST) {
    by_number(s, right, is_signed);
  } else if (i->src[1].bits < 64 || is_signed) {
    by_constant(s, right, is_signed, i->src[1].bits < 64 ? (unsigned)i->src[1].bits : 63);
  } else {
    sel_mov(s, sel_dst(s, 0), mir_zero());
  }
}

/* SHL, SHR */
void select_shift(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool right = i->op == IR_SHR, is_signed = right && sel_is_signed(i->type);
  if (sel_is_64(i->type)) {
    wide(s, right, is_signed);
    return;
  }
  struct mir_operand a = sel_low(s, i->src[0]), n = sel_low(s, i->src[1]);
  if (right) /* {a:0} >> n, the upper word */
    (void)sel_shf(s, sel_dst(s, 0), mir_zero(), n, a, true, is_signed ? ISA_SHTYPE_S32 : ISA_SHTYPE_U32, true);
  else
    (void)sel_shf(s, sel_dst(s, 0), a, n, mir_zero(), false, ISA_SHTYPE_U32, false);
}

/* SHF: the operands are low, high, amount. */
void select_funnel(struct select *s) {
  const struct ir_insn *i = s->insn;
  struct mir_operand lo = sel_low(s, i->src[0]), hi = sel_low(s, i->src[1]), n = sel_low(s, i->src[2]);
  struct mir_insn *m = sel_shf(s, sel_dst(s, 0), lo, n, hi, i->funnel.right, ISA_SHTYPE_U32, !i->funnel.right);
  mir_set(m, ISA_F_WRAP, i->funnel.wrap);
}
