/* SPDX-License-Identifier: Apache-2.0
 *
 * Which values are the same in every thread of a warp that gets there. What is marked so could live in a register of
 * the warp: whenever a thread reads it, the last write of any thread of the warp has given that very number. That is
 * more than "equal within a group", and needs that threads are together again where converge.c brings them together.
 *
 * Not uniform are: numbers of threads and lanes, what comes from memory that may be written (only parameters and
 * constants are known not to be), results of atomics and shuffles; what is computed from such. And, of a branch on such
 * a value,
 *  - phis in blocks that can be reached on two ways from it (joins);
 *  - between a join and the end of the branch's region, where two groups of the warp may be in the same block at
 *    different times, every phi and every result of a vote (a group's own counter, a group's own vote); and so behind a
 *    circle through the branch that the region does not end with;
 *  - what is computed on a way from the branch back to it, inside the region, and read elsewhere: threads leave that
 *    circle in different turns.
 *
 * Needs SSA form; brings the graph into shape (region_prepare), changes nothing else.
 * When finding the joins (region.c) takes too long, all that depends on ways is taken for not uniform.
 */
#include "compiler/calls/call.h"
#include "compiler/converge/converge.h"

#include <string.h>

struct spread {
  struct regions *g;
  struct ir_function *f;
  bool *varies;            /* by value id */
  bool *parts, *torn;      /* by block id: threads part at its end; groups may be in it at different times */
  bool *mixed;             /* by block id: its phis vary */
  bool *alone;             /* by block id: some threads may be here while others are elsewhere */
  struct ir_value **stack; /* varying values whose users were not looked at */
  uint32_t depth;
  uint32_t *first; /* of a value's users, by id */
  struct ir_insn **user;
  struct abroad { /* by block id: what it computes that is read in other blocks, but for what is known to vary */
    struct ir_value **value;
    uint32_t values;
  } * abroad;
  struct ways *ways;
  uint64_t budget;
};

static void vary(struct spread *s, struct ir_value *v) {
  if (s->varies[v->id]) return;
  s->varies[v->id] = true;
  s->stack[s->depth++] = v;
}

static void vary_all(struct spread *s, struct ir_insn *i) {
  for (unsigned k = 0; k < i->dsts; k++) vary(s, i->dst[k]);
}

/* ---- what varies by itself ---- */

/* Blocks of threads of which a warp never holds two rows. */
static bool rows_apart(const struct ir_function *f) {
  return f->source && f->source->reqntid[0] && f->source->reqntid[0] % 32 == 0;
}

static bool is_source(const struct spread *s, const struct ir_insn *i) {
  switch (i->op) {
  case IR_SREG:
    if (i->sreg == IR_TID_Y || i->sreg == IR_TID_Z) return !rows_apart(s->f);
    return i->sreg == IR_TID_X || i->sreg == IR_LANEID || i->sreg == IR_STACK ||
           (i->sreg >= IR_LANEMASK_EQ && i->sreg <= IR_CLOCK64);
  case IR_LD:
    return (i->memory.space != PTX_CONST && i->memory.space != PTX_PARAM) || i->memory.is_volatile;
  case IR_UNDEF: /* whatever each thread's register holds */
  case IR_ATOM:
  case IR_SHFL:
  case IR_MMA:
  case IR_LDSM:
  case IR_CALL:
    return true;
  case IR_ARGUMENT:
    return !s->f->node || (s->f->node->varying >> i->place.at & 1);
  case IR_MATCH:
    return !i->lanes.all;
  default:
    return false;
  }
}

/* The same for all threads that execute it at once, whatever they bring. */
static bool is_common(const struct ir_insn *i) {
  return i->op == IR_VOTE || i->op == IR_REDUX || i->op == IR_ACTIVEMASK || (i->op == IR_MATCH && i->lanes.all) ||
         (i->op == IR_BAR && i->dsts);
}

/* ---- users ---- */

static void count_user(uint32_t *first, const struct ir_operand *o) {
  if (o->kind == IR_VALUE) first[o->value->id + 2]++;
}

static void add_user(struct spread *s, const struct ir_operand *o, struct ir_insn *i) {
  if (o->kind == IR_VALUE) s->user[s->first[o->value->id + 1]++] = i;
}

static void each_operand(struct spread *s, struct ir_insn *i, bool add) {
  struct ir_operand guard = i->guard ? ir_use(i->guard) : ir_bits(0);
  for (unsigned k = 0; k < i->sources; k++) {
    if (add)
      add_user(s, &pass_sources(i)[k], i);
    else
      count_user(s->first, &pass_sources(i)[k]);
  }
  for (unsigned k = 0; i->guard && k <= i->dsts; k++) {
    const struct ir_operand *o = k == i->dsts ? &guard : &i->old[k];
    if (add)
      add_user(s, o, i);
    else
      count_user(s->first, o);
  }
}

static void find_users(struct spread *s) {
  const struct pass_order *o = s->g->order;
  s->first = ptx_alloc(s->f->arena, ((size_t)s->f->values + 3) * sizeof *s->first);
  for (uint32_t k = 0; k < o->count; k++)
    for (struct ir_insn *i = o->block[k]->first; i; i = i->next) each_operand(s, i, false);
  for (uint32_t v = 0; v < s->f->values; v++) s->first[v + 2] += s->first[v + 1];
  s->user = ptx_alloc(s->f->arena, ((size_t)s->first[s->f->values + 1] + 1) * sizeof(struct ir_insn *));
  for (uint32_t k = 0; k < o->count; k++)
    for (struct ir_insn *i = o->block[k]->first; i; i = i->next) each_operand(s, i, true);
}

/* ---- ways from a branch ---- */

static void mix_phis(struct spread *s, struct ir_block *b) {
  if (s->mixed[b->id]) return;
  s->mixed[b->id] = true;
  for (struct ir_insn *i = b->first; i && i->op == IR_PHI; i = i->next) vary_all(s, i);
}

static void tear(struct spread *s, struct ir_block *b) {
  if (s->torn[b->id]) return;
  s->torn[b->id] = true;
  mix_phis(s, b);
  for (struct ir_insn *i = b->first; i; i = i->next)
    if (is_common(i)) vary_all(s, i);
}

/* ---- circles that threads leave in different turns ---- */

static bool is_in_circle(const struct ways *w, const struct ir_block *b) {
  return w->turned[b->id] == w->now;
}

static bool is_read_abroad(const struct spread *s, const struct ir_value *v, const struct ir_block *b) {
  for (uint32_t k = s->first[v->id]; k < s->first[v->id + 1]; k++)
    if (s->user[k]->block != b) return true;
  return false;
}

static void find_abroad(struct spread *s) {
  const struct pass_order *o = s->g->order;
  struct ir_value **value = ptx_alloc(s->f->arena, ((size_t)s->f->values + 1) * sizeof(struct ir_value *));
  s->abroad = ptx_alloc(s->f->arena, ((size_t)s->f->blocks + 1) * sizeof *s->abroad);
  for (uint32_t k = 0; k < o->count; k++) {
    struct abroad *a = &s->abroad[o->block[k]->id];
    a->value = value;
    for (const struct ir_insn *i = o->block[k]->first; i; i = i->next)
      for (unsigned d = 0; d < i->dsts; d++)
        if (is_read_abroad(s, i->dst[d], o->block[k])) a->value[a->values++] = i->dst[d];
    value += a->values;
  }
}

static bool is_read_outside(struct spread *s, const struct ir_value *v) {
  for (uint32_t k = s->first[v->id]; k < s->first[v->id + 1]; k++) {
    s->budget -= s->budget > 0;
    if (!is_in_circle(s->ways, s->user[k]->block)) return true;
  }
  return false;
}

/* A block lies on the circles of many branches: what varies is not looked at again. */
static void read_outside(struct spread *s, const struct ir_block *b) {
  struct abroad *a = &s->abroad[b->id];
  uint32_t kept = 0;
  for (uint32_t k = 0; k < a->values && s->budget; k++) {
    struct ir_value *v = a->value[k];
    if (!s->varies[v->id] && is_read_outside(s, v)) vary(s, v);
    if (!s->varies[v->id]) a->value[kept++] = v;
  }
  if (s->budget) a->values = kept;
}

static void part_threads(struct spread *s, struct ir_block *x) {
  struct region r;
  if (s->parts[x->id]) return;
  s->parts[x->id] = true;
  const struct ir_block *end = region_find(s->g, x, &r) && !s->g->loose[x->id] ? r.to : NULL;
  if (!ways_follow(s->ways, x, end)) s->budget = 0;
  for (uint32_t k = 0; k < s->ways->joins; k++) mix_phis(s, s->ways->join[k]);
  for (uint32_t k = 0; k < s->ways->visits; k++) {
    struct ir_block *b = s->ways->visit[k];
    s->alone[b->id] = true;
    if (s->ways->circles && !is_in_circle(s->ways, b))
      tear(s, b); /* behind a circle, one group comes after the other */
  }
  for (uint32_t k = 0; k < s->ways->tears; k++) tear(s, s->ways->tear[k]);
  for (uint32_t k = 0; k < s->ways->circles; k++) read_outside(s, s->ways->circle[k]);
}

/* What threads bring to a vote need not be the same; all else must. */
static bool is_brought(const struct ir_insn *i, const struct ir_value *v) {
  unsigned brought = i->op == IR_BAR ? 2 : 0;
  if (!is_common(i) || i->guard == v) return false;
  for (unsigned k = 0; k < i->sources; k++)
    if (k != brought && pass_is(&i->src[k], v)) return false;
  for (unsigned k = 0; i->guard && k < i->dsts; k++)
    if (pass_is(&i->old[k], v)) return false;
  return true;
}

static void use(struct spread *s, struct ir_insn *i, const struct ir_value *v) {
  if (i->op == IR_CBR || i->op == IR_BRX)
    part_threads(s, i->block);
  else if (!is_brought(i, v))
    vary_all(s, i);
}

static void spread_values(struct spread *s) {
  while (s->depth) {
    const struct ir_value *v = s->stack[--s->depth];
    for (uint32_t k = s->first[v->id]; k < s->first[v->id + 1]; k++) use(s, s->user[k], v);
  }
}

static void spread_all(struct spread *s) {
  const struct pass_order *o = s->g->order;
  spread_values(s);
  if (s->budget) return;
  for (uint32_t k = 0; k < o->count; k++) {
    tear(s, o->block[k]);
    s->alone[o->block[k]->id] = true;
  }
  for (uint32_t k = 0; k < o->count; k++)
    for (struct ir_insn *i = o->block[k]->first; s->g->loop[o->block[k]->id] && i; i = i->next) vary_all(s, i);
  spread_values(s);
}

static void spread_new(struct spread *s, struct regions *g) {
  struct ptx_arena *a = g->f->arena;
  uint32_t blocks = g->f->blocks, values = g->f->values;
  *s = (struct spread){.g = g, .f = g->f, .budget = UINT64_C(1) << 23};
  s->varies = ptx_alloc(a, values + 1);
  s->stack = ptx_alloc(a, ((size_t)values + 1) * sizeof(struct ir_value *));
  s->parts = ptx_alloc(a, blocks);
  s->torn = ptx_alloc(a, blocks);
  s->mixed = ptx_alloc(a, blocks);
  s->alone = ptx_alloc(a, blocks);
  s->ways = ways_new(g);
}

void uniform_find(struct regions *g) {
  struct spread s;
  spread_new(&s, g);
  find_users(&s);
  find_abroad(&s);
  if (g->f->node && g->f->node->apart) s.budget = 0; /* nobody knows who comes when */
  for (uint32_t k = 0; k < g->order->count; k++) {
    if (region_call(g->order->block[k])) part_threads(&s, g->order->block[k]);
    for (struct ir_insn *i = g->order->block[k]->first; i; i = i->next)
      if (is_source(&s, i)) vary_all(&s, i);
  }
  spread_all(&s);
  for (uint32_t k = 0; k < g->order->count; k++) {
    struct ir_block *b = g->order->block[k];
    b->together = !s.alone[b->id];
    for (struct ir_insn *i = b->first; i; i = i->next)
      for (unsigned d = 0; d < i->dsts; d++) i->dst[d]->uniform = !s.varies[i->dst[d]->id];
  }
}

void ir_uniform(struct ir_function *f) {
  region_prepare(f);
  uniform_find(region_new(f));
}
