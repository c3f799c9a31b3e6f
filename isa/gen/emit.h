/* SPDX-License-Identifier: Apache-2.0
 *
 * One function for each generated file. All take a checked spec.
 */
#ifndef HEDDLE_GEN_EMIT_H
#define HEDDLE_GEN_EMIT_H

#include "isa/gen/spec.h"

/* In a mask of units: what is no unit of its own (part=async). */
enum { EMIT_PART_ASYNC = SPEC_UNITS_MAX };

void emit_gen_h(const struct spec *s, FILE *f);
void emit_sem_h(const struct spec *s, FILE *f);
void emit_tables(const struct spec *s, FILE *f);
void emit_sv(const struct spec *s, FILE *f);
void emit_sv_decode(const struct spec *s, FILE *f); /* the functions at the end of the package */
void emit_sv_table(const struct spec *s, FILE *f);  /* the decoder as a table, after these */
void emit_sv_short(const struct spec *s, FILE *f);  /* short words */
void emit_manual(const struct spec *s, FILE *f);
void emit_vectors(const struct spec *s, FILE *f);
void emit_wave_ops(const struct spec *s, FILE *f);
void emit_wave_units(const struct spec *s, FILE *f);
void emit_surfer_ops(const struct spec *s, FILE *f);
void emit_surfer_units(const struct spec *s, FILE *f);

/* Does a field have values that make a word illegal, in C or (rtl) in the SystemVerilog package? */
bool emit_field_has_check(const struct spec *s, const struct field *f, bool rtl);

/* The field of that name if the encoding owns it, else SPEC_NONE. */
unsigned emit_owned(const struct spec *s, const struct enc *e, const char *name);

/* The offset beside a constant bank: field of kind coff, or the signed one that comes with a base register. */
unsigned emit_coff_field(const struct spec *s, const struct enc *e);

/* SystemVerilog literal "128'h...". */
void emit_hex128(FILE *f, u128 v);

#endif
