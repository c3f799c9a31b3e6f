/* SPDX-License-Identifier: Apache-2.0
 * A program of long words and the same one packed (isa/doc/13-short-words.md). */
#ifndef SAME_PROGRAM_H
#define SAME_PROGRAM_H

#include <heddle/program.h>

struct packed_counts {
  unsigned words, paired, moved; /* moved: immediates and the like that hold an address, and another one when packed */
};

/* Fails unless both have the same instructions in the same order, with relative targets that name the same instruction.
 * Other differences may be fields with an address of the same instruction; entries, lines and names agree. Entries are
 * at multiples of 16. */
struct packed_counts expect_same_program(const char *name, const struct heddle_program *is_long,
                                         const struct heddle_program *is_packed);

#endif
