/* SPDX-License-Identifier: Apache-2.0
 *
 * Building a kernel's control flow graph: values, instructions, blocks, edges. Everything is zeroed arena memory; lists
 * grow by doubling (what they leave behind stays in the arena).
 */
#include "compiler/ir/ir.h"

#include <assert.h>
#include <string.h>

enum ir_class ir_class_of(enum ptx_type t) {
  switch (t) {
  case PTX_PRED:
    return IR_PRED;
  case PTX_B64:
  case PTX_U64:
  case PTX_S64:
  case PTX_F64:
    return IR_64;
  default:
    return IR_32;
  }
}

struct ir_value *ir_value_new(struct ir_function *f, enum ir_class c) {
  struct ir_value *v = ptx_alloc(f->arena, sizeof *v);
  v->id = f->values++;
  v->class = c;
  return v;
}

struct ir_insn *ir_insn_new(struct ir_function *f, enum ir_op op, enum ptx_type type, struct ptx_pos pos) {
  struct ir_insn *i = ptx_alloc(f->arena, sizeof *i);
  i->op = (uint16_t)op;
  i->type = (uint8_t)type;
  i->pos = pos;
  return i;
}

void ir_change(struct ir_insn *i, enum ir_op op, enum ptx_type type) {
  i->op = (uint16_t)op;
  i->type = (uint8_t)type;
  i->type2 = PTX_NO_TYPE;
  memset(i->bytes, 0, sizeof i->bytes);
}

void ir_append(struct ir_block *b, struct ir_insn *i) {
  assert(!i->block);
  i->block = b;
  i->prev = b->last;
  i->next = NULL;
  if (b->last)
    b->last->next = i;
  else
    b->first = i;
  b->last = i;
}

void ir_insert_before(struct ir_insn *where, struct ir_insn *i) {
  assert(!i->block && where->block);
  i->block = where->block;
  i->prev = where->prev;
  i->next = where;
  if (where->prev)
    where->prev->next = i;
  else
    where->block->first = i;
  where->prev = i;
}

void ir_remove(struct ir_insn *i) {
  struct ir_block *b = i->block;
  if (i->prev)
    i->prev->next = i->next;
  else
    b->first = i->next;
  if (i->next)
    i->next->prev = i->prev;
  else
    b->last = i->prev;
  i->prev = i->next = NULL;
  i->block = NULL;
}

struct ir_block *ir_block_new(struct ir_function *f) {
  struct ir_block *b = ptx_alloc(f->arena, sizeof *b);
  b->id = f->blocks++;
  return b;
}

void ir_block_place(struct ir_block *after, struct ir_block *b) {
  b->next = after->next;
  after->next = b;
}

static void grow_blocks(struct ir_function *f, struct ir_block ***list, unsigned used, unsigned *room) {
  if (used < *room) return;
  unsigned wanted = *room ? 2 * *room : 2;
  struct ir_block **fresh = ptx_alloc(f->arena, wanted * sizeof *fresh);
  if (used) memcpy(fresh, *list, used * sizeof *fresh);
  *list = fresh;
  *room = wanted;
}

void ir_edge(struct ir_function *f, struct ir_block *from, struct ir_block *to) {
  grow_blocks(f, &from->succ, from->succs, &from->succ_room);
  grow_blocks(f, &to->pred, to->preds, &to->pred_room);
  from->succ[from->succs++] = to;
  to->pred[to->preds++] = from;
}

bool ir_has_effect(const struct ir_insn *i) {
  switch (i->op) {
  case IR_ST:
  case IR_ATOM:
  case IR_RED:
  case IR_FENCE:
  case IR_PREFETCH:
  case IR_ASYNC_COPY:
  case IR_ASYNC_CLOSE:
  case IR_ASYNC_WAIT:
  case IR_WARPSYNC:
  case IR_BAR:
  case IR_NANOSLEEP:
    return true;
  case IR_LD: /* others may be counting on a strong load's order */
    return i->memory.is_volatile || i->memory.strength != IR_WEAK;
  default: /* from here on, control */
    return i->op >= IR_CALL;
  }
}
