/* SPDX-License-Identifier: Apache-2.0
 * Checks of single accesses and events: memory, its heap, barriers. */
#ifndef HEDDLE_RUN_SANITIZE_CHECKS_H
#define HEDDLE_RUN_SANITIZE_CHECKS_H

#include <heddle/observer.h>
#include "run/sanitize/findings.h"

/* Accesses outside of what they may touch, to the byte: buffers and module variables of the job, arrays of shared
 * memory, a thread's local memory. Between these the job and the compiler leave room (job.guard, shared_gap). */

struct memory;
struct memory *memory_new(struct findings *to); /* NULL: no memory */
void memory_free(struct memory *m);
/* The lanes that are wrong. */
uint32_t memory_access(struct memory *m, const struct heddle_observed_access *a);

/* Blocks that kernels get by malloc: accesses outside of them, after free, and arguments of free. The compiler's
 * library (compiler/library/heap.cu, in its form for sanitizers) shows both by an access that is marked as its own.
 * malloc stores a block's bytes in front of it, free takes them away by an exchange. */

struct heap;
/* `fresh` is called for each block that malloc gives. NULL: the program has no such heap, or no memory (to->lost). */
struct heap *heap_new(struct findings *to, void (*fresh)(void *ctx, uint64_t addr, uint64_t bytes), void *ctx);
void heap_free(struct heap *h);
/* Receives findings; returns the lanes that are to skip the access. */
uint32_t heap_access(struct heap *h, const struct heddle_observed_access *a);

/* Barriers and masks: missing lanes. */

struct sync;
struct sync *sync_new(struct findings *to, const struct heddle_model *m, unsigned slots); /* NULL: no memory */
void sync_free(struct sync *s);
void sync_event(struct sync *s, const struct heddle_event *e);
void sync_access(struct sync *s, const struct heddle_observed_access *a);
/* The launch has ended so. */
void sync_ended(struct sync *s, enum heddle_error end);

#endif
