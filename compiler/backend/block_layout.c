/* SPDX-License-Identifier: Apache-2.0
 * The order of the blocks: each is followed by one that it leads to if that has no place yet (of two the one in the
 * deeper loop, then the one that stood behind it), else by the first that has none; cold ones come last. */
#include "compiler/backend/emit.h"
#include "compiler/backend/live.h"

/* "@!PT" too: what selection makes of an undefined predicate. */
static bool may_go_on(const struct mir_insn *i) {
  return i->guard.kind == MIR_REG || (i->guard.kind == MIR_ZERO && i->guard.neg);
}

/* Without going on at the next word. A branch to a block is none of these: see take_off. */
static bool never_goes_on(const struct mir_insn *i) {
  if (may_go_on(i) || i->op == ISA_OP_BRA) return false;
  switch (mir_flow(i)) {
  case ISA_FLOW_BRANCH:
  case ISA_FLOW_RETURN:
  case ISA_FLOW_EXIT:
  case ISA_FLOW_TRAP:
    return true;
  default:
    return false;
  }
}

static bool is_table(const struct mir_block *b) {
  return b->last && b->last->prev && b->last->op == ISA_OP_BRA && b->last->prev->op == ISA_OP_BRA &&
         !may_go_on(b->last) && !may_go_on(b->last->prev);
}

static bool is_named_table(const struct mir_block *b) {
  for (unsigned k = 0; k < b->preds; k++)
    if (b->pred[k]->last && b->pred[k]->last->op == ISA_OP_BRX && b->pred[k]->last->target == b) return true;
  return is_table(b);
}

static void take_off(struct block_layout *l, struct mir_block *b) {
  struct block_exit *e = &l->exit[b->id];
  struct mir_insn *last = b->last;
  e->verbatim = is_named_table(b);
  if (e->verbatim) return;
  e->next = last && never_goes_on(last) ? NULL : b->next;
  if (!e->next && !(last && (never_goes_on(last) || last->op == ISA_OP_BRA)))
    ptx_fatal(l->f->diag, last ? last->pos : (struct ptx_pos){0, 0}, "internal error: the code of '%s' has no end",
              l->f->name);
  if (!last || last->op != ISA_OP_BRA) return;
  if (!may_go_on(last)) {
    e->next = last->target;
    mir_remove(b, last);
    last = b->last;
    if (!last || last->op != ISA_OP_BRA) return;
  }
  e->guard = last->guard;
  e->taken = last->target;
  mir_remove(b, last);
  if (e->taken == e->next) *e = (struct block_exit){.next = e->next};
}

static bool is_empty(const struct block_layout *l, const struct mir_block *b) {
  const struct block_exit *e = &l->exit[b->id];
  return !b->first && e->next && !e->taken && !e->verbatim;
}

/* Where one gets from `b`, through blocks with nothing in them. What is found out is kept: chains may be long. */
static struct mir_block *thread(const struct block_layout *l, struct mir_block *b) {
  struct mir_block *to = b;
  if (!b) return NULL;
  for (uint32_t hops = 0; is_empty(l, to) && l->exit[to->id].next != to && hops < l->f->blocks; hops++)
    to = l->exit[to->id].next;
  for (uint32_t hops = 0; b != to && hops < l->f->blocks; hops++) {
    struct mir_block *next = l->exit[b->id].next;
    l->exit[b->id].next = to;
    b = next;
  }
  return to;
}

static void thread_all(struct block_layout *l) {
  for (struct mir_block *b = l->f->first; b; b = b->next) {
    struct block_exit *e = &l->exit[b->id];
    e->next = thread(l, e->next);
    e->taken = thread(l, e->taken);
    if (e->taken && e->taken == e->next) *e = (struct block_exit){.next = e->next, .verbatim = e->verbatim};
    for (struct mir_insn *i = b->first; i; i = i->next)
      if (i->op == ISA_OP_BRA) i->target = thread(l, i->target);
  }
}

static void mark_reached(struct block_layout *l, struct mir_block *b, struct mir_block **stack, uint32_t *n) {
  if (!b || l->exit[b->id].reached) return;
  l->exit[b->id].reached = true;
  stack[(*n)++] = b;
}

/* What the entry leads to. */
static void reach_all(struct block_layout *l) {
  struct mir_block **stack = ptx_alloc(l->f->arena, (l->f->blocks + 1) * sizeof(struct mir_block *));
  uint32_t n = 0;
  mark_reached(l, thread(l, l->f->first), stack, &n);
  while (n > 0) {
    struct mir_block *b = stack[--n];
    mark_reached(l, l->exit[b->id].next, stack, &n);
    mark_reached(l, l->exit[b->id].taken, stack, &n);
    for (struct mir_insn *i = b->first; i; i = i->next)
      if (live_is_branch(i)) mark_reached(l, i->target, stack, &n);
  }
}

static struct mir_block *follower(const struct block_layout *l, const struct mir_block *b) {
  const struct block_exit *e = &l->exit[b->id];
  struct mir_block *n = e->next, *t = e->taken;
  if (n && (l->exit[n->id].placed || (n->cold && !b->cold))) n = NULL;
  if (t && (l->exit[t->id].placed || (t->cold && !b->cold))) t = NULL;
  if (!n || !t) return n ? n : t;
  if (n->loop_depth != t->loop_depth) return n->loop_depth > t->loop_depth ? n : t;
  return t == b->next ? t : n;
}

static void place_chain(struct block_layout *l, struct mir_block *b) {
  while (b) {
    l->exit[b->id].placed = true;
    l->order[l->blocks++] = b;
    b = follower(l, b);
  }
}

static void place_all(struct block_layout *l) {
  place_chain(l, thread(l, l->f->first));
  for (unsigned cold = 0; cold < 2; cold++)
    for (struct mir_block *b = l->f->first; b; b = b->next)
      if (l->exit[b->id].reached && !l->exit[b->id].placed && b->cold == cold) place_chain(l, b);
}

struct block_layout *block_layout_new(struct mir_function *f) {
  struct block_layout *l = ptx_alloc(f->arena, sizeof *l);
  l->f = f;
  l->exit = ptx_alloc(f->arena, (f->blocks + 1) * sizeof *l->exit);
  l->order = ptx_alloc(f->arena, (f->blocks + 1) * sizeof(struct mir_block *));
  for (struct mir_block *b = f->first; b; b = b->next) take_off(l, b);
  thread_all(l);
  reach_all(l);
  place_all(l);
  return l;
}

static void append_branch(struct block_layout *l, struct mir_block *b, struct mir_operand guard,
                          struct mir_block *target) {
  struct mir_builder m = {.f = l->f, .b = b, .guard = guard, .pos = b->last ? b->last->pos : (struct ptx_pos){0, 0}};
  mir_branch(&m, ISA_OP_BRA, target);
}

/* "@p EXIT", then a jump: the jump under !p goes first, which those that stay get to sooner. */
static bool jump_past_exit(struct block_layout *l, struct mir_block *b, struct mir_block *target) {
  struct mir_insn *last = b->last;
  if (!last || last->op != ISA_OP_EXIT || last->guard.kind != MIR_REG) return false;
  struct mir_operand stay = mir_not(last->guard);
  last->guard = mir_none();
  mir_remove(b, last);
  append_branch(l, b, stay, target);
  mir_append(b, last);
  return true;
}

void block_layout_finish(struct block_layout *l) {
  for (uint32_t k = 0; k < l->blocks; k++) {
    struct mir_block *b = l->order[k], *behind = k + 1 < l->blocks ? l->order[k + 1] : NULL;
    struct block_exit *e = &l->exit[b->id];
    if (e->verbatim || !e->next) continue;
    if (e->taken && e->taken == behind) {
      append_branch(l, b, mir_not(e->guard), e->next);
      continue;
    }
    if (e->taken && e->next != behind && e->next->loop_depth > e->taken->loop_depth) { /* the loop has one branch */
      append_branch(l, b, mir_not(e->guard), e->next);
      e->next = e->taken;
    } else if (e->taken) {
      append_branch(l, b, e->guard, e->taken);
    }
    if (e->next != behind && !jump_past_exit(l, b, e->next)) append_branch(l, b, mir_none(), e->next);
  }
}
