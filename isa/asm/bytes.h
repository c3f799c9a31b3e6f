/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes of a file that is being written. */
#ifndef HEDDLE_ASM_BYTES_H
#define HEDDLE_ASM_BYTES_H

#include "base/array.h"

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
