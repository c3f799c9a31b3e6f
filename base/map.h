/* SPDX-License-Identifier: Apache-2.0
 *
 * Maps: from two numbers to one, and a stack with items found by a hash. No order depends on the addresses of
 * memory. */
#ifndef HEDDLE_MAP_H
#define HEDDLE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- from two numbers to one (of one number the second is 0); zeroed is empty, free(slot) ends it */

struct map_slot {
  uint64_t a, b, value; /* MAP_NO_VALUE: it is free */
};
struct map {
  struct map_slot *slot;
  size_t room, used; /* room: 0 or a power of two */
};
#define MAP_NO_VALUE UINT64_MAX /* no value may be this */

/* Where the value of (a, b) is, until the next is added; NULL: there is none. */
uint64_t *map_find(const struct map *m, uint64_t a, uint64_t b);
/* The same; one that is new has the value `fresh`. NULL: no memory. */
uint64_t *map_at(struct map *m, uint64_t a, uint64_t b, uint64_t fresh);
/* For memory that is not of malloc: does the next addition need more room? Move to memory for `room` slots, a power
 * of two, at least twice as many as before; the old memory is the caller's. */
bool map_is_full(const struct map *m);
void map_move(struct map *m, struct map_slot *to, size_t room);

/* ---- a stack: things have numbers, 0 for the first, and are found by a hash, the last first */

struct map_stack_item {
  uint64_t hash;
  uint32_t next; /* of the same slot */
};
struct map_stack {
  struct map_stack_item *item;
  uint32_t *slot, mask, count;
};
#define MAP_NONE UINT32_MAX /* no number */

/* For at most so many things, in memory of the caller's of that size. */
size_t map_stack_bytes(uint32_t most);
void map_stack_begin(struct map_stack *s, uint32_t most, void *memory);
void map_stack_push(struct map_stack *s, uint64_t hash); /* its number: count, as it was */
void map_stack_cut(struct map_stack *s, uint32_t count); /* drops the last ones, down to so many */
/* The last of that hash; MAP_NONE: there is none. The one before `number` that has its hash. */
uint32_t map_stack_last(const struct map_stack *s, uint64_t hash);
uint32_t map_stack_before(const struct map_stack *s, uint32_t number);

#endif
