/* SPDX-License-Identifier: Apache-2.0
 *
 * Folding to a fixed point: copies and constants are propagated, instructions rewritten (fold*.c), branches on
 * constants taken. Needs SSA form (dominators it finds itself). When an edge goes, the graph is tidied: what was known
 * about it is void.
 */
#include "fold.h"

#include <string.h>

enum { ROUNDS = 12, TIMES = 16 }; /* of the whole function; of one instruction in a round */

static void grow_tables(struct fold *c) {
  if (c->f->values <= c->room) return;
  uint32_t room = c->f->values + c->f->values / 2 + 64;
  struct ir_operand *same = ptx_alloc(c->f->arena, room * sizeof *same);
  uint32_t *uses = ptx_alloc(c->f->arena, room * sizeof *uses);
  if (c->room) {
    memcpy(same, c->same, c->room * sizeof *same);
    memcpy(uses, c->uses, c->room * sizeof *uses);
  }
  c->same = same;
  c->uses = uses;
  c->room = room;
}

struct ir_insn *fold_from(const struct ir_operand *o, enum ir_op op, enum ptx_type type) {
  if (o->kind != IR_VALUE) return NULL;
  struct ir_insn *d = o->value->def;
  if (!d || d->op != op || d->guard || (type != PTX_NO_TYPE && d->type != type)) return NULL;
  return d->dst[0] == o->value ? d : NULL;
}

bool fold_become(struct fold *c, struct ir_insn *i, enum ir_op op, enum ptx_type type, unsigned sources,
                 struct ir_operand a, struct ir_operand b, struct ir_operand d) {
  (void)c;
  ir_change(i, op, type);
  i->sources = sources;
  i->src[0] = a;
  i->src[1] = b;
  i->src[2] = d;
  return true;
}

bool fold_equal(struct fold *c, struct ir_insn *i, struct ir_operand o) {
  return fold_become(c, i, IR_COPY, pass_copy_type(i->dst[0]->class), 1, o, fold_none(), fold_none());
}

struct ir_operand fold_before(struct fold *c, struct ir_insn *i, enum ir_op op, enum ptx_type type,
                              enum ir_class result, unsigned sources, struct ir_operand a, struct ir_operand b,
                              struct ir_operand d) {
  struct ir_insn *fresh = ir_insn_new(c->f, op, type, i->pos);
  fold_become(c, fresh, op, type, sources, a, b, d);
  fresh->dsts = 1;
  fresh->dst[0] = ir_value_new(c->f, result);
  fresh->dst[0]->def = fresh;
  fresh->dst[0]->uniform = i->dsts && i->dst[0]->uniform;
  ir_insert_before(i, fresh);
  grow_tables(c);
  c->uses[fresh->dst[0]->id] = 1;
  return ir_use(fresh->dst[0]);
}

static struct ir_operand resolve(const struct fold *c, struct ir_operand o) {
  while (o.kind == IR_VALUE && c->same[o.value->id].kind != IR_NONE) o = c->same[o.value->id];
  return o;
}

/* Constants have no more bits than a narrow type says. */
static void narrow_constants(struct ir_insn *i) {
  unsigned type =
      i->op == IR_CVT || i->op == IR_SETP || i->op == IR_SET ? (i->op == IR_CVT ? i->type2 : i->type) : i->type;
  unsigned bytes = ptx_type_bytes((enum ptx_type)type), from = i->op == IR_ST || i->op == IR_ATOM || i->op == IR_RED,
           to = i->sources;
  if (bytes == 0 || bytes >= 4 || i->op == IR_LD || i->op == IR_PREFETCH || i->op == IR_PACK) return;
  if (i->op == IR_SHL || i->op == IR_SHR) to = 1;
  if (i->op == IR_SLCT) to = 2;
  for (unsigned k = from; k < to; k++)
    if (i->src[k].kind == IR_CONST) i->src[k].bits &= fold_mask(8 * bytes);
}

static bool resolve_sources(struct fold *c, struct ir_insn *i) {
  struct ir_operand *src = pass_sources(i);
  bool changed = false;
  for (unsigned k = 0; k < i->sources; k++) {
    struct ir_operand o = resolve(c, src[k]);
    if (pass_same(&o, &src[k])) continue;
    src[k] = o;
    changed = true;
  }
  if (changed && i->op != IR_PHI) narrow_constants(i);
  return changed;
}

bool fold_alias(struct fold *c, const struct ir_value *v, struct ir_operand o) {
  o = resolve(c, o);
  if (pass_is(&o, v)) return false;
  c->same[v->id] = o;
  return true;
}

static void alias_result(struct fold *c, struct ir_insn *i, struct ir_operand o) {
  if (!fold_alias(c, i->dst[0], o)) return;
  ir_remove(i);
  c->changed = true;
}

/* Its old value is its own: in a circle that cannot be reached. */
static bool keeps_itself(const struct fold *c, const struct ir_insn *i) {
  for (unsigned k = 0; k < i->dsts; k++) {
    const struct ir_operand o = resolve(c, i->old[k]);
    if (pass_is(&o, i->dst[k])) return true;
  }
  return false;
}

/* The guard is true: no guard. False: the old values, and nothing happens. Returns true when i is gone. */
static bool settle_guard(struct fold *c, struct ir_insn *i, bool value) {
  if (value != i->guard_invert || keeps_itself(c, i)) {
    i->guard = NULL;
    i->guard_invert = false;
    c->changed = true;
    if (i->op != IR_EXIT) return false;
    c->cut = true;
    pass_edge_drop(i->block, 0);
    return false;
  }
  c->changed = true;
  if (i->op == IR_EXIT) {
    ir_change(i, IR_BR, PTX_NO_TYPE);
    i->guard = NULL;
    i->guard_invert = false;
    return false;
  }
  for (unsigned k = 0; k < i->dsts; k++) (void)fold_alias(c, i->dst[k], i->old[k]);
  ir_remove(i);
  return true;
}

/* Returns true when i is gone. */
static bool fold_guard(struct fold *c, struct ir_insn *i) {
  struct ir_operand g = resolve(c, ir_use(i->guard));
  for (const struct ir_insn *d; g.kind == IR_VALUE && (d = fold_from(&g, IR_NOT, PTX_PRED)) != NULL;) {
    g = d->src[0];
    i->guard_invert = !i->guard_invert;
    c->changed = true;
  }
  if (g.kind == IR_CONST) return settle_guard(c, i, g.bits & 1);
  i->guard = g.value;
  for (unsigned k = 0; k < i->dsts; k++) i->old[k] = resolve(c, i->old[k]);
  return false;
}

/* All operands the same, but for the phi itself and values that are undefined: that one, where it is known. */
static void fold_phi(struct fold *c, struct ir_insn *i) {
  struct ir_operand one = fold_none(), undefined = fold_none();
  for (unsigned k = 0; k < i->sources; k++) {
    const struct ir_operand *o = &i->many[k];
    if (pass_is(o, i->dst[0])) continue;
    if (fold_from(o, IR_UNDEF, PTX_NO_TYPE))
      undefined = *o;
    else if (one.kind == IR_NONE)
      one = *o;
    else if (!pass_same(&one, o))
      return;
  }
  if (one.kind == IR_NONE) one = undefined;
  if (one.kind == IR_NONE) return;
  if (undefined.kind != IR_NONE && one.kind == IR_VALUE && one.value != undefined.value) {
    const struct ir_block *from = one.value->def->block;
    if (from == i->block || !pass_above(c->dom, from->id, i->block->id)) return;
  }
  alias_result(c, i, one);
}

static void take_edge(struct fold *c, struct ir_block *b, unsigned taken) {
  struct ir_block *to = b->succ[taken];
  while (b->succs > 1) pass_edge_drop(b, b->succ[b->succs - 1] == to && b->succ[0] != to ? 0 : b->succs - 1);
  ir_change(b->last, IR_BR, PTX_NO_TYPE);
  b->last->sources = 0;
  c->changed = c->cut = true;
}

static void fold_branch(struct fold *c, struct ir_insn *i) {
  const struct ir_insn *d;
  if (i->op == IR_CBR) {
    while ((d = fold_from(&i->src[0], IR_NOT, PTX_PRED)) != NULL) {
      i->src[0] = d->src[0];
      i->invert = !i->invert;
      c->changed = true;
    }
    if (i->src[0].kind == IR_CONST) take_edge(c, i->block, (i->src[0].bits & 1) != i->invert ? 0 : 1);
  } else if (i->op == IR_BRX && i->src[0].kind == IR_CONST && i->src[0].bits < i->block->succs) {
    take_edge(c, i->block, (unsigned)i->src[0].bits);
  }
}

/* Where nobody cares for the old values, the operation may as well always happen, if it cannot be noticed. */
static bool drop_guard(struct fold *c, struct ir_insn *i) {
  if (!pass_can_speculate(i)) return false;
  for (unsigned k = 0; k < i->dsts; k++)
    if (!fold_from(&i->old[k], IR_UNDEF, PTX_NO_TYPE)) return false;
  i->guard = NULL;
  i->guard_invert = false;
  c->changed = true;
  return true;
}

static bool rewrite_insn(struct fold *c, struct ir_insn *i) {
  return fold_constant(c, i) || fold_float(c, i) || fold_integers(c, i) || fold_wide(c, i) || fold_divide(c, i) ||
         fold_logic(c, i) || fold_choice(c, i) || fold_address(c, i);
}

static void fold_insn(struct fold *c, struct ir_insn *i) {
  if (resolve_sources(c, i)) c->changed = true;
  if (i->guard && fold_guard(c, i)) return;
  if (i->op == IR_PHI) {
    fold_phi(c, i);
    return;
  }
  fold_branch(c, i);
  if (i->guard && !drop_guard(c, i)) { /* only offsets of guarded loads and stores */
    c->changed |= fold_address(c, i);
    return;
  }
  for (unsigned n = 0; n < TIMES && i->op != IR_COPY && rewrite_insn(c, i); n++) {
    c->changed = true;
    resolve_sources(c, i);
  }
  if (i->op == IR_COPY) alias_result(c, i, i->src[0]);
}

static void count_use(struct fold *c, const struct ir_operand *o) {
  if (o->kind == IR_VALUE) c->uses[o->value->id]++;
}

static void count_uses(struct fold *c, const struct pass_order *o) {
  if (c->room) memset(c->uses, 0, c->room * sizeof *c->uses);
  for (uint32_t k = 0; k < o->count; k++)
    for (struct ir_insn *i = o->block[k]->first; i; i = i->next) {
      for (unsigned s = 0; s < i->sources; s++) count_use(c, &pass_sources(i)[s]);
      if (!i->guard) continue;
      c->uses[i->guard->id]++;
      for (unsigned d = 0; d < i->dsts; d++) count_use(c, &i->old[d]);
    }
}

/* Phis of loops, and whatever else was seen before its operands were replaced. */
static void resolve_rest(struct fold *c, const struct pass_order *o) {
  for (uint32_t k = 0; k < o->count; k++)
    for (struct ir_insn *i = o->block[k]->first, *next; i; i = next) {
      next = i->next;
      resolve_sources(c, i);
      if (i->guard) fold_guard(c, i);
    }
}

static void fold_round(struct fold *c) {
  ir_dead(c->f); /* what is dead must not count as a use */
  const struct pass_order *o = pass_order(c->f);
  c->dom = pass_dominators(c->f, o);
  c->changed = c->cut = false;
  grow_tables(c);
  count_uses(c, o);
  for (uint32_t k = 0; k < o->count; k++)
    for (struct ir_insn *i = o->block[k]->first, *next; i; i = next) {
      next = i->next;
      fold_insn(c, i);
    }
  resolve_rest(c, o);
  if (c->cut) ir_tidy(c->f);
}

void ir_fold(struct ir_function *f) {
  struct fold c = {.f = f};
  for (unsigned times = 0; times < 3; times++) {
    unsigned n = 0;
    do fold_round(&c);
    while (c.changed && ++n < ROUNDS);
    if (!pass_narrow(f)) return;
  }
}
