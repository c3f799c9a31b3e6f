/* SPDX-License-Identifier: Apache-2.0
 *
 * What the compiler makes of PTX's orders (isa/doc/15-memory-model.md): MEMBARs before and behind an access; a fence is
 * one MEMBAR. A release at block scope is MEMBAR.CTA. Whatever acquires at block scope is MEMBAR.GPU: it must empty the
 * cache, as what it acquires from may itself have acquired from another block.
 */
#ifndef LITMUS_MAPPING_H
#define LITMUS_MAPPING_H

#include "lab/verify/litmus/src/litmus_test.h"

/* What acquires. A set of them, 1 << word, is made narrow to see what that breaks: MEMBAR.CTA at block scope. */
enum mapping_word {
  MAPPING_LD_ACQUIRE,
  MAPPING_ATOM_ACQUIRE,
  MAPPING_ATOM_ACQ_REL,
  MAPPING_FENCE_ACQ_REL,
  MAPPING_FENCE_SC,
  MAPPING_WORDS
};
/* "ld.acquire", ...; MAPPING_WORDS: none of them. */
enum mapping_word mapping_word(const char *name);

#define MAPPING_NONE 0xffu /* no MEMBAR */
/* The scope of the MEMBAR before an access. */
uint8_t mapping_before(const struct test_insn *i);
/* Of the one behind an access, or of the one that a fence becomes. */
uint8_t mapping_behind(const struct test_insn *i, unsigned narrow);

#endif
