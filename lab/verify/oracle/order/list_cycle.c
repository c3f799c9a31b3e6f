/* SPDX-License-Identifier: Apache-2.0
 *
 * The cycle that there is, in words: the one of the fewest rules; stamps that follow each other count as one step.
 */
#include <stdlib.h>
#include <string.h>

#include "lab/verify/oracle/order/order_list.h"

enum { TRIES = 64 };

struct search {
  const uint32_t *left;
  uint32_t *cost, *by; /* of each node: rules on the way to it, the edge that it was reached by */
  uint32_t *queue;     /* two rounds: those of this cost, those of the next */
  uint32_t *next;
  uint32_t best, start; /* the cheapest cycle: its cost, and a node of it */
};

/* Reached by edge e at this cost. */
static void reach_node(const struct list *l, struct search *s, uint32_t e, uint32_t cost, uint32_t *queue, size_t *n) {
  const uint32_t to = l->edge[e].to;
  if (s->left[to] == 0 || s->cost[to] <= cost) return;
  s->cost[to] = cost;
  s->by[to] = e;
  queue[(*n)++] = to;
}

/* From start back to it. Edges of stamps cost nothing, so that they are followed within a round. */
static void cheapest(const struct list *l, struct search *s, uint32_t start) {
  size_t n = 0, m = 0;
  memset(s->cost, 0xff, list_nodes(l) * sizeof *s->cost);
  s->queue[n++] = start;
  for (uint32_t cost = 0; n != 0 && cost < s->best; cost++, n = m, m = 0) {
    for (size_t k = 0; k < n; k++) {
      const uint32_t at = s->queue[k];
      if (s->cost[at] < cost && at != start) continue;
      for (uint32_t e = l->first[at]; e < l->first[at + 1]; e++) {
        const bool free_of_cost = l->edge[e].why == WHY_STAMP;
        if (free_of_cost)
          reach_node(l, s, e, cost, s->queue, &n);
        else
          reach_node(l, s, e, cost + 1, s->next, &m);
      }
      if (s->cost[start] != UINT32_MAX) break;
    }
    uint32_t *was = s->queue;
    s->queue = s->next;
    s->next = was;
    if (s->cost[start] == UINT32_MAX) continue;
    if (s->cost[start] < s->best) {
      s->best = s->cost[start];
      s->start = start;
    }
    return;
  }
}

static enum order_axiom axiom_of(const struct list *l, const uint32_t *edge, size_t n) {
  bool fence = false, barrier = false, program = false, atomic = false, end = false;
  for (size_t k = 0; k < n; k++) {
    const struct list_edge *e = &l->edge[edge[k]];
    barrier |= e->why == WHY_ARRIVES || e->why == WHY_LEAVES || e->from >= l->events;
    fence |= e->why == WHY_OLDER || e->why == WHY_YOUNGER;
    program |= e->why == WHY_PROGRAM || e->why == WHY_WRITES;
    end |= e->to < l->events && l->event[e->to].kind == LIST_FINAL;
    atomic |= e->from < l->events && l->event[e->from].kind == LIST_ATOMIC;
  }
  if (barrier) return ORDER_BARRIER;
  if (fence) return ORDER_FENCE;
  if (end) return ORDER_MEMORY;
  if (program) return ORDER_PROGRAM;
  return atomic ? ORDER_ATOMICITY : ORDER_READS_FROM;
}

static const char *why_text(enum list_why why) {
  static const char *const text[] = {[WHY_PROGRAM] = "is older in its thread, at the same place: it comes before",
                                     [WHY_OLDER] = "is older than what orders its thread: it comes before",
                                     [WHY_YOUNGER] = "comes before what is younger in its thread",
                                     [WHY_ARRIVES] = "is before the barrier lets go",
                                     [WHY_LEAVES] = "comes before what its threads do after it",
                                     [WHY_READS] = "left what is read next: it comes before",
                                     [WHY_REPLACED] = "read what the next one has replaced: it comes before",
                                     [WHY_WRITES] =
                                         "was replaced by the next, whose value was read later: it comes before",
                                     [WHY_STAMP] = "has the earlier stamp",
                                     [WHY_END] = "comes before the end"};
  return text[why];
}

static bool report_cycle(struct list *l, const uint32_t *edge, size_t n) {
  enum order_axiom axiom = axiom_of(l, edge, n);
  size_t steps = 0;
  for (size_t k = 0; k < n; k++) {
    const struct list_edge *e = &l->edge[edge[k]];
    if (k > 0 && e->why == WHY_STAMP && l->edge[edge[k - 1]].why == WHY_STAMP) continue;
    char who[240];
    list_event_text(l, e->from, who, sizeof who);
    order_step_text(l->o, why_text((enum list_why)e->why), "%s", who);
    steps++;
  }
  return order_broken(l->o, axiom,
                      "%zu things each of which must come before the next, and the last before the first%s", steps,
                      steps > ORDER_STEPS ? " (not all are shown)" : "");
}

/* The edges of the best cycle, from its start on. */
static size_t trace_back(const struct list *l, struct search *s, uint32_t *edge) {
  size_t n = 0;
  for (uint32_t at = s->start; n == 0 || at != s->start; at = l->edge[edge[n - 1]].from) edge[n++] = s->by[at];
  for (size_t k = 0; k < n / 2; k++) {
    const uint32_t other = edge[k];
    edge[k] = edge[n - 1 - k];
    edge[n - 1 - k] = other;
  }
  /* Stamps in a row are one step: none may lie at both ends. */
  size_t turn = 0;
  while (turn < n && l->edge[edge[turn]].why == WHY_STAMP) turn++;
  if (turn == n) return n;
  memcpy(edge + n, edge, turn * sizeof *edge);
  memmove(edge, edge + turn, n * sizeof *edge);
  return n;
}

/* A node that lies on a cycle: whatever is left comes after something that is left, so the way back ends in one. */
static uint32_t on_cycle(const struct list *l, struct search *s) {
  uint32_t *before = s->by, *seen = s->cost, at = NOBODY;
  memset(seen, 0, list_nodes(l) * sizeof *seen);
  for (size_t k = 0; k < l->sorted; k++) {
    const struct list_edge *e = &l->edge[k];
    if (s->left[e->from] == 0 || s->left[e->to] == 0) continue;
    before[e->to] = e->from;
    at = e->to;
  }
  while (seen[at]++ == 0) at = before[at];
  return at;
}

static bool search(struct list *l, struct search *s, uint32_t *edge) {
  unsigned tries = 0;
  s->best = UINT32_MAX;
  cheapest(l, s, on_cycle(l, s));
  for (size_t k = 0; k < l->sorted && tries < TRIES; k++) {
    const struct list_edge *e = &l->edge[k];
    if (e->why == WHY_STAMP || s->left[e->from] == 0 || s->left[e->to] == 0) continue;
    tries++;
    cheapest(l, s, e->from);
  }
  s->best = UINT32_MAX;
  cheapest(l, s, s->start);
  return report_cycle(l, edge, trace_back(l, s, edge));
}

bool list_cycle(struct list *l, const uint32_t *left) {
  const size_t nodes = list_nodes(l), room = 2 * (nodes + l->sorted) + 2;
  uint32_t *all = malloc((2 * (nodes + 1) + 3 * room) * sizeof *all);
  if (all == NULL) return order_too_much(l->o, "no memory");
  struct search s = {.left = left, .cost = all, .by = all + nodes + 1, .queue = all + 2 * (nodes + 1)};
  s.next = s.queue + room;
  const bool ok = search(l, &s, s.next + room);
  free(all);
  return ok;
}
