/* SPDX-License-Identifier: Apache-2.0
 *
 * Pieces of SystemVerilog that the decoder's functions and its table share.
 */
#ifndef HEDDLE_GEN_EMIT_DECODE_H
#define HEDDLE_GEN_EMIT_DECODE_H

#include "isa/gen/spec.h"

/* "word[hi:lo]" */
void emit_slice(const struct field *fl, FILE *f);

/* The field extended to `width` bits by its sign or by zeros, as an expression. */
void emit_extended(const struct field *fl, unsigned width, FILE *f);

/* What stands between the braces of a concatenation: the field extended to `width` bits, or the literal when there is
 * no field. */
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

/* Does the RTL know encoding i, and has it these opcode bits? */
bool emit_in_rtl(const struct spec *s, unsigned i, unsigned key);

/* Bits beyond the opcode by which the encodings of one opcode differ. */
u128 emit_key_extra(const struct spec *s, unsigned key);

/* Does the encoding name a uniform register or predicate? */
bool emit_is_uniform(const struct spec *s, const struct enc *e);

/* What a machine must have for an instruction: one of these units, a bit each, or a part of its own. */
unsigned emit_units(const struct insn *in);

#endif
