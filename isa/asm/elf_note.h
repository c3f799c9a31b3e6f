/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of a program file that its reader and its writer share: notes of kernels (isa/doc/06-abi.md), names of
 * sections, module variables.
 */
#ifndef HEDDLE_ELF_NOTE_H
#define HEDDLE_ELF_NOTE_H

#include <gelf.h>
#include <stdint.h>
#include <string.h>

#include <heddle/program.h>
#include "base/array.h"

/* The kernel note of isa/doc/06-abi.md, little-endian words in this order, and names of sections. Shared by reader and
 * writer. */

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

/* The second note of a kernel, what it needs (isa/doc/06-abi.md). */

/* The note of kernel `k`, with its name at `symbol` of .strtab. */
void elf_needs_write(struct bytes *notes, const struct heddle_program *p, const struct heddle_kernel *k,
                     uint32_t symbol);

/* Words of why a descriptor cannot be taken, or NULL: then the kernel holds it. `desc` is untrusted. */
const char *elf_needs_read(struct heddle_kernel *k, const uint8_t *desc, size_t size);

/* Module variables in a program file. */

/* Names of a file, each with a NUL behind it: the program's own copy. */
struct elf_strings {
  const char *text;
  size_t bytes;
};

/* The one that begins at byte `at`, of at most `most` characters; NULL: none does. */
static inline const char *elf_name(const struct elf_strings *s, size_t at, size_t most) {
  if (at >= s->bytes) return NULL;
  const size_t left = s->bytes - at; /* of the last one the NUL is behind the file's bytes */
  return strnlen(s->text + at, left) <= most ? s->text + at : NULL;
}

struct global_parts { /* as found in the file, unchecked; NULL, 0: not there */
  Elf_Data *bytes, *address, *sym;
  uint64_t zero; /* bytes of .global.zero */
  size_t index;  /* section .global */
  const struct elf_strings *names;
};

/* INVALID_IMAGE: something is out of bounds. */
enum heddle_error elf_read_globals(const struct global_parts *g, struct heddle_program *p, struct heddle_message *msg);

#endif
