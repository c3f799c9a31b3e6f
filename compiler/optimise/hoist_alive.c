/* SPDX-License-Identifier: Apache-2.0
 *
 * How much is alive in each block: what is alive where it begins or ends, the larger of both, and the most of what is
 * made and used up inside it. Values are followed one by one from each use back to the definition; the cost is the
 * number of blocks that they live in, and bounded.
 */
#include "base/minmax.h"
#include "compiler/optimise/hoist.h"

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
