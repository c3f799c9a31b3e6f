/* SPDX-License-Identifier: Apache-2.0
 * What a machine instruction reads, writes and does besides. */
#include "compiler/backend/live.h"

unsigned live_uses(struct mir_insn *i, struct mir_operand *use[LIVE_USES_MAX]) {
  unsigned n = 0;
  if (i->guard.kind == MIR_REG) use[n++] = &i->guard;
  for (unsigned k = 0; k < 3; k++)
    if (i->src[k].kind == MIR_REG) use[n++] = &i->src[k];
  for (unsigned k = 0; k < 3; k++)
    if (i->ps[k].kind == MIR_REG) use[n++] = &i->ps[k];
  for (unsigned k = 0; i->call && k < i->call->uses; k++) use[n++] = &i->call->use[k];
  if (i->keeps_old) n += live_defs(i, use + n);
  return n;
}

unsigned live_defs(struct mir_insn *i, struct mir_operand *def[LIVE_DEFS_MAX]) {
  unsigned n = 0;
  if (i->rd.kind == MIR_REG) def[n++] = &i->rd;
  for (unsigned k = 0; k < 2; k++)
    if (i->pd[k].kind == MIR_REG) def[n++] = &i->pd[k];
  for (unsigned k = 0; i->call && k < i->call->defs; k++) def[n++] = &i->call->def[k];
  return n;
}

/* PLOP3 that only hands on ps0: the other two must stand for PT, and the table say the same as ps0 there. */
static struct mir_operand *copied_predicate(struct mir_insn *i) {
  if (i->pd[0].kind != MIR_REG || i->pd[1].kind == MIR_REG || i->ps[0].kind != MIR_REG || i->ps[0].neg) return NULL;
  for (unsigned k = 1; k < 3; k++)
    if (i->ps[k].kind == MIR_REG || i->ps[k].neg) return NULL;
  const uint64_t lut = mir_get(i, ISA_F_PLUT0);
  return (lut >> 7 & 1) == 1 && (lut >> 3 & 1) == 0 ? &i->ps[0] : NULL;
}

struct mir_operand *live_copied(struct mir_insn *i) {
  if (i->keeps_old) return NULL;
  if (i->op == ISA_OP_PLOP3_LUT) return copied_predicate(i);
  if (i->op != ISA_OP_MOV && i->op != ISA_OP_UMOV) return NULL;
  struct mir_operand *s = &i->src[1];
  if (i->rd.kind != MIR_REG || s->kind != MIR_REG || s->neg || s->abs || s->part || s->class != i->rd.class)
    return NULL;
  return s;
}

bool live_is_branch(const struct mir_insn *i) {
  return mir_flow(i) == ISA_FLOW_BRANCH;
}

bool live_is_pure(const struct mir_insn *i) {
  const struct heddle_isa_instr *info = heddle_isa_instr_info((enum heddle_isa_op)i->op);
  if (i->ordered || info->unit == ISA_UNIT_BR) return false;
  switch ((enum heddle_isa_mem)info->mem) {
  case ISA_MEM_CONST_LOAD:
  case ISA_MEM_GLOBAL_LOAD:
  case ISA_MEM_SHARED_LOAD:
  case ISA_MEM_LOCAL_LOAD:
  case ISA_MEM_GENERIC_LOAD:
    break;
  default:
    if (info->unit == ISA_UNIT_MEM) return false;
  }
  return mir_get(i, ISA_F_STRONG) == ISA_STRONG_WEAK;
}
