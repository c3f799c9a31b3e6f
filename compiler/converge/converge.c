/* SPDX-License-Identifier: Apache-2.0
 *
 * Reconvergence: where threads may part, they are brought together again.
 */
#include "converge.h"

#include <string.h>

/* Which loops wait for memory to change: those with a branch that leaves them and depends, inside the loop, on an
 * atomic, a volatile or otherwise strong load, or a call of what does such.
 *
 * What a branch depends on is followed backwards from it, as long as it lies in the loop:
 *  - what its operands and those of its guard are computed from;
 *  - of a phi, and of the branch itself, the branches that decide which way is taken to it ("while (!got) { if
 *    (atomicCAS(..) == 0) got = true; }": `got` is a constant on either way);
 *  - of a weak load, the stores in the loop that may be to the same place (a stack slot, which is where code that was
 *    not optimised has its variables), and calls.
 * When this takes too long, the loop is one that waits. */

enum { SLICE_STEPS = 1 << 22 }; /* of all slices of a function */

struct slice {
  struct converge *c;
  const struct pass_loop *loop;
  struct ir_insn **work; /* to look at */
  struct ir_block **way; /* the same: blocks, for the branches that decide on them */
  uint32_t *met;         /* by block id: the stamp of the slice that has had it as a way */
  uint32_t depth, ways, stamp;
  bool strong;   /* found */
  uint64_t left; /* steps */
};

static bool is_strong(const struct slice *s, const struct ir_insn *i) {
  const struct call_node *n = i->op == IR_CALL ? call_node_of(s->c->f->calls, i->calling.function) : NULL;
  if (i->op == IR_CALL) return n && n->strong;
  if (i->op == IR_LD && i->memory.space == PTX_LOCAL) return false;
  return i->op == IR_ATOM || (i->op == IR_LD && (i->memory.is_volatile || i->memory.strength != IR_WEAK));
}

static bool inside_loop(const struct slice *s, const struct ir_block *b) {
  return pass_loop_inside(s->c->g->loop[b->id], s->loop);
}

static void follow(struct slice *s, const struct ir_value *v) {
  if (!v || !v->def || v->def->dst[0]->mark == s->stamp || !inside_loop(s, v->def->block)) return;
  v->def->dst[0]->mark = s->stamp;
  s->work[s->depth++] = v->def;
}

static void follow_operands(struct slice *s, struct ir_insn *i) {
  for (unsigned k = 0; k < i->sources; k++)
    if (pass_sources(i)[k].kind == IR_VALUE) follow(s, pass_sources(i)[k].value);
  if (!i->guard) return;
  follow(s, i->guard);
  for (unsigned k = 0; k < i->dsts; k++)
    if (i->old[k].kind == IR_VALUE) follow(s, i->old[k].value);
}

/* Of the ways out of x, do some lead to b for sure, and others not? */
static bool decides(const struct slice *s, const struct ir_block *x, const struct ir_block *b) {
  const struct pass_tree *post = s->c->g->post;
  bool leads = false, misses = false;
  for (unsigned k = 0; k < x->succs; k++)
    if (pass_above(post, b->id, x->succ[k]->id))
      leads = true;
    else
      misses = true;
  return leads && misses;
}

/* A thread's way to b. */
static void follow_way(struct slice *s, struct ir_block *b) {
  if (s->met[b->id] == s->stamp) return;
  s->met[b->id] = s->stamp;
  s->way[s->ways++] = b;
}

/* The branches that decide whether a thread gets to b. */
static void follow_branches(struct slice *s, const struct ir_block *b) {
  const struct pass_order *o = s->c->g->order;
  for (uint32_t k = o->rank[s->loop->header->id]; k < o->count && s->left > 0; k++) {
    struct ir_block *x = o->block[k];
    s->left--;
    if (x->succs < 2 || !inside_loop(s, x) || !decides(s, x, b)) continue;
    follow_operands(s, x->last);
    follow_way(s, x);
  }
}

static void follow_choice(struct slice *s, const struct ir_insn *phi) {
  unsigned ways = 0;
  for (unsigned k = 0; k < phi->block->preds; k++) ways += inside_loop(s, phi->block->pred[k]);
  for (unsigned k = 0; ways > 1 && k < phi->block->preds; k++) {
    if (!inside_loop(s, phi->block->pred[k])) continue;
    follow_operands(s, phi->block->pred[k]->last);
    follow_way(s, phi->block->pred[k]);
  }
}

/* Variables are private, but for what the compiler does not know to be one. */
static bool is_private(const struct ir_insn *i) {
  return i->memory.space == PTX_LOCAL || i->memory.space == PTX_GENERIC;
}

static int64_t bytes_accessed(const struct ir_insn *i) {
  return (int64_t)ptx_type_bytes((enum ptx_type)i->type) * (i->memory.vector ? i->memory.vector : 1);
}

static bool may_meet(const struct ir_insn *a, const struct ir_insn *b) {
  if (!pass_same(&a->src[0], &b->src[0])) return true;
  const int64_t from = a->memory.offset, to = b->memory.offset;
  return from < to + bytes_accessed(b) && to < from + bytes_accessed(a);
}

/* What the variable gets in the loop. */
static void follow_stores(struct slice *s, const struct ir_insn *load) {
  const struct pass_order *o = s->c->g->order;
  for (uint32_t k = o->rank[s->loop->header->id]; k < o->count && s->left > 0; k++) {
    if (!inside_loop(s, o->block[k])) continue;
    for (struct ir_insn *i = o->block[k]->first; i && s->left > 0; i = i->next) {
      s->left--;
      if (i->op == IR_CALL && is_strong(s, i)) s->strong = true;
      if (i->op != IR_ST || !is_private(i) || !may_meet(load, i)) continue;
      follow_operands(s, i);
      follow_way(s, o->block[k]);
    }
  }
}

/* Does it depend on memory whether a thread leaves the loop at the end of b? */
static bool waits_for_memory(struct slice *s, struct ir_block *b) {
  s->stamp++;
  s->depth = s->ways = 0;
  s->strong = false;
  follow_operands(s, b->last);
  follow_way(s, b);
  while ((s->depth || s->ways) && !s->strong && s->left > 0) {
    if (!s->depth) {
      follow_branches(s, s->way[--s->ways]);
      continue;
    }
    struct ir_insn *i = s->work[--s->depth];
    s->left--;
    s->strong = is_strong(s, i);
    follow_operands(s, i);
    if (i->op == IR_PHI) follow_choice(s, i);
    if (i->op == IR_LD && is_private(i)) follow_stores(s, i);
  }
  return s->strong || s->left == 0;
}

static bool leaves_loop(const struct slice *s, const struct ir_block *b) {
  for (unsigned k = 0; k < b->succs; k++)
    if (!inside_loop(s, b->succ[k])) return true;
  return false;
}

static struct slice slice_new(struct converge *c) {
  struct slice s = {.c = c, .left = SLICE_STEPS};
  const struct pass_order *o = c->g->order;
  s.work = ptx_alloc(c->f->arena, ((size_t)c->f->values + 1) * sizeof(struct ir_insn *));
  s.way = ptx_alloc(c->f->arena, ((size_t)c->f->blocks + 1) * sizeof(struct ir_block *));
  s.met = ptx_alloc(c->f->arena, c->f->blocks * sizeof *s.met);
  for (uint32_t k = 0; k < o->count; k++)
    for (struct ir_insn *i = o->block[k]->first; i; i = i->next)
      for (unsigned d = 0; d < i->dsts; d++) i->dst[d]->mark = 0;
  return s;
}

static bool may_wait(const struct slice *s) {
  for (uint32_t k = 0; k < s->c->g->order->count; k++)
    for (const struct ir_insn *i = s->c->g->order->block[k]->first; i; i = i->next)
      if (is_strong(s, i)) return true;
  return false;
}

static void mark_yields(struct converge *c, const struct ir_block *b, const struct pass_loop *l) {
  if (l->irreducible) c->yields[b->id] = true;
  for (unsigned p = 0; !l->irreducible && p < l->header->preds; p++) {
    const struct ir_block *from = l->header->pred[p];
    if (pass_loop_inside(c->g->loop[from->id], l)) c->yields[from->id] = true;
  }
}

/* A loop that goes on until its compare-and-swap finds the value that it has read before: of those who are in it one
 * succeeds in each turn, and has got nothing that others wait for. */
static bool retries(const struct slice *s, const struct ir_block *b) {
  const struct ir_value *v = b->last->op == IR_CBR && b->last->src[0].kind == IR_VALUE ? b->last->src[0].value : NULL;
  const struct ir_insn *setp = v ? v->def : NULL;
  for (unsigned k = 0; setp && setp->op == IR_SETP && k < 2; k++) {
    const struct ir_operand *found = &setp->src[k], *expected = &setp->src[1 - k];
    const struct ir_insn *cas = found->kind == IR_VALUE ? found->value->def : NULL;
    if (cas && cas->op == IR_ATOM && cas->memory.atom == IR_A_CAS && pass_same(&cas->src[1], expected) &&
        expected->kind == IR_VALUE && expected->value->def && inside_loop(s, expected->value->def->block))
      return true;
  }
  return false;
}

static void find_loops(struct converge *c, struct slice *s) {
  for (uint32_t k = 0; k < c->g->order->count; k++) {
    struct ir_block *b = c->g->order->block[k];
    if (b->succs < 2) continue;
    for (s->loop = c->g->loop[b->id]; s->loop && leaves_loop(s, b); s->loop = s->loop->outer) {
      if (!waits_for_memory(s, b)) continue;
      c->g->polls[b->id] = true;
      c->g->holds[b->id] = c->g->holds[b->id] || !retries(s, b);
      if (!c->g->early[b->id] && !c->g->meeting[b->id]) mark_yields(c, b, s->loop);
    }
  }
}

static void converge_polls(struct converge *c) {
  struct slice s = slice_new(c);
  c->yields = ptx_alloc(c->f->arena, c->f->blocks);
  c->opens = ptx_alloc(c->f->arena, c->f->blocks);
  if (may_wait(&s)) find_loops(c, &s);
  for (uint32_t k = 0; k < c->g->order->count; k++) {
    const struct ir_block *b = c->g->order->block[k];
    const struct ir_insn *call = region_call(b);
    if (!call || !call->calling.spins) continue;
    c->g->polls[b->id] = c->g->holds[b->id] = true;
    c->opens[b->id] = !c->g->early[b->id];
  }
  for (uint32_t k = 0; k < c->g->order->count; k++)
    c->g->holders = c->g->holders || c->g->holds[c->g->order->block[k]->id];
}

/* Reconvergence: where threads may part, they are brought together again (isa/doc/03-divergence.md, both units).
 *
 * For every branch whose condition is not uniform a region (from, to) is found by the rules of converge.h, which make
 * sure that whoever gets to the BSYNC is a member, and that every member gets there or ends. Branches whose regions end
 * in the same block share the one that begins highest: it serves the others too, since their threads come from it. A
 * region that ends where nothing is done but to end, or to go on to the end of another that holds it, is not made.
 *
 * Barriers B0 to B14 are given from the outside in (B15 is that of expansions). A region gets a barrier above those of
 * all regions that are open where it begins, and that no region has which it shares a block with. So a thread that
 * waits on a barrier waits for threads that are running, have ended, or wait on barriers above it (of regions inside):
 * never in a circle, even when two groups of a warp are in different arms at once (the ITS unit) and use one barrier
 * for two regions: they then wait for each other longer than they must, no more. What would need a sixteenth barrier
 * goes without: the innermost do.
 *
 * Without a region threads go on apart to their ends. That is slower, and right, but in front of a barrier between
 * warps, which wants all of the warp: a warning says so. uniform.c is asked again whenever a region could not be had,
 * since nothing may then count on it.
 *
 * Loops that wait for memory to change (above): who leaves one may have got what those who stay wait for, a lock say,
 * and must be able to give it back before he waits for them, on the ITS unit, where both go on by turns. Therefore the
 * region of a branch that leaves such a loop, and of one that holds such a branch, ends late:
 *  - No BAR can follow, nor another place where lanes meet: where no store, atomic or return follows any more until the
 *    region begins again; there is none when that is nowhere. Besides, IR_YIELD at the end of each turn, which lets go
 * on who waits at a BSYNC for those that spin: he may have got more than one thing.
 *  - A BAR can follow: no YIELD, which would let threads come to the BAR one by one (and most such loops wait for other
 *    warps). The region ends right in front of a BAR. The same where lanes of a warp can meet (WARPSYNC, SHFL ...):
 * those who wait there for others must not be waited for at a BSYNC that they arm again.
 *  - The loop goes on until a compare-and-swap finds what was read before: who leaves has got nothing, and meets the
 *    others right behind the loop.
 *
 * Needs SSA form (and keeps it); finds dominators, loops, uniformity itself. Cuts blocks, adds some to loops;
 * afterwards value->uniform is right for the code as it stands, dominators are void. */

static void place_yields(struct converge *c) {
  for (uint32_t k = 0; k < c->g->order->count; k++) {
    struct ir_block *b = c->g->order->block[k];
    if (c->yields[b->id] && !c->waited[b->id])
      ir_insert_before(b->last, ir_insn_new(c->f, IR_YIELD, PTX_NO_TYPE, b->last->pos));
  }
}

/* ---- regions ---- */

static bool parts_threads(const struct ir_block *b) {
  const struct ir_insn *last = b->last;
  if (region_call(b)) return true;
  return (last->op == IR_CBR || last->op == IR_BRX) && last->src[0].kind == IR_VALUE && !last->src[0].value->uniform;
}

/* One region for each end: the one that begins highest. */
static void add_region(struct converge *c, const struct region *r) {
  struct region *old = c->ending[r->to->id];
  if (!old) {
    c->ending[r->to->id] = &c->region[c->regions];
    c->region[c->regions++] = *r;
  } else if (c->g->dom->level[r->from->id] < c->g->dom->level[old->from->id]) {
    old->from = r->from;
  }
}

/* Nothing is done at the end, but to go on to the end of a region that holds this one. */
static bool is_idle(const struct converge *c, const struct region *r) {
  const struct ir_insn *i = pass_body(r->to);
  if (i->op == IR_RET || (i->op == IR_EXIT && !i->guard)) return true;
  if (i->op != IR_BR) return false;
  const struct region *next = c->ending[r->to->succ[0]->id];
  return next && pass_above(c->g->dom, next->from->id, r->from->id);
}

static void find_regions(struct converge *c) {
  struct region r;
  c->regions = 0;
  memset(c->ending, 0, c->f->blocks * sizeof *c->ending);
  for (uint32_t k = 0; k < c->g->order->count; k++)
    if (parts_threads(c->g->order->block[k]) && region_find(c->g, c->g->order->block[k], &r)) add_region(c, &r);
  /* Ends of idle regions may be ends of others' ends: later ones first. */
  for (uint32_t k = c->regions; k-- > 0;)
    if (is_idle(c, &c->region[k])) c->region[k].barrier = REGION_IDLE;
}

/* What keeps the region together: itself, or, when it is idle, the region that it goes on to. NULL: nothing must, since
 * threads only end where it ends. */
static const struct region *kept_by(const struct converge *c, const struct region *r) {
  for (r = c->ending[r->to->id]; r->barrier == REGION_IDLE; r = c->ending[r->to->succ[0]->id])
    if (pass_body(r->to)->op != IR_BR) return NULL;
  return r;
}

/* Branches whose region has no barrier must do without, and so must loops that wait for memory where they cannot yield;
 * on a region that a YIELD can open nothing may count. True: there was one more of such. */
static bool lose(struct converge *c, bool all) {
  bool more = false;
  struct region r;
  for (uint32_t k = 0; k < c->g->order->count; k++) {
    struct ir_block *b = c->g->order->block[k];
    if (!parts_threads(b) || !region_find(c->g, b, &r)) continue;
    bool spins = c->g->polls[b->id] && !c->g->early[b->id] && c->waited[b->id];
    const struct region *by = kept_by(c, &r);
    if (spins || (by && by->barrier == REGION_NONE)) {
      c->g->lost[b->id] = more = true;
    } else if (by && by->loose && !c->g->loose[b->id]) {
      c->g->loose[b->id] = more = true;
    }
  }
  for (uint32_t k = 0; more && all && k < c->g->order->count; k++) c->g->lost[c->g->order->block[k]->id] = true;
  return more;
}

/* ---- writing it down ---- */

static void arm(struct converge *c, const struct region *r) {
  struct ir_insn *s = ir_insn_new(c->f, IR_BSSY, PTX_NO_TYPE, r->from->last->pos);
  struct ir_insn *y =
      ir_insn_new(c->f, IR_BSYNC, PTX_NO_TYPE, r->from->last->pos); /* of the branch, not yet the join's */
  s->converging.barrier = y->converging.barrier = (uint8_t)converge_number(c->f, r->barrier);
  s->converging.target = r->to;
  ir_insert_before(region_call(r->from) ? region_call(r->from) : r->from->last, s);
  ir_insert_before(pass_body(r->to), y);
}

static void warn(const struct converge *c) {
  struct region r;
  for (uint32_t k = 0; k < c->g->order->count; k++) {
    const struct ir_block *b = c->g->order->block[k];
    if (!parts_threads(b) || !c->g->early[b->id] || region_find(c->g, b, &r)) continue;
    ptx_warning(c->f->diag, b->last->pos,
                "threads of a warp that part here may not be together again at a barrier: it wants all of them");
  }
}

/* What callees may count on. */
static void tell_threads(const struct ir_block *b, const struct ir_insn *i, struct call_node *n) {
  unsigned word = 0;
  if (!b->together || n->recursive) n->apart = true;
  for (unsigned k = i->calling.function ? 0 : 1; k < i->sources; k++) {
    const bool wide = i->calling.wide >> k & 1, varies = i->src[k].kind == IR_VALUE && !i->src[k].value->uniform;
    if (wide) word = (word + 1) / 2 * 2;
    if (varies || n->recursive) n->varying |= (wide ? 3u : 1u) << word;
    word += wide ? 2 : 1;
  }
}

/* Callees use barriers above those that are open here (call.h). */
static void tell_callees(const struct converge *c) {
  for (uint32_t k = 0; k < c->g->order->count; k++) {
    const struct ir_block *b = c->g->order->block[k];
    const struct ir_insn *i = region_call(b);
    struct call_node *n = i ? call_node_of(c->f->calls, i->calling.function) : NULL;
    if (!n) continue;
    tell_threads(b, i, n);
    if (n->component == c->f->node->component) continue;
    unsigned rank = (unsigned)converge_call_ranks();
    while (rank > c->f->node->first_rank && !(c->busy[b->id] >> (rank - 1) & 1)) rank--;
    if (rank > n->first_rank) n->first_rank = rank;
    if (c->g->early[b->succ[0]->id]) n->before_bar = true;
  }
}

void ir_converge(struct ir_function *f) {
  struct converge c = {.f = f};
  region_prepare(f);
  c.g = region_new(f);
  converge_polls(&c);
  converge_new(&c);
  unsigned times = 0;
  do {
    uniform_find(c.g);
    find_regions(&c);
    converge_barriers(&c);
  } while (lose(&c, ++times == TIMES_MOST));
  if (f->diag) warn(&c);
  for (uint32_t k = 0; k < c.regions; k++) {
    if (c.region[k].barrier >= 0)
      arm(&c, &c.region[k]);
    else
      c.region[k].to->together = false; /* idle: nobody waits there */
  }
  place_yields(&c);
  tell_callees(&c);
}
