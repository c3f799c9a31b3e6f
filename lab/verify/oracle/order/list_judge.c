/* SPDX-License-Identifier: Apache-2.0
 *
 * A list from its first line to the verdict. Its events get an order that obeys every rule: the stamps', or one that is
 * found. In that order they are performed as those of a trace are (place.c).
 */
#include <stdlib.h>
#include <string.h>

#include "lab/verify/oracle/order/order_list.h"

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
    return order_too_much(l->o, "more than 8192 events without 'stamps total': who reads from whom is looked for "
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
