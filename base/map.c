/* SPDX-License-Identifier: Apache-2.0
 * Open addressing, at most half full. */
#include "map.h"

#include <stdlib.h>
#include <string.h>

#include "base/splitmix64.h"

enum { ROOM_FIRST = 64, SLOTS_FIRST = 256 };

static struct map_slot *slot_of(const struct map *m, uint64_t a, uint64_t b) {
  size_t i = (size_t)splitmix64_mix(splitmix64_mix(a) + b) & (m->room - 1);
  while (m->slot[i].value != MAP_NO_VALUE && (m->slot[i].a != a || m->slot[i].b != b)) i = (i + 1) & (m->room - 1);
  return &m->slot[i];
}

bool map_is_full(const struct map *m) {
  return 2 * (m->used + 1) > m->room;
}

void map_move(struct map *m, struct map_slot *to, size_t room) {
  const struct map old = *m;
  memset(to, 0xff, room * sizeof *to);
  m->slot = to;
  m->room = room;
  for (size_t i = 0; i < old.room; i++)
    if (old.slot[i].value != MAP_NO_VALUE) *slot_of(m, old.slot[i].a, old.slot[i].b) = old.slot[i];
}

uint64_t *map_find(const struct map *m, uint64_t a, uint64_t b) {
  struct map_slot *s = m->room > 0 ? slot_of(m, a, b) : NULL;
  return s != NULL && s->value != MAP_NO_VALUE ? &s->value : NULL;
}

uint64_t *map_at(struct map *m, uint64_t a, uint64_t b, uint64_t fresh) {
  if (map_is_full(m)) {
    const size_t room = m->room > 0 ? 2 * m->room : ROOM_FIRST;
    struct map_slot *old = m->slot, *more = room <= SIZE_MAX / sizeof *more ? malloc(room * sizeof *more) : NULL;
    if (more == NULL) return NULL;
    map_move(m, more, room);
    free(old);
  }
  struct map_slot *s = slot_of(m, a, b);
  if (s->value == MAP_NO_VALUE) {
    *s = (struct map_slot){a, b, fresh};
    m->used++;
  }
  return &s->value;
}

static uint32_t mask_for(uint32_t most) {
  uint32_t mask = SLOTS_FIRST - 1;
  while (mask < most) mask = 2 * mask + 1;
  return mask;
}

size_t map_stack_bytes(uint32_t most) {
  return ((size_t)most + 1) * sizeof(struct map_stack_item) + ((size_t)mask_for(most) + 1) * sizeof(uint32_t);
}

void map_stack_begin(struct map_stack *s, uint32_t most, void *memory) {
  *s = (struct map_stack){.item = memory, .mask = mask_for(most)};
  s->slot = (uint32_t *)(void *)(s->item + most + 1);
  memset(s->slot, 0xff, ((size_t)s->mask + 1) * sizeof *s->slot);
}

void map_stack_push(struct map_stack *s, uint64_t hash) {
  uint32_t *slot = &s->slot[(uint32_t)hash & s->mask];
  s->item[s->count] = (struct map_stack_item){hash, *slot};
  *slot = s->count++;
}

void map_stack_cut(struct map_stack *s, uint32_t count) {
  while (s->count > count) {
    const struct map_stack_item *i = &s->item[--s->count];
    s->slot[(uint32_t)i->hash & s->mask] = i->next;
  }
}

/* From `number` on down. */
static uint32_t of_hash(const struct map_stack *s, uint32_t number, uint64_t hash) {
  while (number != MAP_NONE && s->item[number].hash != hash) number = s->item[number].next;
  return number;
}

uint32_t map_stack_last(const struct map_stack *s, uint64_t hash) {
  return of_hash(s, s->slot[(uint32_t)hash & s->mask], hash);
}

uint32_t map_stack_before(const struct map_stack *s, uint32_t number) {
  return of_hash(s, s->item[number].next, s->item[number].hash);
}
