/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs of tests: by hand, and at random.
 */
#ifndef HEDDLE_TESTS_COMPILER_IR_RANDOM_H
#define HEDDLE_TESTS_COMPILER_IR_RANDOM_H

#include <stdlib.h>
#include <string.h>
#include "base/splitmix64.h"
#include "compiler/ir/diag.h"
#include "compiler/ir/ir.h"
#include "tests/compiler/graph/ir_warp.h"

/* Graphs written by hand, for tests. The arena is the test's to free. */

struct hand {
  struct ptx_arena *arena;
  struct ir_function *f;
};

/* So many empty blocks in a row, b[0] the entry. */
static inline struct hand hand_new(unsigned blocks, struct ir_block **b) {
  struct hand h = {.arena = ptx_arena_new(1 << 24)};
  h.f = ptx_alloc(h.arena, sizeof *h.f);
  *h.f = (struct ir_function){.name = "hand", .entry = true, .arena = h.arena};
  for (unsigned k = 0; k < blocks; k++) {
    b[k] = ir_block_new(h.f);
    if (k) ir_block_place(b[k - 1], b[k]);
  }
  h.f->first = b[0];
  return h;
}

/* Random graphs as lowering makes them (values are variables), for tests of the passes. Every variable is written
 * before it is read, and no thread looks at what another writes. At its end a thread stores all its variables in its
 * own part of global memory. The same shape gives the same function. */

enum { RANDOM_SLOT = 256 }; /* bytes of global memory a thread has, above which it loads and stores at random */

struct random_ir {
  uint64_t seed;
  unsigned blocks;        /* of a wild graph: edges at random, loops with several entries; 0: statements */
  unsigned depth, length; /* statements: nesting, how many in a sequence */
  unsigned work;          /* instructions in a row */
  bool guards, memory, narrow, floats, exits, barriers, polls;
  bool common; /* half of the variables are written from each other and constants alone: the same in all threads, unless
                * they are written where threads are apart */
};

struct random_made {
  struct ir_function *f;
  struct ptx_arena *arena;
};
struct random_made ir_random(const struct random_ir *shape);
void ir_random_free(struct random_made *m);

/* Expected memory: every thread by itself. False: it takes too long. */
bool ir_random_expect(const struct ir_function *f, uint8_t global[WARP_GLOBAL]);
/* A pass's result, in SSA form or not: NULL when it is well formed and leaves the same; else what is wrong. */
const char *ir_random_check(const struct ir_function *f, bool ssa, const uint8_t expected[WARP_GLOBAL]);
/* The same function after passes: one warp. NULL: as expected; or what went wrong. */
const char *ir_random_compare(const struct ir_function *f, enum warp_unit unit, uint64_t seed, unsigned check_uniform,
                              const uint8_t global[WARP_GLOBAL]);

/* Parts of random graphs: dice, operands, new instructions. */

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

/* One of n variables to read; to write: those of one side are below n / 2. */
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
