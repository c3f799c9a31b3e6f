/* SPDX-License-Identifier: Apache-2.0
 *
 * Properties of programs, and random words: what more than one target needs.
 */
#ifndef HEDDLE_FUZZ_CHECKS_H
#define HEDDLE_FUZZ_CHECKS_H

#include <heddle/asm.h>

/* Both programs say the same about everything that a file keeps. `way` names how q came from p. */
void fuzz_same_program(const struct heddle_program *p, const struct heddle_program *q, const char *way);

/* The listing of `p` assembles again, to the same program. */
void fuzz_listing(const struct heddle_program *p);

/* Assemble as every target does; `last` (or NULL) gets the last message. */
struct heddle_program *fuzz_assembled(const void *text, size_t size, struct heddle_message *last);

/* The fixed bits of some encoding, all others random: legal unless a field holds a value that is not assigned. */
struct heddle_isa_word fuzz_word(uint64_t *state);
struct heddle_isa_word fuzz_word_of(unsigned enc, uint64_t *state);

#endif
