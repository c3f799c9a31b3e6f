/* SPDX-License-Identifier: Apache-2.0
 *
 * Changing edges without losing phi operands.
 *
 * The operand array of a phi has room for the next power of two, so that appending is cheap.
 */
#include "compiler/graph/pass.h"

#include <assert.h>
#include <string.h>

enum ptx_type pass_copy_type(enum ir_class c) {
  return c == IR_PRED ? PTX_PRED : c == IR_64 ? PTX_B64 : PTX_B32;
}

static void phi_drop(struct ir_insn *phi, unsigned k) {
  memmove(&phi->many[k], &phi->many[k + 1], (phi->sources - k - 1) * sizeof *phi->many);
  phi->sources--;
}

void pass_phi_push(struct ir_function *f, struct ir_insn *phi, struct ir_operand o) {
  unsigned n = phi->sources;
  if ((n & (n - 1)) == 0) {
    struct ir_operand *fresh = ptx_alloc(f->arena, (n ? 2 * (size_t)n : 1) * sizeof *fresh);
    if (n) memcpy(fresh, phi->many, n * sizeof *fresh);
    phi->many = fresh;
  }
  phi->many[phi->sources++] = o;
}

struct ir_insn *pass_phi_new(struct ir_function *f, struct ir_block *b, enum ir_class c) {
  struct ptx_pos pos = b->first ? b->first->pos : (struct ptx_pos){0};
  struct ir_insn *phi = ir_insn_new(f, IR_PHI, pass_copy_type(c), pos);
  phi->dsts = 1;
  phi->dst[0] = ir_value_new(f, c);
  phi->dst[0]->def = phi;
  if (b->first)
    ir_insert_before(b->first, phi);
  else
    ir_append(b, phi);
  return phi;
}

static unsigned pred_index(const struct ir_block *b, const struct ir_block *from) {
  unsigned k = 0;
  while (b->pred[k] != from) k++;
  return k;
}

static void pred_drop(struct ir_block *b, const struct ir_block *from) {
  unsigned k = pred_index(b, from);
  for (struct ir_insn *i = b->first; i && i->op == IR_PHI; i = i->next) phi_drop(i, k);
  memmove(&b->pred[k], &b->pred[k + 1], (b->preds - k - 1) * sizeof(struct ir_block *));
  b->preds--;
}

void pass_edge_drop(struct ir_block *from, unsigned k) {
  pred_drop(from->succ[k], from);
  memmove(&from->succ[k], &from->succ[k + 1], (from->succs - k - 1) * sizeof(struct ir_block *));
  from->succs--;
}

/* ir_edge appends to both lists; the successor belongs where the old one was. */
static void edge_put(struct ir_function *f, struct ir_block *from, unsigned k, struct ir_block *to) {
  ir_edge(f, from, to);
  from->succs--;
  from->succ[k] = to;
}

unsigned pass_edge_turn(struct ir_function *f, struct ir_block *from, struct ir_block *to, struct ir_block *fresh) {
  unsigned turned = 0;
  for (unsigned k = 0; k < from->succs; k++) {
    if (from->succ[k] != to) continue;
    pred_drop(to, from);
    edge_put(f, from, k, fresh);
    turned++;
  }
  return turned;
}

void pass_branch(struct ir_function *f, struct ir_block *from, struct ir_block *to, struct ptx_pos pos) {
  ir_append(from, ir_insn_new(f, IR_BR, PTX_NO_TYPE, pos));
  ir_edge(f, from, to);
}

/* What the taken operands of phi join to: one operand if all are the same, else a phi in `g`. */
static struct ir_operand join_taken(struct ir_function *f, struct ir_block *g, const struct ir_insn *phi,
                                    const bool *take) {
  const struct ir_operand *one = NULL;
  bool differ = false;
  for (unsigned k = 0; k < phi->sources; k++) {
    if (!take[k]) continue;
    if (!one)
      one = &phi->many[k];
    else if (!pass_same(one, &phi->many[k]))
      differ = true;
  }
  assert(one);
  if (!differ) return *one;
  struct ir_insn *join = pass_phi_new(f, g, phi->dst[0]->class);
  join->dst[0]->name = phi->dst[0]->name;
  join->dst[0]->uniform = phi->dst[0]->uniform;
  for (unsigned k = 0; k < phi->sources; k++)
    if (take[k]) pass_phi_push(f, join, phi->many[k]);
  return ir_use(join->dst[0]);
}

/* Keeps the predecessors that are not taken; the successors of the taken ones become g. */
static void move_preds(struct ir_function *f, struct ir_block *b, const bool *take, struct ir_block *g) {
  unsigned kept = 0, all = b->preds;
  for (unsigned k = 0; k < all; k++) {
    struct ir_block *p = b->pred[k];
    if (!take[k]) {
      b->pred[kept++] = p;
      continue;
    }
    unsigned s = 0;
    while (p->succ[s] != b) s++;
    edge_put(f, p, s, g);
  }
  b->preds = kept;
}

struct ir_block *pass_gather(struct ir_function *f, struct ir_block *b, const bool *take, struct ir_block *after) {
  struct ir_block *g = ir_block_new(f);
  g->loop_depth = b->loop_depth;
  ir_block_place(after, g);
  for (struct ir_insn *i = b->first; i && i->op == IR_PHI; i = i->next) {
    struct ir_operand o = join_taken(f, g, i, take);
    unsigned kept = 0;
    for (unsigned k = 0; k < i->sources; k++)
      if (!take[k]) i->many[kept++] = i->many[k];
    /* One more always has room: at least one was taken. */
    i->many[kept++] = o;
    i->sources = kept;
  }
  /* pass_phi_push relies on full powers of two meaning a full array: never true here for longer arrays, only wasteful.
   */
  move_preds(f, b, take, g);
  pass_branch(f, g, b, b->first ? b->first->pos : (struct ptx_pos){0});
  return g;
}

static void replace_pred(struct ir_block *b, const struct ir_block *old, struct ir_block *fresh) {
  for (unsigned k = 0; k < b->preds; k++)
    if (b->pred[k] == old) b->pred[k] = fresh;
}

struct ir_block *pass_cut(struct ir_function *f, struct ir_insn *at) {
  struct ir_block *b = at->block, *rest = ir_block_new(f);
  rest->loop_depth = b->loop_depth;
  ir_block_place(b, rest);
  rest->first = at;
  rest->last = b->last;
  b->last = at->prev;
  if (at->prev)
    at->prev->next = NULL;
  else
    b->first = NULL;
  at->prev = NULL;
  for (struct ir_insn *i = at; i; i = i->next) i->block = rest;
  rest->succ = b->succ, rest->succs = b->succs, rest->succ_room = b->succ_room;
  b->succ = NULL, b->succs = b->succ_room = 0;
  for (unsigned k = 0; k < rest->succs; k++) replace_pred(rest->succ[k], b, rest);
  pass_branch(f, b, rest, at->pos);
  return rest;
}
