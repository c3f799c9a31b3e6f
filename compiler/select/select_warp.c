/* SPDX-License-Identifier: Apache-2.0
 *
 * What lanes of a warp say to each other. The members of a `.sync` operation wait for each other first, unless the
 * whole warp is here anyway.
 */
#include "compiler/select/select.h"

static void wait_members(struct select *s, struct ir_operand members) {
  if (!s->together) (void)sel_op(s, ISA_OP_WARPSYNC, mir_none(), mir_none(), sel_low(s, members), mir_none());
}

/* All lanes of the warp, as far as they have not ended: then nobody else can be here. */
static bool is_all(struct ir_operand members) {
  return members.kind == IR_CONST && members.bits == UINT32_MAX;
}

static void shuffle(struct select *s) {
  const struct ir_insn *i = s->insn;
  wait_members(s, i->src[3]);
  struct mir_operand a = sel_reg(s, sel_low(s, i->src[0])), b = sel_low(s, i->src[1]), c = sel_low(s, i->src[2]);
  if (b.kind == MIR_IMM) b = sel_imm(b.imm & 31);
  if (c.kind == MIR_IMM) c = sel_imm(c.imm & 0x1f1f);
  const bool in_range = i->dsts > 1 && sel_value(s, i->dst[1])->uses > 0;
  struct mir_operand p = in_range ? sel_dst(s, 1) : mir_none();
  struct mir_insn *m = sel_op(s, ISA_OP_SHFL, sel_dst(s, 0), a, b, c);
  mir_set(m, ISA_F_SHFL, i->lanes.mode);
  sel_set_predicate(s, m, 0, p);
}

static void vote(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool ballot = i->lanes.mode == IR_VOTE_BALLOT;
  wait_members(s, i->src[1]);
  if (!is_all(i->src[1])) {
    select_vote_of(s, sel_low(s, i->src[1]));
    return;
  }
  struct mir_operand p = sel_predicate(s, i->src[0]), d = sel_dst(s, 0);
  struct mir_insn *m = sel_add(s, ISA_OP_VOTE, ballot ? d : mir_zero(), mir_none(), mir_none(), mir_none());
  mir_set(m, ISA_F_VOTE,
          i->lanes.mode == IR_VOTE_ALL   ? ISA_VOTE_ALL
          : i->lanes.mode == IR_VOTE_UNI ? ISA_VOTE_EQ
                                         : ISA_VOTE_ANY);
  m->ps[0] = p;
  if (!ballot) sel_set_predicate(s, m, 0, d);
}

static void match(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool wide = sel_is_64(i->type);
  wait_members(s, i->src[1]);
  struct mir_operand a = wide ? sel_pair(s, i->src[0]) : sel_reg(s, sel_low(s, i->src[0]));
  if (!is_all(i->src[1])) {
    select_match_of(s, a, sel_low(s, i->src[1]));
    return;
  }
  struct mir_insn *m = sel_add(s, ISA_OP_MATCH, sel_dst(s, 0), a, mir_none(), mir_none());
  mir_set(m, ISA_F_MATCH, i->lanes.all ? ISA_MATCH_ALL : ISA_MATCH_ANY);
  mir_set(m, ISA_F_M64, wide ? ISA_M64_U64 : ISA_M64_U32);
  if (i->dsts > 1) sel_set_predicate(s, m, 0, sel_dst(s, 1));
}

static void reduce(struct select *s) {
  const struct ir_insn *i = s->insn;
  wait_members(s, i->src[1]);
  struct mir_operand a = sel_reg(s, sel_low(s, i->src[0]));
  if (!is_all(i->src[1])) {
    select_reduce_of(s, a, sel_low(s, i->src[1]));
    return;
  }
  struct mir_operand u = mir_new(s->m.f, MIR_UR, 1); /* nobody else is in between */
  struct mir_insn *m = sel_add(s, ISA_OP_REDUX, u, a, mir_none(), mir_none());
  mir_set(m, ISA_F_REDUX, i->lanes.mode);
  mir_set(m, ISA_F_SIGN, sel_is_signed(i->type) ? ISA_SIGN_S32 : ISA_SIGN_U32);
  (void)sel_add(s, ISA_OP_MOV, sel_dst(s, 0), mir_none(), u, mir_none());
}

void select_warp(struct select *s) {
  switch (s->insn->op) {
  case IR_SHFL:
    shuffle(s);
    break;
  case IR_VOTE:
    vote(s);
    break;
  case IR_MATCH:
    match(s);
    break;
  case IR_REDUX:
    reduce(s);
    break;
  case IR_ACTIVEMASK:
    (void)sel_add(s, ISA_OP_ACTIVEMASK, sel_dst(s, 0), mir_none(), mir_none(), mir_none());
    break;
  default: /* WARPSYNC: also orders memory among its lanes */
    (void)sel_op(s, ISA_OP_WARPSYNC, mir_none(), mir_none(), sel_low(s, s->insn->src[0]), mir_none());
  }
}
