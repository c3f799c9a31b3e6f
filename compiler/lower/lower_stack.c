/* SPDX-License-Identifier: Apache-2.0
 *
 * alloca and its kin: local memory whose size is known at run time. Frames come down from the top of local memory
 * (isa/doc/06-abi.md); this comes up from its bottom, behind a word that says where it ends. Who returns puts that word
 * back. What would reach the stack pointer has an address that traps as out of range.
 */
#include "compiler/calls/call.h"
#include "compiler/lower/lower.h"

enum { FIRST = 16, NOWHERE = 0x7fffff00, ALIGN_DEFAULT = 16, ALIGN_MOST = 1 << 16 };

static struct address end_word(void) {
  return (struct address){.space = PTX_LOCAL, .base = ir_bits(0)};
}

static bool allocates(const struct lower *l, const struct ptx_function *f) {
  const struct call_node *n = l->calls ? call_node_of(l->calls, f) : NULL;
  return n && n->allocates;
}

void lower_stack_begin(struct lower *l, const struct ptx_function *f) {
  if (!allocates(l, f)) return;
  if (f->entry)
    lower_store(l, end_word(), PTX_B32, ir_bits(FIRST));
  else
    l->frame->stack_end = lower_load(l, end_word(), PTX_B32);
}

void lower_stack_end(struct lower *l, const struct frame *f) {
  if (f->stack_end.kind != IR_NONE) lower_store(l, end_word(), PTX_B32, f->stack_end);
}

static struct ir_operand is_above(struct lower *l, struct ir_operand a, struct ir_operand b) {
  struct ir_insn *i = lower_temp(l, IR_SETP, PTX_U32, IR_PRED, 2, (struct ir_operand[]){a, b});
  i->comparison.cmp = IR_GT;
  return lower_result(i);
}

static struct ir_operand stack_pointer(struct lower *l) {
  struct ir_insn *i = lower_temp(l, IR_SREG, PTX_U32, IR_32, 0, NULL);
  i->sreg = IR_STACK;
  return lower_result(i);
}

static bool read_align(struct lower *l, const struct insn *in, uint64_t *align) {
  *align = ALIGN_DEFAULT;
  if (in->operands < 3) return true;
  const bool known = lower_constant(l, &in->o[2], PTX_U32, align);
  if (known && *align == 0) *align = ALIGN_DEFAULT; /* clang leaves it open so */
  if (known && *align <= ALIGN_MOST && (*align & (*align - 1)) == 0) return true;
  lower_refuse(l, in, "an alignment must be a constant power of two");
  return false;
}

static void give_address(struct lower *l, const struct insn *in, struct ir_operand at) {
  struct ir_value *dst = lower_write(l, &in->o[0], in->type);
  lower_copy(l, dst, ptx_type_bytes(in->type) == 8 ? lower_cvt(l, PTX_U64, PTX_U32, at) : at);
}

void lower_alloca(struct lower *l, const struct insn *in) {
  uint64_t align;
  if (!read_align(l, in, &align)) return;
  struct ir_operand size = lower_read(l, &in->o[1], in->type), stack = stack_pointer(l);
  if (ptx_type_bytes(in->type) == 8) {
    struct ir_operand most = ir_bits(UINT32_MAX), large = size;
    struct ir_insn *fits = lower_temp(l, IR_MIN, PTX_U64, IR_64, 2, (struct ir_operand[]){large, most});
    size = lower_cvt(l, PTX_U32, PTX_U64, lower_result(fits));
  }
  struct ir_operand at = lower_two(l, IR_ADD, PTX_U32, lower_load(l, end_word(), PTX_B32), ir_bits(align - 1));
  at = lower_two(l, IR_AND, PTX_B32, at, ir_bits(UINT32_MAX & ~(align - 1)));
  struct ir_operand none = is_above(l, at, stack), room = lower_two(l, IR_SUB, PTX_U32, stack, at);
  none = lower_two(l, IR_OR, PTX_PRED, none, is_above(l, size, room));
  size = lower_three(l, IR_SELP, PTX_B32, ir_bits(0), size, none);
  lower_store(l, end_word(), PTX_B32, lower_two(l, IR_ADD, PTX_U32, at, size));
  give_address(l, in, lower_three(l, IR_SELP, PTX_B32, ir_bits(NOWHERE), at, none));
}

void lower_stacksave(struct lower *l, const struct insn *in) {
  give_address(l, in, lower_load(l, end_word(), PTX_B32));
}

void lower_stackrestore(struct lower *l, const struct insn *in) {
  struct ir_operand to = lower_read(l, &in->o[0], in->type);
  if (ptx_type_bytes(in->type) == 8) to = lower_cvt(l, PTX_U32, PTX_U64, to);
  lower_store(l, end_word(), PTX_B32, to);
}
