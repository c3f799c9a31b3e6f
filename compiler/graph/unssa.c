/* SPDX-License-Identifier: Apache-2.0
 *
 * Out of SSA form.
 */
#include "unssa.h"

#include <stdlib.h>
#include <string.h>

static struct ir_value *unssa_value(struct unssa *u, uint32_t w) {
  struct unssa_web *web = &u->web[unssa_find(u, w)];
  if (!web->value) web->value = ir_value_new(u->f, web->class);
  web->value->uniform = web->uniform;
  return web->value;
}

/* Copies that happen at once, as a sequence: one whose target nobody else still reads goes first; when only circles are
 * left, one variable is saved in a fresh one. */

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

/* Appends the moves between different webs, in an order that gives the same, before `at`. */
static void unssa_moves(struct unssa *u, const struct unssa_group *g, struct ir_insn *at) {
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

/* Out of SSA form: V. Sreedhar and others, "Translating out of static single assignment form", 1999, the first method,
 * and joining what does not interfere.
 *
 * Every phi gets variables of its own: r = phi(a, b) becomes r' at the block's start, copied to r; at the end of each
 * predecessor a is copied to a' and b to b'; r', a', b' are one variable. Since these live only on the edges, this is
 * right whatever lives elsewhere (swaps, values that outlive the phi). Copies of one place happen at once. Then both
 * sides of a copy become one variable where their lives do not meet, copies in inner loops first; what is left is
 * written down.
 *
 * A guarded instruction and its old value are one variable, the old value copied into it before: afterwards old[k] is
 * dst[k] itself where what was there before matters, and absent where it does not.
 *
 * Needs SSA form. Splits critical edges in front of phis and tidies the graph at the end: dominators and loops are
 * void. value->uniform stays right: a variable is uniform when all that were joined in it are. value->def is there when
 * a variable is written at one place. */

static void split_edges(struct ir_function *f, struct ir_block *b) {
  bool *take = ptx_alloc(f->arena, b->preds + 1);
  for (unsigned k = 0; k < b->preds;) {
    struct ir_block *p = b->pred[k];
    if (p->succs < 2 || b->preds < 2) {
      k++;
      continue;
    }
    memset(take, 0, b->preds);
    for (unsigned j = k; j < b->preds; j++) take[j] = b->pred[j] == p;
    pass_gather(f, b, take, p); /* the new block comes last, and needs no splitting */
  }
}

/* Puts copies of old values in front of guarded instructions. */
static void copy_old(struct ir_function *f, struct ir_insn *i) {
  for (unsigned k = 0; k < i->dsts; k++) {
    const struct ir_operand *o = &i->old[k];
    if (o->kind == IR_VALUE && o->value->def && o->value->def->op == IR_UNDEF) i->old[k].kind = IR_NONE;
    if (o->kind == IR_NONE) continue;
    struct ir_insn *c = ir_insn_new(f, IR_COPY, pass_copy_type(i->dst[k]->class), i->pos);
    c->dsts = c->sources = 1;
    c->dst[0] = ir_value_new(f, i->dst[k]->class);
    c->dst[0]->def = c;
    c->dst[0]->uniform = o->kind == IR_CONST || o->value->uniform;
    c->src[0] = *o;
    ir_insert_before(i, c);
    i->old[k] = ir_use(c->dst[0]);
  }
}

static void prepare_function(struct ir_function *f) {
  for (struct ir_block *b = f->first; b; b = b->next) {
    if (b->first->op == IR_PHI) split_edges(f, b);
    for (struct ir_insn *i = b->first; i; i = i->next)
      if (i->guard) copy_old(f, i);
  }
}

/* ---- webs ---- */

static uint32_t web_new(struct unssa *u, const struct ir_value *like) {
  if (u->webs == u->room) {
    uint32_t room = 2 * u->room + 64;
    struct unssa_web *fresh = ptx_alloc(u->f->arena, room * sizeof *fresh);
    if (u->webs) memcpy(fresh, u->web, u->webs * sizeof *fresh);
    u->web = fresh;
    u->room = room;
  }
  u->web[u->webs] = (struct unssa_web){.joined = u->webs, .class = like->class, .uniform = like->uniform};
  return u->webs++;
}

static void move_add(struct unssa *u, struct unssa_group *g, uint32_t to, struct ir_operand from, uint32_t source) {
  uint32_t n = g->moves;
  if ((n & (n - 1)) == 0) {
    struct unssa_move *fresh = ptx_alloc(u->f->arena, (n ? 2 * (size_t)n : 1) * sizeof *fresh);
    if (n) memcpy(fresh, g->move, n * sizeof *fresh);
    g->move = fresh;
  }
  g->move[g->moves++] = (struct unssa_move){to, from, source};
}

static void wish_add(struct unssa_out *o, uint32_t a, uint32_t b, uint32_t depth) {
  if (o->wishes == o->wish_room) {
    uint32_t room = o->wish_room ? 2 * o->wish_room : 256;
    struct unssa_wish *fresh = ptx_alloc(o->u.f->arena, room * sizeof *fresh);
    if (o->wishes) memcpy(fresh, o->wish, o->wishes * sizeof *fresh);
    o->wish = fresh;
    o->wish_room = room;
  }
  o->wish[o->wishes] = (struct unssa_wish){a, b, depth, o->wishes};
  o->wishes++;
}

/* The copies of one phi. Its variables on the edges have consecutive numbers, the first in phi->dst[0]->mark. */
static void part_phi(struct unssa_out *o, struct ir_insn *phi, uint32_t depth) {
  struct unssa *u = &o->u;
  struct ir_block *b = phi->block;
  struct ir_value *r = phi->dst[0];
  uint32_t edge = web_new(u, r);
  r->mark = edge;
  move_add(u, &u->block[b->id].first, r->id, ir_use(r), edge);
  u->block[b->id].first.pos = phi->pos;
  wish_add(o, r->id, edge, depth);
  for (unsigned k = 0; k < phi->sources; k++) {
    /* What is undefined on one way may be read behind the join by those who came that way: it must be something. */
    const struct ir_operand zero = ir_bits(0), *a = unssa_is_undefined(&phi->many[k]) ? &zero : &phi->many[k];
    struct ir_block *p = b->pred[k];
    uint32_t w = web_new(u, a->kind == IR_VALUE ? a->value : r);
    if (a->kind == IR_CONST) u->web[w].uniform = true;
    move_add(u, &u->block[p->id].last, w, *a, a->kind == IR_VALUE ? a->value->id : PASS_NONE);
    u->block[p->id].last.pos = p->last->pos;
    if (a->kind == IR_VALUE) wish_add(o, w, a->value->id, p->loop_depth);
  }
}

static void part_variables(struct unssa_out *o) {
  for (struct ir_block *b = o->u.f->first; b; b = b->next) {
    for (struct ir_insn *i = b->first; i; i = i->next) {
      if (i->op == IR_PHI)
        part_phi(o, i, b->loop_depth);
      else if (i->op == IR_COPY && !i->guard && i->src[0].kind == IR_VALUE)
        wish_add(o, i->dst[0]->id, i->src[0].value->id, b->loop_depth);
    }
  }
}

/* ---- writing it down ---- */

static void rename_operand(struct unssa *u, struct ir_operand *o) {
  if (o->kind == IR_VALUE) o->value = unssa_value(u, o->value->id);
}

static void rename_insn(struct unssa *u, struct ir_insn *i) {
  if (i->guard) i->guard = unssa_value(u, i->guard->id);
  for (unsigned k = 0; k < i->sources; k++) rename_operand(u, &i->src[k]);
  for (unsigned k = 0; k < i->dsts; k++) {
    i->dst[k] = unssa_value(u, i->dst[k]->id);
    if (i->guard) rename_operand(u, &i->old[k]);
  }
  if (i->op == IR_COPY && !i->guard && pass_is(&i->src[0], i->dst[0])) ir_remove(i);
}

/* Instructions first: what the groups add is written in variables already. */
static void write_block(struct unssa *u, struct ir_block *b) {
  struct unssa_block *ub = &u->block[b->id];
  for (struct ir_insn *i = b->first, *next; i; i = next) {
    next = i->next;
    if (i->op == IR_PHI)
      ir_remove(i);
    else
      rename_insn(u, i);
  }
  unssa_moves(u, &ub->first, b->first);
  unssa_moves(u, &ub->last, b->last);
}

static void mark_reads(struct ir_insn *i) {
  if (i->guard) i->guard->mark = 1;
  for (unsigned k = 0; k < i->sources; k++)
    if (i->src[k].kind == IR_VALUE) i->src[k].value->mark = 1;
  for (unsigned k = 0; i->guard && k < i->dsts; k++)
    if (i->old[k].kind == IR_VALUE) i->old[k].value->mark = 1;
}

static void drop_undefined(struct ir_function *f) {
  struct ir_block *e = f->first; /* ssa.c put them there */
  for (struct ir_insn *i = e->first; i; i = i->next)
    for (unsigned k = 0; k < i->dsts; k++) i->dst[k]->mark = 0;
  for (struct ir_block *b = f->first; b; b = b->next)
    for (struct ir_insn *i = b->first; i; i = i->next) mark_reads(i);
  for (struct ir_insn *i = e->first, *next; i; i = next) {
    next = i->next;
    if (i->op == IR_UNDEF && !i->dst[0]->mark) ir_remove(i);
  }
}

static void find_definitions(struct ir_function *f) {
  for (struct ir_block *b = f->first; b; b = b->next)
    for (struct ir_insn *i = b->first; i; i = i->next)
      for (unsigned k = 0; k < i->dsts; k++) i->dst[k]->mark = 0;
  for (struct ir_block *b = f->first; b; b = b->next)
    for (struct ir_insn *i = b->first; i; i = i->next)
      for (unsigned k = 0; k < i->dsts; k++) i->dst[k]->def = i->dst[k]->mark++ ? NULL : i;
}

static void find_depths(struct ir_function *f) {
  struct pass_loop **loop = pass_loops(f, pass_order(f));
  for (struct ir_block *b = f->first; b; b = b->next) b->loop_depth = loop[b->id] ? loop[b->id]->depth : 0;
}

void ir_from_ssa(struct ir_function *f) {
  struct unssa_out o = {.u = {.f = f, .budget = UINT64_C(1) << 27}};
  struct unssa *u = &o.u;
  prepare_function(f);
  find_depths(f);
  u->block = ptx_alloc(f->arena, f->blocks * sizeof *u->block);
  static const struct ir_value nothing = {.class = IR_32};
  for (uint32_t k = 0; k < f->values; k++) web_new(u, &nothing);
  for (struct ir_block *b = f->first; b; b = b->next)
    for (struct ir_insn *i = b->first; i; i = i->next)
      for (unsigned k = 0; k < i->dsts; k++) {
        struct ir_value *v = i->dst[k];
        u->web[v->id] = (struct unssa_web){.joined = v->id, .class = v->class, .uniform = v->uniform, .value = v};
      }
  part_variables(&o);
  unssa_live(u);
  unssa_join(&o);
  u->writer = ptx_alloc(f->arena, ((size_t)u->webs + 1) * sizeof *u->writer);
  for (struct ir_block *b = f->first; b; b = b->next) write_block(u, b);
  ir_tidy(f);
  drop_undefined(f);
  find_definitions(f);
}
