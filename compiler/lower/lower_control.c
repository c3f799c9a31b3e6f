/* SPDX-License-Identifier: Apache-2.0
 *
 * Branches, ends, local memory of a size known at run time; hints that change nothing.
 */
#include "compiler/calls/call.h"
#include "compiler/lower/lower.h"

/* alloca and its kin: local memory whose size is known at run time. Frames come down from the top of local memory
 * (isa/doc/06-abi.md); this comes up from its bottom, behind a word that says where it ends. Who returns puts that word
 * back. What would reach the stack pointer has an address that traps as out of range. */

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

/* Branches and ends. A return of the kernel ends the thread where it stands: threads that are done must not wait for
 * others. */

static struct ir_block *find_label(struct lower *l, const struct ptx_operand *o) {
  if (o->kind != PTX_OP_NAME) {
    ptx_error(l->d, o->pos, "a label is wanted here");
    return NULL;
  }
  struct binding *b = lower_find(l, o);
  if (!b || b->kind == BIND_LABEL) return b ? b->block : NULL;
  ptx_error(l->d, o->pos, "'%s' is not a label", o->name);
  return NULL;
}

static void branch_to(struct lower *l, struct ir_block *to) {
  if (!l->guard) {
    lower_goto(l, to);
    return;
  }
  struct ir_block *on = ir_block_new(l->f);
  lower_branch_if(l, to, on);
  lower_start(l, on);
}

void lower_bra(struct lower *l, const struct insn *in) {
  struct ir_block *to = find_label(l, &in->o[0]);
  if (to) branch_to(l, to);
}

static const struct ptx_operand *find_targets(struct lower *l, const struct ptx_operand *o) {
  struct binding *b = o->kind == PTX_OP_NAME ? lower_find(l, o) : NULL;
  const struct ptx_statement *s = b && b->kind == BIND_TARGETS ? b->statement : NULL;
  if (s && s->operands == 1 && s->operand[0].kind == PTX_OP_LIST && s->operand[0].elements > 0) return &s->operand[0];
  if (b || o->kind != PTX_OP_NAME) ptx_error(l->d, o->pos, "a list made with .branchtargets is wanted here");
  return NULL;
}

void lower_brx(struct lower *l, const struct insn *in) {
  const struct ptx_operand *list = find_targets(l, &in->o[1]);
  struct ir_operand index = lower_read(l, &in->o[0], PTX_U32);
  if (!list) return;
  struct ir_block *after = lower_split(l);
  struct ir_insn *i = lower_emit(l, IR_BRX, PTX_NO_TYPE);
  lower_src(i, index);
  for (unsigned k = 0; k < list->elements; k++) {
    struct ir_block *to = find_label(l, &list->element[k]);
    lower_work(l, list->element[k].pos);
    if (to) ir_edge(l->f, l->block, to);
  }
  l->block = NULL;
  lower_rejoin(l, after);
}

static void end_thread(struct lower *l, enum ir_op op) {
  struct ir_block *after = lower_split(l);
  lower_emit(l, op, PTX_NO_TYPE);
  l->block = NULL;
  l->exits++;
  lower_rejoin(l, after);
}

void lower_ret(struct lower *l, const struct insn *in) {
  (void)in;
  if (l->frame->after)
    branch_to(l, l->frame->after);
  else
    end_thread(l, IR_EXIT);
}

void lower_end(struct lower *l, const struct insn *in) {
  end_thread(l, (enum ir_op)in->row->op);
}

void lower_nanosleep(struct lower *l, const struct insn *in) {
  struct ir_operand t = lower_read(l, &in->o[0], PTX_U32);
  lower_src(lower_emit(l, IR_NANOSLEEP, PTX_U32), t);
}

void lower_nothing(struct lower *l, const struct insn *in) {
  (void)l;
  (void)in;
}

/* Hints that change no result: priorities and policies of caches, dependent grids (there are none). */

/* createpolicy: whoever takes a policy ignores it */
void lower_policy(struct lower *l, const struct insn *in) {
  lower_copy(l, lower_write(l, &in->o[0], PTX_B64), ir_bits(0));
}
