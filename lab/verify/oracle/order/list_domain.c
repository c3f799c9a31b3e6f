/* SPDX-License-Identifier: Apache-2.0
 *
 * How far apart the threads are that touch the same bytes: what a fence of a scope can be asked about.
 */
#include <string.h>

#include "base/array.h"
#include "lab/verify/oracle/order/order_list.h"

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

bool list_domains(struct list *l) {
  struct map places = {.slot = NULL};
  struct touched *of = NULL;
  size_t n = 0, room = 0;
  if (!asked(l)) return true;
  const bool ok = widen_domains(l, &places, &of, &n, &room) && widen_domains(l, &places, &of, &n, &room);
  free(places.slot);
  free(of);
  return ok;
}
