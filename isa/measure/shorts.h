/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of the tables that short words name (isa/doc/13-short-words.md), chosen for a corpus: those of most words. A
 * word counts for its pattern if its control code is in the other table, and the other way round. So the two are chosen
 * in turns, SHORTS_TURNS times, patterns last.
 */
#ifndef HEDDLE_MEASURE_SHORTS_H
#define HEDDLE_MEASURE_SHORTS_H

#include "isa/measure/fields.h"

enum { SHORTS_TURNS = 4 };

struct shorts_row {
  u128 bits;
  enum short_kind kind;
  unsigned enc;   /* of the first word that has it */
  uint64_t words; /* that it makes short */
};

struct shorts {
  struct shorts_row row[SPEC_SHORT_ROWS];
  struct {
    uint32_t bits;
    uint64_t words;
  } code[SPEC_SHORT_CODES];
  unsigned rows, codes;             /* in the tables: most words first, then by their bits */
  unsigned patterns, control_codes; /* different ones in the corpus */
  uint64_t words, short_words, short_runs, runs;
  uint64_t paired, places; /* words that follow each other and are short; places of 16 bytes then */
};

/* False: no memory, or control codes of this encoding are not contiguous. */
bool shorts_choose(const struct corpus *c, unsigned rows, unsigned codes, struct shorts *out);

/* A word's row: all bits but registers, guard, control code and number; *kind is the number's. */
u128 shorts_pattern(const struct spec *s, const struct enc *e, u128 bits, enum short_kind *kind);

/* The rows as lines of an ISA file, with how many words each makes short. */
void shorts_print(const struct spec *s, const struct shorts *t, FILE *f);

#endif
