/* SPDX-License-Identifier: Apache-2.0
 *
 * Shorter code, by report alone, and the patterns of bits that it needs.
 */
#ifndef HEDDLE_ISA_MEASURE_COMPACT_H
#define HEDDLE_ISA_MEASURE_COMPACT_H

#include "isa/gen/spec.h"
#include "isa/measure/fields.h"

/* Patterns of bits, ranked by how often they occur: what a table of the most frequent ones would hold. */

#define PATTERNS_NEVER UINT32_MAX /* rank of what does not occur where it counts */

struct patterns {
  struct pattern *item; /* by number, then by pattern */
  size_t n;
  uint32_t *rank; /* of item i: 0 the most frequent; as frequent: the smaller number */
};

bool patterns_init(struct patterns *p, size_t n); /* false: no memory */
void patterns_clear(struct patterns *p);
void patterns_set(struct patterns *p, size_t i, u128 bits, bool counts);
/* Fills `rank`; *different: patterns that count. Once. False: no memory. */
bool patterns_rank(struct patterns *p, unsigned *different);

/* Shorter code, by report alone: size of a corpus if an encoding had other word sizes than 128 bits. None of this is
 * built. Three ways:
 *
 *  - COMPACT_TABLE (as Intel's EU compacts): a form of 64 bits beside the full one. It holds one bit for the size,
 *    the opcode fields, the guard, an index of `control_bits` into a table of control codes, one of
 *    `modifier_bits` into a table of modifiers (every other bit that the encoding owns or fixes: negations, suffixes,
 *    predicates, truth tables), and in what is left, at places that the format fixes, registers at their full width and
 *    numbers in as many bits as this number needs (measure_need). A word is compact if both patterns are in the tables
 *    and the rest fits. Tables hold the patterns of most words; their sizes are chosen greedily: from one entry each,
 *    that table is doubled that makes more words compact (both, where neither alone does), until none does.
 *  - COMPACT_MIX: a form of 64 bits without tables: size bit, opcode, guard, stall, yield, write counter, wait mask,
 *    registers and numbers as above. Every modifier is at its default (zero; a predicate PT), no counter for reading,
 *    no reuse.
 *  - COMPACT_SHARED (as Maxwell's): control codes of three instructions in a word of 64 bits in front of them; each of
 *    these takes 64 bits if what its encoding owns besides the control code is at most 64 bits, else two such places.
 *    Programs are filled up to whole groups of 32 bytes. */

enum compact_way { COMPACT_NONE, COMPACT_TABLE, COMPACT_MIX, COMPACT_SHARED, COMPACT_WAYS };
extern const char *const compact_way_names[COMPACT_WAYS]; /* "none", "table", "mix", "shared" */

enum { COMPACT_SHORT = 8, COMPACT_LONG = 16, COMPACT_INDEX_MAX = 15 }; /* bytes; bits of an index */

/* The tables that were chosen; patterns by rank, most words first. */
struct compact_tables {
  unsigned control_bits, modifier_bits;
  unsigned controls, modifiers;            /* different patterns in the corpus */
  double share[2 * COMPACT_INDEX_MAX + 1]; /* of words compact after each doubling; the first: one entry each */
  unsigned steps;                          /* entries of `share` */
};

struct compact {
  const struct corpus *corpus; /* borrowed */
  struct compact_tables tables;
  uint8_t *bytes[COMPACT_WAYS]; /* of each word of the corpus; COMPACT_SHARED: without the control words */
  uint64_t short_words[COMPACT_WAYS], short_runs[COMPACT_WAYS];
  double total[COMPACT_WAYS], total_runs[COMPACT_WAYS]; /* bytes of all programs; fetched by all that ran */
  double
      held_out; /* of COMPACT_TABLE: share of words that are compact with tables made of the other half of programs */
};

/* `as`: the encoding with the widths of registers. False: no memory. */
bool compact_make(const struct corpus *c, const struct spec *as, struct compact *out);
void compact_clear(struct compact *c);

/* One word at a time, for tests. The pattern of modifiers, and bits of registers and numbers of a word. */
u128 compact_modifiers(const struct spec *s, const struct enc *e, u128 bits);
unsigned compact_payload(const struct spec *s, const struct enc *e, u128 bits, const struct spec *as);

#endif
