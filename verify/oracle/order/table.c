/* SPDX-License-Identifier: Apache-2.0
 *
 * A hash table from two numbers to a third, open addressing.
 */
#include <stdlib.h>

#include "verify/oracle/order/internal.h"
#include "base/splitmix64.h"

static struct table_entry *slot_of(const struct table *t, uint64_t a, uint64_t b) {
  size_t i = (size_t)splitmix64_mix(splitmix64_mix(a) + b) & (t->room - 1);
  while (t->entry[i].used && (t->entry[i].a != a || t->entry[i].b != b)) i = (i + 1) & (t->room - 1);
  return &t->entry[i];
}

static bool grow(struct table *t) {
  const struct table old = *t;
  t->room = old.room == 0 ? 1024 : 2 * old.room;
  t->entry = calloc(t->room, sizeof *t->entry);
  if (t->entry == NULL) {
    *t = old;
    return false;
  }
  for (size_t i = 0; i < old.room; i++)
    if (old.entry[i].used) *slot_of(t, old.entry[i].a, old.entry[i].b) = old.entry[i];
  free(old.entry);
  return true;
}

uint32_t *order_table_at(struct table *t, uint64_t a, uint64_t b) {
  if (2 * t->used >= t->room && !grow(t)) return NULL;
  struct table_entry *e = slot_of(t, a, b);
  if (!e->used) {
    *e = (struct table_entry){a, b, NOBODY, true};
    t->used++;
  }
  return &e->value;
}
