/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums with carries as values: add.cc, addc, sub.cc, subc, mad.cc, madc. A borrow is what the machine calls no carry.
 */
#include "compiler/select/select.h"

/* The carry of destination 1, or NONE. */
static struct mir_operand new_carry(struct select *s) {
  return s->insn->dsts > 1 ? sel_new_predicate(s) : mir_none();
}

static void give_carry(struct select *s, struct mir_operand p, bool borrow) {
  if (s->insn->dsts < 2) return;
  if (borrow) p = mir_not(p);
  if (!sel_is(s, 1, p)) sel_plop3(s, sel_dst(s, 1), p, mir_none(), mir_none(), 0xf0);
}

/* rd = a + b (+ in), one word; in NONE: none comes in. */
static void add_word(struct select *s, struct mir_operand rd, struct mir_operand out, struct mir_operand a,
                     struct mir_operand b, struct mir_operand in) {
  if (in.kind == MIR_NONE)
    sel_iadd(s, rd, out, a, b, mir_zero());
  else
    sel_iaddx(s, rd, out, a, b, mir_zero(), in);
}

/* A word of what is added: ~b for a difference. */
static struct mir_operand added(struct select *s, struct mir_operand b, bool minus) {
  if (!minus) return b;
  return sel_neg(b.kind == MIR_IMM ? sel_reg(s, b) : b);
}

struct words {
  struct mir_operand a[2], b[2];
  unsigned n;
};

static void multiply_words(struct select *s, struct words *w) {
  const struct ir_insn *i = s->insn;
  struct mir_operand t = sel_new(s, w->n);
  if (w->n == 2) {
    if (i->arithmetic.high)
      sel_mulhi64(s, t, i->src[0], i->src[1], sel_is_signed(i->type));
    else
      sel_mul64(s, t, i->src[0], i->src[1], mir_zero());
  } else if (i->arithmetic.high) {
    struct mir_insn *m = sel_swap(s, ISA_OP_IMAD_HI, t, sel_low(s, i->src[0]), sel_low(s, i->src[1]), mir_zero());
    mir_set(m, ISA_F_SIGN, sel_is_signed(i->type) ? ISA_SIGN_S32 : ISA_SIGN_U32);
  } else {
    sel_imad(s, t, sel_low(s, i->src[0]), sel_low(s, i->src[1]), mir_zero());
  }
  for (unsigned k = 0; k < w->n; k++) {
    w->a[k] = mir_word(t, k);
    w->b[k] = sel_word(s, i->src[2], k);
  }
}

void select_carry(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool minus = i->op == IR_SUBC;
  const unsigned fixed = i->op == IR_MADC ? 3 : 2;
  struct words w = {.n = sel_is_64(i->type) ? 2 : 1};
  struct mir_operand in = i->sources > fixed ? sel_predicate(s, i->src[fixed]) : mir_none();
  if (minus && in.kind != MIR_NONE) in = mir_not(in);
  if (i->op == IR_MADC) {
    multiply_words(s, &w);
  } else {
    for (unsigned k = 0; k < w.n; k++) {
      w.a[k] = sel_word(s, i->src[0], k);
      w.b[k] = added(s, sel_word(s, i->src[1], k), minus);
    }
  }
  struct mir_operand d = sel_new(s, w.n), out = new_carry(s);
  for (unsigned k = 0; k < w.n; k++) {
    struct mir_operand to = k + 1 < w.n ? sel_new_predicate(s) : out;
    add_word(s, mir_word(d, k), to, w.a[k], w.b[k], in);
    in = to;
  }
  sel_finish(s, 0, d);
  give_carry(s, out, minus);
}
