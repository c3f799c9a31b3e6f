/* SPDX-License-Identifier: Apache-2.0
 *
 * Folding, inside: fold.c drives, the other fold*.c have one kind of rewriting each. A rewriting looks at one
 * instruction (unguarded, operands already replaced). It turns it into a simpler one in place, or returns an equal
 * value.
 *
 * Every rewriting is exact: the same bits on every input; undefined bits (the upper ones of narrow numbers) stay
 * undefined. Float arithmetic is only folded, never reassociated or contracted.
 */
#ifndef HEDDLE_PTX_FOLD_H
#define HEDDLE_PTX_FOLD_H

#include "compiler/graph/pass.h"

struct fold {
  struct ir_function *f;
  struct ir_operand *same; /* by value id: what a value has been found equal to; IR_NONE: nothing */
  uint32_t *uses;          /* by value id: how often it is read (counted at the start of a round, about right later) */
  uint32_t room;           /* of both */
  const struct pass_tree *dom;
  bool changed, cut; /* something; an edge */
};

/* ---- types ---- */
static inline unsigned fold_bits(unsigned type) {
  return type == PTX_PRED ? 1 : 8 * ptx_type_bytes((enum ptx_type)type);
}
static inline uint64_t fold_mask(unsigned bits) {
  return bits >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
}
static inline bool fold_signed(unsigned type) {
  return type >= PTX_S8 && type <= PTX_S64;
}
static inline bool fold_integer(unsigned type) {
  return type >= PTX_B8 && type <= PTX_S64;
}
static inline uint64_t fold_extend(uint64_t x, unsigned bits) { /* signed */
  return bits >= 64 ? x : (uint64_t)((int64_t)(x << (64 - bits)) >> (64 - bits));
}
/* x as a number of the type, in 64 bits. */
static inline uint64_t fold_read(uint64_t x, unsigned type) {
  unsigned bits = fold_bits(type);
  return fold_signed(type) ? fold_extend(x, bits) : x & fold_mask(bits);
}

static inline enum ptx_type fold_signed_type(unsigned type) {
  return fold_bits(type) == 64 ? PTX_S64 : PTX_S32;
}

/* ---- operands ---- */
static inline bool fold_is(const struct ir_operand *o, uint64_t bits) {
  return o->kind == IR_CONST && o->bits == bits;
}
/* The unguarded instruction that an operand comes from, if it is an `op` of this type (NO_TYPE: any); else NULL. */
struct ir_insn *fold_from(const struct ir_operand *o, enum ir_op op, enum ptx_type type);
static inline bool fold_once(const struct fold *c, const struct ir_operand *o) {
  return o->kind == IR_VALUE && o->value->id < c->room && c->uses[o->value->id] == 1;
}

/* ---- rewriting ---- */
/* Makes i an `op` with these sources; its modifiers are cleared. Returns true. */
bool fold_become(struct fold *c, struct ir_insn *i, enum ir_op op, enum ptx_type type, unsigned sources,
                 struct ir_operand a, struct ir_operand b, struct ir_operand d);
/* Makes i a copy; the driver replaces what it defines. Returns true. */
bool fold_equal(struct fold *c, struct ir_insn *i, struct ir_operand o);
/* v is o from now on. False where o is v itself, in a circle of blocks that cannot be reached: nothing is done. */
bool fold_alias(struct fold *c, const struct ir_value *v, struct ir_operand o);
/* A new instruction in front of i, with a fresh value (of class `result`). */
struct ir_operand fold_before(struct fold *c, struct ir_insn *i, enum ir_op op, enum ptx_type type,
                              enum ir_class result, unsigned sources, struct ir_operand a, struct ir_operand b,
                              struct ir_operand d);
static inline struct ir_operand fold_none(void) {
  return (struct ir_operand){.kind = IR_NONE};
}

/* Each returns true when it changed i (which is then looked at again). */
bool fold_constant(struct fold *c, struct ir_insn *i); /* fold_constant.c: all operands constant, integers and bits */
bool fold_float(struct fold *c, struct ir_insn *i);    /* fold_float.c: the same, F32 and F64 where the host is exact */
bool fold_integers(struct fold *c, struct ir_insn *i); /* fold_integer.c: sums, products, shifts */
bool fold_divide(struct fold *c, struct ir_insn *i);   /* fold_integer.c: division by a constant */
bool fold_wide(struct fold *c, struct ir_insn *i); /* fold_address.c: widening products, conversions between integers */
bool fold_logic(struct fold *c, struct ir_insn *i);   /* fold_logic.c: AND OR XOR NOT LOP3 */
bool fold_choice(struct fold *c, struct ir_insn *i);  /* fold_logic.c: SETP, SELP, predicates */
bool fold_address(struct fold *c, struct ir_insn *i); /* fold_address.c: offsets into loads and stores, known spaces */

bool fold_compare(unsigned cmp, unsigned type, uint64_t a, uint64_t b); /* integers */
/* An upper bound of the bits of an IR_32 value that can be set: all above are zero. */
unsigned fold_known_bits(const struct ir_operand *o);

#endif
