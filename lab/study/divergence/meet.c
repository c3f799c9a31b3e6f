/* SPDX-License-Identifier: Apache-2.0
 *
 * Immediate post-dominators: K. Cooper, T. Harvey, K. Kennedy, "A Simple, Fast Dominance Algorithm" (2001), on the
 * graph turned round. A node is a word; one more, behind the last word, stands for the end.
 */
#include <stdlib.h>

#include "lab/study/divergence/code.h"

/* Edges of the graph, sorted by `to`: the ways back from each node. */
struct back {
  uint32_t *first, *from; /* of node n: from[first[n]] to from[first[n + 1] - 1] */
  uint32_t *order;        /* nodes that reach the end, each behind what is nearer to it */
  uint32_t *rank;         /* of a node in `order`; CODE_NONE: it does not reach the end */
  uint32_t *meet;
  uint32_t nodes, ordered;
};

/* Where word w may lead: at most two places, or (-1) the ways that were seen. */
static int successors(const struct code *c, uint32_t w, uint32_t to[2]) {
  const struct code_word *i = &c->at[w];
  const uint32_t end = c->words, next = w + i->step;
  int n = 0;
  if (i->kind == CODE_ILLEGAL) return to[n++] = end, n;
  if (i->kind == CODE_INDIRECT && !i->call && !i->never) return -1;
  if (i->kind == CODE_BRANCH && !i->call && !i->never) to[n++] = i->target < end ? i->target : end;
  if (i->kind == CODE_EXIT && !i->never) to[n++] = end;
  if (n == 0 || i->guarded) to[n++] = next;
  return n;
}

/* Calls `edge` for every edge. */
static void each_edge(const struct code *c, void (*edge)(struct back *b, uint32_t from, uint32_t to), struct back *b) {
  for (uint32_t w = 0; w < c->words; w++) {
    uint32_t to[2];
    const int n = successors(c, w, to);
    for (int k = 0; k < n; k++) edge(b, w, to[k]);
    if (n >= 0) continue;
    bool seen = false;
    for (size_t k = 0; k < c->ways; k++)
      if (c->way[k].from == w) seen = true, edge(b, w, c->way[k].to);
    if (!seen) edge(b, w, c->words);
    if (c->at[w].guarded) edge(b, w, w + c->at[w].step);
  }
}

static void count_edge(struct back *b, uint32_t from, uint32_t to) {
  (void)from;
  b->first[to + 1]++;
}

static void put_edge(struct back *b, uint32_t from, uint32_t to) {
  b->from[b->rank[to]++] = from; /* rank serves as the place of the next one */
}

/* Depth first from the end, without recursion; a node is done when all behind it are. */
static void put_in_order(struct back *b, uint32_t *stack, uint32_t *at) {
  uint32_t depth = 0, done = b->nodes;
  for (uint32_t n = 0; n < b->nodes; n++) b->rank[n] = CODE_NONE, at[n] = b->first[n];
  stack[depth++] = b->nodes - 1;
  b->rank[b->nodes - 1] = 0;
  while (depth > 0) {
    const uint32_t n = stack[depth - 1];
    if (at[n] == b->first[n + 1]) {
      b->order[--done] = n;
      depth--;
      continue;
    }
    const uint32_t m = b->from[at[n]++];
    if (b->rank[m] != CODE_NONE) continue;
    b->rank[m] = 0;
    stack[depth++] = m;
  }
  b->ordered = b->nodes - done;
  for (uint32_t k = 0; k < b->ordered; k++) b->order[k] = b->order[done + k];
  for (uint32_t k = 0; k < b->ordered; k++) b->rank[b->order[k]] = k;
}

static uint32_t nearest_common(const struct back *b, uint32_t p, uint32_t q) {
  while (p != q) {
    while (b->rank[p] > b->rank[q]) p = b->meet[p];
    while (b->rank[q] > b->rank[p]) q = b->meet[q];
  }
  return p;
}

/* The new meeting of word w, from what its successors have; CODE_NONE: none has any yet. */
static uint32_t meeting(const struct code *c, const struct back *b, uint32_t w) {
  uint32_t to[2], found = CODE_NONE;
  const int n = successors(c, w, to);
  for (int k = 0; k < n; k++)
    if (b->meet[to[k]] != CODE_NONE) found = found == CODE_NONE ? to[k] : nearest_common(b, found, to[k]);
  if (n >= 0) return found;
  bool seen = false;
  for (size_t k = 0; k < c->ways; k++) {
    if (c->way[k].from != w) continue;
    seen = true;
    const uint32_t t = c->way[k].to;
    if (b->meet[t] != CODE_NONE) found = found == CODE_NONE ? t : nearest_common(b, found, t);
  }
  if (!seen) found = c->words;
  const uint32_t next = w + c->at[w].step;
  if (c->at[w].guarded && b->meet[next] != CODE_NONE)
    found = found == CODE_NONE ? next : nearest_common(b, found, next);
  return found;
}

static void settle_meetings(const struct code *c, struct back *b) {
  const uint32_t end = b->nodes - 1;
  for (uint32_t n = 0; n < b->nodes; n++) b->meet[n] = CODE_NONE;
  b->meet[end] = end;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = 1; k < b->ordered; k++) { /* order[0] is the end */
      const uint32_t w = b->order[k], m = meeting(c, b, w);
      if (m != b->meet[w]) b->meet[w] = m, changed = true;
    }
  }
}

static bool solve(struct code *c, struct back *b, uint32_t *stack, uint32_t *at) {
  each_edge(c, count_edge, b);
  for (uint32_t n = 0; n < b->nodes; n++) b->first[n + 1] += b->first[n];
  b->from = malloc(((size_t)b->first[b->nodes] + 1) * sizeof *b->from);
  if (b->from == NULL) return false;
  for (uint32_t n = 0; n < b->nodes; n++) b->rank[n] = b->first[n];
  each_edge(c, put_edge, b);
  put_in_order(b, stack, at);
  settle_meetings(c, b);
  for (uint32_t w = 0; w < c->words; w++) c->at[w].meet = b->meet[w] < c->words ? b->meet[w] : CODE_NONE;
  free(b->from);
  return true;
}

bool code_find_meets(struct code *c) {
  struct back b = {.nodes = c->words + 1};
  const size_t n = (size_t)b.nodes + 1;
  uint32_t *room = calloc(6 * n, sizeof *room);
  if (room == NULL) return false;
  b.first = room;
  b.order = room + n;
  b.rank = room + 2 * n;
  b.meet = room + 3 * n;
  const bool ok = solve(c, &b, room + 4 * n, room + 5 * n);
  free(room);
  return ok;
}
