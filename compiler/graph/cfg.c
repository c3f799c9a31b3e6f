/* SPDX-License-Identifier: Apache-2.0
 *
 * Tidying the graph: blocks that cannot be reached go, branches with one target become BR, empty blocks are jumped
 * over, straight chains become one block. Works before SSA form, in it, and after it; needs nothing; what was known
 * about dominators and loops is void afterwards. A block in which lanes meet again (BSYNC) stays a block of its own.
 */
#include "compiler/graph/pass.h"

#include <string.h>

/* The entry has no predecessors: a phi there would have an operand for "from outside". */
static void free_entry(struct ir_function *f) {
  if (!f->first->preds) return;
  struct ir_block *e = ir_block_new(f);
  e->next = f->first;
  pass_branch(f, e, f->first, f->first->first->pos);
  f->first = e;
}

static void drop_dead_preds(struct ir_block *b, const struct pass_order *o) {
  unsigned kept = 0;
  for (unsigned k = 0; k < b->preds; k++) {
    if (o->rank[b->pred[k]->id] == PASS_NONE) continue;
    for (struct ir_insn *i = b->first; kept < k && i && i->op == IR_PHI; i = i->next) i->many[kept] = i->many[k];
    b->pred[kept++] = b->pred[k];
  }
  for (struct ir_insn *i = b->first; kept < b->preds && i && i->op == IR_PHI; i = i->next) i->sources = kept;
  b->preds = kept;
}

/* Returns the order of what is left. */
static struct pass_order *drop_unreachable(struct ir_function *f) {
  struct pass_order *o = pass_order(f);
  struct ir_block *last = NULL;
  for (struct ir_block *b = f->first; b; b = b->next) {
    if (o->rank[b->id] == PASS_NONE) continue;
    drop_dead_preds(b, o);
    if (last) last->next = b;
    last = b;
  }
  last->next = NULL;
  return o;
}

static void simplify_branch(struct ir_block *b) {
  struct ir_insn *last = b->last;
  if (last->op != IR_CBR && last->op != IR_BRX) return;
  for (unsigned k = 1; k < b->succs; k++)
    if (b->succ[k] != b->succ[0]) return;
  while (b->succs > 1) pass_edge_drop(b, b->succs - 1);
  ir_change(last, IR_BR, PTX_NO_TYPE);
  last->sources = 0;
}

static bool has_phis(const struct ir_block *b) {
  return b->first->op == IR_PHI;
}

static bool is_pred(const struct ir_block *b, const struct ir_block *p) {
  /* From the side with fewer edges: neither list may be long on both sides. */
  if (p->succs <= b->preds) {
    for (unsigned k = 0; k < p->succs; k++)
      if (p->succ[k] == b) return true;
    return false;
  }
  for (unsigned k = 0; k < b->preds; k++)
    if (b->pred[k] == p) return true;
  return false;
}

/* May e, which only goes on to s, be jumped over? Phis of s must still be able to tell who came which way. */
static bool can_skip(const struct ir_function *f, const struct ir_block *e, const struct ir_block *s) {
  if (e == f->first || e == s || e->first->op != IR_BR) return false;
  if (!has_phis(s)) return true;
  for (unsigned k = 0; k < e->preds; k++)
    if (is_pred(s, e->pred[k])) return false;
  return true;
}

static void phi_repeat(struct ir_function *f, struct ir_block *s, unsigned from, unsigned times) {
  for (struct ir_insn *i = s->first; i && i->op == IR_PHI; i = i->next)
    for (unsigned n = 0; n < times; n++) pass_phi_push(f, i, i->many[from]);
}

static void skip_empty(struct ir_function *f, struct ir_block *e) {
  struct ir_block *s = e->succ[0];
  if (!can_skip(f, e, s)) return;
  unsigned at = 0;
  while (s->pred[at] != e) at++;
  while (e->preds) {
    struct ir_block *p = e->pred[e->preds - 1];
    phi_repeat(f, s, at, pass_edge_turn(f, p, e, s));
  }
  pass_edge_drop(e, 0);
  ir_remove(e->last);
}

static void phis_to_copies(struct ir_block *b) {
  for (struct ir_insn *i = b->first; i && i->op == IR_PHI; i = i->next) {
    i->src[0] = i->many[0];
    ir_change(i, IR_COPY, (enum ptx_type)i->type);
  }
}

/* b goes on to s alone, and s comes from b alone. */
static bool is_chain(const struct ir_function *f, const struct ir_block *b) {
  if (b->last->op != IR_BR) return false;
  const struct ir_block *s = b->succ[0];
  if (s == b || s->preds != 1 || s == f->first) return false;
  for (const struct ir_insn *i = s->first; i; i = i->next)
    if (i->op == IR_BSYNC)
      return false;
    else if (i->op != IR_PHI)
      break;
  return true;
}

static void take_over(struct ir_block *b, struct ir_block *s) {
  ir_remove(b->last);
  phis_to_copies(s);
  for (struct ir_insn *i = s->first; i; i = i->next) i->block = b;
  s->first->prev = b->last;
  if (b->last)
    b->last->next = s->first;
  else
    b->first = s->first;
  b->last = s->last;
  s->first = s->last = NULL;
  b->succ = s->succ, b->succs = s->succs, b->succ_room = s->succ_room;
  s->succ = NULL, s->succs = s->succ_room = s->preds = 0;
  for (unsigned k = 0; k < b->succs; k++)
    for (unsigned p = 0; p < b->succ[k]->preds; p++)
      if (b->succ[k]->pred[p] == s) b->succ[k]->pred[p] = b;
}

bool pass_absorb(struct ir_function *f, struct ir_block *b) {
  if (!is_chain(f, b)) return false;
  take_over(b, b->succ[0]);
  return true;
}

static void drop_empty_from_layout(struct ir_function *f) {
  struct ir_block *last = f->first;
  for (struct ir_block *b = f->first->next; b; b = b->next)
    if (b->first) last = last->next = b;
  last->next = NULL;
}

enum { BLOCKS_MOST = 1 << 18 };

void ir_tidy(struct ir_function *f) {
  /* Some of what is done with blocks takes time by their number times their edges. */
  if (f->blocks > BLOCKS_MOST)
    ptx_fatal(f->diag, (struct ptx_pos){0}, "'%s' has more than %d blocks", f->name, BLOCKS_MOST);
  free_entry(f);
  struct pass_order *o = drop_unreachable(f);
  for (uint32_t k = o->count; k-- > 0;) { /* targets before those who jump there */
    struct ir_block *b = o->block[k];
    simplify_branch(b);
    if (b->first->op == IR_BR && b != f->first) skip_empty(f, b);
  }
  for (uint32_t k = 0; k < o->count; k++) {
    struct ir_block *b = o->block[k];
    while (b->first && pass_absorb(f, b)) continue;
  }
  drop_empty_from_layout(f);
}
