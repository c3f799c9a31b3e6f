/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of the blocks.
 */
#include "compiler/backend/emit.h"
#include "compiler/backend/live.h"

/* Loops whose test stands first and whose last block jumps back to it: the part behind the test moves in front of it.
 * The last block then runs on into the loop's head and the test branches back, so that a trip takes one branch and not
 * two. Whoever comes to the loop jumps to its head instead, once. */

/* Of a loop. In a longer one a branch is little, and the part that moves comes to be fetched by a jump. */
enum { LENGTH_MOST = 64, BLOCKS_MOST = 64 };

struct rotation {
  struct block_layout *l;
  uint32_t *place;           /* in the order, by block id */
  struct mir_block **behind; /* scratch */
};

static bool is_within(const struct rotation *r, const struct mir_block *b, uint32_t from, uint32_t to) {
  return b && r->l->exit[b->id].placed && r->place[b->id] >= from && r->place[b->id] <= to;
}

/* Where the loop is left from block `at` that otherwise runs on to the next; NULL: it is not. */
static const struct mir_block *way_out(const struct rotation *r, uint32_t at, uint32_t from, uint32_t to) {
  const struct mir_block *b = r->l->order[at], *next = r->l->order[at + 1];
  const struct block_exit *e = &r->l->exit[b->id];
  if (!e->taken || e->verbatim || b->loop_depth != r->l->order[from]->loop_depth) return NULL;
  if (e->taken != next && e->next != next) return NULL;
  const struct mir_block *out = e->taken == next ? e->next : e->taken;
  return out && !is_within(r, out, from, to) ? out : NULL;
}

/* The first block that the loop may end with, or better the first whose way out is what stands behind the loop.
 * UINT32_MAX: none. */
static uint32_t find_end(const struct rotation *r, uint32_t from, uint32_t to) {
  const struct mir_block *after = to + 1 < r->l->blocks ? r->l->order[to + 1] : NULL;
  uint32_t end = UINT32_MAX;
  for (uint32_t at = from; at < to; at++) {
    const struct mir_block *out = way_out(r, at, from, to);
    if (out && out == after) return at;
    if (out && end == UINT32_MAX) end = at;
  }
  return end;
}

static bool is_long(const struct rotation *r, uint32_t from, uint32_t to) {
  uint32_t n = 0;
  if (to - from >= BLOCKS_MOST) return true;
  for (uint32_t k = from; k <= to; k++)
    for (const struct mir_insn *i = r->l->order[k]->first; i && n <= LENGTH_MOST; i = i->next) n++;
  return n > LENGTH_MOST;
}

/* A block that stands behind what it goes back to need not be a loop's last: a rare arm lies out of the way of its
 * join. Then it is entered from in front of that. */
static bool is_entered_at_first_only(const struct rotation *r, uint32_t from, uint32_t to) {
  for (uint32_t k = from + 1; k <= to; k++) {
    const struct mir_block *b = r->l->order[k];
    for (unsigned p = 0; p < b->preds; p++)
      if (r->l->exit[b->pred[p]->id].placed && r->place[b->pred[p]->id] < from) return false;
  }
  return true;
}

/* [from .. end] changes places with [end + 1 .. to]. */
static void turn(struct rotation *r, uint32_t from, uint32_t end, uint32_t to) {
  const uint32_t first = to - end, count = to - from + 1;
  for (uint32_t k = 0; k < count; k++) r->behind[k] = r->l->order[k < first ? end + 1 + k : from + k - first];
  for (uint32_t k = 0; k < count; k++) {
    r->l->order[from + k] = r->behind[k];
    r->place[r->behind[k]->id] = from + k;
  }
}

void block_layout_rotate(struct block_layout *l) {
  struct rotation r = {.l = l};
  r.place = ptx_alloc(l->f->arena, (l->f->blocks + 1) * sizeof *r.place);
  r.behind = ptx_alloc(l->f->arena, BLOCKS_MOST * sizeof(struct mir_block *));
  for (uint32_t k = 0; k < l->blocks; k++) r.place[l->order[k]->id] = k;
  for (uint32_t to = 0; to < l->blocks; to++) {
    const struct block_exit *e = &l->exit[l->order[to]->id];
    if (e->verbatim || e->taken || !e->next || !is_within(&r, e->next, 1, to)) continue;
    const uint32_t from = r.place[e->next->id];
    if (l->order[from]->loop_depth == 0 || is_long(&r, from, to) || !is_entered_at_first_only(&r, from, to)) continue;
    const uint32_t end = find_end(&r, from, to);
    if (end != UINT32_MAX) turn(&r, from, end, to);
  }
}

/* The order of the blocks: each is followed by one that it leads to if that has no place yet (of two the one in the
 * deeper loop, then the one that stood behind it), else by the first that has none; cold ones come last. */

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
