/* SPDX-License-Identifier: Apache-2.0
 *
 * What lanes and warps do together: votes, shuffles, barriers, products of matrices.
 */
#include "compiler/select/select.h"

/* Votes, matches and reductions among some lanes of a warp. The machine counts all lanes that execute an instruction,
 * and these may be more than the members: groups of lanes can stand at one place with members of their own each. So
 * what comes from others is taken out again. */

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

static void select_vote_of(struct select *s, struct mir_operand members) {
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

static void select_match_of(struct select *s, struct mir_operand a, struct mir_operand members) {
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
static void select_reduce_of(struct select *s, struct mir_operand a, struct mir_operand members) {
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

/* What lanes of a warp say to each other. The members of a `.sync` operation wait for each other first, unless the
 * whole warp is here anyway. */

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

/* Barriers of a block, and NANOSLEEP. The machine's barriers have their number and count in the instruction. */

enum { WARP = 32, THREADS_MOST = 1024 };

static void add_barrier(struct select *s, unsigned id, unsigned count, struct mir_operand guard) {
  static const uint16_t ops[] = {[IR_BAR_SYNC] = ISA_OP_BAR_SYNC,
                                 [IR_BAR_ARRIVE] = ISA_OP_BAR_ARV,
                                 [IR_BAR_RED_POPC] = ISA_OP_BAR_RED_POPC,
                                 [IR_BAR_RED_AND] = ISA_OP_BAR_RED,
                                 [IR_BAR_RED_OR] = ISA_OP_BAR_RED};
  const struct ir_insn *i = s->insn;
  const bool number = i->lanes.mode == IR_BAR_RED_POPC,
             verdict = i->lanes.mode == IR_BAR_RED_AND || i->lanes.mode == IR_BAR_RED_OR;
  struct mir_operand none = mir_none(), p = i->sources > 2 ? sel_predicate(s, i->src[2]) : none;
  struct mir_operand d = number || verdict ? sel_dst(s, 0) : none;
  struct mir_insn *m = sel_add(s, (enum heddle_isa_op)ops[i->lanes.mode], number ? d : none, none, none, none);
  mir_set(m, ISA_F_BARID, id);
  mir_set(m, ISA_F_BARCNT, count);
  if (number || verdict) m->ps[0] = p;
  if (verdict) {
    mir_set(m, ISA_F_BARRED, i->lanes.mode == IR_BAR_RED_AND ? ISA_BARRED_AND : ISA_BARRED_OR);
    sel_set_predicate(s, m, 0, d);
  }
  if (guard.kind == MIR_NONE) return;
  m->guard = guard;
  m->keeps_old = number || verdict;
}

/* A number in a register: one instruction for each that it can be, under a predicate. */
static struct mir_operand when(struct select *s, struct mir_operand x, unsigned is) {
  struct mir_operand p = sel_new_predicate(s);
  struct mir_insn *m = sel_op(s, ISA_OP_ISETP, mir_none(), x, sel_imm(is), mir_none());
  mir_set(m, ISA_F_ICMP, ISA_ICMP_EQ);
  m->pd[0] = p;
  return p;
}

static void any_barrier(struct select *s, unsigned count) {
  struct mir_operand id = sel_reg(s, sel_low(s, s->insn->src[0]));
  for (unsigned k = 0; heddle_isa_field_fits(ISA_F_BARID, k); k++) add_barrier(s, k, count, when(s, id, k));
}

static void any_count(struct select *s, unsigned id) {
  struct mir_operand count = sel_reg(s, sel_low(s, s->insn->src[1]));
  for (unsigned k = WARP; k <= THREADS_MOST; k += WARP) add_barrier(s, id, k, when(s, count, k));
}

/* BAR id count (p) */
void select_bar(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool any = i->src[0].kind != IR_CONST, counted = i->src[1].kind != IR_CONST;
  if (any && counted) {
    sel_refuse(s, "the number of the barrier or the number of threads must be constant");
  } else if ((any || counted) && i->guard) {
    sel_refuse(s, "under a predicate, the number of the barrier and the number of threads must be constant");
  } else if (!counted && (i->src[1].bits > THREADS_MOST || i->src[1].bits % WARP)) {
    sel_refuse(s, "the number of threads must be a multiple of %d, at most %d", WARP, THREADS_MOST);
  } else if (i->lanes.mode == IR_BAR_ARRIVE && !counted && i->src[1].bits == 0) {
    sel_refuse(s, "bar.arrive needs a number of threads");
  } else if (any) {
    any_barrier(s, (unsigned)i->src[1].bits);
  } else if (i->src[0].bits > (uint64_t)heddle_isa_field_most(ISA_F_BARID)) {
    sel_refuse(s, "barrier %llu: there are %d", (unsigned long long)i->src[0].bits,
               (int)heddle_isa_field_most(ISA_F_BARID) + 1);
  } else if (counted) {
    any_count(s, (unsigned)i->src[0].bits);
  } else {
    add_barrier(s, (unsigned)i->src[0].bits, (unsigned)i->src[1].bits, mir_none());
  }
}

void select_nanosleep(struct select *s) {
  (void)sel_op(s, ISA_OP_NANOSLEEP, mir_none(), mir_none(), sel_low(s, s->insn->src[0]), mir_none());
}

/* Matrix instructions. Fragments are registers of several words; a value is a word of one (F64: a pair of words). */

static void wait_for_all(struct select *s) {
  if (!s->together) (void)sel_op(s, ISA_OP_WARPSYNC, mir_none(), mir_none(), mir_imm(UINT32_MAX), mir_none());
}

/* Which operation, and how many values each of A, B, C, D has. */
struct product {
  uint16_t op;
  uint8_t a, b, c;
};
static const struct product products[IR_MMAS] = {
    [IR_MMA_F16_K16_F32] = {ISA_OP_HMMA_16816_F32, 4, 2, 4},
    [IR_MMA_F16_K8_F32] = {ISA_OP_HMMA_1688_F32, 2, 1, 4},
    [IR_MMA_BF16_K16_F32] = {ISA_OP_HMMA_16816_F32, 4, 2, 4},
    [IR_MMA_BF16_K8_F32] = {ISA_OP_HMMA_1688_F32, 2, 1, 4},
    [IR_MMA_TF32_K8_F32] = {ISA_OP_HMMA_1688_F32_TF32, 4, 2, 4},
    [IR_MMA_TF32_K4_F32] = {ISA_OP_HMMA_1684_F32_TF32, 2, 1, 4},
    [IR_MMA_F16_K16_F16] = {ISA_OP_HMMA_16816_F16, 4, 2, 2},
    [IR_MMA_F16_K8_F16] = {ISA_OP_HMMA_1688_F16, 2, 1, 2},
    [IR_MMA_F64] = {ISA_OP_DMMA_884, 1, 1, 2},
    [IR_MMA_I8_K16] = {ISA_OP_IMMA_16816, 2, 1, 4},
    [IR_MMA_I8_K32] = {ISA_OP_IMMA_16832, 4, 2, 4},
    [IR_MMA_F8_K32] = {ISA_OP_QMMA_16832_F32, 4, 2, 4},
};

static bool all_zero(const struct ir_operand *o, unsigned n) {
  for (unsigned k = 0; k < n; k++)
    if (o[k].kind != IR_CONST || o[k].bits != 0) return false;
  return true;
}

/* n values of the instruction from `first` on as one register. */
static struct mir_operand gathered(struct select *s, unsigned first, unsigned n) {
  const struct ir_operand *o = &s->insn->src[first];
  const unsigned each = sel_is_64(s->insn->type) ? 2 : 1;
  if (all_zero(o, n)) return mir_zero();
  if (n == 1) return each == 2 ? sel_pair(s, o[0]) : sel_reg(s, sel_low(s, o[0]));
  struct mir_operand r = sel_new(s, n * each);
  for (unsigned k = 0; k < n; k++)
    for (unsigned w = 0; w < each; w++) sel_mov(s, mir_word(r, k * each + w), sel_word(s, o[k], w));
  return r;
}

static void hand_out(struct select *s, struct mir_operand r) {
  const unsigned each = sel_is_64(s->insn->type) ? 2 : 1;
  for (unsigned k = 0; k < s->insn->dsts; k++) {
    struct mir_operand part = mir_part(r, k * each, each);
    if (!sel_is(s, k, part)) sel_mov(s, sel_dst(s, k), part);
  }
}

static void set_kind(const struct ir_insn *i, struct mir_insn *m) {
  const unsigned a = i->matrix.kinds & 1, b = i->matrix.kinds >> 1 & 1;
  switch (i->matrix.mode) {
  case IR_MMA_BF16_K16_F32:
  case IR_MMA_BF16_K8_F32:
    mir_set(m, ISA_F_HMMA, ISA_HMMA_BF16);
    break;
  case IR_MMA_I8_K16:
  case IR_MMA_I8_K32:
    mir_set(m, ISA_F_I8A, a ? ISA_BYTE8_S8 : ISA_BYTE8_U8);
    mir_set(m, ISA_F_I8B, b ? ISA_BYTE8_S8 : ISA_BYTE8_U8);
    mir_set(m, ISA_F_SAT, i->matrix.sat ? ISA_SAT_SAT : ISA_SAT_NONE);
    break;
  case IR_MMA_F8_K32:
    mir_set(m, ISA_F_FP8A, a ? ISA_FP8_E5M2 : ISA_FP8_E4M3);
    mir_set(m, ISA_F_FP8B, b ? ISA_FP8_E5M2 : ISA_FP8_E4M3);
    break;
  default:
    break;
  }
}

void select_mma(struct select *s) {
  const struct ir_insn *i = s->insn;
  const struct product *p = &products[i->matrix.mode < IR_MMAS ? i->matrix.mode : 0];
  if (i->matrix.mode >= IR_MMAS || i->sources != (unsigned)p->a + p->b + p->c || i->dsts != p->c) {
    sel_refuse(s, "with %u operands is not supported", i->sources);
    return;
  }
  wait_for_all(s);
  struct mir_operand a = gathered(s, 0, p->a), b = gathered(s, p->a, p->b), c = gathered(s, p->a + p->b, p->c);
  struct mir_operand r = sel_new(s, sel_is_64(i->type) ? 4u : p->c);
  set_kind(i, sel_add(s, (enum heddle_isa_op)p->op, r, a, b, c));
  hand_out(s, r);
}

void select_ldsm(struct select *s) {
  const struct ir_insn *i = s->insn;
  wait_for_all(s);
  struct sel_address a = sel_address(s);
  struct mir_operand r = sel_new(s, i->dsts);
  struct mir_insn *m = sel_add(s, ISA_OP_LDSM_16, r, a.base, mir_none(), mir_none());
  sel_set_address(m, a);
  mir_set(m, ISA_F_NUM, i->dsts == 4 ? ISA_NUM_4 : i->dsts == 2 ? ISA_NUM_2 : ISA_NUM_1);
  mir_set(m, ISA_F_TRANS, i->memory.transposed ? ISA_TRANS_MT88 : ISA_TRANS_M88);
  hand_out(s, r);
}
