/* SPDX-License-Identifier: Apache-2.0
 *
 * Short arms of branches without branches.
 */
#include "compiler/graph/pass.h"

enum { PHIS_MOST = 32 };

struct arms {
  struct ir_function *f;
  struct ir_block *b, *arm[2], *join; /* arm NULL: that way goes straight to the join */
  struct ir_value *p;
  bool invert; /* of the CBR: the way to arm[0] is taken where p is not invert */
};

enum how { MAKER_0, MAKER_1, CHOICE, WAY_0, WAY_1 }; /* a guarded maker in an arm, a choice, the operand of one way */

struct join { /* a phi, and what becomes of it */
  struct ir_insn *phi;
  struct ir_operand way[2];
  enum how how;
};

/* What becomes of the phis where two arms join, when the arms are put in a row. */

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

/* Plans for the phis of a->join; PHIS_MOST and more are too many. *extra: instructions that choices take. */
static unsigned join_plan(const struct arms *a, struct join *j, unsigned *extra) {
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

/* Guards an instruction of the arm of this way. */
static void join_guard(const struct arms *a, unsigned way, struct ir_insn *i) {
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

/* What the phi is from here, both arms being in a->b; `alone`: it has no other operands, and goes. */
static struct ir_operand join_unite(const struct arms *a, const struct join *j, bool alone) {
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

/* Short arms of branches without branches: both arms in a row, in place of the branch.
 *
 *  - What nobody can notice is always done; memory operations are guarded by the branch's predicate.
 *  - A phi of the two ways becomes a choice; or, where the value of one arm is made there, the instruction that
 *    makes it is guarded and keeps the other way's value: no instruction more.
 *  - "if (p) return;" becomes a guarded EXIT at the block's end: nobody parts.
 *
 * Arms with anything that depends on which threads are there, barriers, fences, clocks stay. Inner branches come first.
 *
 * Needs SSA form, and value->uniform to know what a branch costs (a branch on which threads part is dear); keeps
 * value->uniform right. Tidies the graph at the end: dominators and loops are void. */

enum { COST_PARTING = 10, COST_TOGETHER = 3, MEMORY_MOST = 2, DEAR = 1000, LONG = 64 };

/* In instructions of the machine, about. */
static unsigned cost(const struct ir_insn *i) {
  bool wide = (i->dsts && i->dst[0]->class == IR_64) || i->type == PTX_F64;
  switch (i->op) {
  case IR_COPY:
  case IR_UNDEF:
  case IR_PACK:
  case IR_UNPACK:
    return 0;
  case IR_DIV:
  case IR_REM:
  case IR_SQRT:
  case IR_RCP:
  case IR_RSQRT:
  case IR_SIN:
  case IR_COS:
  case IR_EX2:
  case IR_LG2:
  case IR_TANH:
  case IR_CALL:
    return DEAR;
  case IR_MUL:
  case IR_MAD:
  case IR_MULHI:
  case IR_MADHI:
    return wide && i->type != PTX_F64 ? 5 : 1;
  case IR_LD:
  case IR_ST:
    return 2;
  case IR_ATOM:
  case IR_RED:
    return 3;
  default:
    return wide ? 2 : 1;
  }
}

static bool is_memory(const struct ir_insn *i) {
  return i->op == IR_LD || i->op == IR_ST || i->op == IR_ATOM || i->op == IR_RED;
}

/* What the arm costs; DEAR when it cannot be converted. */
static unsigned arm_cost(const struct ir_block *arm) {
  unsigned sum = 0, memory = 0;
  if (!arm) return 0;
  for (const struct ir_insn *i = arm->first; i != arm->last; i = i->next) {
    if (is_memory(i) ? i->guard != NULL : !pass_can_speculate(i)) return DEAR;
    memory += is_memory(i);
    sum += cost(i);
    if (sum > COST_PARTING || memory > MEMORY_MOST) return DEAR;
  }
  return sum;
}

static bool is_arm(const struct ir_block *b, const struct ir_block *from) {
  return b->preds == 1 && b->pred[0] == from && b->last->op == IR_BR && b->succ[0] != b && b->succ[0] != from;
}

/* Triangles and diamonds. */
static bool find_arms(struct arms *a) {
  struct ir_block *s0 = a->b->succ[0], *s1 = a->b->succ[1];
  bool arm0 = is_arm(s0, a->b), arm1 = is_arm(s1, a->b);
  if (arm0 && s0->succ[0] == s1)
    arm1 = false;
  else if (arm1 && s1->succ[0] == s0)
    arm0 = false;
  else if (!arm0 || !arm1 || s0->succ[0] != s1->succ[0])
    return false;
  a->arm[0] = arm0 ? s0 : NULL;
  a->arm[1] = arm1 ? s1 : NULL;
  a->join = arm0 ? s0->succ[0] : s1->succ[0];
  return a->join != a->b && a->join != a->f->first;
}

/* ---- phis ---- */

/* ---- conversion ---- */

static struct ir_operand undefined(const struct arms *a, enum ir_class c) {
  struct ir_insn *first = a->f->first->first, *i = ir_insn_new(a->f, IR_UNDEF, pass_copy_type(c), first->pos);
  i->dsts = 1;
  i->dst[0] = ir_value_new(a->f, c);
  i->dst[0]->def = i;
  ir_insert_before(first, i);
  return ir_use(i->dst[0]);
}

static void move_arm(const struct arms *a, unsigned way) {
  struct ir_block *arm = a->arm[way];
  for (struct ir_insn *i = arm ? arm->first : NULL, *next; i && i != arm->last; i = next) {
    next = i->next;
    ir_remove(i);
    ir_append(a->b, i);
    if (!is_memory(i)) continue;
    join_guard(a, way, i);
    for (unsigned k = 0; k < i->dsts; k++) i->old[k] = undefined(a, i->dst[k]->class);
  }
}

static void drop_arm(const struct arms *a, unsigned way) {
  struct ir_block *arm = a->arm[way];
  if (!arm) return;
  pass_edge_drop(arm, 0);
  ir_remove(arm->last);
}

static void flatten_arms(const struct arms *a, const struct join *j, unsigned phis) {
  struct ptx_pos pos = a->b->last->pos;
  struct ir_operand fresh[PHIS_MOST];
  bool alone = a->join->preds == 2;
  ir_remove(a->b->last);
  move_arm(a, 1);
  move_arm(a, 0);
  for (unsigned k = 0; k < phis; k++) {
    fresh[k] = join_unite(a, &j[k], alone);
    if (alone) ir_remove(j[k].phi);
  }
  while (a->b->succs) pass_edge_drop(a->b, a->b->succs - 1);
  drop_arm(a, 0);
  drop_arm(a, 1);
  for (unsigned k = 0; k < phis && !alone; k++) pass_phi_push(a->f, j[k].phi, fresh[k]);
  pass_branch(a->f, a->b, a->join, pos);
}

static bool convert_arms(struct ir_function *f, struct ir_block *b) {
  struct arms a = {.f = f, .b = b};
  struct join j[PHIS_MOST];
  unsigned extra;
  if (b->last->op != IR_CBR || b->last->src[0].kind != IR_VALUE || b->succ[0] == b->succ[1] || !find_arms(&a))
    return false;
  a.p = b->last->src[0].value;
  a.invert = b->last->invert;
  unsigned sum = arm_cost(a.arm[0]) + arm_cost(a.arm[1]), phis = join_plan(&a, j, &extra);
  if (phis == PHIS_MOST || sum + extra > (a.p->uniform ? COST_TOGETHER : COST_PARTING)) return false;
  flatten_arms(&a, j, phis);
  return true;
}

/* ---- ends ---- */

static bool only_ends(const struct ir_block *b) {
  return b->first->op == IR_EXIT && !b->first->guard;
}

static void end_here(struct ir_block *b) {
  while (b->succs) pass_edge_drop(b, b->succs - 1);
  ir_change(b->last, IR_EXIT, PTX_NO_TYPE);
  b->last->sources = 0;
}

static void convert_end(struct ir_function *f, struct ir_block *b) {
  struct ir_insn *last = b->last;
  if (last->op == IR_BR && only_ends(b->succ[0])) {
    end_here(b);
    f->divergent_exit = true;
    return;
  }
  if (last->op != IR_CBR || last->src[0].kind != IR_VALUE) return;
  bool ends[2] = {only_ends(b->succ[0]), only_ends(b->succ[1])};
  if (!ends[0] && !ends[1]) return;
  f->divergent_exit = true;
  if (ends[0] && ends[1]) {
    end_here(b);
    return;
  }
  last->guard = last->src[0].value;
  last->guard_invert = ends[0] ? last->invert : !last->invert;
  pass_edge_drop(b, ends[0] ? 0 : 1);
  ir_change(last, IR_EXIT, PTX_NO_TYPE);
  last->sources = 0;
}

/* Such a block is nobody's arm. Whoever takes it over has to walk through it, again and again where branches follow
 * each other; ir_tidy does that once. */
static bool is_long(const struct ir_block *b) {
  unsigned n = 0;
  for (const struct ir_insn *i = b->first; i && n <= LONG; i = i->next) n++;
  return n > LONG;
}

static void absorb(struct ir_function *f, struct ir_block *b) {
  while (b->succs == 1 && !is_long(b->succ[0]) && pass_absorb(f, b)) continue;
}

void ir_if_convert(struct ir_function *f) {
  ir_tidy(f);
  const struct pass_order *o = pass_order(f);
  for (uint32_t k = o->count; k-- > 0;) { /* inner branches before outer ones */
    struct ir_block *b = o->block[k];
    if (!b->first) continue; /* taken over */
    convert_end(f, b);
    while (convert_arms(f, b)) absorb(f, b);
  }
  ir_tidy(f);
}
