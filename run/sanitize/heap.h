/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks that kernels get by malloc: accesses outside of them, after free, and what is given to free. The compiler's
 * library (compiler/library/heap.cu, as it is for sanitizers) says both by an access that is marked as its own: malloc
 * stores a block's bytes in front of it, free takes them away by an exchange. */
#ifndef HEDDLE_SANITIZE_HEAP_H
#define HEDDLE_SANITIZE_HEAP_H

#include <heddle/observer.h>
#include "run/sanitize/findings.h"

struct heap;
/* `fresh` is called for each block that malloc gives. NULL: the program has no such heap, or no memory (to->lost). */
struct heap *heap_new(struct findings *to, void (*fresh)(void *ctx, uint64_t addr, uint64_t bytes), void *ctx);
void heap_free(struct heap *h);
/* Told what is wrong; returns the lanes that are not to do it. */
uint32_t heap_access(struct heap *h, const struct heddle_observed_access *a);

#endif
