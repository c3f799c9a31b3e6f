/* SPDX-License-Identifier: Apache-2.0
 *
 * Branches and ends. A return of the kernel ends the thread where it stands: threads that are done must not wait for
 * others.
 */
#include "compiler/lower/lower.h"

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
