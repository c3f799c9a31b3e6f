/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomics and fences. Without words an atomic is relaxed in the scope of the GPU.
 */
#include "lower.h"

#define ANY_32 (T(B32) | T(U32) | T(S32))
#define ANY_64 (T(B64) | T(U64) | T(S64))

/* What the machine and PTX have both. */
static uint32_t types_of(enum ir_atom op) {
  switch (op) {
  case IR_A_ADD:
    return T(U32) | T(S32) | T(U64) | T(S64) | T(F32) | T(F64) | T(F16X2);
  case IR_A_MIN:
  case IR_A_MAX:
    return T(U32) | T(S32) | T(U64) | T(S64);
  case IR_A_INC:
  case IR_A_DEC:
    return T(U32);
  default:
    return ANY_32 | ANY_64;
  }
}

static bool atom_right(struct lower *l, const struct insn *in, enum ir_atom op, enum sem sem) {
  bool red = in->row->op == IR_RED, half = in->type == PTX_F16X2;
  unsigned operands = (red ? 2u : 3u) + (op == IR_A_CAS ? 1u : 0u);
  uint8_t space = in->w.value[K_SPACE];
  const char *wrong = NULL;
  if (!(types_of(op) >> in->type & 1) || half != given(in, K_NOFTZ))
    wrong = "this operation is not supported for this type";
  else if (red && (op == IR_A_CAS || op == IR_A_EXCH))
    wrong = "there is no such reduction";
  else if (in->operands != operands)
    wrong = "the number of operands is wrong";
  else if (given(in, K_SPACE) && space != PTX_GLOBAL && space != PTX_SHARED)
    wrong = "not in this space";
  else if (sem == SEM_WEAK || sem == SEM_SC || sem == SEM_VOLATILE ||
           (red && (sem == SEM_ACQUIRE || sem == SEM_ACQ_REL)))
    wrong = "this order is not supported";
  if (wrong) lower_refuse(l, in, "%s", wrong);
  return wrong == NULL;
}

void lower_atom(struct lower *l, const struct insn *in) {
  enum ir_atom op = (enum ir_atom)in->w.value[K_ATOM];
  enum sem sem = given(in, K_SEM) ? (enum sem)in->w.value[K_SEM] : SEM_RELAXED;
  enum ir_strength scope = given(in, K_SCOPE) ? (enum ir_strength)in->w.value[K_SCOPE] : IR_GPU;
  enum ptx_space space = given(in, K_SPACE) ? (enum ptx_space)in->w.value[K_SPACE] : PTX_GENERIC;
  unsigned first = in->row->op == IR_RED ? 0 : 1;
  struct address a;
  if (!atom_right(l, in, op, sem) || !lower_address(l, in, &in->o[first], space, &a)) return;
  bool keep = first && in->o[0].kind != PTX_OP_SINK, exchange = op == IR_A_CAS || op == IR_A_EXCH;
  struct ir_operand src[3] = {a.base};
  unsigned n = 1;
  for (unsigned k = first + 1; k < in->operands; k++) src[n++] = lower_read(l, &in->o[k], in->type);
  if (sem == SEM_RELEASE || sem == SEM_ACQ_REL) lower_fence(l, scope);
  struct ir_insn *i = lower_emit(l, keep || exchange ? IR_ATOM : IR_RED, in->type);
  if (keep || exchange) lower_dst(i, lower_write(l, &in->o[0], in->type));
  for (unsigned k = 0; k < n; k++) lower_src(i, src[k]);
  i->imm = a.offset;
  i->space = (uint8_t)space;
  i->strength = (uint8_t)scope;
  i->atom = (uint8_t)op;
  if (sem == SEM_ACQUIRE || sem == SEM_ACQ_REL) lower_fence(l, scope);
}

void lower_membar(struct lower *l, const struct insn *in) {
  enum sem sem = given(in, K_SEM) ? (enum sem)in->w.value[K_SEM] : SEM_ACQ_REL;
  if (sem != SEM_ACQ_REL && sem != SEM_SC)
    lower_refuse(l, in, "this order is not supported");
  else
    lower_fence(l, (enum ir_strength)in->w.value[K_SCOPE]);
}
