/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies joined, and what makes more of them fit to be joined.
 */
#include <stdlib.h>
#include "compiler/backend/live.h"
#include "compiler/backend/sched.h"

/* Before copies are joined: x = y at the end of a turn of a loop, where y was computed while the old x was still to be
 * read. The readers of x are moved in front of y's computation, or that behind them, where nothing forbids it; then x
 * and y can be one register. A copy that is left alone in a block on the way back to the head of a loop moves into the
 * block in front of it, which saves a branch in every turn. */

enum { DISTANCE_MAX = 64, HOISTED_MAX = 2 };

static bool operands_meet(struct mir_operand **x, unsigned n, struct mir_operand **y, unsigned m) {
  for (unsigned k = 0; k < n; k++)
    for (unsigned j = 0; j < m; j++)
      if (x[k]->reg == y[j]->reg && x[k]->sub < y[j]->sub + y[j]->words && y[j]->sub < x[k]->sub + x[k]->words)
        return true;
  return false;
}

/* Must the two keep their order? */
static bool bound(struct mir_insn *a, struct mir_insn *b) {
  struct mir_operand *ra[LIVE_USES_MAX], *wa[LIVE_DEFS_MAX], *rb[LIVE_USES_MAX], *wb[LIVE_DEFS_MAX];
  const unsigned nra = live_uses(a, ra), nwa = live_defs(a, wa), nrb = live_uses(b, rb), nwb = live_defs(b, wb);
  if (sched_is_wall(a) || sched_is_wall(b)) return true;
  if (operands_meet(wa, nwa, rb, nrb) || operands_meet(ra, nra, wb, nwb) || operands_meet(wa, nwa, wb, nwb))
    return true;
  const struct sched_access x = sched_access_of(a), y = sched_access_of(b);
  return sched_conflict(&x, &y);
}

static bool reads(struct mir_insn *i, struct mir_operand *x) {
  struct mir_operand *use[LIVE_USES_MAX];
  return operands_meet(use, live_uses(i, use), &x, 1);
}

static bool writes(struct mir_insn *i, struct mir_operand *x) {
  struct mir_operand *def[LIVE_DEFS_MAX];
  return operands_meet(def, live_defs(i, def), &x, 1);
}

/* Moves `i` up, in front of `to`. */
static bool lift(struct mir_block *b, struct mir_insn *i, struct mir_insn *to) {
  for (struct mir_insn *q = i->prev;; q = q->prev) {
    if (bound(q, i)) return false;
    if (q == to) break;
  }
  mir_remove(b, i);
  mir_insert_before(b, to, i);
  return true;
}

/* Moves `i` down, behind `to`. */
static bool lower(struct mir_block *b, struct mir_insn *i, struct mir_insn *to) {
  for (struct mir_insn *q = i->next;; q = q->next) {
    if (bound(i, q)) return false;
    if (q == to) break;
  }
  struct mir_insn *behind = to->next;
  mir_remove(b, i);
  mir_insert_before(b, behind, i);
  return true;
}

/* The instruction of b, at most DISTANCE_MAX in front of `from` (NULL: the end), that writes x; none if it passes a
 * write of `other` on the way. */
static struct mir_insn *writer_of(struct mir_block *b, struct mir_insn *from, struct mir_operand *x,
                                  struct mir_operand *other) {
  struct mir_insn *i = from ? from->prev : b->last;
  for (unsigned n = 0; i && n < DISTANCE_MAX; i = i->prev, n++) {
    if (writes(i, x)) return i;
    if (writes(i, other)) return NULL;
  }
  return NULL;
}

/* x = y behind `end` (NULL: behind all of b). */
static void uncross(struct mir_block *b, struct mir_insn *end, struct mir_operand *x, struct mir_operand *y) {
  struct mir_insn *computed = writer_of(b, end, y, x), *stuck = NULL;
  if (!computed || computed->guard.kind == MIR_REG) return;
  for (struct mir_insn *i = computed->next, *next; i && i != end; i = next) {
    next = i->next;
    if (reads(i, x) && !lift(b, i, computed)) stuck = i;
  }
  if (stuck && !writes(computed, x)) lower(b, computed, stuck);
}

static bool lives_behind(const struct liveness *l, const struct mir_block *b, const struct mir_operand *x) {
  const struct live_block *lb = &l->block[b->id];
  uint32_t low = 0, high = lb->outs, word = live_word_of(l, x, 0);
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (lb->out[middle] < word)
      low = middle + 1;
    else
      high = middle;
  }
  return low < lb->outs && lb->out[low] == word;
}

/* The only block in front of b, of the same loop, if b does nothing but pass on. */
static struct mir_block *in_front(const struct mir_block *b) {
  struct mir_block *p = b->preds == 1 ? b->pred[0] : NULL;
  return p && p != b && p->succs == 2 && b->succs == 1 && b->loop_depth > 0 && b->loop_depth == p->loop_depth ? p
                                                                                                              : NULL;
}

/* What has come into a block from one of the two behind it. */
struct hoisted {
  struct mir_insn *insn[HOISTED_MAX];
};

/* The other block behind needs it as it is: `lives_behind` is of the time before. */
static bool is_taken(const struct hoisted *h, struct mir_operand *x) {
  for (unsigned k = 0; k < HOISTED_MAX; k++)
    if (h->insn[k] && writes(h->insn[k], x)) return true;
  return false;
}

/* Into the block in front, ahead of its branches. */
static void hoist(const struct liveness *l, struct mir_block *b, struct mir_block *p, struct hoisted *h) {
  unsigned n = 0;
  for (struct mir_insn *i = b->first; i && !live_is_branch(i); i = i->next, n++)
    if (!live_copied(i) || i->guard.kind == MIR_REG || i->rd.kind != MIR_REG || lives_behind(l, p, &i->rd) ||
        is_taken(h, &i->rd))
      return;
  if (n > HOISTED_MAX) return;
  struct mir_insn *to = p->last;
  if (!to || !live_is_branch(to)) return;
  while (to->prev && live_is_branch(to->prev)) to = to->prev;
  while (n-- > 0) {
    struct mir_insn *i = h->insn[n] = b->first;
    mir_remove(b, i);
    mir_insert_before(p, to, i);
  }
}

/* Moves instructions within blocks so that copies can be joined. */
static void live_uncross(struct liveness *l) {
  struct hoisted *hoisted = ptx_alloc(l->f->arena, (l->f->blocks + 1) * sizeof *hoisted);
  for (uint32_t k = 0; k < l->blocks; k++) {
    struct mir_block *b = l->order[k], *p = in_front(b);
    for (struct mir_insn *i = b->first; i; i = i->next) {
      struct mir_operand *from = live_copied(i);
      if (!from || i->rd.kind != MIR_REG || i->guard.kind == MIR_REG) continue;
      if (!p)
        uncross(b, i, &i->rd, from);
      else if (!lives_behind(l, p, &i->rd))
        uncross(p, NULL, &i->rd, from);
    }
    if (p) hoist(l, b, p, &hoisted[p->id]);
  }
}

/* Copies joined: source and result become one register where they never hold different values at one time.
 *
 * Registers are joined into classes of 1, 2 or 4 words; a member has its place in the class, so that words that are
 * packed into a pair (or taken out of one) become words of it. Two words of different classes that fall together must
 * not meet: no write of the one while the other lives, copies between the two excepted (they change nothing). What
 * lives overlap without such a write have no value yet. Copies in inner loops come first; last the sums of loops, whose
 * results go where the sum was. */

/* Joining costs time along the ranges of both: classes of more pieces than this are left as they are. */
enum { PIECES_MAX = 6000 };

struct class {
  uint32_t parent; /* itself: a class of its own */
  uint8_t place;   /* word of the parent at which it begins */
};

struct copy {
  struct mir_insn *insn;
  struct mir_operand *from;
  uint32_t weight, order;
  bool sum; /* none: see added_to */
};

struct coalescer {
  struct mir_function *f;
  struct liveness *l;
  struct class *class;
};

/* The class of a register, *place the word of the class where it begins; paths are shortened. */
static uint32_t find_class(struct coalescer *c, uint32_t v, unsigned *place) {
  uint32_t root = v;
  unsigned at = 0;
  while (c->class[root].parent != root) {
    at += c->class[root].place;
    root = c->class[root].parent;
  }
  *place = at;
  while (c->class[v].parent != root && v != root) {
    struct class old = c->class[v];
    c->class[v] = (struct class){.parent = root, .place = (uint8_t)at};
    at -= old.place;
    v = old.parent;
  }
  return root;
}

static struct live_word *class_word(struct coalescer *c, uint32_t root, unsigned word) {
  return &c->l->word[c->l->base[root] + word];
}

/* Does a write of x fall into the life of y? Copies of x and y do not count. */
static bool clashes(struct coalescer *c, const struct live_word *x, const struct live_word *y) {
  const struct live_range *r = y->ranges;
  for (const struct live_def *d = x->defs; d && r; d = d->next) {
    while (r && r->end < d->at) r = r->next;
    if (!r) return false;
    if (d->at < r->start) continue;
    if (d->copy_of == LIVE_NO_WORD) return true;
    unsigned place;
    uint32_t v = c->l->reg[d->copy_of], root = find_class(c, v, &place);
    const struct live_word *source = class_word(c, root, place + d->copy_of - c->l->base[v]);
    if (source != x && source != y) return true;
  }
  return false;
}

/* May class b begin at word `at` of class a? */
static bool class_fits(struct coalescer *c, uint32_t a, uint32_t b, unsigned at) {
  for (unsigned k = 0; k < c->f->vreg[b].words; k++) {
    struct live_word *x = class_word(c, a, at + k), *y = class_word(c, b, k);
    if (x->pieces + y->pieces > PIECES_MAX) return false;
    if (clashes(c, x, y) || clashes(c, y, x)) return false;
  }
  return true;
}

static struct live_range *merge_ranges(struct live_range *a, struct live_range *b) {
  struct live_range *first = NULL, **to = &first, *last = NULL;
  while (a || b) {
    struct live_range **least = !b || (a && a->start <= b->start) ? &a : &b, *r = *least;
    *least = r->next;
    if (last && r->start <= last->end + 1) {
      if (r->end > last->end) last->end = r->end;
      continue;
    }
    r->next = NULL;
    *to = last = r;
    to = &r->next;
  }
  return first;
}

static struct live_def *merge_defs(struct live_def *a, struct live_def *b) {
  struct live_def *first = NULL, **to = &first;
  while (a || b) {
    struct live_def **least = !b || (a && a->at <= b->at) ? &a : &b, *d = *least;
    *least = d->next;
    *to = d;
    to = &d->next;
  }
  *to = NULL;
  return first;
}

static void join_classes(struct coalescer *c, uint32_t a, uint32_t b, unsigned at) {
  for (unsigned k = 0; k < c->f->vreg[b].words; k++) {
    struct live_word *x = class_word(c, a, at + k), *y = class_word(c, b, k);
    x->ranges = merge_ranges(x->ranges, y->ranges);
    x->defs = merge_defs(x->defs, y->defs);
    x->pieces += y->pieces;
  }
  c->class[b] = (struct class){.parent = a, .place = (uint8_t)at};
}

/* Is the word written in several places? A sum that comes round a loop is. */
static bool has_several_writes(struct coalescer *c, uint32_t root, unsigned word) {
  const struct live_def *d = class_word(c, root, word)->defs;
  return d && d->next;
}

static void try_copy(struct coalescer *c, const struct copy *copy) {
  unsigned pa, pb;
  uint32_t a = find_class(c, copy->insn->pd[0].kind == MIR_REG ? copy->insn->pd[0].reg : copy->insn->rd.reg, &pa);
  uint32_t b = find_class(c, copy->from->reg, &pb);
  if (a == b || c->f->vreg[a].fixed >= 0 || c->f->vreg[b].fixed >= 0) return;
  if (copy->insn->rd.kind == MIR_REG) pa += copy->insn->rd.sub;
  pb += copy->from->sub;
  if (copy->sum && !has_several_writes(c, a, pa) && !has_several_writes(c, b, pb)) return;
  if (c->f->vreg[a].words < c->f->vreg[b].words) {
    uint32_t v = a;
    unsigned p = pa;
    a = b, pa = pb;
    b = v, pb = p;
  }
  if (pa < pb || (pa - pb) % c->f->vreg[b].words != 0) return;
  if (class_fits(c, a, b, pa - pb)) join_classes(c, a, b, pa - pb);
}

/* A sum of products that goes on in a loop: what is added to. Its register is the place for the result, too; another
 * one may be part of a wide one, which banks.c cannot move. */
static struct mir_operand *added_to(const struct mir_block *b, struct mir_insn *i) {
  if (b->loop_depth == 0 || (i->op != ISA_OP_FFMA && i->op != ISA_OP_DFMA && i->op != ISA_OP_HFMA2)) return NULL;
  return i->rd.kind == MIR_REG && i->src[2].kind == MIR_REG ? &i->src[2] : NULL;
}

static int by_weight(const void *x, const void *y) {
  const struct copy *a = x, *b = y;
  if (a->weight != b->weight) return a->weight > b->weight ? -1 : 1;
  return a->order < b->order ? -1 : 1;
}

static uint32_t weight(const struct mir_block *b) {
  return b->cold ? 0 : b->loop_depth + 1;
}

static void try_all(struct coalescer *c) {
  size_t n = 0, at = 0;
  for (struct mir_block *b = c->f->first; b; b = b->next)
    for (struct mir_insn *i = b->first; i; i = i->next) n += live_copied(i) || added_to(b, i);
  struct copy *copy = live_alloc(c->f, (n + 1) * sizeof *copy);
  for (struct mir_block *b = c->f->first; b; b = b->next)
    for (struct mir_insn *i = b->first; i; i = i->next) {
      struct mir_operand *from = live_copied(i), *sum = added_to(b, i);
      if (from) copy[at++] = (struct copy){i, from, weight(b), i->mark, false};
      if (sum) copy[at++] = (struct copy){i, sum, 0, i->mark, true};
    }
  qsort(copy, n, sizeof *copy, by_weight);
  for (size_t k = 0; k < n; k++) try_copy(c, &copy[k]);
}

static void rename_operand(struct coalescer *c, struct mir_operand *x) {
  unsigned place;
  if (x->kind != MIR_REG) return;
  x->reg = find_class(c, x->reg, &place);
  x->sub = (uint8_t)(x->sub + place);
}

static void rename_insn(struct coalescer *c, struct mir_insn *i) {
  rename_operand(c, &i->guard);
  rename_operand(c, &i->rd);
  for (unsigned k = 0; k < 2; k++) rename_operand(c, &i->pd[k]);
  for (unsigned k = 0; k < 3; k++) {
    rename_operand(c, &i->src[k]);
    rename_operand(c, &i->ps[k]);
  }
}

/* A copy of a word to itself, whatever the guard. */
static bool is_idle(struct mir_insn *i) {
  const bool keeps = i->keeps_old;
  i->keeps_old = false;
  const struct mir_operand *from = live_copied(i), *to = i->rd.kind == MIR_REG ? &i->rd : &i->pd[0];
  i->keeps_old = keeps;
  return from && from->reg == to->reg && from->sub == to->sub;
}

static void rewrite_insns(struct coalescer *c) {
  for (struct mir_block *b = c->f->first; b; b = b->next)
    for (struct mir_insn *i = b->first, *next; i; i = next) {
      next = i->next;
      rename_insn(c, i);
      if (is_idle(i)) mir_remove(b, i);
    }
}

void mir_coalesce(struct mir_function *f) {
  live_open_scratch(f);
  for (unsigned round = 0; round < 4 && live_drop_dead(live_blocks(f)) > 0; round++) {}
  live_uncross(live_blocks(f));
  struct coalescer c = {.f = f, .l = live_ranges(f)};
  c.class = live_alloc(f, (f->vregs + 1) * sizeof *c.class);
  for (uint32_t v = 0; v < f->vregs; v++) c.class[v].parent = v;
  try_all(&c);
  rewrite_insns(&c);
  live_close_scratch(f);
}
