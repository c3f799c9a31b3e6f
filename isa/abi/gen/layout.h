/* SPDX-License-Identifier: Apache-2.0
 *
 * A layout file: which word of a table of words means what (../README.md is its manual).
 */
#ifndef HEDDLE_LAYOUT_H
#define HEDDLE_LAYOUT_H

#include "isa/gen/text.h"

enum {
  LAYOUT_ITEMS_MAX = 512,
  LAYOUT_BYTES_MAX = 1 << 16, /* of the table that is described */
  LAYOUT_TEXT_MAX = 128       /* a meaning with its NUL */
};

/* Items are in the order of the file: fields behind their word, values behind their set. */
enum layout_kind { LAYOUT_PART, LAYOUT_CONST, LAYOUT_WORD, LAYOUT_FIELD, LAYOUT_VALUES, LAYOUT_VALUE };

struct layout_item {
  enum layout_kind kind;
  struct pos at;
  char name[TEXT_NAME_MAX]; /* of a field or value: with that of its word or set in front */
  char text[LAYOUT_TEXT_MAX];
  uint32_t value;          /* CONST, VALUE */
  uint32_t offset;         /* WORD: bytes */
  unsigned bits;           /* WORD: 1 to 64; above 32 it is two words, the low one first */
  unsigned count, every;   /* WORD: so many, bytes apart; one: every = 0 */
  bool readable, writable; /* WORD */
  bool saturates;          /* WORD: what does not fit becomes the largest value; else upper bits are dropped */
  unsigned high, low;      /* FIELD: bits */
};

struct layout {
  char name[TEXT_NAME_MAX]; /* of the files that are made of it */
  char word[TEXT_NAME_MAX]; /* what a word is called in C: HEDDLE_<word>_<name> */
  char text[LAYOUT_TEXT_MAX];
  uint32_t bytes;
  unsigned items;
  struct layout_item item[LAYOUT_ITEMS_MAX];
  uint16_t owner[LAYOUT_BYTES_MAX / 4]; /* of each word: 1 + its item; 0: nobody's */
};

/* Read and check one file; false with a complaint that names file and line. */
bool layout_load(const char *path, struct layout *l, struct diag *d);

static inline bool layout_is_wide(const struct layout_item *i) {
  return i->bits > 32;
}

/* Ones in the bits that the low (half 0) or the high word of a register has. */
uint32_t layout_mask(const struct layout_item *i, unsigned half);

/* A word that can be written, and read again. */
static inline bool layout_is_kept(const struct layout_item *i) {
  return i->kind == LAYOUT_WORD && i->readable && i->writable;
}
bool layout_keeps(const struct layout *l); /* it has such words */

void layout_emit_c(const struct layout *l, FILE *f);        /* heddle/NAME.h */
void layout_emit_sv(const struct layout *l, FILE *f);       /* NAME_pkg.sv */
void layout_emit_markdown(const struct layout *l, FILE *f); /* NAME.md */

/* Rules of a layout beyond the form of its lines. False: complained. */

#endif
