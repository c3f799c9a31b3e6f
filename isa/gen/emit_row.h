/* SPDX-License-Identifier: Apache-2.0
 *
 * Expressions of SystemVerilog over the bits of a row (`row[..]`) of the decoder's
 * table; each asks the table for the columns that it needs.
 */
#ifndef HEDDLE_GEN_EMIT_ROW_H
#define HEDDLE_GEN_EMIT_ROW_H

#include <stdio.h>

#include "isa/gen/row_table.h"

/* What an encoding says of its operand, register or predicate i: as text (an expression over the word), as a number. */
typedef void (*text_fn)(const struct spec *s, const struct enc *e, unsigned i, FILE *f);
typedef unsigned (*number_fn)(const struct spec *s, const struct enc *e, unsigned i);

/* The column with these bits, '0' or '1' for each row; what is the same in all rows is no column. */
void emit_row_bit(struct row_table *t, const char *bits, FILE *f);

/* Expression of `width` bits: what the row's encoding says, of all that there are. What is `usual` needs no column. */
void emit_row_text(struct row_table *t, unsigned width, const char *usual, text_fn fn, unsigned i, FILE *f);

/* A number of `width` bits that the row itself says. */
void emit_row_number(struct row_table *t, unsigned width, number_fn fn, unsigned i, FILE *f);

/* Terms that must be true where the encoding has them, each line of a text one: " && (!column || term)". */
void emit_row_demands(struct row_table *t, text_fn fn, unsigned i, FILE *f);

#endif
