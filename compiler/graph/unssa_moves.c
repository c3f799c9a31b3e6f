/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies that happen at once, as a sequence: one whose target nobody else still reads goes first; when only circles are
 * left, one variable is saved in a fresh one.
 */
#include "compiler/graph/unssa.h"

struct pending {
  struct unssa *u;
  struct ir_insn *at;
  struct ptx_pos pos;
  uint32_t *from, *to; /* by move: webs; from PASS_NONE: a constant */
  struct ir_operand *constant;
  bool *done;
  uint32_t moves;
};

static void insert_copy(struct pending *p, struct ir_value *to, struct ir_operand from) {
  struct ir_insn *i = ir_insn_new(p->u->f, IR_COPY, pass_copy_type(to->class), p->pos);
  i->dsts = i->sources = 1;
  i->dst[0] = to;
  i->src[0] = from;
  ir_insert_before(p->at, i);
}

/* Small groups only are common: how many still read a web is counted in its own field. */
static uint32_t *readers(struct pending *p, uint32_t web) {
  return &unssa_value(p->u, web)->mark;
}

static void count_readers(struct pending *p) {
  for (uint32_t k = 0; k < p->moves; k++) *readers(p, p->to[k]) = 0;
  for (uint32_t k = 0; k < p->moves; k++)
    if (p->from[k] != PASS_NONE) *readers(p, p->from[k]) = 0;
  for (uint32_t k = 0; k < p->moves; k++)
    if (p->from[k] != PASS_NONE) ++*readers(p, p->from[k]);
}

/* Makes move k, and then those whose target is free because of it. `writer`: the move that writes a web, plus one. */
static void make_move(struct pending *p, uint32_t k, const uint32_t *writer) {
  while (k != PASS_NONE) {
    p->done[k] = true;
    insert_copy(p, unssa_value(p->u, p->to[k]),
                p->from[k] == PASS_NONE ? p->constant[k] : ir_use(unssa_value(p->u, p->from[k])));
    uint32_t free = p->from[k];
    k = PASS_NONE;
    if (free != PASS_NONE && --*readers(p, free) == 0 && writer[free] && !p->done[writer[free] - 1])
      k = writer[free] - 1;
  }
}

/* A circle: what move k would overwrite is saved, and its readers read that. */
static void break_circle(struct pending *p, uint32_t k, const uint32_t *writer) {
  struct ir_value *target = unssa_value(p->u, p->to[k]), *saved = ir_value_new(p->u->f, target->class);
  saved->name = target->name;
  saved->uniform = target->uniform;
  insert_copy(p, saved, ir_use(target));
  for (uint32_t j = 0; j < p->moves; j++)
    if (!p->done[j] && p->from[j] == p->to[k]) {
      p->from[j] = PASS_NONE;
      p->constant[j] = ir_use(saved);
    }
  *readers(p, p->to[k]) = 0;
  make_move(p, k, writer);
}

static void collect_moves(struct pending *p, const struct unssa_group *g) {
  struct ptx_arena *a = p->u->f->arena;
  p->from = ptx_alloc(a, (g->moves + 1) * sizeof *p->from);
  p->to = ptx_alloc(a, (g->moves + 1) * sizeof *p->to);
  p->constant = ptx_alloc(a, (g->moves + 1) * sizeof *p->constant);
  p->done = ptx_alloc(a, g->moves + 1);
  for (uint32_t k = 0; k < g->moves; k++) {
    const struct unssa_move *m = &g->move[k];
    uint32_t to = unssa_find(p->u, m->to), from = m->from.kind == IR_VALUE ? unssa_find(p->u, m->source) : PASS_NONE;
    if (to == from) continue;
    p->to[p->moves] = to;
    p->from[p->moves] = from;
    p->constant[p->moves++] = m->from;
  }
}

void unssa_moves(struct unssa *u, const struct unssa_group *g, struct ir_insn *at) {
  struct pending p = {.u = u, .at = at, .pos = g->pos};
  if (!g->moves) return;
  collect_moves(&p, g);
  if (!p.moves) return;
  count_readers(&p);
  /* By web; only entries of this group are looked at. */
  uint32_t *writer = u->writer;
  for (uint32_t k = 0; k < p.moves; k++) writer[p.to[k]] = k + 1;
  for (uint32_t k = 0; k < p.moves; k++)
    if (!p.done[k] && *readers(&p, p.to[k]) == 0) make_move(&p, k, writer);
  for (uint32_t k = 0; k < p.moves; k++)
    if (!p.done[k]) break_circle(&p, k, writer);
  for (uint32_t k = 0; k < p.moves; k++) writer[p.to[k]] = 0;
}
