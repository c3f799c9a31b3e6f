/* SPDX-License-Identifier: Apache-2.0
 *
 * What a cat file may name, and the values of nodes, in their order.
 */
#include "lab/verify/litmus/src/cat.h"
#include "lab/verify/litmus/src/cat_internal.h"

/* What a cat file may name without defining it. */

const char *cat_set_name(enum cat_set s) {
  static const char *const name[CAT_SETS] = {[CAT_ALL] = "_",   [CAT_R] = "R",
                                             [CAT_W] = "W",     [CAT_M] = "M",
                                             [CAT_F] = "F",     [CAT_B] = "B",
                                             [CAT_ARV] = "ARV", [CAT_IW] = "IW",
                                             [CAT_RMW] = "RMW", [CAT_WEAK] = "WEAK",
                                             [CAT_RLX] = "RLX", [CAT_ACQ] = "ACQ",
                                             [CAT_REL] = "REL", [CAT_ACQ_REL] = "ACQ_REL",
                                             [CAT_SC] = "SC",   [CAT_CTA] = "CTA",
                                             [CAT_GPU] = "GPU"};
  return name[s];
}

const char *cat_relation_name(enum cat_relation r) {
  static const char *const name[CAT_RELATIONS] = {[CAT_ID] = "id",           [CAT_PO] = "po",
                                                  [CAT_LOC] = "loc",         [CAT_DEP] = "dep",
                                                  [CAT_SAME_CTA] = "cta",    [CAT_LAUNCH] = "launch",
                                                  [CAT_SYNCBAR] = "syncbar", [CAT_RF] = "rf",
                                                  [CAT_CO] = "co",           [CAT_ORDER_SC] = "order-sc"};
  return name[r];
}

/* The values of nodes, in their order. What is the same in all executions of a program is evaluated once. */

static void seq(struct relation *to, const struct relation *x, const struct relation *y, unsigned n) {
  for (unsigned a = 0; a < n; a++) {
    uint32_t row = 0;
    for (uint32_t left = x->row[a]; left != 0; left &= left - 1) row |= y->row[__builtin_ctz(left)];
    to->row[a] = row;
  }
}

static void set_node(struct cat *c, const struct cat_execution *x, unsigned k) {
  const struct cat_node *n = &c->node[k];
  uint32_t *to = &c->value[k].row[0];
  if (n->op == NODE_SET) {
    *to = x->set[n->a];
    return;
  }
  const uint32_t a = c->value[n->a].row[0], b = c->value[n->b].row[0];
  *to = n->op == NODE_OR ? a | b : n->op == NODE_AND ? a & b : a & ~b;
}

static void inverse(struct relation *to, const struct relation *a, unsigned n) {
  relation_clear(to, n);
  for (unsigned i = 0; i < n; i++)
    for (uint32_t left = a->row[i]; left != 0; left &= left - 1) to->row[__builtin_ctz(left)] |= UINT32_C(1) << i;
}

static void relation_node(struct cat *c, const struct cat_execution *x, unsigned k) {
  const struct cat_node *node = &c->node[k];
  const unsigned n = x->events;
  struct relation *to = &c->value[k];
  const struct relation *a = &c->value[node->op == NODE_BASE ? 0 : node->a];
  const struct relation *b = node->b == UINT16_MAX ? NULL : &c->value[node->b];
  switch (node->op) {
  case NODE_BASE:
    memcpy(to, &x->relation[node->a], n * sizeof to->row[0]);
    break;
  case NODE_OR:
    for (unsigned i = 0; i < n; i++) to->row[i] = a->row[i] | b->row[i];
    break;
  case NODE_AND:
    for (unsigned i = 0; i < n; i++) to->row[i] = a->row[i] & b->row[i];
    break;
  case NODE_MINUS:
    for (unsigned i = 0; i < n; i++) to->row[i] = a->row[i] & ~b->row[i];
    break;
  case NODE_SEQ:
    seq(to, a, b, n);
    break;
  case NODE_TIMES:
    for (unsigned i = 0; i < n; i++) to->row[i] = (a->row[0] >> i & 1u) != 0 ? b->row[0] : 0;
    break;
  case NODE_BRACKET:
    for (unsigned i = 0; i < n; i++) to->row[i] = a->row[0] & UINT32_C(1) << i;
    break;
  case NODE_INVERSE:
    inverse(to, a, n);
    break;
  default: /* PLUS, STAR, MAYBE; of REC the value is the group's */
    memcpy(to, a, n * sizeof to->row[0]);
    if (node->op != NODE_MAYBE) relation_close(to, n);
    for (unsigned i = 0; node->op != NODE_PLUS && i < n; i++) to->row[i] |= UINT32_C(1) << i;
  }
}

static void evaluate(struct cat *c, const struct cat_execution *x, unsigned first, unsigned end, bool dynamic) {
  for (unsigned k = first; k < end; k++) {
    if (c->node[k].op == NODE_REC || c->node[k].dynamic != dynamic) continue;
    if (c->node[k].set)
      set_node(c, x, k);
    else
      relation_node(c, x, k);
  }
}

/* From nothing up, until nothing more comes: the least that the definitions allow. */
static void group(struct cat *c, const struct cat_execution *x, const struct cat_group *g) {
  for (unsigned k = 0; k < g->members; k++) relation_clear(&c->value[g->rec[k]], x->events);
  for (bool more = true; more;) {
    more = false;
    evaluate(c, x, g->first, g->end, true);
    for (unsigned k = 0; k < g->members; k++) {
      struct relation *now = &c->value[g->rec[k]];
      const struct relation *to = &c->value[g->body[k]];
      for (unsigned i = 0; i < x->events; i++) {
        more |= (to->row[i] & ~now->row[i]) != 0;
        now->row[i] |= to->row[i];
      }
    }
  }
}

void cat_program(struct cat *c, const struct cat_execution *x) {
  evaluate(c, x, 0, c->nodes, false);
}

static bool check_holds(const struct cat *c, const struct cat_check *k, unsigned n) {
  const struct relation *r = &c->value[k->node];
  if (k->kind == CHECK_IRREFLEXIVE) return relation_irreflexive(r, n);
  if (k->kind == CHECK_EMPTY) {
    uint32_t any = 0;
    for (unsigned i = 0; i < (c->node[k->node].set ? 1 : n); i++) any |= r->row[i];
    return any == 0;
  }
  struct relation closed;
  memcpy(&closed, r, n * sizeof closed.row[0]);
  relation_close(&closed, n);
  return relation_irreflexive(&closed, n);
}

bool cat_allows(struct cat *c, const struct cat_execution *x, const char **broken) {
  unsigned done = 0, at = 0;
  for (unsigned k = 0; k < c->checks; k++) {
    const struct cat_check *check = &c->check[k];
    while (done <= check->node) { /* what this check needs, and a group as a whole */
      if (at < c->groups && c->group[at].first == done) {
        group(c, x, &c->group[at]);
        done = c->group[at++].end;
      } else {
        evaluate(c, x, done, done + 1, true);
        done++;
      }
    }
    if (check_holds(c, check, x->events)) continue;
    if (broken != NULL) *broken = check->name;
    return false;
  }
  return true;
}
