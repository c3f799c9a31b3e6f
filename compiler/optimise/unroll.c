/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops of one block, several trips in a row. Each copy keeps its test, so that nothing need be known of how often
 * threads go round, and every thread leaves as before. What is saved are counters and pointers: in all copies but the
 * last, what they step by becomes part of an address or of a test (fold*.c, run behind).
 *
 * Loops with at least one such step for every STEP_PAYS instructions, and without anything that threads do together or
 * that orders memory. How many trips: COPIES if the whole kernel grows by no more than a half, or by GROWTH_SMALL
 * instructions; else two if that holds for two. Registers: see pass.h.
 *
 * Needs SSA form; finds loops itself. Adds blocks: dominators and loops are void.
 */
#include "compiler/graph/pass.h"

enum { COPIES = 4, BODY_MOST = 32, STEP_PAYS = 8, GROWTH_SMALL = 48, DEAR = 12, PHIS_MOST = 16, LIVE_WORDS = 32 };

struct unrolled {
  struct ir_block *body, *out; /* a block of its own on the way out */
  unsigned copies;
  struct unrolled *next;
};

struct unroll {
  struct ir_function *f;
  uint32_t blocks;        /* at the start */
  struct unrolled **of;   /* by block id */
  struct ir_value **phi;  /* by value id: what it is behind the loop */
  struct ir_operand *now; /* by value id: what it is in the copy at hand */
  struct unrolled *first;
};

/* ---- which loops */

static unsigned weight(const struct ir_insn *i) {
  switch (i->op) {
  case IR_DIV:
  case IR_REM:
    return BODY_MOST + 1;
  case IR_SQRT:
  case IR_RCP:
  case IR_RSQRT:
  case IR_SIN:
  case IR_COS:
  case IR_EX2:
  case IR_LG2:
  case IR_TANH:
    return DEAR;
  case IR_LD:
  case IR_ST:
    return i->memory.is_volatile || i->memory.strength != IR_WEAK ? BODY_MOST + 1 : 1;
  default:
    return pass_can_speculate(i) ? 1 : BODY_MOST + 1;
  }
}

static unsigned body_weight(const struct ir_block *b) {
  unsigned sum = 0;
  for (const struct ir_insn *i = pass_body(b); i != b->last && sum <= BODY_MOST; i = i->next) sum += weight(i);
  return sum;
}

static unsigned back_edge(const struct ir_block *b) {
  return b->pred[0] == b ? 0 : 1;
}

/* Words that step by a constant from trip to trip; 0: the loop is of no use, or cannot be. */
static unsigned steps(const struct ir_block *b) {
  unsigned words = 0, phis = 0;
  for (const struct ir_insn *i = b->first; i->op == IR_PHI; i = i->next) {
    const struct ir_operand *o = &i->many[back_edge(b)];
    const struct ir_insn *d = o->kind == IR_VALUE ? o->value->def : NULL;
    if (i->dst[0]->class == IR_PRED || ++phis > PHIS_MOST) return 0;
    if (d && d->op == IR_ADD && d->block == b && !d->guard && pass_is(&d->src[0], i->dst[0]) &&
        d->src[1].kind == IR_CONST)
      words += i->dst[0]->class == IR_64 ? 2 : 1;
  }
  return words;
}

static unsigned copies_of(const struct ir_block *b, uint32_t all) {
  if (b->preds != 2 || b->pred[0] == b->pred[1] || (b->pred[0] != b && b->pred[1] != b)) return 1;
  if (b->last->op != IR_CBR || b->last->src[0].kind != IR_VALUE || b->succ[0] == b->succ[1]) return 1;
  const unsigned sum = body_weight(b), saved = steps(b), most = all / 2 > GROWTH_SMALL ? all / 2 : GROWTH_SMALL;
  if (sum > BODY_MOST || saved * STEP_PAYS < sum || saved == 0) return 1;
  return (COPIES - 1) * sum <= most ? COPIES : sum <= most ? 2 : 1;
}

static void take_loop(struct unroll *u, struct ir_block *b, unsigned copies) {
  struct unrolled *l = ptx_alloc(u->f->arena, sizeof *l);
  struct ir_block *to = b->succ[0] == b ? b->succ[1] : b->succ[0];
  bool *take = ptx_alloc(u->f->arena, to->preds + 1);
  for (unsigned k = 0; k < to->preds; k++) take[k] = to->pred[k] == b;
  *l = (struct unrolled){b, pass_gather(u->f, to, take, b), copies, u->first};
  u->of[b->id] = l;
  u->first = l;
}

static void find_loops(struct unroll *u) {
  const struct pass_order *o = pass_order(u->f);
  const struct hoist_alive *alive = hoist_alive(u->f, o);
  uint32_t all = 0;
  u->blocks = u->f->blocks;
  u->of = ptx_alloc(u->f->arena, ((size_t)u->blocks + 1) * sizeof(struct unrolled *));
  for (uint32_t k = 0; k < o->count; k++)
    for (const struct ir_insn *i = o->block[k]->first; i; i = i->next) all++;
  const uint32_t most = all + (all / 2 > GROWTH_SMALL ? all / 2 : GROWTH_SMALL);
  for (uint32_t k = 0; k < o->count && alive; k++) {
    struct ir_block *b = o->block[k];
    const unsigned copies = alive[b->id].words <= LIVE_WORDS ? copies_of(b, all) : 1;
    const unsigned more = copies > 1 ? (copies - 1) * body_weight(b) : 0;
    if (copies == 1 || all + more > most) continue;
    all += more;
    take_loop(u, b, copies);
  }
}

/* ---- what is read behind a loop: a phi of what the copies make */

static void read_behind(struct unroll *u, const struct ir_block *at, struct ir_operand *o) {
  if (o->kind != IR_VALUE || !o->value->def) return;
  struct ir_value *v = o->value;
  const struct ir_block *b = v->def->block;
  const struct unrolled *l = b == at || b->id >= u->blocks ? NULL : u->of[b->id];
  if (!l) return;
  if (!u->phi[v->id]) {
    struct ir_insn *phi = pass_phi_new(u->f, l->out, v->class);
    phi->dst[0]->name = v->name;
    pass_phi_push(u->f, phi, ir_use(v));
    u->phi[v->id] = phi->dst[0];
  }
  o->value = u->phi[v->id];
}

static void read_all_behind(struct unroll *u, struct ir_insn *i) {
  struct ir_operand guard = i->guard ? ir_use(i->guard) : ir_bits(0);
  for (unsigned k = 0; k < i->sources; k++) read_behind(u, i->block, &pass_sources(i)[k]);
  if (!i->guard) return;
  read_behind(u, i->block, &guard);
  i->guard = guard.value;
  for (unsigned k = 0; k < i->dsts; k++) read_behind(u, i->block, &i->old[k]);
}

/* ---- copies */

static struct ir_operand operand_now(const struct unroll *u, const struct ir_block *body, struct ir_operand o) {
  return o.kind == IR_VALUE && o.value->def && o.value->def->block == body && u->now[o.value->id].kind != IR_NONE
             ? u->now[o.value->id]
             : o;
}

static void copy_insn(struct unroll *u, const struct ir_block *body, const struct ir_insn *i, struct ir_block *to) {
  struct ir_insn *c = ir_insn_new(u->f, i->op, i->type, i->pos);
  *c = *i;
  c->prev = c->next = NULL;
  c->block = NULL;
  for (unsigned k = 0; k < i->sources; k++) c->src[k] = operand_now(u, body, i->src[k]);
  if (i->guard) c->guard = operand_now(u, body, ir_use(i->guard)).value; /* no phis of predicates */
  for (unsigned k = 0; i->guard && k < i->dsts; k++) c->old[k] = operand_now(u, body, i->old[k]);
  for (unsigned k = 0; k < i->dsts; k++) {
    c->dst[k] = ir_value_new(u->f, i->dst[k]->class);
    c->dst[k]->name = i->dst[k]->name;
    c->dst[k]->def = c;
    u->now[i->dst[k]->id] = ir_use(c->dst[k]);
  }
  ir_append(to, c);
}

/* What the phis of the body are in the next trip: all at once. */
static void next_trip(struct unroll *u, const struct ir_block *body, const struct ir_operand *next) {
  struct ir_operand is[PHIS_MOST];
  unsigned n = 0;
  for (const struct ir_insn *i = body->first; i->op == IR_PHI; i = i->next, n++) is[n] = operand_now(u, body, next[n]);
  n = 0;
  for (const struct ir_insn *i = body->first; i->op == IR_PHI; i = i->next) u->now[i->dst[0]->id] = is[n++];
}

static void copy_body(struct unroll *u, const struct unrolled *l, struct ir_block *to, struct ir_block *next) {
  const struct ir_block *body = l->body;
  for (const struct ir_insn *i = pass_body(body); i; i = i->next) copy_insn(u, body, i, to);
  for (unsigned k = 0; k < 2; k++) ir_edge(u->f, to, body->succ[k] == l->out ? l->out : next);
  for (struct ir_insn *i = l->out->first; i->op == IR_PHI; i = i->next)
    pass_phi_push(u->f, i, operand_now(u, body, i->many[0]));
}

static void copy_loop(struct unroll *u, const struct unrolled *l) {
  struct ir_block *body = l->body, *copy[COPIES + 1] = {body};
  struct ir_operand next[PHIS_MOST];
  unsigned n = 0;
  for (const struct ir_insn *i = body->first; i->op == IR_PHI; i = i->next) next[n++] = i->many[back_edge(body)];
  for (unsigned k = 1; k < l->copies; k++) {
    copy[k] = ir_block_new(u->f);
    ir_block_place(copy[k - 1], copy[k]);
  }
  copy[l->copies] = body;
  pass_edge_turn(u->f, body, body, copy[1]);
  for (unsigned k = 1; k < l->copies; k++) {
    next_trip(u, body, next);
    copy_body(u, l, copy[k], copy[k + 1]);
  }
  next_trip(u, body, next);
  for (struct ir_insn *i = body->first; i->op == IR_PHI; i = i->next) pass_phi_push(u->f, i, u->now[i->dst[0]->id]);
}

bool ir_unroll(struct ir_function *f) {
  struct unroll u = {.f = f};
  find_loops(&u);
  if (!u.first) return false;
  u.phi = ptx_alloc(f->arena, ((size_t)f->values + 1) * sizeof(struct ir_value *));
  u.now = ptx_alloc(f->arena, ((size_t)f->values + 1) * sizeof *u.now);
  for (struct ir_block *b = f->first; b; b = b->next)
    for (struct ir_insn *i = b->id < u.blocks ? b->first : NULL; i; i = i->next) read_all_behind(&u, i);
  for (const struct unrolled *l = u.first; l; l = l->next) copy_loop(&u, l);
  return true;
}
