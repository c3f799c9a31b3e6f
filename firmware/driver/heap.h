/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory: the driver's own of a pool, the device's of a heap. */
#ifndef HEDDLE_FIRMWARE_DRIVER_HEAP_H
#define HEDDLE_FIRMWARE_DRIVER_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The driver's own memory: malloc's, or a block of the host's of stated size, first fit, from which nothing else is
 * ever taken. */

struct pool {
  unsigned char *memory; /* NULL: malloc */
  size_t bytes;
};

/* Aligned as malloc does; the block stays the host's. False: it is too small for anything. */
bool pool_init(struct pool *p, void *memory, size_t bytes);
/* Zeros; NULL: there is no room. No pool (NULL) is malloc; `bytes` of 0 count as 1. */
void *pool_take(struct pool *p, size_t bytes);
void pool_give(struct pool *p, void *taken); /* NULL is fine */

/* Device memory: a sorted list of what is taken. Data is placed from below, code and constants from above, first fit;
 * programs reach data only (memory.c). */

#define HEAP_ALIGN 256u

/* Constants are code. Memory of launches is, too, but is freed all at once. Frames are memory of pages and their
 * tables (space.c). */
enum heap_kind { HEAP_DATA, HEAP_CODE, HEAP_LAUNCH, HEAP_FRAMES };

struct heap_span {
  uint64_t at, bytes; /* requested bytes; up to the next span at least one byte is free behind data */
  enum heap_kind kind;
};

struct heap {
  struct pool *pool; /* for the list */
  uint64_t base, bytes;
  struct heap_span *span; /* by address */
  size_t spans, room;
};

enum heap_result { HEAP_OK, HEAP_FULL, HEAP_NO_HOST_MEMORY };

enum heap_result heap_take(struct heap *h, uint64_t bytes, enum heap_kind kind, uint64_t *at); /* bytes > 0 */
/* Not data; at a multiple of `align`, a power of two that is HEAP_ALIGN or more. */
enum heap_result heap_take_aligned(struct heap *h, uint64_t bytes, enum heap_kind kind, uint64_t align, uint64_t *at);
bool heap_give(struct heap *h, uint64_t at, enum heap_kind kind); /* false: nothing begins there */
void heap_give_all(struct heap *h, enum heap_kind kind);
/* Bytes of what begins there; 0: nothing does. */
uint64_t heap_bytes(const struct heap *h, uint64_t at);
/* Is [at, at + bytes) inside one piece of data? */
bool heap_holds(const struct heap *h, uint64_t at, uint64_t bytes);
/* Overlap with [at, at + bytes): data before all else. False: none. */
bool heap_touches(const struct heap *h, uint64_t at, uint64_t bytes, enum heap_kind *kind);
uint64_t heap_free_bytes(const struct heap *h);
void heap_clear(struct heap *h);

#endif
