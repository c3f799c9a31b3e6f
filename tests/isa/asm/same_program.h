/* SPDX-License-Identifier: Apache-2.0
 * A program of long words and the same one packed (isa/doc/13-short-words.md). */
#ifndef SAME_PROGRAM_H
#define SAME_PROGRAM_H

#include <heddle/program.h>

struct packed_counts {
  unsigned words, paired, moved; /* moved: immediates and the like that hold an address, and another one when packed */
};

/* Fails unless both have the same instructions in the same order, relative targets name the same instruction, what
 * else differs are fields that hold an address of the same instruction, and entries, lines and names agree. Entries lie
 * at multiples of 16. */
struct packed_counts expect_same_program(const char *name, const struct heddle_program *is_long,
                                         const struct heddle_program *is_packed);

#endif
