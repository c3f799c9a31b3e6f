/* SPDX-License-Identifier: Apache-2.0
 *
 * Every instruction that a twin program may hold and that concerns one thread alone: as PTX and as C.
 *
 * A row is a family. In its opcode {.a,.b,} is a choice of modifiers (an empty one: none) and <.a,.b> a choice of
 * types or parts. A variant is a row with its choices made.
 *
 * Operands (`sig`, destinations = sources):
 *   h r d    integers of 16, 32, 64 bits
 *   n        a small number of 32 bits
 *   e x      half floats and pairs of them
 *   f g      floats of 32, 64 bits
 *   p        a predicate
 *   q        a predicate, or its opposite
 *   H R D    a divisor, not 0
 *   i        a constant of 8 bits
 *   k        a mask of low bits
 *   {..}     a vector
 *   2        two predicates p|q
 * Addresses:
 *   G        input (read only)
 *   O        the thread's output
 *   S        its part of shared memory
 *   L        local memory
 *   C        constants
 *   P        parameters
 *   Y        a generic address of O, S or L
 *   A        one of O or S
 *
 * C: $1 $2 ... sources, $a $b ... destinations, $m the modifiers as M_ bits, %1 %2 ... the <> words with '_' for '.'.
 * Without a '$' it is the name of a function of ops.h, to which the <> words are added, called with the sources and,
 * if there are {} choices, the modifiers. Beginning with '=' it is a whole statement.
 */
#ifndef TWIN_TABLE_H
#define TWIN_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct twin_row {
  const char *ptx, *sig, *c;
  unsigned weight;
};
extern const struct twin_row twin_rows[];
extern const unsigned twin_row_count;

enum { TWIN_CHOICES = 6, TWIN_TEXT = 160 };

struct variant {
  uint16_t row;
  uint8_t choice[TWIN_CHOICES];
};
struct variant_text {
  char ptx[TWIN_TEXT];       /* the opcode */
  char word[3][12];          /* of <>, "_u32" */
  char modifiers[TWIN_TEXT]; /* "M_rn | M_ftz", or "0" */
  bool has_modifiers;
  unsigned bytes; /* of a memory access, whole */
};
bool variant_legal(const struct variant *v); /* in PTX: a .sat has something to do */
void variant_expand(const struct variant *v, struct variant_text *t);

unsigned twin_variants(void);                          /* of all rows */
struct variant twin_variant(unsigned number);          /* 0 .. twin_variants()-1 */
unsigned twin_variant_number(const struct variant *v); /* the other way */

#endif
