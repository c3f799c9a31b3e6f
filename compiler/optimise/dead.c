/* SPDX-License-Identifier: Apache-2.0
 *
 * What nobody needs goes: everything from which no effect follows, phis in circles included; second results that are
 * not read; the result of an atomic (it becomes a reduction). Needs SSA form; keeps the graph and everything known
 * about it.
 */
#include "compiler/graph/pass.h"

struct sweep {
  struct ir_insn **stack;
  uint32_t depth, room;
};

static void want(struct sweep *s, struct ir_value *v) {
  if (v->mark) return;
  v->mark = 1;
  s->stack[s->depth++] = v->def;
}

static void want_operands(struct sweep *s, struct ir_insn *i) {
  const struct ir_operand *src = pass_sources(i);
  if (i->guard) want(s, i->guard);
  for (unsigned k = 0; k < i->sources; k++)
    if (src[k].kind == IR_VALUE) want(s, src[k].value);
  for (unsigned k = 0; i->guard && k < i->dsts; k++)
    if (i->old[k].kind == IR_VALUE) want(s, i->old[k].value);
}

/* Atomics that a reduction can do as well. */
static bool can_reduce(const struct ir_insn *i) {
  return i->op == IR_ATOM && i->memory.space == PTX_GLOBAL && i->memory.atom != IR_A_EXCH &&
         i->memory.atom != IR_A_CAS && i->sources == 2;
}

static bool second_optional(const struct ir_insn *i) {
  switch (i->op) {
  case IR_SETP:
  case IR_ADDC:
  case IR_SUBC:
  case IR_MADC:
  case IR_SHFL:
  case IR_MATCH:
    return i->dsts == 2;
  default:
    return false;
  }
}

static void trim(struct ir_insn *i) {
  if (can_reduce(i) && !i->dst[0]->mark) {
    i->op = IR_RED;
    i->dsts = 0;
  }
  if (second_optional(i) && !i->dst[1]->mark) i->dsts = 1;
}

static bool is_wanted(const struct ir_insn *i) {
  if (ir_has_effect(i)) return true;
  for (unsigned k = 0; k < i->dsts; k++)
    if (i->dst[k]->mark) return true;
  return false;
}

static uint32_t clear_marks(struct ir_function *f) {
  uint32_t values = 0;
  for (struct ir_block *b = f->first; b; b = b->next)
    for (struct ir_insn *i = b->first; i; i = i->next)
      for (unsigned k = 0; k < i->dsts; k++, values++) i->dst[k]->mark = 0;
  return values;
}

void ir_dead(struct ir_function *f) {
  struct sweep s = {.room = clear_marks(f) + 1};
  s.stack = ptx_alloc(f->arena, s.room * sizeof(struct ir_insn *));
  for (struct ir_block *b = f->first; b; b = b->next)
    for (struct ir_insn *i = b->first; i; i = i->next) {
      if (ir_has_effect(i)) want_operands(&s, i);
      while (s.depth) want_operands(&s, s.stack[--s.depth]);
    }
  for (struct ir_block *b = f->first; b; b = b->next)
    for (struct ir_insn *i = b->first, *next; i; i = next) {
      next = i->next;
      if (is_wanted(i))
        trim(i);
      else
        ir_remove(i);
    }
}
