/* SPDX-License-Identifier: Apache-2.0
 *
 * mov (values, addresses, packing and unpacking) and what turns addresses of a space into generic ones and back.
 */
#include "compiler/lower/lower.h"

/* The address that a name stands for; NONE when it stands for something else. */
static struct ir_operand address_of(struct lower *l, const struct ptx_operand *o, enum ptx_type t) {
  struct binding *b = names_find(l->frame->names, o->name);
  if (!b) b = names_find(l->module->names, o->name);
  if (!b || b->kind != BIND_MEMORY) return (struct ir_operand){.kind = IR_NONE};
  unsigned bytes = ptx_type_bytes(t);
  if (lower_float(t) || bytes < 4) {
    ptx_error(l->d, o->pos, "an address has 32 or 64 bits");
    return ir_bits(0);
  }
  if (!layout_use(l, b->variable, o->pos)) return ir_bits(0);
  const int64_t offset = o->kind == PTX_OP_SYMBOL ? (int64_t)o->bits : 0;
  if (bytes == 8 && b->variable->space == PTX_SHARED && l->whole_pointers)
    return lower_shared_pointer(l, lower_variable(l, b->variable, offset, PTX_U32));
  return lower_variable(l, b->variable, offset, bytes == 8 ? PTX_U64 : PTX_U32);
}

static struct ir_operand read_or_address(struct lower *l, const struct ptx_operand *o, enum ptx_type t) {
  struct ir_operand v = {.kind = IR_NONE};
  if (o->kind == PTX_OP_NAME && ptx_type_bytes(t) == 8 && !lower_float(t)) v = lower_code_address(l, o);
  if (v.kind != IR_NONE) return v;
  if (o->kind == PTX_OP_NAME || o->kind == PTX_OP_SYMBOL) v = address_of(l, o, t);
  if (v.kind != IR_NONE) return v;
  if (o->kind != PTX_OP_SYMBOL) return lower_read(l, o, t);
  ptx_error(l->d, o->pos, "'%s' is no variable with an address here", o->name);
  return ir_bits(0);
}

/* ---- {a, b}: pieces of a value ---- */

static enum ptx_type piece_type(enum ptx_type whole, unsigned n) {
  switch (ptx_type_bytes(whole) / n) {
  case 1:
    return PTX_B8;
  case 2:
    return PTX_B16;
  default:
    return PTX_B32;
  }
}

static struct ir_operand pack_pair(struct lower *l, enum ptx_type whole, struct ir_operand low,
                                   struct ir_operand high) {
  return lower_two(l, IR_PACK, whole, low, high);
}

/* 16 bits in the low half of a 32-bit value, from two bytes */
static struct ir_operand byte_pair(struct lower *l, struct ir_operand low, struct ir_operand high) {
  struct ir_operand src[4] = {high, low, ir_bits(8), ir_bits(8)};
  return lower_result(lower_temp(l, IR_BFI, PTX_B32, IR_32, 4, src));
}

static struct ir_operand pack(struct lower *l, enum ptx_type whole, unsigned n, struct ir_operand *p) {
  unsigned bytes = ptx_type_bytes(whole);
  for (unsigned each = bytes / n; each < bytes; each *= 2)
    for (unsigned k = 0; k < bytes / each / 2; k++)
      p[k] = each == 1 ? byte_pair(l, p[2 * k], p[2 * k + 1])
                       : pack_pair(l, each == 2 ? PTX_B32 : PTX_B64, p[2 * k], p[2 * k + 1]);
  return p[0];
}

static void unpack_pair(struct lower *l, enum ptx_type whole, struct ir_operand v, struct ir_operand *low,
                        struct ir_operand *high) {
  struct ir_insn *i = lower_temp(l, IR_UNPACK, whole, IR_32, 1, &v);
  lower_dst(i, ir_value_new(l->f, IR_32));
  *low = ir_use(i->dst[0]);
  *high = ir_use(i->dst[1]);
}

/* p[0 .. n-1] from p[0] */
static void unpack(struct lower *l, enum ptx_type whole, unsigned n, struct ir_operand *p) {
  unsigned bytes = ptx_type_bytes(whole);
  for (unsigned have = 1; have < n; have *= 2) {
    unsigned each = bytes / have;
    for (unsigned k = have; k-- > 0;) {
      struct ir_operand v = p[k];
      if (each > 2)
        unpack_pair(l, each == 8 ? PTX_B64 : PTX_B32, v, &p[2 * k], &p[2 * k + 1]);
      else {
        p[2 * k + 1] = lower_two(l, IR_SHR, PTX_U32, v, ir_bits(8));
        p[2 * k] = v;
      }
    }
  }
}

static bool pieces_right(struct lower *l, const struct insn *in, const struct ptx_operand *vector) {
  unsigned n = vector->elements, bytes = ptx_type_bytes(in->type);
  if (in->type != PTX_PRED && (n == 2 || n == 4) && bytes >= n && bytes / n <= 4) return true;
  lower_refuse(l, in, "%u pieces are not supported", n);
  return false;
}

static void mov_pack(struct lower *l, const struct insn *in) {
  const struct ptx_operand *from = &in->o[1];
  struct ir_operand p[8];
  if (!pieces_right(l, in, from)) return;
  enum ptx_type t = piece_type(in->type, from->elements);
  for (unsigned k = 0; k < from->elements; k++) p[k] = lower_read(l, &from->element[k], t);
  struct ir_operand v = pack(l, in->type, from->elements, p);
  lower_copy(l, lower_write(l, &in->o[0], in->type), v);
}

static void mov_unpack(struct lower *l, const struct insn *in) {
  const struct ptx_operand *to = &in->o[0];
  struct ir_operand p[8];
  if (!pieces_right(l, in, to)) return;
  enum ptx_type t = piece_type(in->type, to->elements);
  p[0] = lower_read(l, &in->o[1], in->type);
  unpack(l, in->type, to->elements, p);
  for (unsigned k = 0; k < to->elements; k++)
    if (to->element[k].kind != PTX_OP_SINK) lower_copy(l, lower_write(l, &to->element[k], t), p[k]);
}

void lower_mov(struct lower *l, const struct insn *in) {
  bool to = in->o[0].kind == PTX_OP_VECTOR, from = in->o[1].kind == PTX_OP_VECTOR;
  if (to && from) {
    lower_refuse(l, in, "one side must be a register");
  } else if (to) {
    mov_unpack(l, in);
  } else if (from) {
    mov_pack(l, in);
  } else {
    struct ir_operand v = read_or_address(l, &in->o[1], in->type);
    lower_copy(l, lower_write(l, &in->o[0], in->type), v);
  }
}

/* ---- generic addresses: 04-memory.md of the machine ---- */

static bool has_generic(struct lower *l, const struct insn *in) {
  uint8_t s = in->w.value[K_SPACE];
  if (s == PTX_GLOBAL || s == PTX_SHARED || s == PTX_LOCAL) return true;
  lower_refuse(l, in, "there are no generic addresses of .%s", ptx_space_word((enum ptx_space)s));
  return false;
}

void lower_cvta(struct lower *l, const struct insn *in) {
  uint8_t space = in->w.value[K_SPACE];
  bool back = given(in, K_TO), narrow = space != PTX_GLOBAL;
  if (!has_generic(l, in)) return;
  struct ir_operand a = read_or_address(l, &in->o[1], PTX_U64);
  struct ir_value *dst = lower_write(l, &in->o[0], PTX_U64);
  if (!back && narrow) a = a.kind == IR_CONST ? ir_bits(a.bits & UINT32_MAX) : lower_cvt(l, PTX_U32, PTX_U64, a);
  if (!back || !narrow) {
    struct ir_insn *i = lower_into(l, dst, IR_GENERIC, PTX_U64, 1, &a);
    i->memory.space = space;
    i->memory.inverse = back;
    return;
  }
  struct ir_insn *i = lower_temp(l, IR_GENERIC, PTX_U64, IR_32, 1, &a);
  i->memory.space = space;
  i->memory.inverse = true;
  a = lower_result(i);
  const bool whole = l->whole_pointers && space == PTX_SHARED;
  lower_copy(l, dst, whole ? lower_shared_pointer(l, a) : lower_cvt(l, PTX_U64, PTX_U32, a));
}

/* The module's constants lie in front of its .global variables (module.c). */
static struct ir_operand among_constants(struct lower *l, struct ir_operand a, uint32_t bytes) {
  struct ir_insn *from = lower_temp(l, IR_SREG, PTX_U64, IR_64, 0, NULL);
  from->sreg = IR_GLOBALS;
  struct ir_insn *is =
      lower_temp(l, IR_SETP, PTX_U64, IR_PRED, 2,
                 (struct ir_operand[]){lower_two(l, IR_SUB, PTX_U64, a, lower_result(from)), ir_bits(bytes)});
  is->comparison.cmp = IR_LT;
  return lower_result(is);
}

void lower_isspacep(struct lower *l, const struct insn *in) {
  uint8_t space = in->w.value[K_SPACE];
  struct ir_operand a = lower_read(l, &in->o[1], PTX_U64);
  struct ir_value *p = lower_write(l, &in->o[0], PTX_PRED);
  const uint32_t constants = l->module->once_constant;
  if (space == PTX_PARAM || (space == PTX_CONST && constants == 0)) {
    lower_copy(l, p, ir_bits(0)); /* no generic address is */
  } else if (space == PTX_CONST || (space == PTX_GLOBAL && constants > 0)) {
    struct ir_operand in_constants = among_constants(l, a, constants);
    if (space == PTX_CONST) {
      lower_copy(l, p, in_constants);
      return;
    }
    struct ir_insn *i = lower_temp(l, IR_ISSPACEP, PTX_U64, IR_PRED, 1, &a);
    i->memory.space = space;
    lower_into(l, p, IR_AND, PTX_PRED, 2,
               (struct ir_operand[]){lower_result(i), lower_one(l, IR_NOT, PTX_PRED, in_constants)});
  } else {
    lower_into(l, p, IR_ISSPACEP, PTX_U64, 1, &a)->memory.space = space;
  }
}
