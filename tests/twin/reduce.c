/* SPDX-License-Identifier: Apache-2.0
 * Making a failing program small. */
#include <string.h>

#include "tests/twin/check.h"

static bool fails(const struct check *c, struct twin *t, enum twin_level level, struct suite_verdict *v) {
  struct native x;
  char why[200];
  struct suite_verdict now = {.item = v->item, .passed = true};
  struct expected e = {0};
  if (!native_make(&x, &t, 1, c->wrong, why, sizeof why)) return false;
  bool same = !expected_make(&e, t, native_find(&x, 0)) || check_level(c, t, &e, level, NULL, &now);
  expected_free(&e);
  native_free(&x);
  /* Another failure of the same kind is as good; a refusal instead of a difference is not. */
  if (same || now.status != v->status) return false;
  *v = now;
  return true;
}

static bool may_go(const struct twin *t, uint32_t n) {
  if (n == t->body || t->node[n].removed) return false;
  for (unsigned f = 0; f < TWIN_FUNCTIONS; f++)
    if (t->function[f] == n) return false;
  return t->node[n].kind != N_LIST;
}

/* Tries to leave out the nodes from..to-1 at once. */
static bool leave_out(const struct check *c, struct twin *t, uint32_t from, uint32_t to, enum twin_level level,
                      struct suite_verdict *v) {
  static bool before[TWIN_NODES];
  bool any = false;
  for (uint32_t n = from; n < to; n++) {
    before[n] = t->node[n].removed;
    if (!may_go(t, n)) continue;
    t->node[n].removed = any = true;
  }
  if (!any || fails(c, t, level, v)) return any;
  for (uint32_t n = from; n < to; n++) t->node[n].removed = before[n];
  return false;
}

void reduce(const struct check *c, struct twin *t, enum twin_level level, struct suite_verdict *v) {
  const struct suite_verdict first = *v;
  for (unsigned step = 64; step > 0; step /= 2) {
    bool less = true;
    for (unsigned round = 0; less && round < 4; round++) {
      less = false;
      for (uint32_t n = 0; n < t->nodes; n += step) {
        uint32_t end = n + step < t->nodes ? n + step : t->nodes;
        less |= leave_out(c, t, n, end, level, v);
      }
      if (step > 1) break;
    }
  }
  v->seconds = first.seconds;
}
