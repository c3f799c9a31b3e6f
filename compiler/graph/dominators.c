/* SPDX-License-Identifier: Apache-2.0
 *
 * Trees of dominators, of any nodes and of blocks.
 */
#include <string.h>
#include "compiler/graph/pass.h"

/* Trees of dominators over numbered nodes: T. Lengauer, R. E. Tarjan, "A fast algorithm for finding dominators in a
 * flowgraph", 1979, the simple version: O(edges * log nodes) whatever the graph. */

static uint32_t *new_numbers(struct ptx_arena *a, uint32_t count, uint32_t value) {
  uint32_t *p = ptx_alloc(a, ((size_t)count + 1) * sizeof *p);
  if (value) memset(p, 0xff, ((size_t)count + 1) * sizeof *p);
  return p;
}

static struct pass_graph *pass_graph_reverse(struct ptx_arena *a, const struct pass_graph *g) {
  struct pass_graph *r = ptx_alloc(a, sizeof *r);
  uint32_t edges = g->first[g->nodes];
  r->nodes = g->nodes;
  r->first = new_numbers(a, g->nodes + 1, 0);
  r->to = new_numbers(a, edges, 0);
  for (uint32_t e = 0; e < edges; e++) r->first[g->to[e] + 1]++;
  for (uint32_t n = 0; n < g->nodes; n++) r->first[n + 1] += r->first[n];
  uint32_t *at = new_numbers(a, g->nodes, 0);
  memcpy(at, r->first, g->nodes * sizeof *at);
  for (uint32_t n = 0; n < g->nodes; n++)
    for (uint32_t e = g->first[n]; e < g->first[n + 1]; e++) r->to[at[g->to[e]]++] = n;
  return r;
}

/* Everything by depth-first number, 0 for the root. */
struct search {
  uint32_t *vertex; /* node */
  uint32_t *number; /* of a node; PASS_NONE: not reached */
  uint32_t *parent; /* in the depth-first tree */
  uint32_t *semi, *idom, *ancestor, *label;
  uint32_t *bucket, *chain; /* those with this semidominator */
  uint32_t *stack;
  uint32_t count;
};

static void search_new(struct search *s, struct ptx_arena *a, uint32_t nodes) {
  uint32_t **lists[] = {&s->vertex,   &s->number, &s->parent, &s->semi,  &s->idom,
                        &s->ancestor, &s->label,  &s->bucket, &s->chain, &s->stack};
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) *lists[k] = new_numbers(a, nodes, PASS_NONE);
}

static void number_node(struct search *s, uint32_t node, uint32_t parent) {
  uint32_t n = s->count++;
  s->number[node] = n;
  s->vertex[n] = node;
  s->parent[n] = parent;
  s->semi[n] = s->label[n] = n;
}

static void depth_first(struct search *s, const struct pass_graph *g, uint32_t root, uint32_t *next) {
  uint32_t depth = 0;
  number_node(s, root, PASS_NONE);
  s->stack[depth++] = root;
  next[root] = g->first[root];
  while (depth) {
    uint32_t n = s->stack[depth - 1];
    if (next[n] == g->first[n + 1]) {
      depth--;
      continue;
    }
    uint32_t to = g->to[next[n]++];
    if (s->number[to] != PASS_NONE) continue;
    number_node(s, to, s->number[n]);
    next[to] = g->first[to];
    s->stack[depth++] = to;
  }
}

/* The number with the least semidominator on the way from v up to the root of its forest tree; paths are shortened. */
static uint32_t eval(struct search *s, uint32_t v) {
  uint32_t depth = 0;
  if (s->ancestor[v] == PASS_NONE) return v;
  for (uint32_t x = v; s->ancestor[s->ancestor[x]] != PASS_NONE; x = s->ancestor[x]) s->stack[depth++] = x;
  while (depth) {
    uint32_t x = s->stack[--depth], up = s->ancestor[x];
    if (s->semi[s->label[up]] < s->semi[s->label[x]]) s->label[x] = s->label[up];
    s->ancestor[x] = s->ancestor[up];
  }
  return s->label[v];
}

static void semidominators(struct search *s, const struct pass_graph *back) {
  for (uint32_t w = s->count - 1; w > 0; w--) {
    uint32_t node = s->vertex[w];
    for (uint32_t e = back->first[node]; e < back->first[node + 1]; e++) {
      uint32_t v = s->number[back->to[e]];
      if (v == PASS_NONE) continue;
      uint32_t u = eval(s, v);
      if (s->semi[u] < s->semi[w]) s->semi[w] = s->semi[u];
    }
    s->chain[w] = s->bucket[s->semi[w]];
    s->bucket[s->semi[w]] = w;
    uint32_t p = s->parent[w];
    s->ancestor[w] = p;
    for (uint32_t v = s->bucket[p]; v != PASS_NONE; v = s->chain[v]) {
      uint32_t u = eval(s, v);
      s->idom[v] = s->semi[u] < s->semi[v] ? u : p;
    }
    s->bucket[p] = PASS_NONE;
  }
  for (uint32_t w = 1; w < s->count; w++)
    if (s->idom[w] != s->semi[w]) s->idom[w] = s->idom[s->idom[w]];
}

/* Intervals: sizes from the leaves up (a parent has a smaller number), then places from the root down. */
static void intervals(struct pass_tree *t, const struct search *s, struct ptx_arena *a) {
  uint32_t *size = new_numbers(a, s->count, 0), *next = new_numbers(a, s->count, 0);
  for (uint32_t w = s->count; w-- > 0;) {
    size[w]++;
    if (w) size[s->idom[w]] += size[w];
  }
  for (uint32_t w = 0; w < s->count; w++) {
    uint32_t node = s->vertex[w], up = w ? s->idom[w] : 0, at = 0;
    if (w) {
      at = next[up];
      next[up] += size[w];
      t->parent[node] = s->vertex[up];
      t->level[node] = t->level[t->parent[node]] + 1;
    }
    next[w] = at + 1;
    t->in[node] = at;
    t->out[node] = at + size[w];
    t->preorder[at] = node;
  }
}

struct pass_tree *pass_tree(struct ptx_arena *a, const struct pass_graph *g, const struct pass_graph *back,
                            uint32_t root) {
  struct search s = {0};
  search_new(&s, a, g->nodes);
  depth_first(&s, g, root, new_numbers(a, g->nodes, 0));
  semidominators(&s, back);
  struct pass_tree *t = ptx_alloc(a, sizeof *t);
  t->nodes = g->nodes;
  t->root = root;
  t->count = s.count;
  t->parent = new_numbers(a, g->nodes, PASS_NONE);
  t->level = new_numbers(a, g->nodes, 0);
  t->in = new_numbers(a, g->nodes, PASS_NONE);
  t->out = new_numbers(a, g->nodes, PASS_NONE);
  t->preorder = new_numbers(a, g->nodes, PASS_NONE);
  intervals(t, &s, a);
  return t;
}

/* Which blocks lie on every way from the entry (dominators), on every way to an end (postdominators).
 *
 * ir_dominators needs nothing and changes only idom, ipdom, loop_depth; they hold until a pass changes an edge.
 * Unreachable blocks have none. */

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
