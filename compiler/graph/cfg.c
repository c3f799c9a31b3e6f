/* SPDX-License-Identifier: Apache-2.0
 *
 * Edges of the graph, blocks in order, and tidying.
 */
#include <assert.h>
#include <string.h>
#include "compiler/graph/pass.h"

/* Changing edges without losing phi operands.
 *
 * The operand array of a phi has room for the next power of two, so that appending is cheap. */

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

/* Blocks in reverse postorder of a depth-first walk from the entry. */

struct step {
  struct ir_block *b;
  unsigned
      left; /* successors not yet looked at: from the last to the first, so that the first comes first in the order */
};

static uint32_t walk(struct ir_function *f, struct ir_block **by_post, bool *seen) {
  struct step *stack = ptx_alloc(f->arena, ((size_t)f->blocks + 1) * sizeof *stack);
  uint32_t depth = 0, done = 0;
  stack[depth++] = (struct step){f->first, f->first->succs};
  seen[f->first->id] = true;
  while (depth) {
    struct step *s = &stack[depth - 1];
    if (!s->left) {
      by_post[done++] = s->b;
      depth--;
      continue;
    }
    struct ir_block *to = s->b->succ[--s->left];
    if (seen[to->id]) continue;
    seen[to->id] = true;
    stack[depth++] = (struct step){to, to->succs};
  }
  return done;
}

struct pass_order *pass_order(struct ir_function *f) {
  struct pass_order *o = ptx_alloc(f->arena, sizeof *o);
  bool *seen = ptx_alloc(f->arena, f->blocks);
  o->block = ptx_alloc(f->arena, f->blocks * sizeof *o->block);
  o->rank = ptx_alloc(f->arena, f->blocks * sizeof *o->rank);
  o->count = walk(f, o->block, seen);
  for (uint32_t i = 0, j = o->count; i + 1 < j--; i++) {
    struct ir_block *t = o->block[i];
    o->block[i] = o->block[j];
    o->block[j] = t;
  }
  memset(o->rank, 0xff, f->blocks * sizeof *o->rank);
  for (uint32_t k = 0; k < o->count; k++) o->rank[o->block[k]->id] = k;
  return o;
}

/* Tidying the graph: blocks that cannot be reached go, branches with one target become BR, empty blocks are jumped
 * over, straight chains become one block. Works before SSA form, in it, and after it; needs nothing; what was known
 * about dominators and loops is void afterwards. A block in which lanes meet again (BSYNC) stays a block of its own. */

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
