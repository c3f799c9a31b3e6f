/* SPDX-License-Identifier: Apache-2.0
 *
 * Growing arrays, and bytes of a file that is being written. An array is a pointer to its first element (NULL: none
 * yet) and the number of elements for which it has room; its owner frees it with free().
 */
#ifndef HEDDLE_ARRAY_H
#define HEDDLE_ARRAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for `need` elements of `each` bytes (not 0), at least doubling it, so that adding one after the other is
 * linear. `list` is the address of the pointer, which may be of any type; elements stay, new ones are not initialised.
 * False: there is no memory, or sizes do not fit; pointer, room and elements are as they were. */
static inline bool array_room(void *list, size_t *room, size_t need, size_t each) {
  enum { FIRST = 16 };
  void *at, *more;
  if (need <= *room) return true;
  const size_t most = SIZE_MAX / each, doubled = *room > most / 2 ? most : 2 * *room;
  if (need > most) return false;
  size_t wanted = need > doubled ? need : doubled;
  if (wanted < FIRST && FIRST <= most) wanted = FIRST;
  memcpy(&at, list, sizeof at);
  more = realloc(at, wanted * each);
  if (!more) return false;
  memcpy(list, &more, sizeof more);
  *room = wanted;
  return true;
}

/* Grows; `bad` sticks after a failed allocation, so callers check once at the end. */
struct bytes {
  uint8_t *at;
  size_t size, room;
  bool bad;
};

/* Where they were put. */
static inline size_t bytes_add(struct bytes *b, const void *src, size_t n) {
  size_t where = b->size;
  if (!array_room(&b->at, &b->room, b->size + n, 1)) {
    b->bad = true;
    return where;
  }
  if (n > 0) memcpy(b->at + where, src, n);
  b->size += n;
  return where;
}

static inline void put_u32(uint8_t *at, uint32_t v) {
  for (int i = 0; i < 4; i++) at[i] = (uint8_t)(v >> (8 * i));
}

#endif
