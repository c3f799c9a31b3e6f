/* SPDX-License-Identifier: Apache-2.0
 *
 * Explanation of a grid's failure, for people and for programs. Here alone a trap, a read of unwritten data, a
 * deadlock or a difference becomes kernel, line, instruction, thread, address and the missed buffer. The caller (the
 * host driver, `heddle run` on any backend) fills in the facts that it has; others stay out. */
#ifndef HEDDLE_EXPLAIN_H
#define HEDDLE_EXPLAIN_H

#include <heddle/api.h>
#include <heddle/program.h>

#ifdef __cplusplus
extern "C" {
#endif

enum heddle_fault_kind {
  HEDDLE_FAULT_TRAP,
  HEDDLE_FAULT_UNDEFINED, /* unwritten data decided something */
  HEDDLE_FAULT_DEADLOCK,
  HEDDLE_FAULT_DIFFERENCE /* the implementation is wrong, not the program */
};

/* Global memory that the grid may touch. */
struct heddle_fault_buffer {
  const char *name; /* of the parameter or the variable; NULL or empty: it has none */
  int argument;     /* which one, from 0; -1: none */
  uint64_t base, limit;
  bool writable;
};

/* A warp that does not go on. */
struct heddle_fault_wait {
  uint32_t ctaid[3], warp, pc, lanes;
  char why[96];
};

struct heddle_fault {
  size_t size; /* sizeof(struct heddle_fault) */
  enum heddle_fault_kind kind;
  const char *cause;                    /* "out_of_range"; "R5"; "writeback.value"; may be NULL */
  const struct heddle_program *program; /* needed */
  const struct heddle_kernel *kernel;   /* that was launched */
  uint32_t block[3];                    /* threads of a block; 0: not known */
  bool has_place;                       /* the next five are known */
  uint32_t pc, ctaid[3], warp, lanes, sequence;
  bool has_address; /* of the lowest of the lanes */
  uint64_t address;
  unsigned within; /* not 0: the access is somewhere in so many bytes from `address` on */
  bool at_end; /* UNDEFINED: the byte at `address` of global memory, which the host reads; the place is the store's */
  uint32_t shared_bytes, local_bytes;       /* of a block, of a thread */
  uint32_t units;                           /* of the machine, a bit per enum heddle_isa_unit; 0: not known */
  const struct heddle_fault_buffer *buffer; /* borrowed */
  unsigned buffers;
  const struct heddle_fault_wait *wait; /* DEADLOCK: waiting threads; borrowed */
  unsigned waits;
  const char *origin; /* UNDEFINED: what was never written, "R5" or "shared byte 0x10"; NULL or empty: not known */
  bool loaded;        /* it is memory; */
  uint32_t first_pc;  /* loaded by this instruction, else first read by it */
};

/* Strings are empty, pointers NULL where nothing is known. */
struct heddle_explanation {
  size_t size;                   /* sizeof(struct heddle_explanation) */
  const struct heddle_fault *of; /* borrowed */
  const char *kind;              /* "trap", "undefined", "deadlock", "difference" */
  const char *kernel, *function; /* function: the code is in one that the kernel calls */
  const char *file;
  unsigned line;
  char instruction[160];
  bool has_thread; /* the lowest of the lanes */
  uint32_t thread[3];
  const char *access; /* "load", "store", "atomic" */
  const char *space;  /* "global", "shared", "local", "constant" */
  unsigned bytes;     /* of the access */
  uint64_t address;   /* in that space */
  const struct heddle_fault_buffer *nearest;
  char allocator[160]; /* place of the host's allocation, if it is known: "main.cu:12" */
  uint64_t missed;     /* bytes of the access beyond its end, or before its beginning, with the gap */
  bool before;         /* its beginning */
  char place[120];     /* the nearest in words: "argument 0 \"out\" (400 bytes at 0x100000), 4 bytes beyond its end" */
  char advice[160];    /* one sentence */
  char origin[320];    /* "R5 was never written, first read at square.s:8: pc 0x0040: IADD3 R6, R5, 0x1, RZ" */
};

/* Has the trap record of this cause (codes of isa/doc/05-barriers-traps.md) an address? Then the access, by the
 * record alone, is in so many bytes from there on (`pages`: of a launch in an address space); 0: it is there. */
HEDDLE_API bool heddle_cause_has_address(uint32_t cause);
HEDDLE_API unsigned heddle_cause_within(uint32_t cause, uint64_t address, bool pages);

/* INVALID_VALUE: one of them is of another release, and nothing is said. */
HEDDLE_API enum heddle_error heddle_explain(const struct heddle_fault *f, struct heddle_explanation *out);

/* A kernel's name as its source has it: "scale(float*, int)" for _Z5scalePfi, where this machine has libstdc++.so.6;
 * else and of other languages just `name`. Into `text`, cut to `size`; returns `text`. */
HEDDLE_API const char *heddle_name_text(const char *name, char *text, size_t size);

/* The type of its parameter i, "float*", cut to `size`. False: the name says nothing of it. */
HEDDLE_API bool heddle_param_text(const char *name, unsigned i, char *text, size_t size);

/* Place of a word: "square.s:8", else "pc 0x0060", and the instruction. */
HEDDLE_API void heddle_explain_pc(const struct heddle_program *p, uint32_t pc, char *text, size_t size);

/* Some lines, each indented and ended; cut where they do not fit. Returns strlen. */
HEDDLE_API size_t heddle_explanation_text(const struct heddle_explanation *x, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
