/* SPDX-License-Identifier: Apache-2.0
 *
 * Which loops wait for memory to change: those with a branch that leaves them and depends, inside the loop, on an
 * atomic, a volatile or otherwise strong load, or a call of what does such.
 *
 * What a branch depends on is followed backwards from it, as long as it lies in the loop:
 *  - what its operands and those of its guard are computed from;
 *  - of a phi, and of the branch itself, the branches that decide which way is taken to it ("while (!got) { if
 *    (atomicCAS(..) == 0) got = true; }": `got` is a constant on either way);
 *  - of a weak load, the stores in the loop that may be to the same place (a stack slot, which is where code that was
 *    not optimised has its variables), and calls.
 * When this takes too long, the loop is one that waits.
 */
#include "compiler/converge/converge.h"

#include <string.h>

enum { SLICE_STEPS = 1 << 22 }; /* of all slices of a function */

struct slice {
  struct converge *c;
  const struct pass_loop *loop;
  struct ir_insn **work; /* to look at */
  struct ir_block **way; /* the same: blocks, for the branches that decide on them */
  uint32_t *met;         /* by block id: the stamp of the slice that has had it as a way */
  uint32_t depth, ways, stamp;
  bool strong;   /* found */
  uint64_t left; /* steps */
};

static bool is_strong(const struct slice *s, const struct ir_insn *i) {
  const struct call_node *n = i->op == IR_CALL ? call_node_of(s->c->f->calls, i->calling.function) : NULL;
  if (i->op == IR_CALL) return n && n->strong;
  if (i->op == IR_LD && i->memory.space == PTX_LOCAL) return false;
  return i->op == IR_ATOM || (i->op == IR_LD && (i->memory.is_volatile || i->memory.strength != IR_WEAK));
}

static bool inside_loop(const struct slice *s, const struct ir_block *b) {
  return pass_loop_inside(s->c->g->loop[b->id], s->loop);
}

static void follow(struct slice *s, const struct ir_value *v) {
  if (!v || !v->def || v->def->dst[0]->mark == s->stamp || !inside_loop(s, v->def->block)) return;
  v->def->dst[0]->mark = s->stamp;
  s->work[s->depth++] = v->def;
}

static void follow_operands(struct slice *s, struct ir_insn *i) {
  for (unsigned k = 0; k < i->sources; k++)
    if (pass_sources(i)[k].kind == IR_VALUE) follow(s, pass_sources(i)[k].value);
  if (!i->guard) return;
  follow(s, i->guard);
  for (unsigned k = 0; k < i->dsts; k++)
    if (i->old[k].kind == IR_VALUE) follow(s, i->old[k].value);
}

/* Of the ways out of x, do some lead to b for sure, and others not? */
static bool decides(const struct slice *s, const struct ir_block *x, const struct ir_block *b) {
  const struct pass_tree *post = s->c->g->post;
  bool leads = false, misses = false;
  for (unsigned k = 0; k < x->succs; k++)
    if (pass_above(post, b->id, x->succ[k]->id))
      leads = true;
    else
      misses = true;
  return leads && misses;
}

/* A thread's way to b. */
static void follow_way(struct slice *s, struct ir_block *b) {
  if (s->met[b->id] == s->stamp) return;
  s->met[b->id] = s->stamp;
  s->way[s->ways++] = b;
}

/* The branches that decide whether a thread gets to b. */
static void follow_branches(struct slice *s, const struct ir_block *b) {
  const struct pass_order *o = s->c->g->order;
  for (uint32_t k = o->rank[s->loop->header->id]; k < o->count && s->left > 0; k++) {
    struct ir_block *x = o->block[k];
    s->left--;
    if (x->succs < 2 || !inside_loop(s, x) || !decides(s, x, b)) continue;
    follow_operands(s, x->last);
    follow_way(s, x);
  }
}

static void follow_choice(struct slice *s, const struct ir_insn *phi) {
  unsigned ways = 0;
  for (unsigned k = 0; k < phi->block->preds; k++) ways += inside_loop(s, phi->block->pred[k]);
  for (unsigned k = 0; ways > 1 && k < phi->block->preds; k++) {
    if (!inside_loop(s, phi->block->pred[k])) continue;
    follow_operands(s, phi->block->pred[k]->last);
    follow_way(s, phi->block->pred[k]);
  }
}

/* Variables are private, but for what the compiler does not know to be one. */
static bool is_private(const struct ir_insn *i) {
  return i->memory.space == PTX_LOCAL || i->memory.space == PTX_GENERIC;
}

static int64_t bytes_accessed(const struct ir_insn *i) {
  return (int64_t)ptx_type_bytes((enum ptx_type)i->type) * (i->memory.vector ? i->memory.vector : 1);
}

static bool may_meet(const struct ir_insn *a, const struct ir_insn *b) {
  if (!pass_same(&a->src[0], &b->src[0])) return true;
  const int64_t from = a->memory.offset, to = b->memory.offset;
  return from < to + bytes_accessed(b) && to < from + bytes_accessed(a);
}

/* What the variable gets in the loop. */
static void follow_stores(struct slice *s, const struct ir_insn *load) {
  const struct pass_order *o = s->c->g->order;
  for (uint32_t k = o->rank[s->loop->header->id]; k < o->count && s->left > 0; k++) {
    if (!inside_loop(s, o->block[k])) continue;
    for (struct ir_insn *i = o->block[k]->first; i && s->left > 0; i = i->next) {
      s->left--;
      if (i->op == IR_CALL && is_strong(s, i)) s->strong = true;
      if (i->op != IR_ST || !is_private(i) || !may_meet(load, i)) continue;
      follow_operands(s, i);
      follow_way(s, o->block[k]);
    }
  }
}

/* Does it depend on memory whether a thread leaves the loop at the end of b? */
static bool waits_for_memory(struct slice *s, struct ir_block *b) {
  s->stamp++;
  s->depth = s->ways = 0;
  s->strong = false;
  follow_operands(s, b->last);
  follow_way(s, b);
  while ((s->depth || s->ways) && !s->strong && s->left > 0) {
    if (!s->depth) {
      follow_branches(s, s->way[--s->ways]);
      continue;
    }
    struct ir_insn *i = s->work[--s->depth];
    s->left--;
    s->strong = is_strong(s, i);
    follow_operands(s, i);
    if (i->op == IR_PHI) follow_choice(s, i);
    if (i->op == IR_LD && is_private(i)) follow_stores(s, i);
  }
  return s->strong || s->left == 0;
}

static bool leaves_loop(const struct slice *s, const struct ir_block *b) {
  for (unsigned k = 0; k < b->succs; k++)
    if (!inside_loop(s, b->succ[k])) return true;
  return false;
}

static struct slice slice_new(struct converge *c) {
  struct slice s = {.c = c, .left = SLICE_STEPS};
  const struct pass_order *o = c->g->order;
  s.work = ptx_alloc(c->f->arena, ((size_t)c->f->values + 1) * sizeof(struct ir_insn *));
  s.way = ptx_alloc(c->f->arena, ((size_t)c->f->blocks + 1) * sizeof(struct ir_block *));
  s.met = ptx_alloc(c->f->arena, c->f->blocks * sizeof *s.met);
  for (uint32_t k = 0; k < o->count; k++)
    for (struct ir_insn *i = o->block[k]->first; i; i = i->next)
      for (unsigned d = 0; d < i->dsts; d++) i->dst[d]->mark = 0;
  return s;
}

static bool may_wait(const struct slice *s) {
  for (uint32_t k = 0; k < s->c->g->order->count; k++)
    for (const struct ir_insn *i = s->c->g->order->block[k]->first; i; i = i->next)
      if (is_strong(s, i)) return true;
  return false;
}

static void mark_yields(struct converge *c, const struct ir_block *b, const struct pass_loop *l) {
  if (l->irreducible) c->yields[b->id] = true;
  for (unsigned p = 0; !l->irreducible && p < l->header->preds; p++) {
    const struct ir_block *from = l->header->pred[p];
    if (pass_loop_inside(c->g->loop[from->id], l)) c->yields[from->id] = true;
  }
}

/* A loop that goes on until its compare-and-swap finds the value that it has read before: of those who are in it one
 * succeeds in each turn, and has got nothing that others wait for. */
static bool retries(const struct slice *s, const struct ir_block *b) {
  const struct ir_value *v = b->last->op == IR_CBR && b->last->src[0].kind == IR_VALUE ? b->last->src[0].value : NULL;
  const struct ir_insn *setp = v ? v->def : NULL;
  for (unsigned k = 0; setp && setp->op == IR_SETP && k < 2; k++) {
    const struct ir_operand *found = &setp->src[k], *expected = &setp->src[1 - k];
    const struct ir_insn *cas = found->kind == IR_VALUE ? found->value->def : NULL;
    if (cas && cas->op == IR_ATOM && cas->memory.atom == IR_A_CAS && pass_same(&cas->src[1], expected) &&
        expected->kind == IR_VALUE && expected->value->def && inside_loop(s, expected->value->def->block))
      return true;
  }
  return false;
}

static void find_loops(struct converge *c, struct slice *s) {
  for (uint32_t k = 0; k < c->g->order->count; k++) {
    struct ir_block *b = c->g->order->block[k];
    if (b->succs < 2) continue;
    for (s->loop = c->g->loop[b->id]; s->loop && leaves_loop(s, b); s->loop = s->loop->outer) {
      if (!waits_for_memory(s, b)) continue;
      c->g->polls[b->id] = true;
      c->g->holds[b->id] = c->g->holds[b->id] || !retries(s, b);
      if (!c->g->early[b->id] && !c->g->meeting[b->id]) mark_yields(c, b, s->loop);
    }
  }
}

void converge_polls(struct converge *c) {
  struct slice s = slice_new(c);
  c->yields = ptx_alloc(c->f->arena, c->f->blocks);
  c->opens = ptx_alloc(c->f->arena, c->f->blocks);
  if (may_wait(&s)) find_loops(c, &s);
  for (uint32_t k = 0; k < c->g->order->count; k++) {
    const struct ir_block *b = c->g->order->block[k];
    const struct ir_insn *call = region_call(b);
    if (!call || !call->calling.spins) continue;
    c->g->polls[b->id] = c->g->holds[b->id] = true;
    c->opens[b->id] = !c->g->early[b->id];
  }
  for (uint32_t k = 0; k < c->g->order->count; k++)
    c->g->holders = c->g->holders || c->g->holds[c->g->order->block[k]->id];
}
