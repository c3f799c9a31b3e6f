/* SPDX-License-Identifier: Apache-2.0
 *
 * A list from its first line to the verdict; the cycle that there is, in words.
 */
#include <stdlib.h>
#include <string.h>
#include "base/array.h"
#include "lab/verify/oracle/order/order_list.h"

/* How far apart the threads are that touch the same bytes: what a fence of a scope can be asked about. */

struct touched { /* a byte: who came first, and how far the others are */
  uint32_t thread;
  uint8_t domain;
};

static uint8_t thread_distance(const struct list *l, uint32_t a, uint32_t b) {
  const struct list_thread *x = &l->thread[a], *y = &l->thread[b];
  if (a == b) return LIST_THREAD;
  if (x->block == y->block) return LIST_CTA;
  return x->cluster == y->cluster && x->cluster != UINT32_MAX ? LIST_CLUSTER : LIST_GPU;
}

/* A scope that is smaller than the machine is used. */
static bool asked(const struct list *l) {
  for (size_t k = 0; k < l->events; k++)
    if (l->event[k].scope == LIST_CTA || l->event[k].scope == LIST_CLUSTER) return true;
  return false;
}

static struct touched *touched_at(struct map *places, struct touched **of, size_t *n, size_t *room,
                                  const struct list_event *e, unsigned byte) {
  uint64_t *index = map_at(places, list_place(e), e->at + byte, NOBODY);
  if (index == NULL) return NULL;
  if (*index == NOBODY) {
    if (!array_room(of, room, *n + 1, sizeof **of)) return NULL;
    (*of)[*n] = (struct touched){.thread = e->thread};
    *index = (uint32_t)(*n)++;
  }
  return &(*of)[*index];
}

/* Twice: what is found out about each byte, then what that says of each event. */
static bool widen_domains(struct list *l, struct map *places, struct touched **of, size_t *n, size_t *room) {
  for (size_t k = 0; k < l->events; k++) {
    struct list_event *e = &l->event[k];
    if (!list_accesses(e) || e->kind == LIST_FINAL) continue;
    for (unsigned byte = 0; byte < e->bytes; byte++) {
      struct touched *t = touched_at(places, of, n, room, e, byte);
      if (t == NULL) return order_too_much(l->o, "no memory");
      const uint8_t far = thread_distance(l, t->thread, e->thread);
      if (far > t->domain) t->domain = far;
      if (t->domain > e->domain) e->domain = t->domain;
    }
  }
  return true;
}

static bool list_domains(struct list *l) {
  struct map places = {.slot = NULL};
  struct touched *of = NULL;
  size_t n = 0, room = 0;
  if (!asked(l)) return true;
  const bool ok = widen_domains(l, &places, &of, &n, &room) && widen_domains(l, &places, &of, &n, &room);
  free(places.slot);
  free(of);
  return ok;
}

/* The cycle that there is, in words: the one of the fewest rules; stamps that follow each other count as one step. */

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
                                     [WHY_WRITES] = "was replaced by the next, which was read later: it comes before",
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

/* A list from its first line to the verdict. Its events get an order that obeys every rule: the stamps', or one that is
 * found. In that order they are performed as those of a trace are (place.c). */

static void say_event(struct order *o, const struct reading *r, const char *then, char *name, size_t bytes) {
  const uint32_t *event = r->who;
  const struct list_event *e = &o->list->event[*event];
  char who[240];
  list_event_text(o->list, *event, who, sizeof who);
  order_step_text(o, then, "%s", who);
  if (e->kind == LIST_FINAL)
    (void)snprintf(name, bytes, "at the end the host (line %u)", e->line);
  else
    (void)snprintf(name, bytes, "thread %u number %u (line %u)", o->list->thread[e->thread].number, e->order, e->line);
}

/* The reading of an event; bytes: room for what was read, at its place in the location. */
static bool reading(struct order *o, const uint32_t *event, uint8_t *bytes, struct reading *r) {
  const struct list_event *e = &o->list->event[*event];
  *r = (struct reading){.loc = order_location_at(o, e->space, e->owner, e->at / PLACE_BYTES),
                        .at = (unsigned)(e->at % PLACE_BYTES),
                        .bytes = e->bytes,
                        .saw = bytes,
                        .axiom = e->kind == LIST_FINAL    ? ORDER_MEMORY
                                 : e->kind == LIST_ATOMIC ? ORDER_ATOMICITY
                                                          : ORDER_READS_FROM,
                        .who = event,
                        .say = say_event};
  memcpy(bytes + r->at, e->saw, e->bytes);
  return r->loc != NULL;
}

static bool perform_event(struct order *o, uint32_t event) {
  const struct list_event *e = &o->list->event[event];
  uint8_t bytes[PLACE_BYTES];
  struct reading r;
  if (!list_accesses(e)) return true;
  if (!reading(o, &event, bytes, &r)) return false;
  if (list_reads(e)) {
    if (!order_read(o, &r)) return false;
    o->r->judged[r.axiom]++;
  }
  if (e->kind == LIST_FINAL) {
    o->r->bytes_final += e->bytes;
    o->r->bytes_read -= e->bytes; /* nobody's of the list */
    return true;
  }
  o->cycle = e->stamp;
  struct access *a = order_note(
      o, &(struct access){
             .location = (uint32_t)(r.loc - o->location), .before = NOBODY, .event = event, .cycle = e->stamp});
  if (a == NULL) return false;
  if (!list_writes(e)) return true;
  memcpy(bytes + r.at, e->left, e->bytes);
  o->r->bytes_written += e->bytes;
  order_leaves(o, a, r.loc, bytes, order_mask(r.at, e->bytes));
  return true;
}

/* The stamps' order: what is in l->moment, and then the end. */
static bool in_order(struct list *l) {
  for (size_t k = 0; k < l->moments; k++) {
    const uint32_t n = l->moment[k];
    if (n < l->events && l->event[n].kind != LIST_FINAL && !perform_event(l->o, n)) return false;
  }
  for (uint32_t n = 0; n < l->events; n++)
    if (l->event[n].kind == LIST_FINAL && !perform_event(l->o, n)) return false;
  return true;
}

/* ---- an order that is looked for ---- */

struct ready {
  uint32_t *left; /* edges that lead to each node from what has not been performed */
  uint32_t *node; /* those that may come next */
  size_t n, done;
};

/* What may be next: something that writes nothing and fits comes before what changes memory, of that an atomic that
 * fits before a store, which could have been between it and what it has read. NOBODY: nothing. */
static uint32_t next_of(struct list *l, struct ready *q) {
  size_t write = SIZE_MAX;
  bool atomic = false;
  for (size_t k = 0; k < q->n; k++) {
    const uint32_t n = q->node[k];
    uint8_t bytes[PLACE_BYTES];
    struct reading r;
    if (n < l->events && list_reads(&l->event[n]) && (!reading(l->o, &n, bytes, &r) || !order_fits(&r))) continue;
    if (n < l->events && list_writes(&l->event[n])) {
      const bool reads = list_reads(&l->event[n]);
      if (write == SIZE_MAX || (reads && !atomic)) write = k;
      atomic |= reads;
      continue;
    }
    q->node[k] = q->node[--q->n];
    return n;
  }
  if (write == SIZE_MAX) return NOBODY;
  const uint32_t n = q->node[write];
  q->node[write] = q->node[--q->n];
  return n;
}

static bool undecided(struct list *l, const struct ready *q) {
  struct order_result *r = l->o->r;
  uint32_t line = UINT32_MAX;
  for (size_t k = 0; k < q->n; k++)
    if (q->node[k] < l->events && l->event[q->node[k]].line < line) line = l->event[q->node[k]].line;
  r->outcome = ORDER_UNDECIDED;
  r->unjudged = list_nodes(l) - q->done;
  (void)snprintf(
      r->what, sizeof r->what,
      "%llu events are not judged, line %u the first: no rule forbids what they read, and no order was found "
      "that explains it; give stamps, or write values that differ",
      (unsigned long long)r->unjudged, line);
  return false;
}

static bool find_order(struct list *l, struct ready *q) {
  const size_t nodes = list_nodes(l);
  for (size_t k = 0; k < l->sorted; k++) q->left[l->edge[k].to]++;
  for (uint32_t n = 0; n < nodes; n++)
    if (q->left[n] == 0) q->node[q->n++] = n;
  for (; q->done < nodes; q->done++) {
    const uint32_t n = next_of(l, q);
    if (n == NOBODY) return undecided(l, q);
    if (n < l->events && !perform_event(l->o, n)) return false;
    for (uint32_t e = l->first[n]; e < l->first[n + 1]; e++)
      if (--q->left[l->edge[e].to] == 0) q->node[q->n++] = l->edge[e].to;
  }
  return true;
}

static bool in_some_order(struct list *l) {
  const size_t nodes = list_nodes(l);
  struct ready q = {.left = calloc(nodes + 1, sizeof *q.left), .node = malloc((nodes + 1) * sizeof *q.node)};
  const bool ok = q.left != NULL && q.node != NULL ? find_order(l, &q) : order_too_much(l->o, "no memory");
  free(q.left);
  free(q.node);
  return ok;
}

/* ---- the whole ---- */

static bool judge_events(struct list *l) {
  l->o->r->threads = l->threads;
  l->o->r->barriers = l->barriers;
  if (!list_domains(l) || !list_rules(l)) return false;
  if (l->stamps == LIST_TOTAL) return list_sorted(l) && list_acyclic(l) && in_order(l);
  if (list_nodes(l) > LIST_INFERRED)
    return order_too_much(l->o, "more than 8192 events without 'stamps total': reads-from is searched "
                                "among so many at most; give stamps, or cut the list");
  return list_values(l) && in_some_order(l);
}

static void free_list(struct list *l) {
  free(l->event);
  free(l->thread);
  free(l->barrier);
  free(l->edge);
  free(l->by_thread);
  free(l->first);
  free(l->moment);
  struct map *const table[] = {&l->threads_by, &l->barriers_by, &l->orders, &l->starts, &l->ends};
  for (unsigned k = 0; k < sizeof table / sizeof *table; k++) free(table[k]->slot);
}

bool order_list(struct order *o) {
  struct list l = {.o = o};
  FILE *f = o->from != NULL ? o->from : fopen(o->path, "r");
  if (f == NULL) {
    o->r->outcome = ORDER_REFUSED;
    (void)snprintf(o->r->what, sizeof o->r->what, "%s: cannot be opened", o->path);
    return false;
  }
  o->list = &l;
  const bool ok = list_read(&l, f) && judge_events(&l);
  if (o->from == NULL) (void)fclose(f);
  free_list(&l);
  o->list = NULL;
  return ok;
}
