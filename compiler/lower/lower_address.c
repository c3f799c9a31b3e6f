/* SPDX-License-Identifier: Apache-2.0
 *
 * Addresses in brackets, and one access of memory; vectors of registers. */
#include <heddle/program.h>
#include "compiler/lower/lower.h"

enum ptx_type lower_memory_type(enum ptx_type t) {
  switch (t) {
  case PTX_B8:
    return PTX_U8;
  case PTX_B16:
  case PTX_F16:
    return PTX_U16;
  case PTX_F16X2:
    return PTX_B32;
  default:
    return t;
  }
}

static bool is_wide(enum ptx_space s) {
  return s == PTX_GLOBAL || s == PTX_GENERIC;
}

static bool register_base(struct lower *l, const struct ptx_operand *o, struct binding *b, struct address *a) {
  unsigned bytes = ptx_type_bytes(b->variable->type);
  bool wide = is_wide(a->space);
  if (bytes < 4) {
    ptx_error(l->d, o->pos, "'%s': an address has 32 or 64 bits", o->name);
    return false;
  }
  a->base = ir_use(lower_register(l, b));
  if (wide && bytes == 4) a->base = lower_cvt(l, PTX_U64, PTX_U32, a->base);
  if (!wide && bytes == 8) a->base = lower_cvt(l, PTX_U32, PTX_U64, a->base);
  return true;
}

static bool variable_base(struct lower *l, const struct ptx_operand *o, const struct binding *b, struct address *a) {
  if (b->kind != BIND_MEMORY) {
    ptx_error(l->d, o->pos, "'%s' has no address here", o->name);
    return false;
  }
  const bool is_global = b->variable->space == PTX_GLOBAL; /* whose generic addresses are the same */
  if (is_global ? !is_wide(a->space) : b->variable->space != a->space) {
    ptx_error(l->d, o->pos, "'%s' is a .%s variable: the instruction must say so", o->name,
              ptx_space_word(b->variable->space));
    return false;
  }
  if (!layout_use(l, b->variable, o->pos)) return false;
  a->base = lower_variable(l, b->variable, 0, is_global ? PTX_U64 : PTX_U32);
  return true;
}

bool lower_address(struct lower *l, const struct insn *in, const struct ptx_operand *o, enum ptx_space space,
                   struct address *a) {
  *a = (struct address){.space = space};
  if (o->kind != PTX_OP_ADDRESS) {
    lower_refuse(l, in, "an address in brackets is wanted");
    return false;
  }
  const struct ptx_operand *base = o->element;
  a->offset = (int64_t)o->bits;
  if (a->offset < INT32_MIN || a->offset > INT32_MAX) {
    ptx_error(l->d, o->pos, "the offset has more than 32 bits");
    return false;
  }
  if (base->kind == PTX_OP_INT) {
    a->base = ir_bits(is_wide(space) ? base->bits : base->bits & UINT32_MAX);
    return true;
  }
  if (base->kind != PTX_OP_NAME || base->negate || base->invert) {
    ptx_error(l->d, base->pos, "a register or a variable is wanted here");
    return false;
  }
  struct binding *b = lower_find(l, base);
  if (!b) return false;
  return b->kind == BIND_REGISTER ? register_base(l, base, b, a) : variable_base(l, base, b, a);
}

static bool vector_register(struct lower *l, const struct ptx_operand *o, unsigned n, struct ptx_operand *list) {
  struct binding *b = names_find(l->frame->names, o->name);
  if (!b || b->kind != BIND_VECTOR || b->variable->vector != n) return false;
  for (unsigned k = 0; k < n; k++) {
    if (!b->part[k]) return false;
    list[k] = (struct ptx_operand){.kind = PTX_OP_NAME, .pos = o->pos, .name = b->part[k]->name};
  }
  return true;
}

bool lower_elements(struct lower *l, const struct insn *in, const struct ptx_operand *o, unsigned n,
                    struct ptx_operand *list) {
  if (n == 1) {
    list[0] = *o;
    return true;
  }
  const bool of_memory = !given(in, K_SPACE) || in->w.value[K_SPACE] == PTX_GLOBAL;
  if (n * ptx_type_bytes(in->type) > (of_memory ? 32 : 16)) {
    lower_refuse(l, in, "vectors have 16 bytes at most, in global memory 32");
    return false;
  }
  if (o->kind == PTX_OP_NAME && vector_register(l, o, n, list)) return true;
  if (o->kind != PTX_OP_VECTOR || o->elements != n) {
    ptx_error(l->d, o->pos, "a vector of %u registers is wanted here", n);
    return false;
  }
  for (unsigned k = 0; k < n; k++) list[k] = o->element[k];
  return true;
}

struct ir_insn *lower_fence(struct lower *l, enum ir_strength s) {
  struct ir_insn *i = lower_emit(l, IR_FENCE, PTX_NO_TYPE);
  i->memory.strength = (uint8_t)s;
  return i;
}

void lower_acquired(struct lower *l, enum ir_strength s) {
  lower_fence(l, s == IR_CTA ? IR_GPU : s)->memory.order = s == IR_CTA ? HEDDLE_ORDER_FENCE_CTA : HEDDLE_ORDER_WORD;
}

struct ir_insn *lower_access(struct lower *l, enum ir_op op, enum ptx_type t, struct address a, unsigned n) {
  struct ir_insn *i = lower_emit(l, op, t);
  lower_src(i, a.base);
  i->memory.offset = a.offset;
  i->memory.space = (uint8_t)a.space;
  i->memory.strength = (uint8_t)a.strength;
  i->memory.is_volatile = a.is_volatile;
  i->memory.invariant = a.invariant;
  i->memory.vector = n > 1 ? (uint8_t)n : 0;
  return i;
}

struct ir_operand lower_load(struct lower *l, struct address a, enum ptx_type t) {
  struct ir_insn *i = lower_access(l, IR_LD, lower_memory_type(t), a, 1);
  lower_dst(i, ir_value_new(l->f, ir_class_of(t)));
  return lower_result(i);
}

void lower_store(struct lower *l, struct address a, enum ptx_type t, struct ir_operand value) {
  lower_src(lower_access(l, IR_ST, lower_memory_type(t), a, 1), value);
}
