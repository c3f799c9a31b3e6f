/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of SSA form. Dominators are computed here afresh (Cooper, Harvey, Kennedy: "A simple, fast dominance
 * algorithm"), so that a pass that forgot to bring its own up to date is found. Unreachable blocks are not judged.
 */
#include "compiler/graph/ir_check.h"

#include <stdlib.h>

enum { UNSEEN = UINT32_MAX };

struct order {
  const struct ir_function *f;
  const struct ir_block **by_rank; /* reachable blocks in reverse postorder */
  uint32_t *rank;                  /* of a block id; UNSEEN: unreachable */
  uint32_t *idom;                  /* rank -> rank */
  uint32_t reached;
};

/* Depth first with a stack of its own (graphs may be deep); postorder is filled in from the end. */
static bool walk(struct order *o) {
  uint32_t n = o->f->blocks, depth = 0, at = n;
  struct step {
    const struct ir_block *b;
    unsigned next;
  } *stack = calloc(n + 1, sizeof *stack);
  if (!stack) return false;
  for (uint32_t k = 0; k < n; k++) o->rank[k] = UNSEEN;
  o->rank[o->f->first->id] = 0;
  stack[depth++] = (struct step){o->f->first, 0};
  while (depth) {
    struct step *s = &stack[depth - 1];
    if (s->next == s->b->succs) {
      o->by_rank[--at] = s->b;
      depth--;
      continue;
    }
    const struct ir_block *to = s->b->succ[s->next++];
    if (o->rank[to->id] != UNSEEN) continue;
    o->rank[to->id] = 0;
    stack[depth++] = (struct step){to, 0};
  }
  free(stack);
  o->reached = n - at;
  for (uint32_t k = 0; k < o->reached; k++) {
    o->by_rank[k] = o->by_rank[at + k];
    o->rank[o->by_rank[k]->id] = k;
  }
  return true;
}

static uint32_t common_dominator(const struct order *o, uint32_t a, uint32_t b) {
  while (a != b) {
    while (a > b) a = o->idom[a];
    while (b > a) b = o->idom[b];
  }
  return a;
}

static void dominate(struct order *o) {
  for (uint32_t k = 0; k < o->reached; k++) o->idom[k] = k ? UNSEEN : 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = 1; k < o->reached; k++) {
      uint32_t best = UNSEEN;
      for (unsigned p = 0; p < o->by_rank[k]->preds; p++) {
        uint32_t r = o->rank[o->by_rank[k]->pred[p]->id];
        if (r == UNSEEN || o->idom[r] == UNSEEN) continue;
        best = best == UNSEEN ? r : common_dominator(o, best, r);
      }
      if (best != o->idom[k]) changed = true;
      o->idom[k] = best;
    }
  }
}

static bool dominates(const struct order *o, const struct ir_block *a, const struct ir_block *b) {
  uint32_t up = o->rank[a->id], down = o->rank[b->id];
  if (up == UNSEEN) return false;
  while (down > up) down = o->idom[down];
  return down == up;
}

struct use {
  const struct ir_insn *user;
  const struct ir_block *at; /* where the value must be there: the user's block, or a phi's predecessor */
  const uint32_t *index;     /* of a definition inside its block, by value id */
  uint32_t position;         /* of the use inside `at`; past the end for phis */
};

static const char *check_use(const struct order *o, const struct ir_value *v, struct use u) {
  const struct ir_block *b = u.user->block;
  if (!v) return check_failed(o->f, b, u.user, "an operand is missing");
  if (v->id >= o->f->values || !v->def || !v->def->block)
    return check_failed(o->f, b, u.user, "%%%u has no definition", v->id);
  const struct ir_block *from = v->def->block;
  if (from == u.at ? u.index[v->id] < u.position : dominates(o, from, u.at)) return NULL;
  return check_failed(o->f, b, u.user, "%%%u is used where its definition does not reach", v->id);
}

static const char *check_phi(const struct order *o, const struct ir_insn *i, const uint32_t *index) {
  const struct ir_block *b = i->block;
  if (i->prev && i->prev->op != IR_PHI) return check_failed(o->f, b, i, "not first in its block");
  if (i->dsts != 1 || !i->many || i->sources != b->preds)
    return check_failed(o->f, b, i, "%u sources, %u predecessors", i->sources, b->preds);
  if (i->guard) return check_failed(o->f, b, i, "has a guard");
  for (unsigned k = 0; k < i->sources; k++) {
    const struct ir_operand *s = &i->many[k];
    if (s->kind == IR_NONE) return check_failed(o->f, b, i, "source %u is missing", k);
    if (s->kind != IR_VALUE || o->rank[b->pred[k]->id] == UNSEEN) continue;
    if (s->value && s->value->class != i->dst[0]->class)
      return check_failed(o->f, b, i, "source %u has the wrong class", k);
    const char *wrong = check_use(o, s->value, (struct use){i, b->pred[k], index, UINT32_MAX});
    if (wrong) return wrong;
  }
  return NULL;
}

static const char *check_uses(const struct order *o, const struct ir_insn *i, const uint32_t *index,
                              uint32_t position) {
  struct use u = {i, i->block, index, position};
  const char *wrong = i->guard ? check_use(o, i->guard, u) : NULL;
  for (unsigned k = 0; k < i->sources && !wrong; k++)
    if (i->src[k].kind == IR_VALUE) wrong = check_use(o, i->src[k].value, u);
  for (unsigned k = 0; i->guard && k < i->dsts && !wrong; k++) {
    const struct ir_operand *old = &i->old[k];
    if (old->kind == IR_NONE) return check_failed(o->f, i->block, i, "guarded, and old value %u is not named", k);
    if (old->kind != IR_VALUE) continue;
    if (old->value && old->value->class != i->dst[k]->class)
      return check_failed(o->f, i->block, i, "old value %u has the wrong class", k);
    wrong = check_use(o, old->value, u);
  }
  return wrong;
}

/* Numbers the definitions of every block; each value may have one. */
static const char *check_definitions(const struct order *o, uint32_t *index) {
  for (uint32_t k = 0; k < o->f->values; k++) index[k] = UNSEEN;
  for (uint32_t r = 0; r < o->reached; r++) {
    uint32_t position = 0;
    for (const struct ir_insn *i = o->by_rank[r]->first; i; i = i->next, position++)
      for (unsigned k = 0; k < i->dsts; k++) {
        if (!i->dst[k] || i->dst[k]->id >= o->f->values)
          return check_failed(o->f, i->block, i, "destination %u is missing", k);
        if (index[i->dst[k]->id] != UNSEEN)
          return check_failed(o->f, i->block, i, "%%%u is defined twice", i->dst[k]->id);
        if (i->dst[k]->def != i) return check_failed(o->f, i->block, i, "%%%u names another definition", i->dst[k]->id);
        index[i->dst[k]->id] = position;
      }
  }
  return NULL;
}

static const char *check_all(struct order *o, uint32_t *index) {
  if (!walk(o)) return "no memory for the check";
  dominate(o);
  const char *wrong = check_definitions(o, index);
  for (uint32_t r = 0; r < o->reached && !wrong; r++) {
    uint32_t position = 0;
    for (const struct ir_insn *i = o->by_rank[r]->first; i && !wrong; i = i->next, position++)
      wrong = i->op == IR_PHI ? check_phi(o, i, index) : check_uses(o, i, index, position);
  }
  return wrong;
}

static const char *check_no_phis(const struct ir_function *f) {
  for (const struct ir_block *b = f->first; b; b = b->next)
    if (b->first && b->first->op == IR_PHI) return check_failed(f, b, b->first, "not in SSA form");
  return NULL;
}

const char *check_ssa(const struct ir_function *f, bool ssa) {
  if (!ssa) return check_no_phis(f);
  struct order o = {.f = f};
  uint32_t *index = calloc((size_t)f->values + 1, sizeof *index);
  o.by_rank = calloc((size_t)f->blocks + 1, sizeof *o.by_rank);
  o.rank = calloc((size_t)f->blocks + 1, sizeof *o.rank);
  o.idom = calloc((size_t)f->blocks + 1, sizeof *o.idom);
  const char *wrong = index && o.by_rank && o.rank && o.idom ? check_all(&o, index) : "no memory for the check";
  free(index);
  free(o.by_rank);
  free(o.rank);
  free(o.idom);
  return wrong;
}
