/* SPDX-License-Identifier: Apache-2.0
 *
 * Selection of calls, returns and arguments: moves to and from the fixed registers of call.h, one virtual register for
 * each of them, so that the scheduler keeps their order.
 */
#include "compiler/calls/call.h"
#include "compiler/select/select.h"

static struct mir_operand fixed(struct mir_function *f, unsigned phys, unsigned words, const char *name) {
  struct mir_operand r = mir_new(f, MIR_R, words);
  f->vreg[r.reg].fixed = (int16_t)phys;
  f->vreg[r.reg].name = name;
  return r;
}

struct mir_frame *mir_frame_new(struct mir_function *f, const struct ir_function *of) {
  struct mir_frame *frame = ptx_alloc(f->arena, sizeof *frame);
  frame->is_function = !of->entry;
  frame->graph = of->calls;
  frame->node = of->node;
  frame->stack = fixed(f, CALL_STACK, 1, "stack");
  frame->back = fixed(f, CALL_RETURN, 2, "back");
  return frame;
}

static struct mir_operand argument_word(struct select *s, unsigned k) {
  struct mir_frame *frame = s->m.f->frame;
  if (frame->word[k].kind == MIR_NONE) frame->word[k] = fixed(s->m.f, CALL_FIRST + k, 1, "argument");
  return frame->word[k];
}

static bool is_wide(const struct ir_insn *i, unsigned k) {
  return i->calling.wide >> k & 1;
}

/* The word from which on source or result k lies, those before it taking *at. */
static unsigned place_words(unsigned *at, bool wide) {
  unsigned first = wide ? (*at + 1) / 2 * 2 : *at;
  *at = first + (wide ? 2 : 1);
  return first;
}

static void use(struct mir_call *c, struct mir_operand r) {
  c->use[c->uses++] = r;
}

/* Sources from `first` on into their registers. */
static void put_arguments(struct select *s, struct mir_call *c, unsigned first) {
  const struct ir_insn *i = s->insn;
  unsigned at = 0;
  for (unsigned k = first; k < i->sources; k++) {
    const bool wide = is_wide(i, k);
    const unsigned to = place_words(&at, wide);
    for (unsigned w = 0; w < (wide ? 2u : 1u); w++) {
      struct mir_operand r = argument_word(s, to + w);
      sel_mov(s, r, sel_word(s, i->src[k], w));
      use(c, r);
    }
  }
}

/* Registers that hold results, then moves out of them. */
static void bind_results(struct select *s, struct mir_call *c, struct mir_insn *m) {
  const struct ir_insn *i = s->insn;
  unsigned at = 0, first[IR_DST_MAX];
  for (unsigned k = 0; k < i->dsts; k++) {
    first[k] = place_words(&at, i->dst[k]->class == IR_64);
    for (unsigned w = first[k]; w < at; w++) c->def[c->defs++] = argument_word(s, w);
  }
  m->call = c;
  for (unsigned k = 0; k < i->dsts; k++) {
    if (sel_value(s, i->dst[k])->uses == 0) continue;
    struct mir_operand d = sel_dst(s, k);
    for (unsigned w = 0; w < d.words; w++) sel_mov(s, mir_word(d, w), argument_word(s, first[k] + w));
  }
}

void select_call(struct select *s) {
  const struct ir_insn *i = s->insn;
  struct mir_function *f = s->m.f;
  struct mir_call *c = ptx_alloc(f->arena, sizeof *c);
  struct mir_operand none = mir_none(), target = i->calling.function ? none : sel_pair(s, i->src[0]);
  if (target.kind == MIR_ZERO) target = sel_join(s, target, target);
  put_arguments(s, c, i->calling.function ? 0 : 1);
  sel_add(s, ISA_OP_MOV, mir_word(f->frame->back, 0), none, mir_imm(0), none)->address_behind = true;
  sel_mov(s, mir_word(f->frame->back, 1), mir_zero());
  use(c, f->frame->back);
  use(c, f->frame->stack);
  c->callee = i->calling.function ? call_node_of(s->ir->calls, i->calling.function) : NULL;
  f->frame->calls++;
  bind_results(s, c, sel_add(s, i->calling.function ? ISA_OP_CALL_REL : ISA_OP_CALL_ABS, none, target, none, none));
}

void select_ret(struct select *s) {
  struct mir_function *f = s->m.f;
  struct mir_call *c = ptx_alloc(f->arena, sizeof *c);
  put_arguments(s, c, 0);
  use(c, f->frame->stack);
  sel_add(s, ISA_OP_RET, mir_none(), f->frame->back, mir_none(), mir_none())->call = c;
}

void select_argument(struct select *s) {
  struct mir_operand d = sel_dst(s, 0);
  for (unsigned w = 0; w < d.words; w++) sel_mov(s, mir_word(d, w), argument_word(s, (unsigned)s->insn->place.at + w));
}

void select_code(struct select *s) {
  struct mir_operand d = sel_dst(s, 0), none = mir_none();
  sel_add(s, ISA_OP_MOV, mir_word(d, 0), none, mir_imm(0), none)->code =
      call_node_of(s->ir->calls, s->insn->calling.function);
  if (d.words == 2) sel_mov(s, mir_word(d, 1), mir_zero());
}
