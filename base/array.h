/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays that grow. An array is a pointer to its first element (NULL: none yet) and how many elements there is room
 * for; who owns it frees it with free().
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

#endif
