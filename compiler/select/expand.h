/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the expansions: short names for building, flags that are false where the builder's guard is, and arms
 * beside the straight path.
 *
 * The builder's guard: every instruction of an expansion carries it, so that nothing is read where it is false. An
 * instruction under a predicate of the expansion's own (ex_if) carries that one instead: such a predicate comes from
 * ex_flag, which makes it false first where there is a guard. It must never be used negated.
 */
#ifndef HEDDLE_PTX_EXPAND_H
#define HEDDLE_PTX_EXPAND_H

#include "compiler/ir/mir.h"

/* The convergence barrier of expansions, the last. converge.c leaves it alone; nothing inside a slow block waits for
 * others. */
static inline uint16_t ex_barrier(void) {
  return (uint16_t)(heddle_isa_convergence_barriers() - 1);
}

/* A register for x without modifiers, of `words` words. RZ stays. */
struct mir_operand ex_in(struct mir_builder *m, struct mir_operand x, unsigned words);

static inline struct mir_operand ex_neg(struct mir_operand x) {
  x.neg = !x.neg;
  return x;
}
static inline struct mir_operand ex_abs(struct mir_operand x) {
  x.abs = true;
  x.neg = false;
  return x;
}

/* "op r, a, b, c" with a fresh r of one word, of two words. */
struct mir_operand ex_1(struct mir_builder *m, enum heddle_isa_op op, struct mir_operand a, struct mir_operand b,
                        struct mir_operand c);
struct mir_operand ex_2(struct mir_builder *m, enum heddle_isa_op op, struct mir_operand a, struct mir_operand b,
                        struct mir_operand c);
/* The instruction added last: to set fields of ex_1, ex_2. */
struct mir_insn *ex_last(struct mir_builder *m);

/* A fresh predicate, false where the guard is. */
struct mir_operand ex_flag(struct mir_builder *m);
/* ISETP, FSETP, DSETP, FCHK: flag = a cmp b. */
struct mir_insn *ex_test(struct mir_builder *m, enum heddle_isa_op op, unsigned cmp, struct mir_operand flag,
                         struct mir_operand a, struct mir_operand b);
/* "@flag op rd, a, b, c": rd keeps its value elsewhere. */
struct mir_insn *ex_if(struct mir_builder *m, struct mir_operand flag, enum heddle_isa_op op, struct mir_operand rd,
                       struct mir_operand a, struct mir_operand b, struct mir_operand c);
void ex_mov(struct mir_builder *m, struct mir_operand rd, struct mir_operand x);
void ex_mov_if(struct mir_builder *m, struct mir_operand flag, struct mir_operand rd, struct mir_operand x);
/* rd, carry = a + b + c; with carries in: rd, carry = a + b + x (+ y); IADD3 and IADD3.X. carry may be mir_none(). */
void ex_add(struct mir_builder *m, struct mir_operand rd, struct mir_operand carry, struct mir_operand a,
            struct mir_operand b);
void ex_addx(struct mir_builder *m, struct mir_operand rd, struct mir_operand carry, struct mir_operand a,
             struct mir_operand b, struct mir_operand carry_in);
struct mir_operand ex_mufu(struct mir_builder *m, unsigned function, struct mir_operand x);

/* expand.c: MUFU.RCP of a number x with 1 / x normal, or an equivalent for a result that is rounded as `rnd` says;
 * |1 - x y| <= 2^-23. `all`: of zeros, infinities, NaNs, too. */
struct mir_operand ex_reciprocal(struct mir_builder *m, struct mir_operand x, unsigned rnd, bool all);

/* MUFU.RSQ of a positive normal number, or what does as well for square roots; then, where x is none, the root. */
struct mir_operand ex_reciprocal_root(struct mir_builder *m, struct mir_operand x);
void ex_root_special(struct mir_builder *m, struct mir_operand root, struct mir_operand x);

/* FADD FMUL FFMA and the FP64 ones with a rounding (enum isa ISA_RND_*). */
struct mir_operand ex_f32(struct mir_builder *m, enum heddle_isa_op op, unsigned rnd, struct mir_operand a,
                          struct mir_operand b, struct mir_operand c);
struct mir_operand ex_f64(struct mir_builder *m, enum heddle_isa_op op, unsigned rnd, struct mir_operand a,
                          struct mir_operand b, struct mir_operand c);

/* Two arms: the lanes with `flag` from begin on, the others from else on (or none), all together again after end.
 * Results of both arms or only one of them go to the same register. */
struct ex_fork {
  struct mir_block *join;
  struct mir_insn *skip; /* the branch round the first arm */
  struct mir_block *from;
  struct mir_operand guard;
  bool keeps_old;
};
struct ex_fork ex_fork_begin(struct mir_builder *m, struct mir_operand flag, bool cold); /* cold: few lanes ever */
void ex_fork_else(struct mir_builder *m, struct ex_fork *s);
void ex_fork_end(struct mir_builder *m, struct ex_fork *s);

#endif
