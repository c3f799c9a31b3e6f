/* SPDX-License-Identifier: Apache-2.0
 * Copies joined: source and result become one register where they never hold different values at one time.
 *
 * Registers are joined into classes of 1, 2 or 4 words; a member has its place in the class, so that words that are
 * packed into a pair (or taken out of one) become words of it. Two words of different classes that fall together must
 * not meet: no write of the one while the other lives, copies between the two excepted (they change nothing). What
 * lives overlap without such a write have no value yet. Copies in inner loops come first; last the sums of loops, whose
 * results go where the sum was. */
#include "compiler/backend/live.h"

#include <stdlib.h>

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
