/* SPDX-License-Identifier: Apache-2.0
 *
 * Which blocks lie on every way from the entry (dominators), on every way to an end (postdominators).
 *
 * ir_dominators needs nothing and changes only idom, ipdom, loop_depth; they hold until a pass changes an edge.
 * Unreachable blocks have none.
 */
#include "compiler/graph/pass.h"

#include <string.h>

static struct pass_graph *graph_of(struct ir_function *f, const struct pass_order *o, const bool *keep,
                                   const bool *end) {
  struct pass_graph *g = ptx_alloc(f->arena, sizeof *g);
  uint32_t edges = 0;
  for (uint32_t k = 0; k < o->count; k++) edges += o->block[k]->succs + 1;
  g->nodes = f->blocks + 1;
  g->first = ptx_alloc(f->arena, ((size_t)g->nodes + 1) * sizeof *g->first);
  g->to = ptx_alloc(f->arena, ((size_t)edges + 1) * sizeof *g->to);
  struct ir_block **by_id = ptx_alloc(f->arena, f->blocks * sizeof(struct ir_block *));
  for (uint32_t k = 0; k < o->count; k++) by_id[o->block[k]->id] = o->block[k];
  uint32_t at = 0;
  for (uint32_t n = 0; n < f->blocks; n++) {
    const struct ir_block *b = by_id[n];
    g->first[n] = at;
    if (!b || (keep && !keep[n])) continue;
    for (unsigned s = 0; s < b->succs; s++)
      if (!keep || keep[b->succ[s]->id]) g->to[at++] = b->succ[s]->id;
    if (end && end[n]) g->to[at++] = f->blocks;
  }
  g->first[f->blocks] = g->first[f->blocks + 1] = at;
  return g;
}

struct pass_tree *pass_dominators(struct ir_function *f, const struct pass_order *o) {
  struct pass_graph *g = graph_of(f, o, NULL, NULL);
  return pass_tree(f->arena, g, pass_graph_reverse(f->arena, g), f->first->id);
}

struct ends {
  const bool *keep;
  bool *end, *reached;
  struct ir_block **stack;
};

/* Marks what leads to b. */
static void mark_reaching(struct ends *e, struct ir_block *b) {
  uint32_t depth = 0;
  e->reached[b->id] = true;
  e->stack[depth++] = b;
  while (depth) {
    b = e->stack[--depth];
    for (unsigned k = 0; k < b->preds; k++) {
      struct ir_block *p = b->pred[k];
      if (e->reached[p->id] || (e->keep && !e->keep[p->id])) continue;
      e->reached[p->id] = true;
      e->stack[depth++] = p;
    }
  }
}

static bool leaves_nowhere(const struct ir_block *b, const bool *keep) {
  for (unsigned k = 0; k < b->succs; k++)
    if (!keep || keep[b->succ[k]->id]) return false;
  return true;
}

static const bool *find_ends(struct ir_function *f, const struct pass_order *o, const bool *keep, const bool *more) {
  struct ends e = {.keep = keep};
  e.end = ptx_alloc(f->arena, f->blocks);
  e.reached = ptx_alloc(f->arena, f->blocks);
  e.stack = ptx_alloc(f->arena, f->blocks * sizeof(struct ir_block *));
  for (int pass = 0; pass < 2; pass++) /* real ends first, then one for each loop without */
    for (uint32_t k = o->count; k-- > 0;) {
      struct ir_block *b = o->block[k];
      bool real = leaves_nowhere(b, keep) || (more && more[b->id]);
      if ((keep && !keep[b->id]) || (pass ? e.reached[b->id] : !real)) continue;
      e.end[b->id] = true;
      if (!e.reached[b->id]) mark_reaching(&e, b);
    }
  return e.end;
}

struct pass_tree *pass_postdominators(struct ir_function *f, const struct pass_order *o, const bool *keep,
                                      const bool *more) {
  struct pass_graph *g = graph_of(f, o, keep, find_ends(f, o, keep, more));
  return pass_tree(f->arena, pass_graph_reverse(f->arena, g), g, f->blocks);
}

void ir_dominators(struct ir_function *f) {
  const struct pass_order *o = pass_order(f);
  const struct pass_tree *dom = pass_dominators(f, o), *post = pass_postdominators(f, o, NULL, NULL);
  struct pass_loop **loop = pass_loops(f, o);
  struct ir_block **by_id = ptx_alloc(f->arena, f->blocks * sizeof(struct ir_block *));
  for (struct ir_block *b = f->first; b; b = b->next) {
    b->idom = b->ipdom = NULL;
    b->loop_depth = 0;
    by_id[b->id] = b;
  }
  for (uint32_t k = 0; k < o->count; k++) {
    struct ir_block *b = o->block[k];
    uint32_t up = dom->parent[b->id], down = post->parent[b->id];
    if (up != PASS_NONE) b->idom = by_id[up];
    if (down != PASS_NONE && down != post->root) b->ipdom = by_id[down];
    b->loop_depth = loop[b->id] ? loop[b->id]->depth : 0;
  }
}
