/* SPDX-License-Identifier: Apache-2.0
 *
 * Test helper: instruction words by field names, with the defaults that an
 * assembler would put in (guard PT, registers RZ, predicates PT, no counters).
 */
#ifndef HEDDLE_TEST_WORDS_H
#define HEDDLE_TEST_WORDS_H

#include <heddle/isa.h>

/* `pairs`: n times field, value. */
struct heddle_isa_word word_make(enum heddle_isa_enc enc, unsigned n, const uint64_t *pairs);

#define WORD(enc, ...)                                                                                                 \
  word_make((enc), (unsigned)(sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t) / 2),                         \
            (const uint64_t[]){__VA_ARGS__})

/* With a guard: predicate p, negated or not. */
struct heddle_isa_word word_guard(struct heddle_isa_word w, unsigned p, bool neg);

#endif
