/* SPDX-License-Identifier: Apache-2.0
 *
 * See lower_map.h.
 */
#include "lower_map.h"

enum { ROOM_FIRST = 32 };

static struct pointer_slot *probe(const struct pointer_map *m, const void *key) {
  uint64_t h = (uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15);
  size_t at = (size_t)(h >> 32) & (m->room - 1);
  while (m->slot[at].key && m->slot[at].key != key) at = (at + 1) & (m->room - 1);
  return &m->slot[at];
}

static void grow(struct ptx_arena *a, struct pointer_map *m) {
  struct pointer_map wide = {.room = m->room ? 2 * m->room : ROOM_FIRST, .used = m->used};
  wide.slot = ptx_alloc(a, wide.room * sizeof *wide.slot);
  for (size_t k = 0; k < m->room; k++)
    if (m->slot[k].key) *probe(&wide, m->slot[k].key) = m->slot[k];
  *m = wide;
}

void **pointer_map_find(const struct pointer_map *m, const void *key) {
  if (!m->room) return NULL;
  struct pointer_slot *s = probe(m, key);
  return s->key ? &s->value : NULL;
}

void **pointer_map_add(struct ptx_arena *a, struct pointer_map *m, const void *key) {
  if (2 * (m->used + 1) > m->room) grow(a, m);
  struct pointer_slot *s = probe(m, key);
  if (!s->key) m->used++;
  s->key = key;
  return &s->value;
}
