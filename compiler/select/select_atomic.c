/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic operations on memory.
 */
#include "compiler/select/select_memory.h"

static const char *const names[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"};

static int of_sum(unsigned type) {
  switch (type) {
  case PTX_F32:
    return ISA_AOP_ADD_F32;
  case PTX_F64:
    return ISA_AOP_ADD_F64;
  case PTX_F16X2:
    return ISA_AOP_ADD_F16X2;
  default:
    return sel_is_float(type) ? -1 : sel_is_64(type) ? ISA_AOP_ADD_64 : ISA_AOP_ADD;
  }
}

static int of_order(unsigned type, bool max) {
  switch (type) {
  case PTX_U32:
  case PTX_B32:
    return max ? ISA_AOP_MAX : ISA_AOP_MIN;
  case PTX_S32:
    return max ? ISA_AOP_MAX_S32 : ISA_AOP_MIN_S32;
  case PTX_U64:
  case PTX_B64:
    return max ? ISA_AOP_MAX_U64 : ISA_AOP_MIN_U64;
  case PTX_S64:
    return max ? ISA_AOP_MAX_S64 : ISA_AOP_MIN_S64;
  default:
    return -1;
  }
}

/* ISA_AOP_*, or -1. RED has the same numbers where it has the operation. */
static int code(const struct ir_insn *i) {
  const bool wide = sel_is_64(i->type);
  if (ptx_type_bytes((enum ptx_type)i->type) < 4) return -1;
  switch (i->memory.atom) {
  case IR_A_ADD:
    return of_sum(i->type);
  case IR_A_MIN:
  case IR_A_MAX:
    return of_order(i->type, i->memory.atom == IR_A_MAX);
  case IR_A_INC:
    return wide ? -1 : ISA_AOP_INC;
  case IR_A_DEC:
    return wide ? -1 : ISA_AOP_DEC;
  case IR_A_AND:
    return wide ? ISA_AOP_AND_64 : ISA_AOP_AND;
  case IR_A_OR:
    return wide ? ISA_AOP_OR_64 : ISA_AOP_OR;
  case IR_A_XOR:
    return wide ? ISA_AOP_XOR_64 : ISA_AOP_XOR;
  case IR_A_EXCH:
    return wide ? ISA_AOP_EXCH_64 : ISA_AOP_EXCH;
  default:
    return -1;
  }
}

static struct mir_operand data_operand(struct select *s, unsigned k) {
  const struct ir_insn *i = s->insn;
  return sel_is_64(i->type) ? sel_pair(s, i->src[k]) : sel_reg(s, sel_low(s, i->src[k]));
}

/* Every atomic operation is at least relaxed at the scope of the GPU, as PTX has it. */
static void finish_atomic(struct select *s, struct mir_insn *m, struct sel_address a) {
  const struct ir_insn *i = s->insn;
  sel_set_address(m, a);
  m->order = i->memory.order;
  if (i->memory.space != PTX_SHARED)
    mir_set(m, ISA_F_STRONG, i->memory.strength == IR_WEAK ? ISA_STRONG_STRONG_GPU : i->memory.strength);
  m->ordered = i->memory.is_volatile || i->memory.strength == IR_SYS;
}

static void swap(struct select *s, struct mir_operand rd) {
  const struct ir_insn *i = s->insn;
  enum heddle_isa_op op = i->memory.space == PTX_GLOBAL   ? ISA_OP_ATOMG_E_CAS
                          : i->memory.space == PTX_SHARED ? ISA_OP_ATOMS_CAS
                                                          : ISA_OP_ATOM_E_CAS;
  struct mir_operand b = data_operand(s, 1), c = data_operand(s, 2);
  struct sel_address a = sel_address(s);
  struct mir_insn *m = sel_add(s, op, rd, a.base, b, c);
  mir_set(m, ISA_F_CAS, sel_is_64(i->type) ? ISA_CAS_64 : ISA_CAS_32);
  finish_atomic(s, m, a);
}

static bool refuses_atomic(struct select *s, int op) {
  const struct ir_insn *i = s->insn;
  const bool cas = i->memory.atom == IR_A_CAS && ptx_type_bytes((enum ptx_type)i->type) >= 4 && i->sources == 3;
  if (i->memory.space != PTX_GLOBAL && i->memory.space != PTX_SHARED && i->memory.space != PTX_GENERIC)
    sel_refuse(s, ".%s in the .%s space", i->memory.atom < 10 ? names[i->memory.atom] : "?",
               ptx_space_word((enum ptx_space)i->memory.space));
  else if (op < 0 && !cas)
    sel_refuse(s, ".%s of this type is not supported", i->memory.atom < 10 ? names[i->memory.atom] : "?");
  else
    return false;
  return true;
}

/* ATOM, RED */
void select_atom(struct select *s) {
  const struct ir_insn *i = s->insn;
  const int op = code(i);
  if (refuses_atomic(s, op)) return;
  const bool read = i->dsts > 0 && sel_value(s, i->dst[0])->uses > 0;
  struct mir_operand rd = !read ? mir_zero() : sel_is_64(i->type) ? sel_dst_pair(s, 0) : sel_dst(s, 0);
  if (i->memory.atom == IR_A_CAS) {
    swap(s, rd);
    return;
  }
  struct mir_operand b = data_operand(s, 1), none = mir_none();
  struct sel_address a = sel_address(s);
  struct mir_insn *m;
  if (!read && i->memory.space == PTX_GLOBAL && i->memory.atom != IR_A_EXCH) {
    m = sel_add(s, ISA_OP_RED_E, none, a.base, b, none);
    mir_set(m, ISA_F_ROP, (uint64_t)op);
  } else {
    m = sel_add(s,
                i->memory.space == PTX_GLOBAL   ? ISA_OP_ATOMG_E
                : i->memory.space == PTX_SHARED ? ISA_OP_ATOMS
                                                : ISA_OP_ATOM_E,
                rd, a.base, b, none);
    mir_set(m, ISA_F_AOP, (uint64_t)op);
  }
  finish_atomic(s, m, a);
}
