/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs whose instruction words are measured: which encoding each word is of, how often it is executed.
 *
 * Words are those of one instruction set, `spec`; another encoding of the same instructions is measured over the same
 * words, field by field: fields are found by their names. Counts come twice everywhere: `words`, each word of a program
 * once (static), and `runs`, each word as often as a warp has executed it (dynamic; 0 where nobody has run it).
 */
#ifndef HEDDLE_MEASURE_CORPUS_H
#define HEDDLE_MEASURE_CORPUS_H

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

/* The encoding whose fixed and reserved bits the word has, or SPEC_ENCS_MAX. Values of sets are not looked at. */
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

#endif
