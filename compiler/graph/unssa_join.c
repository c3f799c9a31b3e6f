/* SPDX-License-Identifier: Apache-2.0
 *
 * Which variables become one: those that must, and both sides of copies where their lives do not meet.
 */
#include "compiler/graph/unssa.h"

#include <stdlib.h>

static bool webs_meet(struct unssa *u, const struct unssa_web *a, const struct unssa_web *b) {
  uint32_t i = 0, j = 0;
  while (i < a->ranges && j < b->ranges) {
    u->budget -= u->budget > 0;
    if (a->range[i].end < b->range[j].start)
      i++;
    else if (b->range[j].end < a->range[i].start)
      j++;
    else
      return true;
  }
  return false;
}

static void put_range(struct unssa_web *w, struct unssa_range r) {
  if (w->ranges && r.start <= w->range[w->ranges - 1].end + 1)
    w->range[w->ranges - 1].end = r.end;
  else
    w->range[w->ranges++] = r;
}

/* Both are roots that do not meet. */
static void join_webs(struct unssa *u, uint32_t x, uint32_t y) {
  struct unssa_web *a = &u->web[x], *b = &u->web[y], whole = *a;
  uint32_t i = 0, j = 0;
  whole.ranges = 0;
  whole.range = ptx_alloc(u->f->arena, ((size_t)a->ranges + b->ranges + 1) * sizeof *whole.range);
  while (i < a->ranges || j < b->ranges) {
    u->budget -= u->budget > 0;
    bool first = j == b->ranges || (i < a->ranges && a->range[i].start < b->range[j].start);
    put_range(&whole, first ? a->range[i++] : b->range[j++]);
  }
  whole.uniform = a->uniform && b->uniform;
  if (!whole.value || (b->value && !whole.value->name && b->value->name)) whole.value = b->value;
  *a = whole;
  b->joined = x;
}

static void try_join(struct unssa *u, uint32_t x, uint32_t y) {
  x = unssa_find(u, x);
  y = unssa_find(u, y);
  if (x == y || u->web[x].class != u->web[y].class || u->budget == 0 || webs_meet(u, &u->web[x], &u->web[y])) return;
  join_webs(u, x, y);
}

static int range_order(const void *a, const void *b) {
  const struct unssa_range *x = a, *y = b;
  return (x->start > y->start) - (x->start < y->start);
}

/* The variables of a phi on its edges: many at once. */
static void join_edges(struct unssa *u, const struct ir_insn *phi) {
  uint32_t first = phi->dst[0]->mark, end = first + 1 + phi->sources, all = 0;
  struct unssa_web *w = &u->web[first];
  for (uint32_t k = first; k < end; k++) all += u->web[k].ranges;
  struct unssa_range *list = ptx_alloc(u->f->arena, ((size_t)all + 1) * sizeof *list);
  uint32_t n = 0;
  for (uint32_t k = first; k < end; k++) {
    for (uint32_t r = 0; r < u->web[k].ranges; r++) list[n++] = u->web[k].range[r];
    w->uniform = w->uniform && u->web[k].uniform;
    u->web[k].joined = first;
  }
  qsort(list, n, sizeof *list, range_order);
  w->range = list;
  w->ranges = 0;
  for (uint32_t k = 0; k < n; k++) put_range(w, list[k]);
}

static int wish_order(const void *a, const void *b) {
  const struct unssa_wish *x = a, *y = b;
  if (x->depth != y->depth) return x->depth > y->depth ? -1 : 1;
  return (x->order > y->order) - (x->order < y->order);
}

void unssa_join(struct unssa_out *o) {
  struct unssa *u = &o->u;
  for (struct ir_block *b = u->f->first; b; b = b->next)
    for (struct ir_insn *i = b->first; i; i = i->next) {
      if (i->op == IR_PHI) join_edges(u, i);
      for (unsigned k = 0; i->guard && k < i->dsts; k++)
        if (i->old[k].kind == IR_VALUE) join_webs(u, i->dst[k]->id, i->old[k].value->id);
    }
  if (o->wishes) qsort(o->wish, o->wishes, sizeof *o->wish, wish_order);
  for (uint32_t k = 0; k < o->wishes; k++) try_join(u, o->wish[k].a, o->wish[k].b);
}
