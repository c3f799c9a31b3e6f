/* SPDX-License-Identifier: Apache-2.0
 *
 * What the bits of each field are worth: how many are spent, how much they say, and what does not fit.
 */
#ifndef HEDDLE_MEASURE_FIELDS_H
#define HEDDLE_MEASURE_FIELDS_H

#include "isa/measure/corpus.h"

/* Entropy of values that occur count[0], count[1] ... times, in bits an occurrence: sum of -p log2 p with
 * p = count / total. 0 where there is none or one. */
double measure_entropy(const uint64_t *count, size_t n);

/* The bits that a number must have so that nothing of it is lost; 0 needs none.
 * imm32 of i32, and signed fields: two's complement, sign-extended. u32 and unsigned fields: zero-extended.
 * imm32 of f32, f64, f16x2: bits from the top, the rest are zero. `imm` as in struct insn; `width`: of the field. */
unsigned measure_need(enum kind kind, unsigned imm, unsigned width, uint64_t value);

/* Of one field. */
struct field_measure {
  unsigned width;       /* bits, in the encoding that is measured */
  unsigned values;      /* different ones */
  uint64_t words, runs; /* that have the field */
  double entropy, entropy_runs;
  uint64_t unfit, unfit_runs; /* words whose value the field of the encoding cannot hold */
};

/* Of every field of the corpus' own instruction set by its index there; `as` is the encoding measured, whose fields of
 * the same names count. A field that `as` lacks is one of 0 bits. False: no memory. */
bool measure_fields(const struct corpus *c, const struct spec *as, struct field_measure out[SPEC_FIELDS_MAX]);

/* Can the field of `as` hold this value of the same field of the corpus? A register must be below the narrower RZ. */
bool measure_fits(const struct spec *base, const struct enc *e, unsigned field, const struct spec *as, uint64_t value);

/* Words that the encoding needs for a word of the corpus: 1, and one more for each number that does not fit (a move
 * that brings the rest), and as many NOPs as a stall count needs that does not. UINT_MAX: a register does not fit, so
 * nothing does. */
unsigned measure_words(const struct corpus *c, const struct corpus_word *w, const struct spec *as);

/* Numbers of one field in one format: of how many bits they would have to be. */
enum { MEASURE_NEED_MAX = 33 };
struct number_measure {
  unsigned format, field; /* indices */
  uint64_t words, runs;
  uint64_t need[MEASURE_NEED_MAX], need_runs[MEASURE_NEED_MAX]; /* of exactly so many bits */
};
/* Immediates, offsets, branch distances, constant offsets; in order of format, then field. Returns how many entries;
 * `out` has room for `most`. */
size_t measure_numbers(const struct corpus *c, struct number_measure *out, size_t most);

/* Words (runs) that need more than `bits`: as many more instructions would there be with a field of so many. */
uint64_t measure_above(const uint64_t need[MEASURE_NEED_MAX], unsigned bits);

#endif
