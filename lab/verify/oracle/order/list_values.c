/* SPDX-License-Identifier: Apache-2.0
 *
 * Who reads from whom, where no stamps say it. A byte that was read came from a write that left its value, or from the
 * start; where one candidate is left, it is the one, and what is known of other writes there follows:
 *   write W, then read R of it; another write V there: if V is before R, it is before W; if W is before V, so is R.
 * An edge is drawn only where it must be, so that a cycle is a proof. What stays open is not decided here.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "lab/verify/oracle/order/order_list.h"

#define START UINT32_MAX /* as a candidate: what was there at the start */

struct touch { /* an event at a byte */
  uint32_t event, next;
};

struct values {
  struct list *l;
  struct map places; /* a byte -> index of its first touch in head */
  uint32_t *head;    /* of each byte: a list of touches, NOBODY ends it */
  size_t heads, heads_room;
  struct touch *touch;
  size_t touches, touches_room;
  uint64_t *reach; /* a row for each node: the nodes that come after it */
  size_t row;      /* words of a row */
  uint64_t work;
  bool changed;
};

static bool node_after(const struct values *v, uint32_t a, uint32_t b) {
  return (v->reach[a * v->row + b / 64] >> b % 64 & 1u) != 0;
}

static bool worked(struct values *v) {
  return v->work++ < LIST_WORK ||
         order_too_much(v->l->o, "too many accesses to the same bytes to find reads-from; give stamps");
}

/* ---- bytes ---- */

static uint32_t *head_of(struct values *v, const struct list_event *e, unsigned byte) {
  uint64_t *index = map_at(&v->places, list_place(e), e->at + byte, NOBODY);
  if (index == NULL) return NULL;
  if (*index == NOBODY) {
    if (!array_room(&v->head, &v->heads_room, v->heads + 1, sizeof *v->head)) return NULL;
    v->head[v->heads] = NOBODY;
    *index = (uint32_t)v->heads++;
  }
  return &v->head[*index];
}

/* Only writes are kept. */
static bool touch_all(struct values *v) {
  for (uint32_t k = 0; k < v->l->events; k++) {
    const struct list_event *e = &v->l->event[k];
    for (unsigned byte = 0; list_accesses(e) && byte < e->bytes; byte++) {
      uint32_t *head = head_of(v, e, byte);
      if (head == NULL || !array_room(&v->touch, &v->touches_room, v->touches + 1, sizeof *v->touch))
        return order_too_much(v->l->o, "no memory");
      if (!list_writes(e)) continue;
      v->touch[v->touches] = (struct touch){k, *head};
      *head = (uint32_t)v->touches++;
    }
  }
  return true;
}

static bool covers(const struct list_event *e, uint64_t at) {
  return at >= e->at && at - e->at < e->bytes;
}

static uint8_t left_at(const struct list_event *w, uint64_t at) {
  return w->left[at - w->at];
}

/* Some other write left byte m of the read, and did not touch byte n of it. */
static bool mixed(struct values *v, uint32_t reader, uint32_t w, unsigned m, unsigned n) {
  const struct list_event *r = &v->l->event[reader];
  for (uint32_t t = *head_of(v, r, m); t != NOBODY; t = v->touch[t].next) {
    const struct list_event *other = &v->l->event[v->touch[t].event];
    v->work++;
    if (v->touch[t].event == w || v->touch[t].event == reader || covers(other, r->at + n)) continue;
    if (left_at(other, r->at + m) == r->saw[m]) return true;
  }
  return false;
}

static bool start_has(struct values *v, const struct list_event *r, unsigned m) {
  struct location *p = order_location_at(v->l->o, r->space, r->owner, r->at / PLACE_BYTES);
  const unsigned at = (unsigned)(r->at % PLACE_BYTES) + m;
  return p == NULL || (p->known >> at & 1u) == 0 || p->bytes[at] == r->saw[m];
}

/* By its value, w may be where byte n came from: other bytes of w that were read differ only if another replaced them
 * and left byte n. */
static bool explains(struct values *v, uint32_t reader, uint32_t w, unsigned n) {
  const struct list_event *r = &v->l->event[reader];
  for (unsigned m = 0; m < r->bytes; m++) {
    bool same = true;
    if (w == START)
      same = start_has(v, r, m);
    else if (covers(&v->l->event[w], r->at + m))
      same = left_at(&v->l->event[w], r->at + m) == r->saw[m];
    if (!same && (m == n || !mixed(v, reader, w, m, n))) return false;
  }
  return true;
}

/* By the order, too: the read is not before it, and nothing at that byte lies between. */
static bool may_read_from(struct values *v, uint32_t reader, uint32_t w, uint32_t head) {
  if (w != START && node_after(v, reader, w)) return false;
  for (uint32_t t = head; t != NOBODY; t = v->touch[t].next) {
    const uint32_t other = v->touch[t].event;
    v->work++;
    if (other != w && other != reader && node_after(v, other, reader) && (w == START || node_after(v, w, other)))
      return false;
  }
  return true;
}

/* ---- what follows ---- */

static bool edge(struct values *v, uint32_t from, uint32_t to, enum list_why why) {
  if (node_after(v, from, to)) return true;
  v->changed = true;
  return list_edge(v->l, from, to, why);
}

/* Byte n of the reader came from w: where that leaves other writes of the byte. */
static bool certain(struct values *v, uint32_t reader, uint32_t w, uint32_t head) {
  if (w != START && !edge(v, w, reader, WHY_READS)) return false;
  for (uint32_t t = head; t != NOBODY; t = v->touch[t].next) {
    const uint32_t other = v->touch[t].event;
    if (other == w || other == reader) continue;
    if (!worked(v)) return false;
    if ((w == START || node_after(v, w, other)) && !edge(v, reader, other, WHY_REPLACED)) return false;
    if (w != START && node_after(v, other, reader) && !edge(v, other, w, WHY_WRITES)) return false;
  }
  return true;
}

static bool from_nowhere(struct values *v, uint32_t reader, unsigned n, unsigned by_value) {
  const struct list_event *r = &v->l->event[reader];
  char who[240];
  list_event_text(v->l, reader, who, sizeof who);
  order_step_text(v->l->o,
                  by_value == 0 ? "reads what nothing has left: a value out of thin air"
                                : "reads what has been replaced before, or is written only later",
                  "%s", who);
  return order_broken(v->l->o, r->kind == LIST_FINAL ? ORDER_MEMORY : ORDER_READS_FROM,
                      "byte 0x%llx of line %u is 0x%02x: %u writes (or the start) left that, none that can be meant",
                      (unsigned long long)(r->at + n), r->line, r->saw[n], by_value);
}

static bool byte_read(struct values *v, uint32_t reader, unsigned n) {
  const uint32_t head = *head_of(v, &v->l->event[reader], n);
  uint32_t only = NOBODY - 1, chosen = NOBODY - 1; /* no event has that number */
  unsigned by_value = 0, left = 0;
  for (uint32_t t = head;; t = v->touch[t].next) {
    const uint32_t w = t == NOBODY ? START : v->touch[t].event;
    if (!worked(v)) return false;
    if (w != reader && explains(v, reader, w, n)) {
      by_value++;
      only = w;
      if (may_read_from(v, reader, w, head)) {
        left++;
        chosen = w;
      }
    }
    if (t == NOBODY) break;
  }
  v->l->o->r->judged[ORDER_READS_FROM]++;
  if (by_value == 1) return certain(v, reader, only, head); /* if that cannot be, a cycle says why */
  if (left == 0) return from_nowhere(v, reader, n, by_value);
  return left > 1 || certain(v, reader, chosen, head);
}

/* Memory at the end is read when all has been written. */
static bool at_the_end(struct values *v) {
  for (uint32_t k = 0; k < v->l->events; k++) {
    const struct list_event *e = &v->l->event[k];
    for (unsigned n = 0; e->kind == LIST_FINAL && n < e->bytes; n++)
      for (uint32_t t = *head_of(v, e, n); t != NOBODY; t = v->touch[t].next)
        if (!worked(v) || !list_edge(v->l, v->touch[t].event, k, WHY_END)) return false;
  }
  return true;
}

static bool close_over(struct values *v) {
  const struct list *l = v->l;
  if (!list_sorted(v->l) || !list_acyclic(v->l)) return false;
  memset(v->reach, 0, list_nodes(l) * v->row * sizeof *v->reach);
  for (size_t k = l->moments; k-- > 0;) {
    const uint32_t n = l->moment[k];
    for (uint32_t e = l->first[n]; e < l->first[n + 1]; e++) {
      const uint32_t to = l->edge[e].to;
      v->reach[n * v->row + to / 64] |= UINT64_C(1) << to % 64;
      for (size_t w = 0; w < v->row; w++) v->reach[n * v->row + w] |= v->reach[to * v->row + w];
      v->work += v->row / 8;
    }
  }
  return true;
}

static bool all_reads(struct values *v) {
  v->changed = false;
  for (uint32_t k = 0; k < v->l->events; k++) {
    const struct list_event *e = &v->l->event[k];
    for (unsigned n = 0; list_reads(e) && n < e->bytes; n++)
      if (!byte_read(v, k, n)) return false;
  }
  return true;
}

bool list_values(struct list *l) {
  struct values v = {.l = l, .row = (list_nodes(l) + 63) / 64};
  v.reach = calloc(list_nodes(l) * v.row + 1, sizeof *v.reach);
  bool ok = v.reach != NULL || order_too_much(l->o, "no memory");
  ok = ok && touch_all(&v) && at_the_end(&v);
  do {
    ok = ok && close_over(&v) && all_reads(&v);
  } while (ok && v.changed);
  free(v.places.slot);
  free(v.head);
  free(v.touch);
  free(v.reach);
  return ok;
}
