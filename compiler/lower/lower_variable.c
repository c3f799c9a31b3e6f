/* SPDX-License-Identifier: Apache-2.0
 *
 * Addresses of what has a name: variables of every space, functions. */
#include "compiler/lower/lower.h"

/* Local memory: what is added to the offset of a variable, a 32-bit value; NONE: nothing. */
static struct ir_operand local_base(struct lower *l, const struct ptx_variable *v) {
  if (v->space != PTX_LOCAL) return (struct ir_operand){.kind = IR_NONE};
  struct ir_value *reference = ptx_map_get(&l->reference, v);
  if (reference) return ir_use(reference);
  if (!l->f->framed) return (struct ir_operand){.kind = IR_NONE};
  struct ir_insn *i = lower_temp(l, IR_SREG, PTX_U32, IR_32, 0, NULL);
  i->sreg = IR_STACK;
  return lower_result(i);
}

/* .global: where the host put the module's variables, and the place among them. */
static struct ir_operand global_variable(struct lower *l, const struct ptx_variable *v, int64_t offset,
                                         enum ptx_type t) {
  struct ir_insn *i = lower_temp(l, IR_SREG, PTX_U64, IR_64, 0, NULL);
  i->sreg = IR_GLOBALS;
  const uint64_t at = ir_variable_offset(l->f, v) + (uint64_t)offset;
  const struct ir_operand a = at ? lower_two(l, IR_ADD, PTX_U64, lower_result(i), ir_bits(at)) : lower_result(i);
  return ptx_type_bytes(t) == 8 ? a : lower_cvt(l, PTX_U32, PTX_U64, a);
}

struct ir_operand lower_variable(struct lower *l, const struct ptx_variable *v, int64_t offset, enum ptx_type t) {
  if (v->space == PTX_GLOBAL) return global_variable(l, v, offset, t);
  struct ir_operand base = local_base(l, v);
  enum ptx_type own = base.kind == IR_NONE ? t : PTX_U32;
  struct ir_insn *i = lower_temp(l, IR_ADDRESS, own, ir_class_of(own), 0, NULL);
  i->place.variable = v;
  i->place.at = offset;
  if (base.kind == IR_NONE) return lower_result(i);
  struct ir_operand at = lower_two(l, IR_ADD, PTX_U32, base, lower_result(i));
  return ptx_type_bytes(t) == 8 ? lower_cvt(l, PTX_U64, PTX_U32, at) : at;
}

struct ir_operand lower_shared_pointer(struct lower *l, struct ir_operand at) {
  struct ir_insn *i = lower_temp(l, IR_GENERIC, PTX_U64, IR_64, 1, &at);
  i->memory.space = PTX_SHARED;
  return lower_result(i);
}

struct ir_operand lower_code_address(struct lower *l, const struct ptx_operand *o) {
  const struct binding *b = names_find(l->frame->names, o->name);
  if (!b) b = names_find(l->module->names, o->name);
  if (!b || b->kind != BIND_FUNCTION || !l->calls) return (struct ir_operand){.kind = IR_NONE};
  const struct call_node *n = call_node_of(l->calls, b->function);
  if (!n || !n->out_of_line) {
    ptx_error(l->d, o->pos,
              b->function->entry ? "'%s' is a kernel: it has no address here" : "'%s' has no body in this module",
              o->name);
    return ir_bits(0);
  }
  struct ir_insn *i = lower_temp(l, IR_CODE, PTX_B64, IR_64, 0, NULL);
  i->calling.function = b->function;
  i->calling.index = n->index;
  return lower_result(i);
}
