/* SPDX-License-Identifier: Apache-2.0
 *
 * Everything in the control codes of a program that can be made weaker, one thing at a time. */
#ifndef HEDDLE_CAMPAIGN_WEAKENING_H
#define HEDDLE_CAMPAIGN_WEAKENING_H

#include <heddle/lint.h>

/* Calls `f` for each: stall counts by one and down to 1, waits, write and read counters; in order of pc. */
void weakening_each(const struct heddle_program *p, void (*f)(void *ctx, struct heddle_lint_weaker w), void *ctx);

/* The word with that part made weaker. */
struct heddle_isa_word weakening_word(struct heddle_isa_word w, struct heddle_lint_weaker what);
void weakening_text(struct heddle_lint_weaker w, char *buf, size_t size);

/* Flags that must not change results: all off, all on (where the encoding has them), each at random. */
enum hints { HINTS_OFF, HINTS_ON, HINTS_RANDOM, HINTS_COUNT };
/* Sets reuse and yield flags of every legal word; `seed` is of HINTS_RANDOM. */
void hints_set(struct heddle_program *p, enum hints h, uint64_t seed);

#endif
