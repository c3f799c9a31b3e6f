/* SPDX-License-Identifier: Apache-2.0
 *
 * Pictures of words: one row a format or an encoding, bit 127 at the left.
 */
#ifndef HEDDLE_GEN_MAP_H
#define HEDDLE_GEN_MAP_H

#include "isa/gen/spec.h"

/* Content of a row. */
enum map_rows { MAP_FORMATS, MAP_ENCODINGS };

/* Use of a bit; a letter each. */
struct map_cell {
  char what;      /* of map_legend, or '.' */
  unsigned field; /* SPEC_NONE: unowned */
};

struct map_row {
  char label[2 * TEXT_NAME_MAX];
  struct map_cell cell[SPEC_WORD_BITS]; /* by bit number */
};

struct map_key {
  char what;
  const char *text, *color;
};
extern const struct map_key map_legend[]; /* what 0: the end */

unsigned map_count(const struct spec *s, enum map_rows rows);
void map_row(const struct spec *s, enum map_rows rows, unsigned i, struct map_row *out);

/* 128 columns and the label; the first bit of each field is a capital. */
void map_text(const struct spec *s, enum map_rows rows, FILE *f);
void map_svg(const struct spec *s, enum map_rows rows, FILE *f);

#endif
