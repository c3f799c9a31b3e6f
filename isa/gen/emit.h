/* SPDX-License-Identifier: Apache-2.0
 *
 * One function for each generated file; all take a checked spec. Then what emitters share.
 */
#ifndef HEDDLE_GEN_EMIT_H
#define HEDDLE_GEN_EMIT_H

#include <jansson.h>
#include "isa/gen/spec.h"

/* In a mask of units: what is no unit of its own (part=async). */
enum { EMIT_PART_ASYNC = SPEC_UNITS_MAX };

void emit_gen_h(const struct spec *s, FILE *f);
void emit_sem_h(const struct spec *s, FILE *f);
void emit_tables(const struct spec *s, FILE *f);
void emit_sv(const struct spec *s, FILE *f);
void emit_sv_decode(const struct spec *s, FILE *f); /* the functions at the end of the package */
void emit_sv_table(const struct spec *s, FILE *f);  /* the decoder as a table, after these */
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

/* Names in the generated code: `IADD3.X` is IADD3_X, token `.RN` of set `rnd`
 * is RND_RN, an empty token takes its alias or NONE. */

struct ident {
  char s[3 * TEXT_NAME_MAX];
};

struct ident ident_upper(const char *name); /* dots become underscores */
struct ident ident_lower(const char *name);
struct ident ident_value(const struct set *set, unsigned value); /* SET_TOKEN; value must be legal */
struct ident ident_mem(const struct spec *s, unsigned mem);      /* GLOBAL_LOAD; 0 is NONE */

/* Two things that would get one generated name are an error in the file. */
bool names_check(const struct spec *s, struct diag *d);

/* Pieces of SystemVerilog that the decoder's functions and its table share. */

/* "word[hi:lo]" */
void emit_slice(const struct field *fl, FILE *f);

/* The field extended to `width` bits by its sign or by zeros, as an expression. */
void emit_extended(const struct field *fl, unsigned width, FILE *f);

/* Text between the braces of a concatenation: the field extended to `width` bits, or the literal when there is no
 * field. */
void emit_value(const struct spec *s, unsigned field, unsigned width, unsigned otherwise, FILE *f);

/* A register number: all ones of a narrower field is RZ too. */
void emit_reg(const struct spec *s, unsigned field, FILE *f);

/* Words less one. */
void emit_words(const struct spec *s, const struct wide *w, FILE *f);

/* " && ..." that a field has a value which is assigned. */
void emit_check(const struct spec *s, const struct field *fl, FILE *f);

bool emit_is_register(const struct slot *sl);

/* The field of the first name that the encoding has one of; *uniform: it is of the second. */
unsigned emit_one_of(const struct spec *s, const struct enc *e, const char *name, const char *uname, bool *uniform);

/* Does the RTL have encoding i, and has it these opcode bits? */
bool emit_in_rtl(const struct spec *s, unsigned i, unsigned key);

/* Bits beyond the opcode by which the encodings of one opcode differ. */
u128 emit_key_extra(const struct spec *s, unsigned key);

/* Does the encoding name a uniform register or predicate? */
bool emit_is_uniform(const struct spec *s, const struct enc *e);

/* Needs of an instruction: one of these units, a bit each, or a part of its own. */
unsigned emit_units(const struct insn *in);

/* The bits of an encoding in runs, with the owner of each. For descriptions of an encoding. */

struct layout_run {
  unsigned hi, lo;
  unsigned field;  /* SPEC_NONE: reserved, zero */
  bool fixed;      /* the field has one value here */
  uint64_t value;  /* ... this */
  char operand;    /* 'a', 'b', 'c': the run is its slot or changes it; 0: neither */
  bool of_operand; /* it changes it: negate, absolute, part */
};

/* Kind of a field: a set's name, or its kind. */
const char *layout_kind(const struct spec *s, const struct field *fl);

/* The ISA file as JSON: units, sets, fields, instructions with the bits of each form. Input of isa/manual. */

/* NULL: no memory. The caller's. */
json_t *doc_json(const struct spec *s);

#endif
