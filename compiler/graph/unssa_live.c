/* SPDX-License-Identifier: Apache-2.0
 *
 * Where values live, and which variables become one.
 */
#include <stdlib.h>
#include <string.h>
#include "compiler/graph/unssa.h"

/* Where values live, one value after the other: from each use back to the definition. The cost is the number of blocks
 * that the values live in. */

struct use {
  uint32_t web, at; /* position */
  struct ir_block *b;
};

struct walk {
  struct unssa *u;
  struct use *use, *sorted;
  uint32_t uses, use_room, *first; /* of a web in `sorted` */
  uint32_t *defined;               /* position, by web; PASS_NONE: none */
  struct ir_block **home;          /* block of the definition, by web */
  uint32_t *seen;                  /* by block id: web + 1 that lives there throughout its start */
  struct ir_block **stack;
  struct unssa_range *range; /* of the web at hand */
  uint32_t ranges, range_room;
};

static void *grown(struct unssa *u, const void *old, uint32_t used, uint32_t *room, size_t each) {
  uint32_t wanted = *room ? 2 * *room : 256;
  void *fresh = ptx_alloc(u->f->arena, wanted * each);
  if (used) memcpy(fresh, old, used * each);
  *room = wanted;
  return fresh;
}

static void note_use(struct walk *w, uint32_t web, struct ir_block *b, uint32_t at) {
  if (w->uses == w->use_room) w->use = grown(w->u, w->use, w->uses, &w->use_room, sizeof *w->use);
  w->use[w->uses++] = (struct use){web, at, b};
}

static void note_operand(struct walk *w, const struct ir_operand *o, struct ir_block *b, uint32_t number) {
  if (o->kind == IR_VALUE) note_use(w, o->value->id, b, 2 * number);
}

static void note_definition(struct walk *w, uint32_t web, struct ir_block *b, uint32_t number) {
  w->defined[web] = 2 * number + 1;
  w->home[web] = b;
}

static void note_group(struct walk *w, const struct unssa_group *g, struct ir_block *b, uint32_t number, bool last) {
  for (uint32_t k = 0; k < g->moves; k++) {
    const struct unssa_move *m = &g->move[k];
    if (m->from.kind == IR_VALUE) note_use(w, m->source, b, 2 * number);
    if (m->to != PASS_NONE) note_definition(w, m->to, b, number);
    /* What is written for a phi lives to the end of the block. */
    if (last) note_use(w, m->to, b, w->u->block[b->id].end);
  }
}

static void note_insn(struct walk *w, struct ir_insn *i, struct ir_block *b, uint32_t number) {
  if (i->guard) note_use(w, i->guard->id, b, 2 * number);
  for (unsigned k = 0; k < i->sources; k++) note_operand(w, &i->src[k], b, number);
  for (unsigned k = 0; i->guard && k < i->dsts; k++) note_operand(w, &i->old[k], b, number);
  for (unsigned k = 0; k < i->dsts; k++) note_definition(w, i->dst[k]->id, b, number);
}

static uint32_t number_block(struct unssa *u, struct ir_block *b, uint32_t number) {
  struct unssa_block *ub = &u->block[b->id];
  ub->start = 2 * number;
  number += 2; /* the entry, the first group */
  for (const struct ir_insn *i = pass_body(b); i; i = i->next) number++;
  number++; /* the last group */
  ub->end = 2 * number - 1;
  return number;
}

static void note_block(struct walk *w, struct ir_block *b) {
  struct unssa_block *ub = &w->u->block[b->id];
  uint32_t number = ub->start / 2 + 1;
  note_group(w, &ub->first, b, number++, false);
  for (struct ir_insn *i = pass_body(b); i; i = i->next) {
    if (!i->next) note_group(w, &ub->last, b, number++, true);
    note_insn(w, i, b, number++);
  }
}

static void sort_uses(struct walk *w) {
  uint32_t webs = w->u->webs;
  w->first = ptx_alloc(w->u->f->arena, ((size_t)webs + 2) * sizeof *w->first);
  w->sorted = ptx_alloc(w->u->f->arena, ((size_t)w->uses + 1) * sizeof *w->sorted);
  for (uint32_t k = 0; k < w->uses; k++) w->first[w->use[k].web + 2]++;
  for (uint32_t k = 0; k < webs; k++) w->first[k + 2] += w->first[k + 1];
  for (uint32_t k = 0; k < w->uses; k++) w->sorted[w->first[w->use[k].web + 1]++] = w->use[k];
}

static void add_live_range(struct walk *w, uint32_t start, uint32_t end) {
  if (w->ranges && w->range[w->ranges - 1].start <= end + 1 &&
      start <= w->range[w->ranges - 1].end + 1) { /* touches the last one */
    struct unssa_range *r = &w->range[w->ranges - 1];
    if (start < r->start) r->start = start;
    if (end > r->end) r->end = end;
    return;
  }
  if (w->ranges == w->range_room) w->range = grown(w->u, w->range, w->ranges, &w->range_room, sizeof *w->range);
  w->range[w->ranges++] = (struct unssa_range){start, end};
}

/* The value is wanted at the entry of b: it lives behind its predecessors. */
static void live_in(struct walk *w, uint32_t web, struct ir_block *b) {
  uint32_t depth = 0;
  if (w->seen[b->id] == web + 1) return;
  w->seen[b->id] = web + 1;
  w->stack[depth++] = b;
  while (depth) {
    b = w->stack[--depth];
    for (unsigned k = 0; k < b->preds; k++) {
      struct ir_block *p = b->pred[k];
      const struct unssa_block *up = &w->u->block[p->id];
      if (p == w->home[web]) {
        add_live_range(w, w->defined[web], up->end);
      } else if (w->seen[p->id] != web + 1) {
        w->seen[p->id] = web + 1;
        add_live_range(w, up->start, up->end);
        w->stack[depth++] = p;
      } else {
        add_live_range(w, up->start, up->end); /* seen for a use in its middle */
      }
    }
  }
}

static int by_start(const void *a, const void *b) {
  const struct unssa_range *x = a, *y = b;
  return (x->start > y->start) - (x->start < y->start);
}

static void keep_ranges(struct walk *w, struct unssa_web *web) {
  uint32_t kept = 0;
  if (w->ranges) qsort(w->range, w->ranges, sizeof *w->range, by_start);
  for (uint32_t k = 0; k < w->ranges; k++) {
    if (kept && w->range[k].start <= w->range[kept - 1].end + 1) {
      if (w->range[k].end > w->range[kept - 1].end) w->range[kept - 1].end = w->range[k].end;
    } else {
      w->range[kept++] = w->range[k];
    }
  }
  web->ranges = kept;
  web->range = ptx_alloc(w->u->f->arena, (kept + 1) * sizeof *web->range);
  if (kept) memcpy(web->range, w->range, kept * sizeof *web->range);
}

static void find_ranges(struct walk *w, uint32_t web) {
  w->ranges = 0;
  if (w->defined[web] != PASS_NONE) add_live_range(w, w->defined[web], w->defined[web]);
  for (uint32_t k = w->first[web]; k < w->first[web + 1]; k++) {
    const struct use *u = &w->sorted[k];
    if (u->b == w->home[web] && u->at > w->defined[web]) {
      add_live_range(w, w->defined[web], u->at);
      continue;
    }
    add_live_range(w, w->u->block[u->b->id].start, u->at);
    if (w->defined[web] != PASS_NONE) live_in(w, web, u->b);
  }
  keep_ranges(w, &w->u->web[web]);
}

void unssa_live(struct unssa *u) {
  struct walk w = {.u = u};
  struct ptx_arena *a = u->f->arena;
  uint32_t number = 0;
  w.defined = ptx_alloc(a, ((size_t)u->webs + 1) * sizeof *w.defined);
  memset(w.defined, 0xff, ((size_t)u->webs + 1) * sizeof *w.defined);
  w.home = ptx_alloc(a, ((size_t)u->webs + 1) * sizeof(struct ir_block *));
  w.seen = ptx_alloc(a, u->f->blocks * sizeof *w.seen);
  w.stack = ptx_alloc(a, ((size_t)u->f->blocks + 1) * sizeof(struct ir_block *));
  for (struct ir_block *b = u->f->first; b; b = b->next) number = number_block(u, b, number);
  for (struct ir_block *b = u->f->first; b; b = b->next) note_block(&w, b);
  sort_uses(&w);
  for (uint32_t k = 0; k < u->webs; k++) find_ranges(&w, k);
}

/* Which variables become one: those that must, and both sides of copies where their lives do not meet. */

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
