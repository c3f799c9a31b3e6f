/* SPDX-License-Identifier: Apache-2.0
 * Models and executions. */
#include <stdlib.h>

#include "lab/verify/litmus/src/litmus_judge.h"

bool judge_start(struct judge *j, const struct test *t, const struct candidate *c) {
  if (!view_build(t, j->kind, j->narrow, c->failed, &j->view)) return false;
  cat_program(j->model, &j->view.x);
  return true;
}

/* All orders of the fences that are left, behind those that stand in `older`. */
static bool some_order(struct judge *j, uint32_t left, uint32_t older, const char **broken) {
  struct relation *r = &j->view.x.relation[CAT_ORDER_SC];
  if (left == 0) return cat_allows(j->model, &j->view.x, broken);
  for (uint32_t rest = left; rest != 0; rest &= rest - 1) {
    const uint32_t f = rest & -rest;
    for (uint32_t o = older; o != 0; o &= o - 1) r->row[__builtin_ctz(o)] |= f;
    if (some_order(j, left & ~f, older | f, broken)) return true;
    for (uint32_t o = older; o != 0; o &= o - 1) r->row[__builtin_ctz(o)] &= ~f;
  }
  return false;
}

bool judge_allows(struct judge *j, const struct test *t, const struct candidate *c, const char **broken) {
  candidate_apply(c, t, &j->view);
  relation_clear(&j->view.x.relation[CAT_ORDER_SC], j->view.x.events);
  return some_order(j, cat_uses(j->model, CAT_ORDER_SC) ? j->view.fences : 0, 0, broken);
}

/* ---- outcomes ---- */

struct collect {
  struct judge j;
  const struct test *t;
  struct outcomes *o;
  bool bad;
};

static int compare_outcomes(const uint32_t *a, const uint32_t *b, unsigned width) {
  for (unsigned k = 0; k < width; k++)
    if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
  return 0;
}

/* The first that is not below. */
static unsigned find_outcome(const struct outcomes *o, const uint32_t *value) {
  unsigned low = 0, high = o->count;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (compare_outcomes(o->value[middle], value, o->width) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool outcomes_has(const struct outcomes *o, const uint32_t *value) {
  const unsigned k = find_outcome(o, value);
  return k < o->count && compare_outcomes(o->value[k], value, o->width) == 0;
}

static bool collect_allowed(void *ctx, const struct candidate *c, bool fresh) {
  struct collect *k = ctx;
  struct outcomes *o = k->o;
  uint32_t value[OUTCOME_MAX];
  if (fresh && !judge_start(&k->j, k->t, c)) {
    k->bad = true;
    return false;
  }
  o->candidates++;
  o->width = candidate_outcome(c, k->t, value);
  if (!judge_allows(&k->j, k->t, c, NULL)) return true;
  o->allowed++;
  if (outcomes_has(o, value)) return true;
  if (o->count == OUTCOMES_MAX) {
    o->too_many = k->bad = true;
    return false;
  }
  const unsigned at = find_outcome(o, value);
  memmove(o->value[at + 1], o->value[at], (o->count - at) * sizeof *o->value);
  memcpy(o->value[at], value, sizeof value[0] * o->width);
  o->count++;
  return true;
}

bool judge_outcomes(struct cat *model, enum view_kind kind, unsigned narrow, const struct test *t, struct outcomes *o) {
  struct collect k = {.j = {.model = model, .kind = kind, .narrow = narrow}, .t = t, .o = o};
  *o = (struct outcomes){.value = malloc((OUTCOMES_MAX + 1) * sizeof *o->value)};
  if (o->value == NULL) return false;
  candidate_each(t, collect_allowed, &k);
  return !k.bad;
}

void outcomes_free(struct outcomes *o) {
  free(o->value);
  *o = (struct outcomes){0};
}
