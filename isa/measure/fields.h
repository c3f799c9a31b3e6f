/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs with measured instruction words: the encoding of each word, and how often it is executed.
 *
 * Words are those of one instruction set, `spec`. Another encoding of the same instructions is measured over the same
 * words, field by field: fields are found by their names. Counts come twice everywhere: `words`, each word of a program
 * once (static), and `runs`, each word as often as a warp has executed it (dynamic; 0 without a run).
 */
#ifndef HEDDLE_ISA_MEASURE_FIELDS_H
#define HEDDLE_ISA_MEASURE_FIELDS_H

#include "isa/gen/spec.h"

struct corpus_word {
  u128 bits;
  uint64_t runs;
  uint16_t enc; /* index into spec->enc */
};

struct corpus_program {
  char name[128];
  size_t first, words; /* its words are word[first] ... */
};

struct corpus {
  const struct spec *spec; /* borrowed */
  struct corpus_word *word;
  struct corpus_program *program;
  size_t words, programs;
  size_t words_room, programs_room;
};

void corpus_init(struct corpus *c, const struct spec *spec);
void corpus_clear(struct corpus *c);

/* One more program of `n` words; `runs` has a count for each, or is NULL. False with *d: a word is none of the
 * instruction set, or there is no memory; then nothing was added. */
bool corpus_add(struct corpus *c, const char *name, const u128 *bits, const uint64_t *runs, size_t n, struct diag *d);

/* The encoding with the fixed and reserved bits of the word, or SPEC_ENCS_MAX. Values of sets are not looked at. */
unsigned corpus_encoding(const struct spec *s, u128 bits);

/* The value of a field, zero-extended (fields of more than 64 bits there are none). */
static inline uint64_t corpus_value(const struct field *f, u128 bits) {
  return (uint64_t)((bits & field_mask(f)) >> f->lo);
}

/* Bits of the encoding's fields of these kinds, as a set of `enum kind`. */
#define CORPUS_KIND(k) (UINT64_C(1) << (k))
#define CORPUS_REGISTERS                                                                                               \
  (CORPUS_KIND(K_GPR_READ) | CORPUS_KIND(K_GPR_WRITE) | CORPUS_KIND(K_UGPR_READ) | CORPUS_KIND(K_UGPR_WRITE))
#define CORPUS_CONTROL                                                                                                 \
  (CORPUS_KIND(K_STALL) | CORPUS_KIND(K_YIELD) | CORPUS_KIND(K_SBSET) | CORPUS_KIND(K_SBWAIT) | CORPUS_KIND(K_REUSE))
#define CORPUS_GUARDS (CORPUS_KIND(K_GUARD) | CORPUS_KIND(K_UGUARD))
u128 corpus_mask(const struct spec *s, const struct enc *e, uint64_t kinds);

/* Value of each field's bits: how many are spent, how much information they have, and values that do not fit. */

/* Entropy of values that occur count[0], count[1] ... times, in bits an occurrence: sum of -p log2 p with
 * p = count / total. 0 where there is none or one. */
double measure_entropy(const uint64_t *count, size_t n);

/* The bits that a number must have so that nothing of it is lost; 0 needs none.
 * imm32 of i32, and signed fields: two's complement, sign-extended. u32 and unsigned fields: zero-extended.
 * imm32 of f32, f64, f16x2: bits from the top, the rest are zero. `imm` as in struct insn; `width`: of the field. */
unsigned measure_need(enum kind kind, unsigned imm, unsigned width, uint64_t value);

/* Figures of each field. */
struct field_measure {
  unsigned width;       /* bits, in the encoding that is measured */
  unsigned values;      /* different ones */
  uint64_t words, runs; /* that have the field */
  double entropy, entropy_runs;
  uint64_t unfit, unfit_runs; /* words with a value that the field of the encoding cannot hold */
};

/* For every field of the corpus' own instruction set by its index there; `as` is the measured encoding, with fields
 * of the same names. A field that `as` lacks is one of 0 bits. False: no memory. */
bool measure_fields(const struct corpus *c, const struct spec *as, struct field_measure out[SPEC_FIELDS_MAX]);

/* Words that the encoding needs for a word of the corpus. 1, and one more for each number that does not fit (a move
 * of the rest), and NOPs for a stall count that does not fit. UINT_MAX: a register does not fit, so no word does. */
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
