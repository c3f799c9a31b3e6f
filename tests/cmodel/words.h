/* SPDX-License-Identifier: Apache-2.0
 *
 * Instruction words by field names; those of special functions and matrices.
 */
#ifndef HEDDLE_TEST_WORDS_H
#define HEDDLE_TEST_WORDS_H

#include <heddle/isa.h>
#include "tests/cmodel/rows.h"

/* Test helper: instruction words by field names, with the defaults that an
 * assembler would put in (guard PT, registers RZ, predicates PT, no counters). */

/* `pairs`: n times field, value. */
struct heddle_isa_word word_make(enum heddle_isa_enc enc, unsigned n, const uint64_t *pairs);

#define WORD(enc, ...)                                                                                                 \
  word_make((enc), (unsigned)(sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t) / 2),                         \
            (const uint64_t[]){__VA_ARGS__})

/* With a guard: predicate p, negated or not. */
struct heddle_isa_word word_guard(struct heddle_isa_word w, unsigned p, bool neg);

/* Test helper: the approximate functions of PTX, out of the model's own MUFU, FMUL and FADD. */

/* One form of tests/silicon/mufu/SPEC.md. Forms without .ftz scale some arguments and results by powers of two. */
struct mufu_form {
  const char *name;  /* as in checksums.txt */
  uint64_t function; /* of MUFU */
  /* Around MUFU: the argument times 1/2pi rounded toward zero first; x*in before, result*out or result + plus after,
   * where the argument is one that `when` means; result*result there. */
  bool turns;
  enum { ALWAYS_PLAIN, TINY, TINY_OR_HUGE, BELOW_126 } when;
  float in, out, plus;
};

#define MUFU_FORMS 13u
extern const struct mufu_form mufu_forms[MUFU_FORMS];

/* The operations of a form, in one build. */
struct mufu_ops {
  struct row_op mufu, fmul, fmul_rz, fadd;
};

/* False when there is no such build here. */
bool mufu_ops_get(struct mufu_ops *ops, uint64_t function, unsigned build);

/* 32 results of a form. */
void mufu_form_run(const struct mufu_form *f, const struct mufu_ops *ops, uint32_t result[32], const uint32_t x[32]);

/* Test helper: matrices into the registers of a warp and back, by the formulas of isa/doc/10-matrices.md, places of
 * elements. */

/* Rows of A, columns of B, and k between. Sizes of elements in bits: 8, 16, 32; 64 is DMMA's 8x8x4. */
struct shape {
  unsigned m, n, k, bits_ab, bits_cd;
};

/* Raw elements. */
struct matrices {
  struct shape shape;
  uint64_t a[16][32], b[32][8], c[16][8], d[16][8];
};

/* Fills a, b, c and d of *r. */
void fragments_put(struct rows *r, const struct matrices *m);

/* Element (i, j) of the result rows d. */
uint64_t fragments_get(const uint32_t d[4][32], struct shape s, unsigned i, unsigned j);

/* Test helper: the matrix instructions by the names of tests/silicon/mma, and small integers in their formats. */

/* The word of "f16k16_f32", "i32_s8u8_sat", "e4m3_f32", "e4m3e5m2_f32", "f64" ... False for other names. Registers are
 * RZ: for row operations that is all the same. */
bool matrix_word(const char *name, struct heddle_isa_word *w);

/* An instruction with exact products of integers. */
struct matrix_kind {
  const char *name;
  struct shape shape;
  unsigned most; /* greatest integer to use in a matrix */
  uint64_t (*element)(uint64_t n), (*accumulator)(uint64_t n);
};

extern const struct matrix_kind matrix_kinds[];
extern const unsigned matrix_kinds_count;

#endif
