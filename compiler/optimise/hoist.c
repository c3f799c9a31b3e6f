/* SPDX-License-Identifier: Apache-2.0
 *
 * What is the same in every trip is computed in front of the loop.
 *
 * Moved is what nobody notices when it happens in vain, if every trip computes it: out of as many loops as that holds
 * for. Weak loads move, too, where each way out of the loop has passed them, and nothing in the loop can change memory
 * or make another thread's write visible (constants and parameters never change). What mostly costs no instruction,
 * being part of the one that reads it, moves only with one that does; guarded instructions stay.
 *
 * A value that moves lives through the whole loop. What is alive there is estimated (words alive where blocks begin or
 * end, and the most of those that live inside a block), and moving ends where the sum reaches LIVE_WORDS, at which the
 * machines still hold all their warps, three quarters of what the kernel may have, or LIVE_PREDICATES.
 *
 * Needs SSA form; finds dominators and loops itself. Adds blocks in front of loops (pass_loops_tidy): dominators and
 * loops are void.
 */
#include "compiler/graph/pass.h"

#include <string.h>

enum { LIVE_WORDS = 40, LIVE_PREDICATES = 4, FREE_MOST = 4 };

struct nest {             /* of a loop, by the id of its header */
  struct ir_block *front; /* where it is entered from */
  const struct ir_block *latch;
  bool changes_memory;
  struct hoist_alive alive, *moved; /* estimate; what was moved, of the outermost loop round it */
};

struct hoist {
  struct ir_function *f;
  const struct pass_order *order;
  const struct pass_tree *dom;
  struct pass_loop **loop;
  struct nest *nest;
  uint32_t words; /* that may be alive */
};

static struct nest *nest_of(const struct hoist *h, const struct pass_loop *l) {
  return &h->nest[l->header->id];
}

/* ---- loops */

static bool changes_memory(const struct ir_insn *i) {
  return ir_has_effect(i) && i->op != IR_PREFETCH && i->op != IR_BR && i->op != IR_CBR && i->op != IR_BRX;
}

static void look_at_block(struct hoist *h, const struct ir_block *b, const struct hoist_alive *alive) {
  bool changes = false;
  for (const struct ir_insn *i = b->first; i && !changes; i = i->next) changes = changes_memory(i);
  for (const struct pass_loop *l = h->loop[b->id]; l; l = l->outer) {
    struct nest *n = nest_of(h, l);
    n->changes_memory |= changes;
    if (alive->words > n->alive.words) n->alive.words = alive->words;
    if (alive->predicates > n->alive.predicates) n->alive.predicates = alive->predicates;
  }
}

/* The innermost loop round b that can be left from here: what the edge leads to is not in it. */
static bool leaves_loop(const struct hoist *h, const struct ir_block *b, const struct pass_loop *l) {
  for (unsigned k = 0; k < b->succs; k++)
    if (!pass_loop_inside(h->loop[b->succ[k]->id], l)) return true;
  return b->succs == 0;
}

static void find_nests(struct hoist *h, const struct hoist_alive *alive) {
  h->nest = ptx_alloc(h->f->arena, h->f->blocks * sizeof *h->nest);
  for (uint32_t k = 0; k < h->order->count; k++) { /* outer loops first */
    struct ir_block *b = h->order->block[k];
    const struct pass_loop *l = h->loop[b->id];
    if (l && l->header == b) {
      struct nest *n = nest_of(h, l);
      n->moved = l->outer ? nest_of(h, l->outer)->moved : ptx_alloc(h->f->arena, sizeof *n->moved);
      for (unsigned p = 0; p < b->preds && !l->irreducible; p++)
        if (pass_loop_inside(h->loop[b->pred[p]->id], l))
          n->latch = b->pred[p];
        else
          n->front = b->pred[p];
    }
    look_at_block(h, b, &alive[b->id]);
  }
}

/* ---- what may move */

/* Part of the instruction that reads it, mostly. */
static bool is_free(const struct ir_insn *i) {
  switch (i->op) {
  case IR_COPY:
  case IR_PACK:
  case IR_UNPACK:
  case IR_PARAM:
  case IR_ADDRESS:
  case IR_NEG:
  case IR_ABS:
  case IR_NOT:
    return true;
  case IR_CVT:
    return i->type == PTX_U64 && i->type2 == PTX_U32;
  default:
    return i->dst[0]->class == IR_PRED && i->op != IR_SETP;
  }
}

static bool is_weak_load(const struct ir_insn *i) {
  return i->op == IR_LD && !i->memory.is_volatile && i->memory.strength == IR_WEAK;
}

static bool never_changes(const struct ir_insn *i) {
  return i->memory.space == PTX_CONST || i->memory.space == PTX_PARAM;
}

/* Every way out of the loop has passed b. */
static bool always_passed(const struct hoist *h, const struct ir_block *b, const struct pass_loop *l) {
  for (uint32_t k = h->order->rank[l->header->id]; k < h->order->count; k++) {
    const struct ir_block *x = h->order->block[k];
    if (pass_loop_inside(h->loop[x->id], l) && leaves_loop(h, x, l) && !pass_above(h->dom, b->id, x->id)) return false;
  }
  return true;
}

static bool may_move(const struct hoist *h, const struct ir_insn *i, const struct ir_block *from,
                     const struct pass_loop *l) {
  const struct nest *n = nest_of(h, l);
  if (!n->front || !n->latch || !pass_above(h->dom, from->id, n->latch->id)) return false;
  if (i->op != IR_LD) return true;
  return (never_changes(i) || !n->changes_memory) && always_passed(h, from, l);
}

/* Is the operand there in front of the loop, or can it be got there for nothing? */
static bool comes_from_outside(const struct hoist *h, const struct ir_operand *o, const struct pass_loop *l,
                               unsigned depth) {
  const struct ir_insn *d = o->kind == IR_VALUE ? o->value->def : NULL;
  if (!d || !pass_loop_inside(h->loop[d->block->id], l)) return true;
  if (depth == FREE_MOST || d->guard || !pass_can_speculate(d) || !is_free(d)) return false;
  for (unsigned k = 0; k < d->sources; k++)
    if (!comes_from_outside(h, &d->src[k], l, depth + 1)) return false;
  return true;
}

static bool is_same_in_all_trips(const struct hoist *h, const struct ir_insn *i, const struct pass_loop *l) {
  for (unsigned k = 0; k < i->sources; k++)
    if (!comes_from_outside(h, &i->src[k], l, 0)) return false;
  return true;
}

static bool has_room(const struct hoist *h, const struct ir_insn *i, const struct pass_loop *l) {
  const struct nest *n = nest_of(h, l);
  const struct hoist_alive more = hoist_results(i);
  return n->alive.words + n->moved->words + more.words <= h->words &&
         (!more.predicates || n->alive.predicates + n->moved->predicates + more.predicates <= LIVE_PREDICATES);
}

/* ---- moving */

static void move_to_front(struct hoist *h, struct ir_insn *i, const struct pass_loop *l) {
  for (unsigned k = 0; k < i->sources; k++) {
    struct ir_insn *d = i->src[k].kind == IR_VALUE ? i->src[k].value->def : NULL;
    if (d && pass_loop_inside(h->loop[d->block->id], l)) move_to_front(h, d, l); /* FREE_MOST deep at most */
  }
  ir_remove(i);
  ir_insert_before(nest_of(h, l)->front->last, i);
}

/* The outermost loop that the instruction can leave; NULL: none. */
static const struct pass_loop *find_loop(const struct hoist *h, const struct ir_insn *i) {
  const struct pass_loop *best = NULL;
  const struct ir_block *from = i->block;
  for (const struct pass_loop *l = h->loop[from->id]; l; l = l->outer) {
    if (!may_move(h, i, from, l) || !is_same_in_all_trips(h, i, l)) break;
    if (has_room(h, i, l)) best = l;
    from = nest_of(h, l)->front;
  }
  return best;
}

static void look_at(struct hoist *h, struct ir_insn *i) {
  if (i->guard || !i->dsts || i->op == IR_UNDEF || i->op == IR_ARGUMENT || is_free(i)) return;
  if (!pass_can_speculate(i) && !is_weak_load(i)) return;
  const struct pass_loop *l = find_loop(h, i);
  if (!l) return;
  const struct hoist_alive more = hoist_results(i);
  nest_of(h, l)->moved->words += more.words;
  nest_of(h, l)->moved->predicates += more.predicates;
  move_to_front(h, i, l);
}

void ir_hoist(struct ir_function *f) {
  struct hoist h = {.f = f, .words = LIVE_WORDS};
  if (f->registers && f->registers - f->registers / 4 < h.words) h.words = f->registers - f->registers / 4;
  pass_loops_tidy(f);
  h.order = pass_order(f);
  h.loop = pass_loops(f, h.order);
  bool any = false;
  for (uint32_t k = 0; k < h.order->count; k++) any |= h.loop[h.order->block[k]->id] != NULL;
  if (!any) return;
  const struct hoist_alive *alive = hoist_alive(f, h.order);
  if (!alive) return;
  h.dom = pass_dominators(f, h.order);
  find_nests(&h, alive);
  for (uint32_t k = 0; k < h.order->count; k++) {
    struct ir_block *b = h.order->block[k];
    for (struct ir_insn *i = h.loop[b->id] ? b->first : NULL, *next; i; i = next) {
      next = i->next;
      look_at(&h, i);
    }
  }
}
