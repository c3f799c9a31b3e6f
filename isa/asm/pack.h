/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the assembler only: which words become pairs of short ones, and where everything lies then
 * (isa/doc/13-short-words.md). */
#ifndef HEDDLE_ASM_PACK_H
#define HEDDLE_ASM_PACK_H

#include <heddle/isa.h>

enum { PACK_ROUNDS = 8 };

/* A word may be in a pair if it has a short form and nobody says that it stays long. Once it had none where it came to
 * lie it stays long, so that rounds end: after PACK_ROUNDS of them all do. */
struct pack_word {
  struct heddle_isa_word word;
  bool stays, begins; /* begins: a kernel or function, which starts a place */
  bool paired;        /* one of two in a place */
  uint32_t pc;        /* where it lies */
};

struct pack {
  struct pack_word *at; /* `words` of them, and one behind, whose pc is the size of the code */
  size_t words;
  unsigned rounds;
};

/* False: no memory. */
bool pack_begin(struct pack *k, size_t words);
void pack_end(struct pack *k);
/* Pairs, first to last, and places. Words are as long ones, one behind the other, would be. */
void pack_lay_out(struct pack *k);
/* Code from the words as they are where they came to lie. False: one of a pair has no short form; the pairs have been
 * chosen anew then, and words depend on them. */
bool pack_store(struct pack *k, uint8_t *code);
/* Where what lay at this address lies now, if words were long; an address outside of the code, or within a word, stays
 * what it is. */
uint64_t pack_moved(const struct pack *k, uint64_t address);

#endif
