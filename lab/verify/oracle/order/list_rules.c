/* SPDX-License-Identifier: Apache-2.0
 *
 * What must come before what, whatever was read, and an order that obeys it.
 */
#include <stdlib.h>
#include <string.h>
#include "base/array.h"
#include "lab/verify/oracle/order/order_list.h"

/* Edges by their source, and an order of all nodes that obeys them, if there is one. */

bool list_sorted(struct list *l) {
  const size_t nodes = list_nodes(l);
  struct list_edge *by = malloc((l->edges + 1) * sizeof *by);
  free(l->first);
  l->first = calloc(nodes + 2, sizeof *l->first);
  if (by == NULL || l->first == NULL) {
    free(by);
    return order_too_much(l->o, "no memory");
  }
  for (size_t k = 0; k < l->edges; k++) l->first[l->edge[k].from + 2]++;
  for (size_t n = 0; n < nodes; n++) l->first[n + 2] += l->first[n + 1];
  for (size_t k = 0; k < l->edges; k++) by[l->first[l->edge[k].from + 1]++] = l->edge[k];
  free(l->edge);
  l->edge = by;
  l->edges_room = l->edges + 1;
  l->sorted = l->edges;
  return true;
}

/* How many edges lead to each node. */
static void count_incoming(const struct list *l, uint32_t *left) {
  memset(left, 0, list_nodes(l) * sizeof *left);
  for (size_t k = 0; k < l->sorted; k++) left[l->edge[k].to]++;
}

bool list_acyclic(struct list *l) {
  const size_t nodes = list_nodes(l);
  uint32_t *left = malloc((nodes + 1) * sizeof *left);
  free(l->moment);
  l->moment = malloc((nodes + 1) * sizeof *l->moment);
  if (left == NULL || l->moment == NULL) {
    free(left);
    return order_too_much(l->o, "no memory");
  }
  count_incoming(l, left);
  l->moments = 0;
  for (uint32_t n = 0; n < nodes; n++)
    if (left[n] == 0) l->moment[l->moments++] = n;
  for (size_t k = 0; k < l->moments; k++)
    for (uint32_t e = l->first[l->moment[k]]; e < l->first[l->moment[k] + 1]; e++)
      if (--left[l->edge[e].to] == 0) l->moment[l->moments++] = l->edge[e].to;
  const bool ok = l->moments == nodes || list_cycle(l, left);
  free(left);
  return ok;
}

/* What must come before what, whatever was read: program order at a location, fences, barriers, stamps. */

/* A fence as it acts: older accesses are before younger ones. ACQUIRE: older reads; RELEASE: younger writes. */
enum { ACT_FULL, ACT_ACQUIRE, ACT_RELEASE, ACTS };

struct walk {                        /* of a thread, for each way of acting and scope */
  uint32_t last[ACTS][LIST_SCOPES];  /* node that younger accesses come after, NOBODY */
  uint32_t start[ACTS][LIST_SCOPES]; /* the first access that no fence has taken yet */
};

bool list_edge(struct list *l, uint32_t from, uint32_t to, enum list_why why) {
  if (from == to) return true;
  if (l->edges >= LIST_EDGES || !array_room(&l->edge, &l->edges_room, l->edges + 1, sizeof *l->edge))
    return order_too_much(l->o, "more rules between events than can be kept; cut the list");
  l->edge[l->edges++] = (struct list_edge){from, to, (uint8_t)why};
  return true;
}

/* ---- events, thread after thread ---- */

struct place_in_order {
  uint32_t thread, order, event;
};

static int by_order(const void *a, const void *b) {
  const struct place_in_order *x = a, *y = b;
  if (x->thread != y->thread) return x->thread < y->thread ? -1 : 1;
  if (x->order != y->order) return x->order < y->order ? -1 : 1;
  return x->event < y->event ? -1 : 1;
}

static bool sort_threads(struct list *l) {
  struct place_in_order *p = malloc((l->events + 1) * sizeof *p);
  size_t n = 0;
  l->by_thread = malloc((l->events + 1) * sizeof *l->by_thread);
  if (p == NULL || l->by_thread == NULL) {
    free(p);
    return order_too_much(l->o, "no memory");
  }
  for (uint32_t k = 0; k < l->events; k++)
    if (l->event[k].kind != LIST_FINAL) p[n++] = (struct place_in_order){l->event[k].thread, l->event[k].order, k};
  qsort(p, n, sizeof *p, by_order);
  for (size_t k = 0; k < n; k++) {
    struct list_thread *t = &l->thread[p[k].thread];
    if (t->events++ == 0) t->first = (uint32_t)k;
    l->by_thread[k] = p[k].event;
  }
  free(p);
  return true;
}

/* ---- program order at a location ---- */

/* granules: a granule -> its number; newest: (granule, thread) -> the latest access. */
static bool program_order(struct list *l, struct map *granules, struct map *newest, uint32_t node) {
  const struct list_event *e = &l->event[node];
  const uint32_t granule = e->space == ISA_SPACE_GLOBAL ? l->granule : 1;
  for (uint64_t g = e->at / granule; g <= (e->at + e->bytes - 1) / granule; g++) {
    uint64_t *number = map_at(granules, list_place(e), g, NOBODY);
    if (number == NULL) return order_too_much(l->o, "no memory");
    if (*number == NOBODY) *number = (uint32_t)granules->used;
    uint64_t *before = map_at(newest, *number, e->thread, NOBODY);
    if (before == NULL) return order_too_much(l->o, "no memory");
    l->o->r->judged[ORDER_PROGRAM]++;
    if (*before != NOBODY && !list_edge(l, (uint32_t)*before, node, WHY_PROGRAM)) return false;
    *before = node;
  }
  return true;
}

/* ---- fences ---- */

static bool older_counts(unsigned act, const struct list_event *e) {
  return list_accesses(e) && (act != ACT_ACQUIRE || list_reads(e));
}
static bool younger_counts(unsigned act, const struct list_event *e) {
  return act != ACT_RELEASE || list_writes(e);
}

/* What the thread has done since the last such fence is before `node`. */
static bool take_older(struct list *l, const struct list_thread *t, struct walk *w, unsigned act, unsigned scope,
                       uint32_t end, uint32_t node) {
  for (uint32_t k = w->start[act][scope]; k < end; k++) {
    const uint32_t from = l->by_thread[t->first + k];
    const struct list_event *e = &l->event[from];
    if (!older_counts(act, e)) continue;
    if (e->domain > scope)
      l->o->r->narrow++;
    else if (!list_edge(l, from, node, node < l->events ? WHY_OLDER : WHY_ARRIVES))
      return false;
  }
  return w->last[act][scope] == NOBODY || list_edge(l, w->last[act][scope], node, WHY_OLDER);
}

static bool take_younger(struct list *l, const struct walk *w, uint32_t node) {
  const struct list_event *e = &l->event[node];
  for (unsigned act = 0; act < ACTS; act++)
    for (unsigned scope = e->domain; scope < LIST_SCOPES && younger_counts(act, e); scope++) {
      const uint32_t last = w->last[act][scope];
      if (last != NOBODY && !list_edge(l, last, node, last < l->events ? WHY_YOUNGER : WHY_LEAVES)) return false;
    }
  return true;
}

/* Accesses with an order of their own: acquire before all that is younger, release after all that is older. */
static bool ordered_access(struct list *l, const struct list_thread *t, struct walk *w, uint32_t k, uint32_t node) {
  const struct list_event *e = &l->event[node];
  const bool acquires = e->semantics == LIST_ACQUIRE || e->semantics == LIST_ACQREL;
  const bool releases = e->semantics == LIST_RELEASE || e->semantics == LIST_ACQREL;
  if (!acquires && !releases) return true;
  l->o->r->judged[ORDER_FENCE]++;
  if (e->domain > e->scope) {
    l->o->r->narrow++;
    return true;
  }
  if (releases) {
    if (!take_older(l, t, w, ACT_RELEASE, e->scope, k, node)) return false;
    w->start[ACT_RELEASE][e->scope] = k;
  }
  if (acquires) w->last[ACT_ACQUIRE][e->scope] = node;
  return true;
}

static bool order_at_fence(struct list *l, const struct list_thread *t, struct walk *w, uint32_t k, uint32_t event) {
  const struct list_event *e = &l->event[event];
  const unsigned act = e->semantics == LIST_ACQUIRE   ? ACT_ACQUIRE
                       : e->semantics == LIST_RELEASE ? ACT_RELEASE
                                                      : ACT_FULL;
  const uint32_t node = e->kind == LIST_BARRIER ? (uint32_t)l->events + e->instance : event;
  l->o->r->judged[e->kind == LIST_BARRIER ? ORDER_BARRIER : ORDER_FENCE]++;
  if (!take_older(l, t, w, act, e->scope, k, node)) return false;
  if (e->arrives) return true; /* what is younger does not wait, and does come before the next */
  w->start[act][e->scope] = k + 1;
  w->last[act][e->scope] = node;
  return true;
}

static bool walk_thread(struct list *l, const struct list_thread *t, struct map *granules, struct map *newest) {
  struct walk w;
  memset(&w.last, 0xff, sizeof w.last);
  memset(&w.start, 0, sizeof w.start);
  for (uint32_t k = 0; k < t->events; k++) {
    const uint32_t event = l->by_thread[t->first + k];
    if (!list_accesses(&l->event[event])) {
      if (!order_at_fence(l, t, &w, k, event)) return false;
    } else if (!take_younger(l, &w, event) || !ordered_access(l, t, &w, k, event) ||
               !program_order(l, granules, newest, event)) {
      return false;
    }
  }
  return true;
}

/* ---- barriers ---- */

/* All have come, or whoever waits does nothing any more. */
static bool complete(struct list *l) {
  for (size_t k = 0; k < l->threads; k++)
    for (uint32_t n = 0; n < l->thread[k].events; n++) {
      const uint32_t event = l->by_thread[l->thread[k].first + n];
      const struct list_event *e = &l->event[event];
      if (e->kind != LIST_BARRIER) continue;
      const struct list_barrier *b = &l->barrier[e->instance];
      if (b->came == b->participants || (b->came < b->participants && (e->arrives || n + 1 == l->thread[k].events)))
        continue;
      char who[240];
      list_event_text(l, event, who, sizeof who);
      order_step_text(l->o, b->came > b->participants ? "is one of those that came" : "goes on all the same", "%s",
                      who);
      return order_broken(l->o, ORDER_BARRIER, "barrier %u, instance %u: %u have come, its lines say %u", b->id,
                          b->number, b->came, b->participants);
    }
  return true;
}

/* ---- stamps ---- */

struct stamped {
  uint64_t stamp;
  uint32_t event;
};

static int by_stamp(const void *a, const void *b) {
  const struct stamped *x = a, *y = b;
  if (x->stamp != y->stamp) return x->stamp < y->stamp ? -1 : 1;
  return x->event < y->event ? -1 : 1;
}

static bool stamps(struct list *l) {
  struct stamped *s = malloc((l->events + 1) * sizeof *s);
  size_t n = 0;
  if (s == NULL) return order_too_much(l->o, "no memory");
  for (uint32_t k = 0; k < l->events; k++)
    if (l->event[k].stamped) s[n++] = (struct stamped){l->event[k].stamp, k};
  qsort(s, n, sizeof *s, by_stamp);
  bool ok = true;
  for (size_t k = 1; ok && k < n; k++) {
    if (s[k].stamp == s[k - 1].stamp) {
      l->o->r->outcome = ORDER_REFUSED;
      (void)snprintf(l->o->r->what, sizeof l->o->r->what,
                     "%.300s:%u:1: error: stamp %llu is in line %u already; give each event its own", l->o->path,
                     l->event[s[k].event].line, (unsigned long long)s[k].stamp, l->event[s[k - 1].event].line);
      ok = false;
    } else {
      ok = list_edge(l, s[k - 1].event, s[k].event, WHY_STAMP);
    }
  }
  l->o->r->judged[ORDER_STAMP] += n;
  free(s);
  return ok;
}

bool list_rules(struct list *l) {
  struct map granules = {.slot = NULL}, newest = {.slot = NULL};
  bool ok = sort_threads(l) && stamps(l) && complete(l);
  for (size_t k = 0; ok && k < l->threads; k++) ok = walk_thread(l, &l->thread[k], &granules, &newest);
  free(granules.slot);
  free(newest.slot);
  return ok;
}
