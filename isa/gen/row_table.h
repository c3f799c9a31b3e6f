/* SPDX-License-Identifier: Apache-2.0
 *
 * The decoder's table before it is text: a row for each encoding of the RTL, its index, and the requested columns, one
 * bit of every row. An instruction set may be beyond its limits; `full` is set from then on, and the table has no
 * meaning.
 */
#ifndef HEDDLE_GEN_ROW_TABLE_H
#define HEDDLE_GEN_ROW_TABLE_H

#include <stdio.h>
#include "isa/gen/spec.h"

/* An instruction set with more than this has no table (isa_pkg::TABLE_THERE says so). */
enum { COLUMNS_MAX = 512, EXT_MAX = 20, ROWS_MAX = 4096 };

struct row {
  const struct enc *e;
  unsigned ext, index; /* opcode bits with the extra ones above them; index of the row */
};

/* The index has fewer bits than an opcode: a difference that no two rows have is folded away, and the bit that went
 * with it is `dropped`. Each bit of the index, and each that is dropped, is the parity of the bits in its mask. */
struct row_table {
  const struct spec *s;
  struct row *row;
  unsigned n_rows;
  unsigned n_ext;          /* opcode bits, and above them... */
  unsigned extra[EXT_MAX]; /* ... these bits of the word, each for the opcodes that need it */
  unsigned mask[EXT_MAX];
  unsigned index[EXT_MAX], n_index, dropped[EXT_MAX], n_dropped;
  char *column[COLUMNS_MAX]; /* '0' or '1' of each row */
  unsigned n_columns;
  bool full;
};

/* Rows and index of the RTL's part of `s`. False: there is no table. Free it with row_table_drop in either case. */
bool row_table_make(struct row_table *t, const struct spec *s);
void row_table_drop(struct row_table *t);

/* The column with these bits, '0' or '1' for each row: a new one, or one that there is. */
unsigned row_table_column(struct row_table *t, const char *bits);

/* Encodings in RTL that have these opcode bits. */
unsigned row_table_encodings(const struct spec *s, unsigned key);

/* Bit k of the index or of what is dropped, of row i. */
bool row_table_parity(const struct row_table *t, unsigned k, unsigned i);

/* Expressions of SystemVerilog over the bits of a row (`row[..]`) of the decoder's table; each adds the columns that
 * it needs. */

/* Operand, register or predicate i of an encoding: as text (an expression over the word), as a number. */
typedef void (*text_fn)(const struct spec *s, const struct enc *e, unsigned i, FILE *f);
typedef unsigned (*number_fn)(const struct spec *s, const struct enc *e, unsigned i);

/* The column with these bits, '0' or '1' for each row; what is the same in all rows is no column. */
void emit_row_bit(struct row_table *t, const char *bits, FILE *f);

/* Expression of `width` bits: the value of the row's encoding, among all that there are. A `usual` value needs no
 * column. */
void emit_row_text(struct row_table *t, unsigned width, const char *usual, text_fn fn, unsigned i, FILE *f);

/* A number of `width` bits that the row itself says. */
void emit_row_number(struct row_table *t, unsigned width, number_fn fn, unsigned i, FILE *f);

/* Terms that must be true where the encoding has them, each line of a text one: " && (!column || term)". */
void emit_row_demands(struct row_table *t, text_fn fn, unsigned i, FILE *f);

#endif
