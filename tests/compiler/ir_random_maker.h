/* SPDX-License-Identifier: Apache-2.0
 * What random graphs are made with: dice, operands, new instructions. */
#ifndef HEDDLE_IR_RANDOM_MAKER_H
#define HEDDLE_IR_RANDOM_MAKER_H

#include <stdlib.h>
#include <string.h>

#include "compiler/ir/diag.h"
#include "tests/compiler/ir_random.h"
#include "base/splitmix64.h"

enum { WORDS = 6, LONGS = 4, PREDICATES = 4 };

struct maker {
  const struct random_ir *shape;
  struct ir_function *f;
  uint64_t state;
  struct ir_value *word[WORDS], *wide[LONGS], *predicate[PREDICATES], *walk, *common, *base, *tid;
  struct ir_block *b, *last; /* being filled; last in the layout */
  struct ir_block *loop_next, *loop_end;
  unsigned statements;
  bool side; /* with shape->common: at the moment, the half that is the same in all threads */
};

static inline uint32_t dice(struct maker *m, uint32_t n) {
  return (uint32_t)(splitmix64(&m->state) >> 16) % n;
}

static inline struct ir_insn *emit(struct maker *m, enum ir_op op, enum ptx_type t, struct ir_value *dst) {
  struct ir_insn *i = ir_insn_new(m->f, op, t, (struct ptx_pos){1, 1});
  if (dst) i->dst[i->dsts++] = dst;
  ir_append(m->b, i);
  return i;
}

static inline struct ir_insn *emit2(struct maker *m, enum ir_op op, enum ptx_type t, struct ir_value *dst,
                                    struct ir_operand a, struct ir_operand b) {
  struct ir_insn *i = emit(m, op, t, dst);
  i->src[i->sources++] = a;
  if (b.kind != IR_NONE) i->src[i->sources++] = b;
  return i;
}

static inline struct ir_value *fresh(struct maker *m, enum ir_class c) {
  return ir_value_new(m->f, c);
}
static const struct ir_operand none = {.kind = IR_NONE};

static inline uint64_t constant(struct maker *m, unsigned bits) {
  static const uint64_t edges[] = {0,  1,   2,    3,    7,      8,      16,     31,         32,         33,
                                   63, 255, 0x7f, 0x80, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff};
  uint64_t x;
  if (dice(m, 4))
    x = edges[dice(m, sizeof edges / sizeof *edges)];
  else {
    x = (uint64_t)dice(m, UINT32_MAX) << 32;
    x |= dice(m, UINT32_MAX);
  }
  if (dice(m, 4) == 0) x = ~x;
  return bits == 64 ? x : x & ((UINT64_C(1) << bits) - 1);
}

/* One of n variables to read; to write: those of one side stand below n / 2. */
static inline uint32_t one_to_read(struct maker *m, uint32_t n) {
  return dice(m, m->shape->common && m->side ? n / 2 : n);
}
static inline uint32_t one_to_write(struct maker *m, uint32_t n) {
  if (!m->shape->common) return dice(m, n);
  return dice(m, n / 2) + (m->side ? 0 : n / 2);
}

static inline struct ir_operand word(struct maker *m) {
  return dice(m, 5) ? ir_use(m->word[one_to_read(m, WORDS)]) : ir_bits(constant(m, 32));
}
static inline struct ir_operand narrow_word(struct maker *m, unsigned bits) {
  return dice(m, 5) ? ir_use(m->word[one_to_read(m, WORDS)]) : ir_bits(constant(m, bits));
}
static inline struct ir_operand wide(struct maker *m) {
  return dice(m, 5) ? ir_use(m->wide[one_to_read(m, LONGS)]) : ir_bits(constant(m, 64));
}
static inline struct ir_operand predicate(struct maker *m) {
  return ir_use(m->predicate[one_to_read(m, PREDICATES)]);
}
static inline struct ir_value *a_predicate(struct maker *m) {
  return m->predicate[one_to_write(m, PREDICATES)];
}
static inline struct ir_value *a_word(struct maker *m) {
  return m->word[one_to_write(m, WORDS)];
}
static inline struct ir_value *a_wide(struct maker *m) {
  return m->wide[one_to_write(m, LONGS)];
}

/* ir_random_insn.c: the hash that ends loops, stirred once; a few random instructions. */
void stir(struct maker *m);
void work(struct maker *m);

#endif
