/* SPDX-License-Identifier: Apache-2.0
 * What a grid may touch: each allocation is a region of its own, so that one step too far traps. When there are more
 * than the table holds, those with the least room between them share a region; code never lies in one. */
#include <stdlib.h>

#include "firmware/driver/internal.h"

static int by_size(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* Room in front of each data span but the first; UINT64_MAX: code lies there. Returns how many. */
static size_t rooms(const struct heap *h, uint64_t *room) {
  size_t n = 0;
  uint64_t end = 0;
  bool any = false, code = false;
  for (size_t i = 0; i < h->spans; i++) {
    const struct heap_span *s = &h->span[i];
    if (s->kind != HEAP_DATA) {
      code = true;
      continue;
    }
    if (any) room[n++] = code ? UINT64_MAX : s->at - end;
    any = true;
    code = false;
    end = s->at + s->bytes;
  }
  return n;
}

/* The largest room to close so that HEDDLE_REGIONS are left, and how many of exactly that size may be closed. */
static bool choose_rooms(const struct heap *h, uint64_t *largest, size_t *ties) {
  *largest = *ties = 0;
  if (h->spans <= HEDDLE_REGIONS) return true;
  uint64_t *room = pool_take(h->pool, h->spans * sizeof *room);
  if (!room) return false;
  const size_t n = rooms(h, room);
  if (n >= HEDDLE_REGIONS) {
    qsort(room, n, sizeof *room, by_size);
    const size_t close = n + 1 - HEDDLE_REGIONS;
    *largest = room[close - 1];
    for (size_t i = 0; i < close; i++) *ties += room[i] == *largest;
  }
  pool_give(h->pool, room);
  return true;
}

enum heddle_error driver_regions(struct heddle_context *c, struct driver_region region[HEDDLE_REGIONS],
                                 unsigned *count) {
  const struct heap *h = &c->heap;
  uint64_t largest;
  size_t ties;
  unsigned n = 0;
  bool code = true;
  *count = 0;
  if (!choose_rooms(h, &largest, &ties)) return HEDDLE_ERROR_HOST_MEMORY;
  if (largest == UINT64_MAX)
    return driver_fail(c, HEDDLE_ERROR_TOO_FRAGMENTED, "data lies among code in more than %u places", HEDDLE_REGIONS);
  for (size_t i = 0; i < h->spans; i++) {
    const struct heap_span *s = &h->span[i];
    if (s->kind != HEAP_DATA) {
      code = true;
      continue;
    }
    const uint64_t room = n > 0 ? s->at - region[n - 1].limit : 0;
    const bool closes = n > 0 && !code && (room < largest || (room == largest && ties > 0));
    if (closes) {
      ties -= room == largest;
      region[n - 1].limit = s->at + s->bytes;
    } else {
      region[n++] = (struct driver_region){s->at, s->at + s->bytes};
    }
    code = false;
  }
  *count = n;
  return HEDDLE_SUCCESS;
}
