/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrix instructions. Fragments are registers of several words; a value is a word of one (F64: a pair of words).
 */
#include "compiler/select/select_memory.h"

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
