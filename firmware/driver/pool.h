/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver's own memory: malloc's, or a block of the host's of stated size, first fit, from which nothing else is
 * ever taken. */
#ifndef HEDDLE_DRIVER_POOL_H
#define HEDDLE_DRIVER_POOL_H

#include <stdbool.h>
#include <stddef.h>

struct pool {
  unsigned char *memory; /* NULL: malloc */
  size_t bytes;
};

/* Aligned as malloc does; the block stays the host's. False: it is too small for anything. */
bool pool_init(struct pool *p, void *memory, size_t bytes);
/* Zeros; NULL: there is no room. No pool (NULL) is malloc; `bytes` of 0 count as 1. */
void *pool_take(struct pool *p, size_t bytes);
void pool_give(struct pool *p, void *taken); /* NULL is fine */

#endif
