/* SPDX-License-Identifier: Apache-2.0
 *
 * The nest of loops, and how many registers loops need.
 */
#include <string.h>
#include "base/minmax.h"
#include "compiler/graph/pass.h"

/* The nest of loops: P. Havlak, "Nesting of reducible and irreducible loops", 1997 (after Tarjan). Blocks are taken by
 * depth-first number from the last to the first; those that reach a back edge of a block are folded into it.
 *
 * Irreducible graphs can make the lists of entering edges long. When they pass a multiple of the graph's size, all
 * blocks that lie on cycles are taken for one irreducible loop: whoever asks must be careful with those anyway. */

struct edge_list { /* sources of entering edges, as numbers */
  uint32_t from, next;
};

struct nest {
  struct ir_function *f;
  uint32_t count;
  struct ir_block **block; /* by depth-first number */
  uint32_t *number, *last; /* number by block id; the last number below a number */
  uint32_t *header;        /* of a number: the header of the innermost loop around it, itself not counted */
  uint32_t *fold;          /* union-find */
  uint8_t *kind;           /* by number: NO_LOOP, LOOP, IRREDUCIBLE */
  uint32_t *pool, *in_pool, pooled;
  struct edge_list *list;
  uint32_t *enter; /* first of the list, by number */
  uint32_t lists, list_room;
};
enum { NO_LOOP, LOOP, IRREDUCIBLE };

static uint32_t *new_numbers(struct ptx_arena *a, size_t count) {
  uint32_t *p = ptx_alloc(a, (count + 1) * sizeof *p);
  memset(p, 0xff, (count + 1) * sizeof *p);
  return p;
}

static void depth_first(struct nest *n) {
  struct step {
    struct ir_block *b;
    unsigned next;
  } *stack = ptx_alloc(n->f->arena, ((size_t)n->f->blocks + 1) * sizeof *stack);
  uint32_t depth = 0;
  stack[depth++] = (struct step){n->f->first, 0};
  n->number[n->f->first->id] = 0;
  n->block[n->count++] = n->f->first;
  while (depth) {
    struct step *s = &stack[depth - 1];
    if (s->next == s->b->succs) {
      n->last[n->number[s->b->id]] = n->count - 1;
      depth--;
      continue;
    }
    struct ir_block *to = s->b->succ[s->next++];
    if (n->number[to->id] != PASS_NONE) continue;
    n->number[to->id] = n->count;
    n->block[n->count++] = to;
    stack[depth++] = (struct step){to, 0};
  }
}

static uint32_t find_root(struct nest *n, uint32_t x) {
  while (n->fold[x] != x) x = n->fold[x] = n->fold[n->fold[x]];
  return x;
}

static bool below(const struct nest *n, uint32_t up, uint32_t down) {
  return up <= down && down <= n->last[up];
}

static bool list_add(struct nest *n, uint32_t to, uint32_t from) {
  if (n->lists == n->list_room) return false;
  n->list[n->lists] = (struct edge_list){from, n->enter[to]};
  n->enter[to] = n->lists++;
  return true;
}

static void pool_add(struct nest *n, uint32_t w, uint32_t x) {
  if (x == w || n->in_pool[x] == w) return;
  n->in_pool[x] = w;
  n->pool[n->pooled++] = x;
}

/* Sorts the edges into w: those from below begin the pool, others are kept as entering. */
static bool sort_edges(struct nest *n, uint32_t w) {
  const struct ir_block *b = n->block[w];
  for (unsigned k = 0; k < b->preds; k++) {
    uint32_t v = n->number[b->pred[k]->id];
    if (v == PASS_NONE) continue;
    if (!below(n, w, v)) {
      if (!list_add(n, w, v)) return false;
      continue;
    }
    n->kind[w] = LOOP;
    pool_add(n, w, find_root(n, v));
  }
  return true;
}

static bool nest_block(struct nest *n, uint32_t w) {
  n->pooled = 0;
  if (!sort_edges(n, w)) return false;
  for (uint32_t k = 0; k < n->pooled; k++) /* grows while we go */
    for (uint32_t e = n->enter[n->pool[k]]; e != PASS_NONE; e = n->list[e].next) {
      uint32_t y = find_root(n, n->list[e].from);
      if (below(n, w, y)) {
        pool_add(n, w, y);
      } else {
        n->kind[w] = IRREDUCIBLE;
        if (!list_add(n, w, y)) return false;
      }
    }
  for (uint32_t k = 0; k < n->pooled; k++) {
    n->header[n->pool[k]] = w;
    n->fold[n->pool[k]] = w;
  }
  return true;
}

/* The careful answer: one irreducible loop of everything from the first block that heads one. */
static void one_loop(struct nest *n) {
  bool found = false;
  uint32_t head = 0;
  for (uint32_t w = 0; w < n->count; w++) {
    const struct ir_block *b = n->block[w];
    n->kind[w] = NO_LOOP;
    n->header[w] = PASS_NONE;
    for (unsigned k = 0; k < b->preds && !found; k++) {
      uint32_t v = n->number[b->pred[k]->id];
      if (v == PASS_NONE || !below(n, w, v)) continue;
      found = true;
      head = w;
      n->kind[w] = IRREDUCIBLE;
    }
    if (found && w != head) n->header[w] = head;
  }
}

static void nest_new(struct nest *n, struct ir_function *f, uint32_t edges) {
  struct ptx_arena *a = f->arena;
  *n = (struct nest){.f = f};
  n->block = ptx_alloc(a, f->blocks * sizeof *n->block);
  n->number = new_numbers(a, f->blocks);
  n->last = new_numbers(a, f->blocks);
  n->header = new_numbers(a, f->blocks);
  n->fold = new_numbers(a, f->blocks);
  n->in_pool = new_numbers(a, f->blocks);
  n->enter = new_numbers(a, f->blocks);
  n->pool = ptx_alloc(a, ((size_t)f->blocks + 1) * sizeof *n->pool);
  n->kind = ptx_alloc(a, f->blocks);
  n->list_room = 8 * edges + 64;
  n->list = ptx_alloc(a, (size_t)n->list_room * sizeof *n->list);
}

static struct pass_loop **make_loops(const struct nest *n) {
  struct pass_loop **of = ptx_alloc(n->f->arena, n->f->blocks * sizeof(struct pass_loop *));
  for (uint32_t w = 0; w < n->count; w++) { /* headers come before what they hold */
    struct pass_loop *outer = n->header[w] == PASS_NONE ? NULL : of[n->block[n->header[w]]->id];
    of[n->block[w]->id] = outer;
    if (n->kind[w] == NO_LOOP) continue;
    struct pass_loop *l = ptx_alloc(n->f->arena, sizeof *l);
    *l = (struct pass_loop){.header = n->block[w], .outer = outer, .depth = outer ? outer->depth + 1 : 1};
    l->irreducible = n->kind[w] == IRREDUCIBLE || (outer && outer->irreducible);
    of[n->block[w]->id] = l;
  }
  return of;
}

struct pass_loop **pass_loops(struct ir_function *f, const struct pass_order *o) {
  struct nest n;
  uint32_t edges = 0;
  for (uint32_t k = 0; k < o->count; k++) edges += o->block[k]->preds;
  nest_new(&n, f, edges);
  depth_first(&n);
  for (uint32_t w = 0; w < n.count; w++) n.fold[w] = w;
  for (uint32_t w = n.count; w-- > 0;)
    if (!nest_block(&n, w)) {
      one_loop(&n);
      break;
    }
  return make_loops(&n);
}

/* Which edges into a header come from inside its loop. Returns how many. */
static unsigned from_inside(const struct ir_block *h, struct pass_loop **loop, bool *inside) {
  unsigned count = 0;
  for (unsigned k = 0; k < h->preds; k++) {
    inside[k] = pass_loop_inside(loop[h->pred[k]->id], loop[h->id]);
    count += inside[k];
  }
  return count;
}

static void tidy_header(struct ir_function *f, struct ir_block *h, struct pass_loop **loop) {
  bool *take = ptx_alloc(f->arena, h->preds + 1);
  struct ir_block *outside = NULL, *latest = NULL;
  unsigned all = h->preds, back = from_inside(h, loop, take);
  for (unsigned k = 0; k < all; k++)
    if (take[k])
      latest = h->pred[k];
    else
      outside = h->pred[k];
  bool preheader = all - back != 1 || outside->succs != 1;
  /* Taken first, so that the flags still fit the list; kept predecessors come first, the new one last. */
  if (back > 1) {
    pass_gather(f, h, take, latest);
    for (unsigned k = 0; k < h->preds; k++) take[k] = k + 1 < h->preds;
  } else {
    for (unsigned k = 0; k < all; k++) take[k] = !take[k];
  }
  if (preheader && outside) pass_gather(f, h, take, outside);
}

void pass_loops_tidy(struct ir_function *f) {
  const struct pass_order *o = pass_order(f);
  struct pass_loop **loop = pass_loops(f, o);
  uint32_t known = f->blocks; /* fresh blocks have no entry in `loop` */
  for (uint32_t k = o->count; k-- > 0;) {
    struct ir_block *h = o->block[k];
    if (h->id < known && loop[h->id] && loop[h->id]->header == h && !loop[h->id]->irreducible) tidy_header(f, h, loop);
  }
}

/* How much is alive in each block: what is alive where it begins or ends, the larger of both, and the most of what is
 * made and used up inside it. Values are followed one by one from each use back to the definition; the cost is the
 * number of blocks that they live in, and bounded. */

struct follow {
  struct ir_function *f;
  struct hoist_alive *begin, *end, *inside; /* by block id */
  uint32_t *seen;                           /* by block id: value last found alive where it begins, plus 1 */
  uint32_t *left;                           /* ... where it ends */
  struct ir_block **work;
  uint64_t budget;
};

static void count_alive(struct hoist_alive *a, const struct ir_value *v, uint32_t by) {
  if (v->class == IR_PRED)
    a->predicates += by;
  else
    a->words += v->class == IR_64 ? 2 * by : by;
}

struct hoist_alive hoist_results(const struct ir_insn *i) {
  struct hoist_alive a = {0, 0};
  for (unsigned k = 0; k < i->dsts; k++) count_alive(&a, i->dst[k], 1);
  return a;
}

/* v is read at the end of b. */
static void follow_back(struct follow *w, struct ir_value *v, struct ir_block *b) {
  uint32_t depth = 0;
  if (w->left[b->id] == v->id + 1) return;
  w->left[b->id] = v->id + 1;
  count_alive(&w->end[b->id], v, 1);
  v->mark = 1;
  w->work[depth++] = b;
  while (depth > 0 && w->budget > 0) {
    const struct ir_block *x = w->work[--depth];
    w->budget--;
    if (v->def->block == x || w->seen[x->id] == v->id + 1) continue;
    w->seen[x->id] = v->id + 1;
    count_alive(&w->begin[x->id], v, 1);
    for (unsigned p = 0; p < x->preds; p++) {
      struct ir_block *from = x->pred[p];
      if (w->left[from->id] == v->id + 1) continue;
      w->left[from->id] = v->id + 1;
      count_alive(&w->end[from->id], v, 1);
      w->work[depth++] = from;
    }
  }
}

/* v is read in b, by what is no phi. */
static void follow_use(struct follow *w, struct ir_value *v, struct ir_block *b) {
  if (!v->def || v->def->block == b || w->seen[b->id] == v->id + 1) return;
  w->seen[b->id] = v->id + 1;
  count_alive(&w->begin[b->id], v, 1);
  for (unsigned p = 0; p < b->preds; p++) follow_back(w, v, b->pred[p]);
}

struct use {
  struct ir_insn *by;
  struct ir_block *at; /* of a phi: where its operand comes from */
  struct use *next;
};

static void note_reader(struct follow *w, struct use **of, const struct ir_operand *o, struct ir_insn *by,
                        struct ir_block *at) {
  if (o->kind != IR_VALUE) return;
  struct use *u = ptx_alloc(w->f->arena, sizeof *u);
  *u = (struct use){by, at, of[o->value->id]};
  of[o->value->id] = u;
}

static void note_all(struct follow *w, struct use **of, struct ir_insn *i) {
  const struct ir_operand guard = i->guard ? ir_use(i->guard) : ir_bits(0);
  for (unsigned k = 0; k < i->sources; k++)
    note_reader(w, of, &pass_sources(i)[k], i, i->op == IR_PHI ? i->block->pred[k] : i->block);
  note_reader(w, of, &guard, i, i->block);
  for (unsigned k = 0; i->guard && k < i->dsts; k++) note_reader(w, of, &i->old[k], i, i->block);
}

static void follow_value(struct follow *w, struct use *const *of, struct ir_value *v) {
  v->mark = 0; /* 1: it lives beyond its block */
  for (const struct use *u = of[v->id]; u; u = u->next)
    if (u->by->op == IR_PHI)
      follow_back(w, v, u->at);
    else
      follow_use(w, v, u->at);
}

/* The most that is alive of what lives in b alone, from the end: where it is read first. Values have the mark 0 for
 * that; 2: found. */
static void look_inside(struct follow *w, const struct ir_block *b) {
  struct hoist_alive now = {0, 0}, *most = &w->inside[b->id];
  for (struct ir_insn *i = b->last; i && i->op != IR_PHI; i = i->prev) {
    for (unsigned k = 0; k < i->dsts; k++)
      if (i->dst[k]->mark == 2) count_alive(&now, i->dst[k], UINT32_MAX); /* minus 1 */
    for (unsigned k = 0; k < i->sources; k++) {
      if (i->src[k].kind != IR_VALUE || i->src[k].value->mark) continue;
      i->src[k].value->mark = 2;
      count_alive(&now, i->src[k].value, 1);
    }
    if (now.words > most->words) most->words = now.words;
    if (now.predicates > most->predicates) most->predicates = now.predicates;
  }
}

const struct hoist_alive *hoist_alive(struct ir_function *f, const struct pass_order *o) {
  const size_t blocks = f->blocks, bytes = blocks * sizeof(struct hoist_alive);
  struct use **of = ptx_alloc(f->arena, ((size_t)f->values + 1) * sizeof(struct use *));
  struct follow w = {.f = f, .budget = UINT64_C(1) << 24};
  w.begin = ptx_alloc(f->arena, bytes);
  w.end = ptx_alloc(f->arena, bytes);
  w.inside = ptx_alloc(f->arena, bytes);
  w.seen = ptx_alloc(f->arena, blocks * sizeof *w.seen);
  w.left = ptx_alloc(f->arena, blocks * sizeof *w.left);
  w.work = ptx_alloc(f->arena, (blocks + 1) * sizeof(struct ir_block *));
  for (uint32_t k = 0; k < o->count; k++)
    for (struct ir_insn *i = o->block[k]->first; i; i = i->next) note_all(&w, of, i);
  for (uint32_t k = 0; k < o->count; k++)
    for (struct ir_insn *i = o->block[k]->first; i; i = i->next)
      for (unsigned d = 0; d < i->dsts; d++) follow_value(&w, of, i->dst[d]);
  for (uint32_t k = 0; k < o->count && w.budget > 0; k++) {
    const uint32_t b = o->block[k]->id;
    look_inside(&w, o->block[k]);
    w.inside[b].words += max_u32(w.begin[b].words, w.end[b].words);
    w.inside[b].predicates += max_u32(w.begin[b].predicates, w.end[b].predicates);
  }
  return w.budget > 0 ? w.inside : NULL;
}
