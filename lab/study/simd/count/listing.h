/* SPDX-License-Identifier: Apache-2.0
 *
 * A function as a list of instructions, and what has been counted of each.
 */
#ifndef SIMD_LISTING_H
#define SIMD_LISTING_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define SIMD_TEXT 96u
#define SIMD_ERROR 256u

/* Use of an instruction; a file of classes gives it by mnemonic (listing.h). */
enum simd_class {
  SIMD_FLOAT,   /* arithmetic on the kernel's numbers */
  SIMD_MEMORY,  /* loads and stores */
  SIMD_INTEGER, /* addresses, indices, counters; also results that are integers */
  SIMD_CONTROL, /* branches, comparisons that only set flags for them, reconvergence, return, exit */
  SIMD_STRIP,   /* reads or sets the number of elements of a vector instruction */
  SIMD_MASK,    /* makes or combines masks and predicates, tests one for empty */
  SIMD_MOVE,    /* copies, constants, broadcasts, special registers */
  SIMD_NOTHING, /* padding that is executed */
  SIMD_CLASSES
};

/* On how many elements it works. */
enum simd_kind {
  SIMD_SCALAR, /* on one, whatever the vectors are */
  SIMD_PACKED, /* on as many as its register holds: `element` bytes each */
  SIMD_VECTOR, /* on as many as the machine says when it is executed */
  SIMD_WHOLE   /* on whole registers of the vector unit (RISC-V V: vl2re64.v, vmv1r.v) */
};

struct simd_insn {
  uint64_t at;
  unsigned bytes;
  char mnemonic[24], text[SIMD_TEXT]; /* text: mnemonic and operands */
  enum simd_class what;
  enum simd_kind kind;
  unsigned element;  /* SIMD_PACKED: bytes */
  bool guarded;      /* under a mask or a predicate */
  uint64_t executed; /* times */
  uint64_t lanes;    /* elements it worked on, all times together; of scalars 0 */
  uint64_t width;    /* elements it could have worked on */
};

struct simd_listing {
  char function[64];
  uint64_t start, bytes;  /* of the code */
  struct simd_insn *insn; /* owned, ascending, without a gap from start to start + bytes */
  size_t insns, room;
};

/* From what llvm-objdump -d prints, of which only lines inside [start, start + bytes) are read: "  ADDRESS: HEX \t
 * MNEMONIC \t OPERANDS". The instructions must cover the function byte for byte. False: the reason in err. */
bool simd_listing_read(struct simd_listing *l, FILE *from, char err[SIMD_ERROR]);
void simd_listing_free(struct simd_listing *l);

/* One more instruction at the end. NULL: no memory. */
struct simd_insn *simd_listing_add(struct simd_listing *l);
/* The one that begins at `at`, or NULL. */
struct simd_insn *simd_listing_at(const struct simd_listing *l, uint64_t at);

/* Place of a function in an ELF file. */

/* Fills function, start and bytes of `l`. False: no ELF file, no such function or one without a size; err says it. */
bool simd_symbol(struct simd_listing *l, const char *elf, const char *function, char err[SIMD_ERROR]);

/* The purpose of each instruction of a listing, from a file (lab/study/simd/classes). Its lines are
 * PATTERN CLASS KIND [BYTES]
 * where PATTERN is a mnemonic as the shell's wildcards have it, and the first line that fits decides; CLASS a name of
 * simd_class_names; KIND scalar, packed (with the bytes of an element), vector or whole. A line "guarded TEXT" says
 * that instructions with TEXT in them run under a mask. # begins a comment. */

/* False: no file, a line that is none, or a mnemonic that no line fits; err says which. */
bool simd_classify(struct simd_listing *l, const char *file, char err[SIMD_ERROR]);

/* Counts, as JSON. */

/* Lanes of instructions with always full registers, from the counts of their executions. */
void simd_tally_packed(struct simd_listing *l);

/* New: function, code {bytes, instructions}, executed {instructions, bytes, guarded, and a number each class}, vector
 * {instructions, lanes, width}, float {instructions, lanes, width}, listing [[address, bytes, text, class, executed,
 * lanes, width], ...]. */
json_t *simd_tally_json(const struct simd_listing *l);

#endif
