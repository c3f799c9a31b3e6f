/* SPDX-License-Identifier: Apache-2.0
 * Assembling pieces of text, for the tests of the assembler. */
#ifndef ASM_TEXT_H
#define ASM_TEXT_H

#include <heddle/asm.h>
#include <heddle/isa_tables.h>

/* Messages of the last call: they are counted, the first error (or the last warning) is kept. */
extern struct heddle_message last;
extern unsigned errors, warnings;

/* A whole file, scheduled for the counts 5, 6, 8, 6 (half and uni: 6, 12). NULL when there were errors. */
struct heddle_program *assemble(const char *text);

/* Instructions alone: `body` is between .kernel k and .end, from line 2 on. */
struct heddle_program *assemble_body(const char *body);

/* The file is refused at this place with a message that contains `words`. */
void expect_error(const char *text, unsigned line, unsigned column, const char *words);

/* Word `index` of a program, which must be legal. */
struct heddle_isa_dec decode_at(const struct heddle_program *p, unsigned index);

#endif
