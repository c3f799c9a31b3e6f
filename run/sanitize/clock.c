/* SPDX-License-Identifier: Apache-2.0
 *
 * Clocks of the race check. */
#include "clock.h"

#include <stdlib.h>

struct clock *clock_share(struct clock *c) {
  if (c) c->refs++;
  return c;
}

void clock_drop(struct clock *c) {
  if (c && --c->refs == 0) free(c);
}

static bool comes_before(const struct clock_item *a, const struct clock_item *b) {
  return a->warp != b->warp ? a->warp < b->warp : a->time > b->time;
}

/* Appends what the items of its warp, all at least as late, do not say already. */
static void append_item(struct clock *c, struct clock_item i) {
  uint32_t said = 0;
  for (uint32_t k = c->items; k > 0 && c->item[k - 1].warp == i.warp; k--) said |= c->item[k - 1].lanes;
  i.lanes &= ~said;
  if (i.lanes == 0) return;
  struct clock_item *last = c->items ? &c->item[c->items - 1] : NULL;
  if (last && last->warp == i.warp && last->time == i.time)
    last->lanes |= i.lanes;
  else
    c->item[c->items++] = i;
}

struct clock *clock_join(const struct clock *a, const struct clock *b, struct clock_item more, bool *lost) {
  const uint32_t na = a ? a->items : 0, nb = b && b != a ? b->items : 0;
  if (na + nb == 0 && more.lanes == 0) return NULL;
  struct clock *c = malloc(sizeof *c + (na + nb + 1u) * sizeof *c->item);
  if (!c) {
    *lost = true;
    return NULL;
  }
  *c = (struct clock){.refs = 1};
  for (uint32_t i = 0, k = 0, m = more.lanes == 0; i < na || k < nb || !m;) {
    const struct clock_item *next = m ? NULL : &more;
    if (i < na && (!next || comes_before(&a->item[i], next))) next = &a->item[i];
    if (k < nb && (!next || comes_before(&b->item[k], next))) next = &b->item[k];
    append_item(c, *next);
    if (next == &more)
      m = 1;
    else if (i < na && next == &a->item[i])
      i++;
    else
      k++;
  }
  return c;
}

uint32_t clock_unknown(const struct clock *c, uint32_t warp, uint32_t lanes, uint32_t time) {
  uint32_t low = 0, high = c ? c->items : 0;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (c->item[middle].warp < warp)
      low = middle + 1;
    else
      high = middle;
  }
  for (; c && low < c->items && c->item[low].warp == warp && c->item[low].time >= time; low++)
    lanes &= ~c->item[low].lanes;
  return lanes;
}

/* Does `a` know all that `b` does? */
static bool covers(const struct clock *a, const struct clock *b) {
  for (uint32_t k = 0; k < b->items; k++)
    if (clock_unknown(a, b->item[k].warp, b->item[k].lanes, b->item[k].time) != 0) return false;
  return true;
}

/* Clocks stay shared where they can: then they are the same at a glance. */
void clock_learn(struct clock **to, struct clock *other, struct clock_item more, bool *lost) {
  if (more.lanes == 0 && (other == NULL || other == *to)) return;
  if (more.lanes == 0 && *to != NULL && covers(*to, other)) return;
  struct clock *c =
      more.lanes == 0 && (*to == NULL || covers(other, *to)) ? clock_share(other) : clock_join(*to, other, more, lost);
  clock_drop(*to);
  *to = c;
}
