/* SPDX-License-Identifier: Apache-2.0
 *
 * The .param space: parameters of the kernel (read with IR_PARAM), scalars of calls (values), arrays of calls (local
 * memory). An address in a register is one of the kernel's parameters in a kernel, of a local array in a function.
 */
#include "compiler/lower/lower.h"

/* Does an access of n elements lie inside the variable, naturally aligned? Otherwise told. */
static bool access_inside(struct lower *l, const struct insn *in, const struct ptx_operand *o,
                          const struct ptx_variable *v, unsigned n) {
  uint64_t bytes = (uint64_t)n * ptx_type_bytes(in->type), each = ptx_type_bytes(in->type);
  if (o->bits <= v->bytes && bytes <= v->bytes - o->bits && o->bits % each == 0) return true;
  ptx_error(l->d, o->pos, "%u bytes at %lld: outside of '%s' or not aligned", (unsigned)bytes, (long long)o->bits,
            v->name);
  return false;
}

static void load_kernel(struct lower *l, const struct insn *in, const struct ptx_variable *v,
                        const struct ptx_operand *list, unsigned n) {
  for (unsigned k = 0; k < n; k++) {
    struct place to = lower_write_wide(l, &list[k], in->type);
    enum ptx_type t = lower_memory_type(in->type);
    const bool pointer = l->whole_pointers && v->ptr_space == PTX_SHARED && to.value->class == IR_64;
    bool straight = to.value->class == ir_class_of(t) && !pointer;
    struct ir_value *value = straight ? to.value : ir_value_new(l->f, ir_class_of(t));
    struct ir_insn *i = lower_emit(l, IR_PARAM, t);
    lower_dst(i, value);
    i->place.at = (int64_t)(ir_variable_offset(l->f, v) + in->o[1].bits + (uint64_t)k * ptx_type_bytes(t));
    struct ir_operand whole = ir_use(value);
    if (pointer) whole = lower_shared_pointer(l, lower_cvt(l, PTX_U32, PTX_U64, whole));
    if (!straight) lower_fill(l, to, lower_promote(in->type), whole);
  }
}

/* ---- scalars of calls: a load takes bytes out of the value, a store puts them in ---- */

static void load_scalar(struct lower *l, const struct insn *in, struct binding *b, const struct ptx_operand *list,
                        unsigned n) {
  unsigned have = ptx_type_bytes(b->variable->type), each = ptx_type_bytes(in->type);
  struct ir_operand whole = ir_use(lower_register(l, b));
  for (unsigned k = 0; k < n; k++) {
    struct place to = lower_write_wide(l, &list[k], in->type);
    uint64_t at = 8 * (in->o[1].bits + (uint64_t)k * each);
    struct ir_operand v = whole;
    if (at) v = lower_two(l, IR_SHR, have == 8 ? PTX_U64 : PTX_U32, v, ir_bits(at));
    if (have == 8 && each < 8) v = lower_cvt(l, PTX_U32, PTX_U64, v);
    lower_fill(l, to, in->type, v);
  }
}

static void store_scalar(struct lower *l, const struct insn *in, struct binding *b, const struct ptx_operand *list,
                         unsigned n) {
  unsigned have = ptx_type_bytes(b->variable->type), each = ptx_type_bytes(in->type);
  struct ir_value *whole = lower_register(l, b);
  for (unsigned k = 0; k < n; k++) {
    struct ir_operand v = lower_read_low(l, &list[k], in->type);
    uint64_t at = 8 * (in->o[0].bits + (uint64_t)k * each);
    if (each == have) {
      lower_copy(l, whole, v);
      continue;
    }
    if (have == 8 && v.kind == IR_VALUE) v = lower_cvt(l, PTX_U64, PTX_U32, v);
    struct ir_operand src[4] = {v, ir_use(whole), ir_bits(at), ir_bits(8 * each)};
    lower_into(l, whole, IR_BFI, have == 8 ? PTX_B64 : PTX_B32, 4, src);
  }
}

/* ---- whose parameter it is ---- */

/* The variable that [o] names; NULL when it is a register, or nothing (*wrong: told). */
static struct binding *named_variable(struct lower *l, const struct insn *in, const struct ptx_operand *o,
                                      bool *wrong) {
  *wrong = o->kind != PTX_OP_ADDRESS || o->element->kind != PTX_OP_NAME;
  if (*wrong) {
    lower_refuse(l, in, "the address of a parameter is wanted");
    return NULL;
  }
  struct binding *b = lower_find(l, o->element);
  *wrong = b == NULL;
  return b && b->kind == BIND_REGISTER ? NULL : b;
}

bool lower_param_load(struct lower *l, const struct insn *in, enum ptx_space *space) {
  const struct ptx_operand *o = &in->o[1];
  unsigned n = given(in, K_VECTOR) ? in->w.value[K_VECTOR] : 1;
  struct ptx_operand list[8];
  bool wrong;
  struct binding *b = named_variable(l, in, o, &wrong);
  if (wrong) return true;
  if (!b) {
    *space = l->frame->caller || !l->f->entry ? PTX_LOCAL : PTX_PARAM;
    return false;
  }
  bool scalar = b->kind == BIND_SCALAR, kernel = b->kind == BIND_MEMORY && b->variable->space == PTX_PARAM;
  if ((scalar || kernel) && (!access_inside(l, in, o, b->variable, n) || !lower_elements(l, in, &in->o[0], n, list)))
    return true;
  if (scalar)
    load_scalar(l, in, b, list, n);
  else if (kernel)
    load_kernel(l, in, b->variable, list, n);
  else
    *space = PTX_LOCAL;
  return scalar || kernel;
}

bool lower_param_store(struct lower *l, const struct insn *in, enum ptx_space *space) {
  const struct ptx_operand *o = &in->o[0];
  unsigned n = given(in, K_VECTOR) ? in->w.value[K_VECTOR] : 1;
  struct ptx_operand list[8];
  bool wrong;
  struct binding *b = named_variable(l, in, o, &wrong);
  if (wrong) return true;
  if (!b || (b->kind == BIND_MEMORY && b->variable->space == PTX_PARAM)) {
    lower_refuse(l, in, b ? "a kernel's parameters cannot be written" : "a parameter variable is wanted");
    return true;
  }
  if (b->kind != BIND_SCALAR) {
    *space = PTX_LOCAL;
    return false;
  }
  if (access_inside(l, in, o, b->variable, n) && lower_elements(l, in, &in->o[1], n, list))
    store_scalar(l, in, b, list, n);
  return true;
}
