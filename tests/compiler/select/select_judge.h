/* SPDX-License-Identifier: Apache-2.0
 *
 * One operation of the graph, in many settings, through selection and on the model: what it is, what it is given, and
 * what must come out of it. */
#ifndef SELECT_JUDGE_H
#define SELECT_JUDGE_H

#include "compiler/ir/ir.h"

/* Surroundings of the operation. */
enum select_setting {
  SETTING_PLAIN,
  SETTING_CONSTANT, /* a source is a constant */
  SETTING_PARAM,    /* a source is a kernel parameter */
  SETTING_GUARDED,  /* under a predicate; where it is false, what was there before stays */
  SETTING_VARIABLE, /* the result is written into the variable that a source comes from */
  SETTING_LOW       /* of a 64-bit result only the low word is read */
};

struct select_case {
  struct ir_insn i;    /* op, types, modifiers, dsts, sources; the operands are filled in */
  char dst[3], src[6]; /* a letter for each: p, w, d (predicate, 32, 64 bits) */
};

enum { JUDGE_THREADS = 1024, JUDGE_SOURCES = 4 };

/* Fails the test, saying what was computed from what, unless all threads have what `expect` says. */
void select_try(const struct select_case *c, enum select_setting setting, unsigned source, uint64_t constant,
                const uint64_t in[JUDGE_THREADS][JUDGE_SOURCES],
                bool (*expect)(const struct ir_insn *i, const uint64_t *src, uint64_t *dst));
/* The bits of dst[k] that count. */
uint64_t select_mask(const struct select_case *c, unsigned k);

/* ir_eval and what it leaves out: carries, halves, the rest of PRMT, DP4A, TESTP, COPYSIGN. False: nothing is said. */
bool select_expect(const struct ir_insn *i, const uint64_t *src, uint64_t *dst);

#endif
