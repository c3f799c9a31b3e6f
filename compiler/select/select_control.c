/* SPDX-License-Identifier: Apache-2.0
 *
 * The ends of blocks, convergence, calls.
 */
#include "compiler/calls/call.h"
#include "compiler/select/select.h"

/* Selection of calls, returns and arguments: moves to and from the fixed registers of call.h, one virtual register for
 * each of them, so that the scheduler keeps their order. */

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

/* The ends of blocks, and convergence. */

enum { FEW = 4 }; /* targets of an indexed branch that are reached by comparisons */

static struct mir_block *block_of(struct select *s, const struct ir_block *b) {
  return s->block[b->id];
}

/* Falls through when it is next in the layout. */
static void go_to(struct select *s, const struct ir_block *to) {
  mir_edge(s->m.f, s->m.b, block_of(s, to));
  if (to != s->at->next) (void)mir_branch(&s->m, ISA_OP_BRA, block_of(s, to));
}

/* The branch at hand is not one on which threads part. */
static bool goes_together(const struct select *s) {
  return s->insn->src[0].kind != IR_VALUE || s->insn->src[0].value->uniform;
}

static void branch_if(struct select *s, struct mir_operand p, struct mir_block *to) {
  struct mir_operand guard = s->m.guard;
  s->m.guard = p;
  mir_branch(&s->m, ISA_OP_BRA, to)->uniform = goes_together(s);
  s->m.guard = guard;
  mir_edge(s->m.f, s->m.b, to);
}

static void branch_either(struct select *s) {
  const struct ir_insn *i = s->insn;
  struct ir_block *yes = s->at->succ[0], *no = s->at->succ[1];
  struct mir_operand p = sel_predicate(s, i->src[0]);
  if (i->invert) p = mir_not(p);
  if (yes == no || p.kind == MIR_ZERO) {
    go_to(s, p.kind == MIR_ZERO && p.neg ? no : yes);
    return;
  }
  if (yes == s->at->next) {
    struct ir_block *t = yes;
    yes = no;
    no = t;
    p = mir_not(p);
  }
  branch_if(s, p, block_of(s, yes));
  go_to(s, no);
}

/* A block behind this one. */
static struct mir_block *block_behind(struct select *s) {
  struct mir_block *b = mir_block_new(s->m.f);
  b->loop_depth = s->m.b->loop_depth;
  mir_block_place(s->m.b, b);
  mir_edge(s->m.f, s->m.b, b);
  return b;
}

static void compare_chain(struct select *s, struct mir_operand index) {
  const struct ir_block *b = s->at;
  for (unsigned k = 0; k + 1 < b->succs; k++) {
    struct mir_operand p = sel_new_predicate(s);
    struct mir_insn *m = sel_op(s, ISA_OP_ISETP, mir_none(), index, sel_imm(k), mir_none());
    mir_set(m, ISA_F_ICMP, ISA_ICMP_EQ);
    m->pd[0] = p;
    branch_if(s, p, block_of(s, b->succ[k]));
    s->m.b = block_behind(s);
  }
  go_to(s, b->succ[b->succs - 1]);
}

static void jump_table(struct select *s, struct mir_operand index) {
  const struct ir_block *b = s->at;
  struct mir_operand pair = sel_new(s, 2);
  sel_imad_wide(s, pair, index, mir_imm(ISA_WORD_BYTES), mir_zero(), false);
  struct mir_insn *m = sel_add(s, ISA_OP_BRX, mir_none(), pair, mir_none(), mir_none());
  struct mir_block *table = block_behind(s);
  m->target = table;
  m->uniform = goes_together(s);
  s->m.b = table;
  for (unsigned k = 0; k < b->succs; k++) {
    (void)mir_branch(&s->m, ISA_OP_BRA, block_of(s, b->succ[k]));
    if (b->succ[k]->mark != s->number) mir_edge(s->m.f, table, block_of(s, b->succ[k])); /* once each */
    b->succ[k]->mark = s->number;
  }
}

static void indexed(struct select *s) {
  struct mir_operand index = sel_reg(s, sel_low(s, s->insn->src[0]));
  if (s->at->succs <= FEW)
    compare_chain(s, index);
  else
    jump_table(s, index);
}

static struct mir_insn *add_plain(struct select *s, enum heddle_isa_op op) {
  return sel_add(s, op, mir_none(), mir_none(), mir_none(), mir_none());
}

static void add_convergence(struct select *s, enum heddle_isa_op op) {
  const struct ir_insn *i = s->insn;
  if (i->converging.barrier >= heddle_isa_convergence_barriers()) {
    sel_refuse(s, "convergence barrier %u", i->converging.barrier);
    return;
  }
  struct mir_insn *m = op == ISA_OP_BSSY ? mir_branch(&s->m, op, block_of(s, i->converging.target)) : add_plain(s, op);
  m->breg = (uint16_t)i->converging.barrier;
}

static void exit_thread(struct select *s) {
  (void)add_plain(s, ISA_OP_EXIT);
  if (s->insn->guard && s->at->succs) {
    s->m.guard = mir_none();
    go_to(s, s->at->succ[0]);
  }
}

void select_control(struct select *s) {
  switch (s->insn->op) {
  case IR_BR:
    go_to(s, s->at->succ[0]);
    break;
  case IR_CBR:
    branch_either(s);
    break;
  case IR_BRX:
    indexed(s);
    break;
  case IR_EXIT:
    exit_thread(s);
    break;
  case IR_TRAP: /* nothing goes on behind a trap; EXIT says so */
    (void)add_plain(s, ISA_OP_BPT_TRAP);
    (void)add_plain(s, ISA_OP_EXIT);
    break;
  case IR_BSSY:
    add_convergence(s, ISA_OP_BSSY);
    break;
  case IR_BSYNC:
    add_convergence(s, ISA_OP_BSYNC);
    break;
  case IR_BREAK:
    add_convergence(s, ISA_OP_BREAK);
    break;
  default:
    (void)add_plain(s, ISA_OP_YIELD);
  }
}
