/* SPDX-License-Identifier: Apache-2.0
 *
 * Votes, matches and reductions among some lanes of a warp. The machine counts all lanes that execute an instruction,
 * and these may be more than the members: groups of lanes can stand at one place with members of their own each. So
 * what comes from others is taken out again.
 */
#include "compiler/select/select.h"

/* The lanes that execute this with p (or without). */
static struct mir_operand ballot(struct select *s, struct mir_operand p) {
  struct mir_operand r = sel_new(s, 1);
  struct mir_insn *m = sel_add(s, ISA_OP_VOTE, r, mir_none(), mir_none(), mir_none());
  mir_set(m, ISA_F_VOTE, ISA_VOTE_ANY);
  m->ps[0] = p;
  return r;
}

static struct mir_operand both(struct select *s, struct mir_operand x, struct mir_operand y) {
  struct mir_operand r = sel_new(s, 1);
  sel_lop3(s, r, sel_reg(s, x), y, mir_zero(), 0xc0);
  return r;
}

/* pd = x cmp y or p */
static void compare_int(struct select *s, struct mir_operand pd, unsigned cmp, struct mir_operand x,
                        struct mir_operand y, struct mir_operand p) {
  struct mir_insn *m = sel_op(s, ISA_OP_ISETP, mir_none(), x, y, mir_none());
  mir_set(m, ISA_F_ICMP, cmp);
  mir_set(m, ISA_F_BOOL, p.kind == MIR_NONE ? ISA_BOOL_AND : ISA_BOOL_OR);
  m->ps[0] = p;
  sel_set_predicate(s, m, 0, pd);
}

void select_vote_of(struct select *s, struct mir_operand members) {
  const struct ir_insn *i = s->insn;
  struct mir_operand p = sel_predicate(s, i->src[0]), none = mir_none(), first = none;
  if (i->lanes.mode == IR_VOTE_BALLOT) {
    struct mir_operand all = ballot(s, p);
    sel_lop3(s, sel_dst(s, 0), all, members, mir_zero(), 0xc0);
    return;
  }
  if (i->lanes.mode == IR_VOTE_ANY) {
    compare_int(s, sel_dst(s, 0), ISA_ICMP_NE, both(s, ballot(s, p), members), mir_zero(), none);
    return;
  }
  struct mir_operand against = both(s, ballot(s, mir_not(p)), members);
  if (i->lanes.mode == IR_VOTE_UNI) {
    first = sel_new_predicate(s);
    compare_int(s, first, ISA_ICMP_EQ, both(s, ballot(s, p), members), mir_zero(), none);
  }
  compare_int(s, sel_dst(s, 0), ISA_ICMP_EQ, against, mir_zero(), first);
}

/* The members that are here. */
static struct mir_operand present(struct select *s, struct mir_operand members) {
  struct mir_operand r = sel_new(s, 1);
  (void)sel_add(s, ISA_OP_ACTIVEMASK, r, mir_none(), mir_none(), mir_none());
  return both(s, r, members);
}

void select_match_of(struct select *s, struct mir_operand a, struct mir_operand members) {
  const struct ir_insn *i = s->insn;
  struct mir_operand equal = sel_new(s, 1);
  struct mir_insn *m = sel_add(s, ISA_OP_MATCH, equal, a, mir_none(), mir_none());
  mir_set(m, ISA_F_MATCH, ISA_MATCH_ANY);
  mir_set(m, ISA_F_M64, sel_is_64(i->type) ? ISA_M64_U64 : ISA_M64_U32);
  if (!i->lanes.all) {
    sel_lop3(s, sel_dst(s, 0), equal, members, mir_zero(), 0xc0);
    return;
  }
  struct mir_operand here = present(s, members), p = sel_new_predicate(s);
  compare_int(s, p, ISA_ICMP_EQ, both(s, equal, here), here, mir_none());
  sel_sel(s, sel_dst(s, 0), here, mir_zero(), p);
  if (i->dsts > 1) sel_plop3(s, sel_dst(s, 1), p, mir_none(), mir_none(), 0xf0);
}

/* sum = sum op x */
static void combine(struct select *s, struct mir_operand sum, struct mir_operand x) {
  const struct ir_insn *i = s->insn;
  switch (i->lanes.mode) {
  case IR_REDUX_ADD:
    sel_iadd(s, sum, mir_none(), sum, x, mir_zero());
    break;
  case IR_REDUX_MIN:
  case IR_REDUX_MAX: {
    struct mir_insn *m = sel_op(s, ISA_OP_IMNMX, sum, sum, x, mir_none());
    mir_set(m, ISA_F_SIGN, sel_is_signed(i->type) ? ISA_SIGN_S32 : ISA_SIGN_U32);
    m->ps[0] = sel_choice(i->lanes.mode == IR_REDUX_MIN);
    break;
  }
  default:
    sel_lop3(s, sum, sum, x, mir_zero(),
             i->lanes.mode == IR_REDUX_AND  ? 0xc0
             : i->lanes.mode == IR_REDUX_OR ? 0xfc
                                            : 0x3c);
  }
}

/* Lane by lane. A lane is a member of its own group: where that may count twice, it is what the sum begins with. */
void select_reduce_of(struct select *s, struct mir_operand a, struct mir_operand members) {
  const bool counts = s->insn->lanes.mode == IR_REDUX_ADD || s->insn->lanes.mode == IR_REDUX_XOR;
  struct mir_operand sum = sel_new(s, 1), here = present(s, members);
  sel_mov(s, sum, counts ? mir_zero() : a);
  for (uint32_t lane = 0; lane < 32; lane++) {
    struct mir_operand v = sel_new(s, 1), x = sel_new(s, 1), p = sel_new_predicate(s);
    struct mir_insn *m = sel_op(s, ISA_OP_SHFL, v, a, sel_imm(lane), mir_imm(31));
    mir_set(m, ISA_F_SHFL, ISA_SHFL_IDX);
    m = sel_add(s, ISA_OP_LOP3_LUT, mir_zero(), here, mir_imm(UINT32_C(1) << lane), mir_zero());
    mir_set(m, ISA_F_LUT, 0xc0);
    m->pd[0] = p;
    sel_sel(s, x, v, counts ? mir_zero() : sum, p);
    combine(s, sum, x);
  }
  sel_finish(s, 0, sum);
}
