/* SPDX-License-Identifier: Apache-2.0
 *
 * Which values are written once, by an instruction that stands above all their readers: for those, what they are made
 * of may stand in their place. A value of a loop that is read before it is written (the one of the last round) is not
 * one of them.
 */
#include "compiler/graph/pass.h"
#include "compiler/select/select.h"

struct single {
  struct select *s;
  struct pass_tree *tree;
  uint32_t *here; /* by value id: the block (and one) in which it has been written so far in the walk */
};

static void count_writes(struct single *x, struct ir_insn *i) {
  for (unsigned k = 0; k < i->dsts; k++) {
    struct sel_value *v = sel_value(x->s, i->dst[k]);
    v->written++; /* here: how often */
    v->def = v->written == 1 && i->dst[k]->def == i && i->old[k].kind == IR_NONE ? i : NULL;
    x->s->ssa = x->s->ssa || i->dst[k]->def;
  }
}

static void read_value(struct single *x, const struct ir_insn *i, const struct ir_value *value) {
  struct sel_value *v = sel_value(x->s, value);
  v->uses++;
  if (!v->def) return;
  bool above = v->def->block == i->block ? x->here[value->id] == i->block->id + 1
                                         : pass_above(x->tree, v->def->block->id, i->block->id);
  if (!above) v->def = NULL;
}

static void check_reads(struct single *x, const struct ir_insn *i) {
  for (unsigned k = 0; k < i->sources; k++)
    if (i->src[k].kind == IR_VALUE) read_value(x, i, i->src[k].value);
  if (i->guard) read_value(x, i, i->guard);
  for (unsigned k = 0; k < i->dsts; k++) x->here[i->dst[k]->id] = i->block->id + 1;
}

/* Does the instruction run only where the one that writes v does? */
static bool is_covered(const struct single *x, const struct sel_value *v, const struct ir_insn *i) {
  const struct ir_insn *d = v->def;
  return i->guard == d->guard && i->guard_invert == d->guard_invert && sel_value(x->s, d->guard)->def;
}

/* Reading a register that was never written is no error in PTX where nothing comes of it; the model of the machine
 * tells on it all the same. */
static void expose(const struct single *x, const struct ir_insn *i, const struct ir_value *value) {
  struct sel_value *v = sel_value(x->s, value);
  if (v->def && v->def->guard && !is_covered(x, v, i)) v->exposed = true;
}

static void find_exposed(const struct single *x, const struct ir_insn *i) {
  for (unsigned k = 0; k < i->sources; k++)
    if (i->src[k].kind == IR_VALUE) expose(x, i, i->src[k].value);
  if (i->guard) expose(x, i, i->guard);
}

void sel_single(struct select *s) {
  struct single x = {.s = s};
  x.tree = pass_dominators(s->ir, pass_order(s->ir));
  x.here = ptx_alloc(s->ir->arena, (s->ir->values + 1) * sizeof *x.here);
  for (struct ir_block *b = s->ir->first; b; b = b->next)
    for (struct ir_insn *i = b->first; i; i = i->next) count_writes(&x, i);
  for (struct ir_block *b = s->ir->first; b; b = b->next)
    for (struct ir_insn *i = b->first; i; i = i->next) check_reads(&x, i);
  for (struct ir_block *b = s->ir->first; b; b = b->next)
    for (struct ir_insn *i = b->first; i; i = i->next) find_exposed(&x, i);
  for (uint32_t v = 0; v < s->ir->values; v++) s->value[v].written = 0;
}
