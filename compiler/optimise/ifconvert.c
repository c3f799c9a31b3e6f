/* SPDX-License-Identifier: Apache-2.0
 *
 * Short arms of branches without branches: both arms in a row, in place of the branch.
 *
 *  - What nobody can notice is always done; memory operations are guarded by the branch's predicate.
 *  - A phi of the two ways becomes a choice; or, where the value of one arm is made there, the instruction that
 *    makes it is guarded and keeps the other way's value: no instruction more.
 *  - "if (p) return;" becomes a guarded EXIT at the block's end: nobody parts.
 *
 * Arms with anything that depends on which threads are there, barriers, fences, clocks stay. Inner branches come first.
 *
 * Needs SSA form, and value->uniform to know what a branch costs (a branch on which threads part is dear); keeps
 * value->uniform right. Tidies the graph at the end: dominators and loops are void.
 */
#include "ifconvert.h"

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
