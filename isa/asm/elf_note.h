/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel note of isa/doc/06-abi.md, little-endian words in this order, and names of sections. Shared by reader and
 * writer. */
#ifndef HEDDLE_ELF_NOTE_H
#define HEDDLE_ELF_NOTE_H

#include <stdint.h>

#define NOTE_SECTION ".note.heddle"
#define GLOBAL_SECTION ".global"
#define GLOBAL_ZERO_SECTION ".global.zero"
#define GLOBAL_ADDRESS_SECTION ".global.address"
#define DEBUG_ADDRESS_SECTION ".debug_info.address"
#define ORDER_SECTION ".order"
#define ORDER_KIND 7u /* of its words: enum heddle_order; the rest is the place of a word of code */
#define NOTE_OWNER "HEDDLE"
#define NOTE_TYPE_KERNEL 1u
#define NOTE_VERSION 3u /* 1 had no local bytes, 2 no promise, and names of parameters in 64 bytes */

/* Word indices of the fixed part; then three words a parameter: offset, size, its name in .strtab. */
enum note_word {
  NOTE_W_VERSION,
  NOTE_W_SYMBOL,
  NOTE_W_ENTRY,
  NOTE_W_REGS,
  NOTE_W_SHARED,
  NOTE_W_BARRIERS,
  NOTE_W_PARAM_BYTES,
  NOTE_W_PARAMS,
  NOTE_W_ISA_LO,
  NOTE_W_ISA_HI,
  NOTE_W_STALL0,
  NOTE_W_STALL1,
  NOTE_W_LOCAL,
  NOTE_W_BLOCK, /* three */
  NOTE_W_THREADS = NOTE_W_BLOCK + 3,
  NOTE_W_BLOCKS,
  NOTE_W_FIXED
};
#define NOTE_PARAM_BYTES 12u
#define NOTE_ALIGN_SHIFT 16u /* in the word of the size: the power of two of an address */

/* A second note of a kernel, behind its first: these words, then names of units with spaces between, NUL-padded. */
#define NOTE_TYPE_NEEDS 2u
#define NEEDS_VERSION 1u
#define NEEDS_TEXT_MAX 256u
enum needs_word { NEEDS_W_VERSION, NEEDS_W_SYMBOL, NEEDS_W_UNIFORM, NEEDS_W_FIXED };

#endif
