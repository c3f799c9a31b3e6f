/* SPDX-License-Identifier: Apache-2.0
 *
 * What becomes of the phis where two arms join, when the arms are put in a row.
 */
#include "compiler/optimise/ifconvert.h"

static unsigned edge_of(const struct arms *a, unsigned way) {
  const struct ir_block *from = a->arm[way] ? a->arm[way] : a->b;
  unsigned k = 0;
  while (a->join->pred[k] != from) k++;
  return k;
}

static bool is_undefined(const struct ir_operand *o) {
  return o->kind == IR_VALUE && o->value->def->op == IR_UNDEF;
}

/* The instruction of this arm that makes the phi's operand. (In the arm others may read it too: there they see what it
 * makes, or it does not matter.) */
static struct ir_insn *maker(const struct arms *a, unsigned way, const struct ir_operand *o) {
  if (o->kind != IR_VALUE || !a->arm[way]) return NULL;
  struct ir_insn *d = o->value->def;
  return d->block != a->arm[way] || d->dsts != 1 || d->guard || d->op == IR_UNDEF || d->op == IR_COPY ? NULL : d;
}

static bool is_made_in(const struct arms *a, unsigned way, const struct ir_operand *o) {
  return o->kind == IR_VALUE && a->arm[way] && o->value->def->block == a->arm[way];
}

static enum how plan(const struct arms *a, const struct ir_operand *way) {
  if (pass_same(&way[0], &way[1]) || is_undefined(&way[1])) return WAY_0;
  if (is_undefined(&way[0])) return WAY_1;
  /* Arm 1 is put first: arm 0 can read what it makes, not the other way. */
  if (maker(a, 0, &way[0])) return MAKER_0;
  if (maker(a, 1, &way[1]) && !is_made_in(a, 0, &way[0])) return MAKER_1;
  return CHOICE;
}

/* A maker can keep the old value of one phi only. */
static bool is_taken(const struct join *j, unsigned n) {
  unsigned way = j[n].how == MAKER_1;
  for (unsigned k = 0; k < n; k++)
    if (j[k].how == j[n].how && pass_same(&j[k].way[way], &j[n].way[way])) return true;
  return false;
}

/* Behind copies. */
static struct ir_operand source_of(struct ir_operand o) {
  while (o.kind == IR_VALUE && o.value->def->op == IR_COPY && !o.value->def->guard) o = o.value->def->src[0];
  return o;
}

unsigned join_plan(const struct arms *a, struct join *j, unsigned *extra) {
  unsigned n = 0, edge[2] = {edge_of(a, 0), edge_of(a, 1)};
  *extra = 0;
  for (struct ir_insn *i = a->join->first; i->op == IR_PHI && n < PHIS_MOST; i = i->next, n++) {
    j[n].phi = i;
    for (unsigned k = 0; k < 2; k++) j[n].way[k] = source_of(i->many[edge[k]]);
    j[n].how = plan(a, j[n].way);
    if (j[n].how <= MAKER_1 && is_taken(j, n)) j[n].how = CHOICE;
    if (j[n].how == CHOICE) *extra += i->dst[0]->class == IR_64 ? 2 : 1;
  }
  return n;
}

static bool is_uniform(const struct ir_operand *o) {
  return o->kind == IR_CONST || o->value->uniform;
}

void join_guard(const struct arms *a, unsigned way, struct ir_insn *i) {
  i->guard = a->p;
  i->guard_invert = way ? !a->invert : a->invert;
  for (unsigned k = 0; k < i->dsts; k++) i->dst[k]->uniform = i->dst[k]->uniform && a->p->uniform;
}

/* i makes what the phi was: the phi's own value when the phi goes, else a fresh one. */
static void define_result(const struct arms *a, const struct join *j, struct ir_insn *i, bool alone) {
  struct ir_value *v = alone ? j->phi->dst[0] : ir_value_new(a->f, j->phi->dst[0]->class);
  if (!v->name) v->name = j->phi->dst[0]->name;
  v->uniform = a->p->uniform && is_uniform(&j->way[0]) && is_uniform(&j->way[1]);
  v->def = i;
  i->dst[0] = v;
  i->dsts = 1;
}

static struct ir_insn *choice(const struct arms *a, const struct join *j) {
  enum ir_class c = j->phi->dst[0]->class;
  struct ir_insn *i = ir_insn_new(a->f, c == IR_PRED ? IR_COPY : IR_SELP, pass_copy_type(c), j->phi->pos);
  if (c == IR_PRED) {
    i->sources = 1;
    i->src[0] = j->way[0];
    i->old[0] = j->way[1];
    i->guard = a->p;
    i->guard_invert = a->invert;
  } else {
    i->sources = 3;
    i->src[0] = j->way[a->invert];
    i->src[1] = j->way[!a->invert];
    i->src[2] = ir_use(a->p);
  }
  ir_append(a->b, i);
  return i;
}

static struct ir_insn *append_copy(const struct arms *a, const struct join *j, struct ir_operand o) {
  struct ir_insn *i = ir_insn_new(a->f, IR_COPY, pass_copy_type(j->phi->dst[0]->class), j->phi->pos);
  i->sources = 1;
  i->src[0] = o;
  ir_append(a->b, i);
  return i;
}

/* The maker in one arm keeps the other way's value. */
static struct ir_operand keep_other(const struct arms *a, const struct join *j, unsigned way) {
  struct ir_insn *i = j->way[way].value->def;
  i->old[0] = j->way[!way];
  join_guard(a, way, i);
  i->dst[0]->uniform = i->dst[0]->uniform && is_uniform(&j->way[!way]);
  return j->way[way];
}

struct ir_operand join_unite(const struct arms *a, const struct join *j, bool alone) {
  struct ir_insn *i;
  if (j->how == CHOICE) {
    i = choice(a, j);
  } else {
    struct ir_operand o = j->how <= MAKER_1 ? keep_other(a, j, j->how == MAKER_1) : j->way[j->how == WAY_1];
    if (!alone) return o;
    i = append_copy(a, j, o);
  }
  define_result(a, j, i, alone);
  return ir_use(i->dst[0]);
}
