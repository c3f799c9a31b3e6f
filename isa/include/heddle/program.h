/* SPDX-License-Identifier: Apache-2.0
 *
 * A program: code, constants, kernels. Lives in memory as below and on disk as ELF64 (isa/doc/06-abi.md).
 * Files are untrusted: everything is bounded and checked; a bad file gives a message, never undefined behaviour.
 */
#ifndef HEDDLE_PROGRAM_H
#define HEDDLE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/api.h>
#include <heddle/error.h>
#include <heddle/bank0.h>
#include <heddle/isa.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_ELF_MACHINE 0x4845u
#define HEDDLE_CODE_MAX (16u << 20) /* bytes */
#define HEDDLE_CONST_MAX 65536u     /* bytes of bank 3 */
#define HEDDLE_KERNELS_MAX 4096u
#define HEDDLE_PARAMS_MAX 256u
#define HEDDLE_NAME_MAX 4096u         /* characters of a kernel's or function's name */
#define HEDDLE_SYMBOL_MAX 4352u       /* of any other: compilers put a kernel's name in front of its parameters' */
#define HEDDLE_LOCAL_MAX (512u << 10) /* bytes of local memory of a thread */

/* Module variables (`.global`): a host gives them a place in global memory, and says it in constant bank 0
 * (HEDDLE_BANK0_GLOBALS). */
#define HEDDLE_GLOBAL_ALIGN 256u              /* of that place */
#define HEDDLE_GLOBAL_MAX (64u << 20)         /* bytes */
#define HEDDLE_GLOBAL_INITIAL_MAX (16u << 20) /* of them those that a file holds */
#define HEDDLE_GLOBALS_MAX 16384u             /* names */

#define HEDDLE_DEBUG_MAX (16u << 20) /* bytes of a section of DWARF */
#define HEDDLE_SOURCES_MAX 1024u     /* files that code was made from */

struct heddle_param {
  const char *name;      /* may be empty; names belong to the program */
  uint32_t offset, size; /* bytes from HEDDLE_BANK0_PARAMS; size 1, 2, 4, 8 or an aggregate */
  uint32_t align;        /* of an address: code may count on such multiples; a power of two, 0: on nothing */
};
#define HEDDLE_ALIGN_LEAST 8u /* 8 or 16: accesses of 4 bytes that become wider ones */
#define HEDDLE_ALIGN_MAX 16u

/* Needs of a kernel beside its registers and memory (heddle/needs.h). */
struct heddle_needs {
  uint32_t units;        /* as heddle_isa_needs */
  uint32_t uniform_regs; /* the highest one that it names, plus 1 */
};

/* Promises of a kernel about its blocks; code may count on the first two, so a launch that breaks them is refused
 * (heddle_host_check_block). 0: no promise. */
struct heddle_promise {
  uint32_t block[3]; /* their shape, all three or none (.reqntid of PTX, reqd_work_group_size of OpenCL C) */
  uint32_t threads;  /* of a block, at most (.maxntid, __launch_bounds__) */
  uint32_t blocks;   /* that an SM should hold at once: a wish (.minnctapersm) */
};
#define HEDDLE_PROMISE_MAX 0x7fffffffu /* each of these numbers, as in PTX */

struct heddle_array { /* a shared variable, or an array of a thread's own */
  const char *name;
  uint32_t offset, bytes; /* in the block's shared memory, or the thread's local memory */
  uint32_t gap;           /* unused bytes behind it */
};

struct heddle_kernel {
  const char *name;
  bool is_function; /* a symbol only: not launchable */
  uint32_t entry_pc, regs, shared_bytes, barriers, param_bytes, params;
  uint32_t local_bytes;       /* of each thread; a multiple of 16 */
  struct heddle_param *param; /* owned, `params` entries */
  /* Minimum stall counts that the control codes assume, by enum heddle_stall; all zero: not scheduled,
   * runs in scoreboard mode only. */
  uint8_t stall[8];
  struct heddle_needs needs; /* if `noted`: by the file, which may be wrong */
  bool noted;
  struct heddle_promise promise;
  struct heddle_array *array; /* its own shared variables, if they were compiled apart (heddle/ptx.h: shared_gap);
                               * owned; not in files */
  struct heddle_array *own;   /* so are arrays of its threads' own */
  uint32_t arrays, owns;
};

/* Results of unit half and uni (registers and predicates alike) have one count each. */
enum heddle_stall {
  HEDDLE_STALL_ALU_REG,
  HEDDLE_STALL_ALU_PRED,
  HEDDLE_STALL_FMA_REG,
  HEDDLE_STALL_CVT_REG,
  HEDDLE_STALL_HALF_REG,
  HEDDLE_STALL_UNI_REG,
  HEDDLE_STALL_COUNT
};

struct heddle_global { /* a module variable: bytes of the place of all */
  const char *name;
  uint32_t offset, size;
};

/* Source of code: the words from pc to the next one's are of this line of program->source[source]; line 0: unknown. */
struct heddle_line {
  uint32_t pc, source, line;
};

/* How the source orders what a word of code does, where the word itself does not say it: for tools that judge programs
 * (docs/sanitizer.md). */
enum heddle_order {
  HEDDLE_ORDER_WORD,      /* as the word has it */
  HEDDLE_ORDER_STRONG,    /* a strong load or store of shared memory */
  HEDDLE_ORDER_FENCE_CTA, /* MEMBAR: a fence of its block alone */
  HEDDLE_ORDER_ARRIVE,    /* an atomic: an arrival at an mbarrier, */
  HEDDLE_ORDER_PHASE,     /* ... with its next phase */
  HEDDLE_ORDER_WAIT,      /* a load: is a phase of an mbarrier over? */
  HEDDLE_ORDER_LIBRARY,   /* an access by a body that the compiler gave, as of malloc (with heddle/ptx.h: shared_gap) */
  HEDDLE_ORDER_KINDS
};
struct heddle_order_note {
  uint32_t pc;
  uint8_t kind; /* enum heddle_order */
};

/* DWARF beside lines, as a compiler writes it: types, variables and their places. */
enum heddle_debug_section {
  HEDDLE_DEBUG_ABBREV,
  HEDDLE_DEBUG_INFO,
  HEDDLE_DEBUG_STR,
  HEDDLE_DEBUG_LOC,
  HEDDLE_DEBUG_RANGES,
  HEDDLE_DEBUG_SECTIONS
};
HEDDLE_API const char *heddle_debug_section_name(unsigned section); /* ".debug_info" */

/* Input of packing for a compiler's code (heddle_pack): */
enum heddle_pack_kind {
  HEDDLE_PACK_LONG,   /* the word at `at` stays long */
  HEDDLE_PACK_FIELD,  /* `field` of the word at `at` holds an address of code */
  HEDDLE_PACK_CONST,  /* so do `bytes` bytes of bank 3 from `at` on, */
  HEDDLE_PACK_GLOBAL, /* ... of the module variables */
};
struct heddle_pack_note {
  enum heddle_pack_kind kind;
  uint32_t at;
  unsigned field, bytes;
};

struct heddle_program {
  uint8_t *code; /* owned */
  uint32_t code_bytes;
  uint8_t *konst; /* owned; bank 3 */
  uint32_t const_bytes;
  struct heddle_kernel *kernel; /* owned; kernels and functions in order of entry */
  uint32_t kernels;
  uint64_t isa_hash;
  struct heddle_names *names; /* owned: the text of all names (heddle_program_name) */
  /* Module variables: bytes in memory, of which the first global_initial begin as `global` says and the rest as 0. */
  uint32_t global_bytes, global_initial;
  uint8_t *global;                /* owned */
  struct heddle_global *variable; /* owned */
  uint32_t variables;
  uint32_t *address; /* owned, ascending: where 8 bytes of `global` hold an offset to which the place is added */
  uint32_t addresses;
  /* Lines, ascending by pc; none: the file says nothing of them. All owned. */
  char **source;
  struct heddle_line *line;
  uint32_t sources, lines;
  size_t sources_room, lines_room; /* as array.h counts */
  /* Ascending by pc. `ordered`: a compiler's code, with all of it listed; else the words are taken as they are. */
  bool ordered;
  struct heddle_order_note *order; /* owned */
  size_t orders, orders_room;
  /* Sections of DWARF, or NULL: nothing is known but lines. Addresses are places of code and generic ones; where 8
   * bytes of .debug_info hold an offset in the module variables, `debug_address` says, as `address` does. All owned. */
  uint8_t *debug[HEDDLE_DEBUG_SECTIONS];
  uint32_t debug_bytes[HEDDLE_DEBUG_SECTIONS];
  uint32_t *debug_address;
  uint32_t debug_addresses;
  /* While it is being made, until it is packed. Owned. */
  struct heddle_pack_note *note;
  size_t notes, notes_room;
};

HEDDLE_API void heddle_program_free(struct heddle_program *p); /* the contents, then *p itself; NULL is fine */
HEDDLE_API const struct heddle_kernel *heddle_program_kernel(const struct heddle_program *p, const char *name);
HEDDLE_API const struct heddle_global *heddle_program_global(const struct heddle_program *p, const char *name);
/* For makers of a program: a copy of a name, with a NUL behind it, that lives as long as the program; NULL: no
 * memory. */
HEDDLE_API const char *heddle_program_name(struct heddle_program *p, const char *name, size_t length);
/* How the module's variables begin at `place`: global_bytes bytes. */
HEDDLE_API void heddle_program_fill_globals(const struct heddle_program *p, uint64_t place, uint8_t *to);
/* The instruction at pc, a multiple of ISA_STEP below code_bytes: its (long) word, the next address, whether one
 * begins there at all (heddle_isa_fetch), and its text. */
HEDDLE_API struct heddle_isa_word heddle_program_word(const struct heddle_program *p, uint32_t pc);
HEDDLE_API uint32_t heddle_program_next(const struct heddle_program *p, uint32_t pc);
HEDDLE_API bool heddle_program_begins(const struct heddle_program *p, uint32_t pc);

/* The file and the line that the word at `pc` was made from; false: not known. *file belongs to the program. */
HEDDLE_API bool heddle_program_line(const struct heddle_program *p, uint32_t pc, const char **file, unsigned *line);
/* For makers of programs: one more file, with its index in *source; the words from `pc` on, which is above all
 * earlier ones, are of this line of it. Here and below HOST_MEMORY; LIMIT: HEDDLE_SOURCES_MAX. */
HEDDLE_API enum heddle_error heddle_program_add_source(struct heddle_program *p, const char *file, uint32_t *source);
HEDDLE_API enum heddle_error heddle_program_add_line(struct heddle_program *p, uint32_t pc, uint32_t source,
                                                     unsigned line);
HEDDLE_API void heddle_program_drop_lines(struct heddle_program *p); /* and files */

/* How the source orders the word at `pc`; and one more such word, behind all before. */
HEDDLE_API enum heddle_order heddle_program_order(const struct heddle_program *p, uint32_t pc);
HEDDLE_API enum heddle_error heddle_program_add_order(struct heddle_program *p, uint32_t pc, enum heddle_order kind);
HEDDLE_API void heddle_program_drop_orders(struct heddle_program *p); /* its words are then taken as they are */

/* One thing more for packing. Then: two consecutive words with short forms become pairs, and all addresses of code
 * move along (isa/doc/13-short-words.md). Nothing happens in an encoding without short words. */
HEDDLE_API enum heddle_error heddle_program_note(struct heddle_program *p, struct heddle_pack_note n);
HEDDLE_API enum heddle_error heddle_pack(struct heddle_program *p);

/* FILE, INVALID_IMAGE or HOST_MEMORY; *out is NULL then, and the message's file is `path` or `name`. */
HEDDLE_API enum heddle_error heddle_program_load(const char *path, struct heddle_program **out,
                                                 struct heddle_message *msg);
HEDDLE_API enum heddle_error heddle_program_load_memory(const void *bytes, size_t size, const char *name,
                                                        struct heddle_program **out, struct heddle_message *msg);
HEDDLE_API enum heddle_error heddle_program_save(const struct heddle_program *p, const char *path,
                                                 struct heddle_message *msg);

#ifdef __cplusplus
}
#endif

#endif
