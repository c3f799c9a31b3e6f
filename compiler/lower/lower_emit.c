/* SPDX-License-Identifier: Apache-2.0
 *
 * Appending operations to the graph, by their types.
 */
#include <assert.h>

#include <heddle/program.h>
#include "compiler/lower/lower.h"

/* Types of PTX, as lowering asks for them. */

enum ptx_type lower_promote(enum ptx_type t) {
  switch (t) {
  case PTX_B8:
  case PTX_B16:
    return PTX_B32;
  case PTX_U8:
  case PTX_U16:
    return PTX_U32;
  case PTX_S8:
  case PTX_S16:
    return PTX_S32;
  default:
    return t;
  }
}

bool lower_signed(enum ptx_type t) {
  return t == PTX_S8 || t == PTX_S16 || t == PTX_S32 || t == PTX_S64;
}

bool lower_float(enum ptx_type t) {
  return t == PTX_F16 || t == PTX_F16X2 || t == PTX_F32 || t == PTX_F64;
}

/* Appending operations to the graph. Temporaries are computed without the statement's guard (they have no effects);
 * what writes a register of the program, or memory, carries it. So a register is written last, after everything that
 * reads it. */

static bool is_access(enum ir_op op) {
  return op == IR_LD || op == IR_ST || op == IR_ATOM || op == IR_RED;
}

static struct ir_insn *append_insn(struct lower *l, enum ir_op op, enum ptx_type type) {
  if (!l->block) lower_start(l, ir_block_new(l->f)); /* behind a branch, before a label: nothing gets here */
  struct ir_insn *i = ir_insn_new(l->f, op, type, l->pos);
  ir_append(l->block, i);
  if (l->in_library && is_access(op)) i->memory.order = HEDDLE_ORDER_LIBRARY;
  return i;
}

struct ir_insn *lower_emit(struct lower *l, enum ir_op op, enum ptx_type type) {
  struct ir_insn *i = append_insn(l, op, type);
  i->guard = l->guard;
  i->guard_invert = l->guard_invert;
  return i;
}

void lower_dst(struct ir_insn *i, struct ir_value *v) {
  assert(i->dsts < IR_DST_MAX);
  i->dst[i->dsts++] = v;
}

void lower_src(struct ir_insn *i, struct ir_operand o) {
  assert(i->sources < IR_SRC_MAX);
  i->src[i->sources++] = o;
}

struct ir_insn *lower_into(struct lower *l, struct ir_value *dst, enum ir_op op, enum ptx_type type, unsigned n,
                           const struct ir_operand *src) {
  struct ir_insn *i = lower_emit(l, op, type);
  lower_dst(i, dst);
  for (unsigned k = 0; k < n; k++) lower_src(i, src[k]);
  return i;
}

struct ir_insn *lower_temp(struct lower *l, enum ir_op op, enum ptx_type type, enum ir_class dst, unsigned n,
                           const struct ir_operand *src) {
  struct ir_insn *i = append_insn(l, op, type);
  lower_dst(i, ir_value_new(l->f, dst));
  for (unsigned k = 0; k < n; k++) lower_src(i, src[k]);
  return i;
}

struct ir_operand lower_result(const struct ir_insn *i) {
  return ir_use(i->dst[0]);
}

struct ir_operand lower_one(struct lower *l, enum ir_op op, enum ptx_type type, struct ir_operand a) {
  return lower_result(lower_temp(l, op, type, ir_class_of(type), 1, &a));
}

struct ir_operand lower_two(struct lower *l, enum ir_op op, enum ptx_type type, struct ir_operand a,
                            struct ir_operand b) {
  return lower_result(lower_temp(l, op, type, ir_class_of(type), 2, (struct ir_operand[]){a, b}));
}

struct ir_operand lower_three(struct lower *l, enum ir_op op, enum ptx_type type, struct ir_operand a,
                              struct ir_operand b, struct ir_operand c) {
  return lower_result(lower_temp(l, op, type, ir_class_of(type), 3, (struct ir_operand[]){a, b, c}));
}

void lower_halves(struct lower *l, struct ir_operand a, struct ir_operand half[2]) {
  struct ir_insn *i = lower_temp(l, IR_UNPACK, PTX_B32, IR_32, 1, &a);
  lower_dst(i, ir_value_new(l->f, IR_32));
  for (unsigned k = 0; k < 2; k++) half[k] = ir_use(i->dst[k]);
}

struct ir_operand lower_cvt(struct lower *l, enum ptx_type to, enum ptx_type from, struct ir_operand a) {
  struct ir_insn *i = lower_temp(l, IR_CVT, to, ir_class_of(to), 1, &a);
  i->type2 = (uint8_t)from;
  return lower_result(i);
}

static uint64_t extend_bits(uint64_t bits, unsigned from, unsigned to, bool is_signed) {
  if (from >= 8) return bits;
  uint64_t low = bits & ((UINT64_C(1) << 8 * from) - 1);
  if (is_signed && low >> (8 * from - 1)) low |= ~UINT64_C(0) << 8 * from;
  return to <= 4 ? low & UINT32_MAX : low;
}

struct ir_operand lower_extend(struct lower *l, struct ir_operand a, enum ptx_type from, unsigned bytes) {
  unsigned have = ptx_type_bytes(from);
  bool s = lower_signed(from);
  if (have >= bytes) return a;
  if (a.kind == IR_CONST) return ir_bits(extend_bits(a.bits, have, bytes, s));
  if (have < 4) {
    enum ptx_type narrow = have == 1 ? (s ? PTX_S8 : PTX_U8) : s ? PTX_S16 : PTX_U16;
    a = lower_cvt(l, s ? PTX_S32 : PTX_U32, narrow, a);
  }
  return bytes == 8 ? lower_cvt(l, s ? PTX_S64 : PTX_U64, s ? PTX_S32 : PTX_U32, a) : a;
}

/* The instruction that has just computed the temporary a, which nobody else reads: it can write dst itself. */
static struct ir_insn *just_computed(const struct lower *l, const struct ir_value *dst, struct ir_operand a) {
  struct ir_insn *i = l->block ? l->block->last : NULL;
  bool fresh = a.kind == IR_VALUE && !a.value->name && a.value->class == dst->class;
  return i && fresh && i->dsts == 1 && i->dst[0] == a.value ? i : NULL;
}

void lower_copy(struct lower *l, struct ir_value *dst, struct ir_operand a) {
  struct ir_insn *i = just_computed(l, dst, a);
  if (i) {
    i->dst[0] = dst;
    i->guard = l->guard;
    i->guard_invert = l->guard_invert;
    return;
  }
  static const enum ptx_type types[] = {[IR_PRED] = PTX_PRED, [IR_32] = PTX_B32, [IR_64] = PTX_B64};
  lower_into(l, dst, IR_COPY, types[dst->class], 1, &a);
}

void lower_fill(struct lower *l, struct place dst, enum ptx_type t, struct ir_operand a) {
  if (dst.bytes > ptx_type_bytes(t)) a = lower_extend(l, a, t, dst.bytes);
  lower_copy(l, dst.value, a);
}

/* ---- blocks ---- */

void lower_start(struct lower *l, struct ir_block *b) {
  ir_block_place(l->placed, b);
  l->placed = l->block = b;
}

void lower_goto(struct lower *l, struct ir_block *to) {
  append_insn(l, IR_BR, PTX_NO_TYPE);
  ir_edge(l->f, l->block, to);
  l->block = NULL;
}

void lower_branch_if(struct lower *l, struct ir_block *yes, struct ir_block *no) {
  struct ir_insn *i = append_insn(l, IR_CBR, PTX_NO_TYPE);
  lower_src(i, ir_use(l->guard));
  i->invert = l->guard_invert;
  ir_edge(l->f, l->block, yes);
  ir_edge(l->f, l->block, no);
  l->block = NULL;
  l->guard = NULL;
}

struct ir_block *lower_split(struct lower *l) {
  if (!l->guard) return NULL;
  struct ir_block *yes = ir_block_new(l->f), *after = ir_block_new(l->f);
  lower_branch_if(l, yes, after);
  lower_start(l, yes);
  return after;
}

void lower_rejoin(struct lower *l, struct ir_block *after) {
  if (!after) return;
  if (l->block) lower_goto(l, after);
  lower_start(l, after);
}
