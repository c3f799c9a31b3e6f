/* SPDX-License-Identifier: Apache-2.0
 * Before copies are joined: x = y at the end of a turn of a loop, where y was computed while the old x was still to be
 * read. The readers of x are moved in front of y's computation, or that behind them, where nothing forbids it; then x
 * and y can be one register. A copy that is left alone in a block on the way back to the head of a loop moves into the
 * block in front of it, which saves a branch in every turn. */
#include "compiler/backend/live.h"
#include "compiler/backend/sched.h"
#include "compiler/backend/sched_memory.h"

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

void live_uncross(struct liveness *l) {
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
