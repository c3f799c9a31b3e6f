/* SPDX-License-Identifier: Apache-2.0
 *
 * Trees of dominators over numbered nodes: T. Lengauer, R. E. Tarjan, "A fast algorithm for finding dominators in a
 * flowgraph", 1979, the simple version: O(edges * log nodes) whatever the graph.
 */
#include "compiler/graph/pass.h"

#include <string.h>

static uint32_t *new_numbers(struct ptx_arena *a, uint32_t count, uint32_t value) {
  uint32_t *p = ptx_alloc(a, ((size_t)count + 1) * sizeof *p);
  if (value) memset(p, 0xff, ((size_t)count + 1) * sizeof *p);
  return p;
}

struct pass_graph *pass_graph_reverse(struct ptx_arena *a, const struct pass_graph *g) {
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
