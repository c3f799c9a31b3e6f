/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside substitute*.c: building the sequence that stands for an instruction, in front of it. */
#ifndef HEDDLE_PTX_SUBSTITUTE_H
#define HEDDLE_PTX_SUBSTITUTE_H

#include "compiler/ir/mir.h"

struct substitute {
  struct mir_function *f;
  struct mir_block *b;
  struct mir_insn *insn; /* that is to go */
};

/* "op r, a, b, c" with a fresh r. */
struct mir_operand sub_1(struct substitute *s, enum heddle_isa_op op, struct mir_operand a, struct mir_operand b,
                         struct mir_operand c);
struct mir_insn *sub_made(const struct substitute *s); /* the instruction made last: to set fields */
/* The last one: it writes the result. */
struct mir_insn *sub_last(struct substitute *s, enum heddle_isa_op op, struct mir_operand a, struct mir_operand b,
                          struct mir_operand c);
void sub_move(struct substitute *s, struct mir_operand x); /* the result is x */
struct mir_operand sub_shift(struct substitute *s, struct mir_operand x, unsigned by, bool right, bool is_signed);
/* SHF: of {hi:lo}; a type of ISA_SHTYPE. */
struct mir_operand sub_funnel(struct substitute *s, struct mir_operand lo, struct mir_operand by, struct mir_operand hi,
                              bool right, unsigned type, bool high);
struct mir_operand sub_lop3(struct substitute *s, struct mir_operand a, struct mir_operand b, struct mir_operand c,
                            unsigned lut);
struct mir_operand sub_reg(struct substitute *s, struct mir_operand x); /* in a register; ~x is carried out */
/* A fresh predicate: a cmp b. Where the guard is false it has no value. */
struct mir_operand sub_compare(struct substitute *s, unsigned cmp, bool is_signed, struct mir_operand a,
                               struct mir_operand b);
struct mir_operand sub_add(struct substitute *s, struct mir_operand a, struct mir_operand b, struct mir_operand c);
struct mir_operand sub_minus(struct mir_operand x); /* as an operand of sub_add */
struct mir_operand sub_choose(struct substitute *s, struct mir_operand p, struct mir_operand yes,
                              struct mir_operand no);
struct mir_operand sub_extreme(struct substitute *s, struct mir_operand a, struct mir_operand b, bool is_signed,
                               bool most);
uint64_t sub_field(const struct mir_insn *i, enum heddle_isa_field f);

/* ---- substitute_convert.c: comparisons; each says whether it could ---- */
bool sub_compare_high(struct substitute *s); /* ISETP.EX */
bool sub_round(struct substitute *s);        /* FRND */
bool sub_check_divide(struct substitute *s); /* FCHK.DIVIDE */

/* ---- substitute_convert.c ---- */
bool sub_from_integer(struct substitute *s); /* I2F of 64 bits, to FP32 */
bool sub_to_integer(struct substitute *s);   /* F2I of FP32 to 8, 16, 64 bits */
bool sub_extreme_nan(struct substitute *s);  /* FMNMX.NAN */
bool sub_half(struct substitute *s);         /* F2F between FP16 and FP32, from FP32 to FP64 */
bool sub_halves(struct substitute *s);       /* F2FP */

#endif
