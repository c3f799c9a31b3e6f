/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses outside of what they may touch, to the byte: buffers and module variables of the job, arrays of shared
 * memory, a thread's local memory. Between these the job and the compiler leave room (job.guard, shared_gap). */
#ifndef HEDDLE_SANITIZE_MEMORY_H
#define HEDDLE_SANITIZE_MEMORY_H

#include <heddle/observer.h>
#include "run/sanitize/findings.h"

struct memory;
struct memory *memory_new(struct findings *to); /* NULL: no memory */
void memory_free(struct memory *m);
/* The lanes that are wrong. */
uint32_t memory_access(struct memory *m, const struct heddle_observed_access *a);

#endif
