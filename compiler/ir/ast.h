/* SPDX-License-Identifier: Apache-2.0
 *
 * A PTX module as written: output of the parser, input of lowering. Everything is in one arena; nothing is freed by
 * itself. Names are interned: equal names are equal pointers. Positions are 1-based.
 *
 * The parser has the shape of the language, not the instructions: an opcode is its dotted words. It refuses malformed
 * text; lowering refuses unknown instructions.
 */
#ifndef HEDDLE_PTX_AST_H
#define HEDDLE_PTX_AST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

struct ptx_pos {
  uint32_t line, column;
};

enum ptx_type { /* of variables, registers, parameters, and as words of opcodes */
                PTX_NO_TYPE,
                PTX_PRED,
                PTX_B8,
                PTX_B16,
                PTX_B32,
                PTX_B64,
                PTX_U8,
                PTX_U16,
                PTX_U32,
                PTX_U64,
                PTX_S8,
                PTX_S16,
                PTX_S32,
                PTX_S64,
                PTX_F16,
                PTX_F16X2,
                PTX_F32,
                PTX_F64,
                PTX_B128 /* of registers alone: two of 64 bits */
};
unsigned ptx_type_bytes(enum ptx_type t); /* PRED, NO_TYPE: 0 */

enum ptx_space { PTX_GENERIC, PTX_REG, PTX_SREG, PTX_CONST, PTX_GLOBAL, PTX_LOCAL, PTX_PARAM, PTX_SHARED };

/* ---- parse_token.c: words without their dot; what is none of them gives NO_TYPE, GENERIC ---- */
enum ptx_type ptx_type_of_word(const char *word);
enum ptx_space ptx_space_of_word(const char *word);
const char *ptx_type_word(enum ptx_type t);   /* "b32"; NO_TYPE: "" */
const char *ptx_space_word(enum ptx_space s); /* "shared"; GENERIC: "" */

/* A variable of any space: .reg (one for each register of a range), .param, .shared, .local, .const, .global. */
struct ptx_variable {
  const char *name;
  struct ptx_pos pos;
  enum ptx_space space;
  enum ptx_type type;
  unsigned vector;   /* 1, 2, 4: elements of a .v2 or .v4 */
  uint32_t align;    /* bytes; natural when none was given */
  bool array;        /* with brackets */
  uint64_t elements; /* 1 unless an array; 0: "[]" (dynamic .shared, or taken from the initialiser) */
  uint64_t bytes;    /* of all */
  bool is_extern;
  /* Initialiser: bytes, and addresses of other variables inside them. NULL: zeros. */
  const uint8_t *init;
  struct ptx_init_address {
    uint64_t at; /* byte */
    const char *name;
    int64_t addend;
    bool generic; /* generic(x) */
  } * init_address;
  unsigned init_addresses;
  struct ptx_variable *next; /* of the same scope, in order */
  /* A parameter ".ptr .global .align 4": where it points; GENERIC, 0: not said. */
  enum ptx_space ptr_space;
  uint32_t ptr_align;
  /* lower/module.c: of a .const or .global one inside of a function; a .const one that is .global now */
  const struct ptx_variable *of_module;
  bool was_constant;
};

enum ptx_operand_kind {
  PTX_OP_NAME, /* a register, variable, label or function: lowering looks it up. A part keeps its dot: "%v.x", "%r1.h0"
                */
  PTX_OP_SREG, /* %tid.x and friends: name with its dot */
  PTX_OP_INT,  /* integer constant, 64 bits (negative ones in two's complement) */
  PTX_OP_F32,  /* 0f... : raw bits in .bits */
  PTX_OP_F64,  /* 0d..., or a decimal: raw bits of the double in .bits */
  PTX_OP_ADDRESS, /* [base + offset]: base is in .element[0] (NAME, SREG or INT), offset in .bits */
  PTX_OP_VECTOR,  /* {a, b, c, d} */
  PTX_OP_PAIR,    /* d|p */
  PTX_OP_LIST,    /* (a, b): arguments and results of call */
  PTX_OP_SINK,    /* _ */
  PTX_OP_SYMBOL   /* variable + offset, without brackets (mov.u64 d, table+8): name, offset in .bits, not 0 */
};

struct ptx_operand {
  enum ptx_operand_kind kind;
  struct ptx_pos pos;
  const char *name;
  bool negate, invert; /* -x, !p: of names only, constants are folded */
  uint64_t bits;
  unsigned elements;
  struct ptx_operand *element; /* ADDRESS 1, VECTOR 1 .. 8, PAIR 2, LIST any, also none */
};

enum { PTX_WORDS_MAX = 16, PTX_OPERANDS_MAX = 16 };

struct ptx_statement {
  enum { PTX_INSTRUCTION, PTX_LABEL, PTX_BRANCH_TARGETS, PTX_CALL_TARGETS, PTX_BLOCK, PTX_CALL_PROTOTYPE } kind;
  struct ptx_pos pos;
  /* INSTRUCTION: "setp.lt.and.f32" is word[0] "setp" ... ; guard NULL: none */
  const char *word[PTX_WORDS_MAX];
  unsigned words;
  const char *guard;
  bool guard_invert;
  struct ptx_operand operand[PTX_OPERANDS_MAX];
  unsigned operands;
  /* LABEL, target lists and prototypes: name. ".branchtargets a, b": operand[0] is a LIST of the names. */
  const char *name;
  /* BLOCK: { ... }, with declarations of its own */
  struct ptx_scope *scope;
  struct ptx_statement *next;
  struct ptx_function *prototype; /* CALL_PROTOTYPE: a declaration without a name of its own */
};

struct ptx_scope {
  struct ptx_variable *variables; /* .reg ranges (%r<5>) are written out: %r0 ... %r4 */
  struct ptx_statement *statements;
  struct ptx_scope *outer; /* NULL: the function's own */
};

struct ptx_function {
  const char *name;
  struct ptx_pos pos;
  bool entry;                                             /* .entry, else .func */
  bool declaration;                                       /* no body */
  struct ptx_variable *parameters, *results;              /* results: of a .func */
  unsigned maxntid[3], reqntid[3], maxnreg, minnctapersm; /* 0: not said */
  struct ptx_scope *body;
  struct ptx_function *next;
};

struct ptx_alias { /* .alias name, of: both are functions */
  const char *name, *of;
  struct ptx_pos pos;
  struct ptx_alias *next;
};

struct ptx_module {
  const char *file;
  unsigned version; /* 80 = 8.0 */
  char target[32];
  unsigned address_size; /* 64; the parser refuses 32 */
  struct ptx_variable *variables;
  struct ptx_variable *tables; /* how functions' local variables are cut (lower/lower_layout.c) */
  struct ptx_function *functions;
  struct ptx_alias *aliases;
  struct ptx_arena *arena;
  uint32_t own_lines;            /* of its text; what follows is the library's (library.c). 0: all */
  struct ptx_lines *lines;       /* of the source that this was compiled from (debug.h) */
  struct ptx_debug *debug;       /* what a debugger reads (debug.h) */
  struct lower_module *lowering; /* ir_lower's own: names and places, made with the first kernel */
  struct call_graph *calls;      /* which functions are not inlined (call.h); NULL: all are */
  bool copies;                   /* the machine has asynchronous copies (compile.c) */
  bool whole_pointers;           /* pointers to .shared and .const are generic addresses: for debuggers (compile.c) */
  uint32_t shared_gap;           /* heddle/ptx.h */
};

/* ---- arena.c: memory ---- */
struct ptx_arena;
struct ptx_arena *ptx_arena_new(size_t most_bytes);
void ptx_arena_free(struct ptx_arena *a);
void *ptx_alloc(struct ptx_arena *a, size_t bytes); /* zeroed; longjmps to the compiler's exit when there is none */
const char *ptx_intern(struct ptx_arena *a, const char *s, size_t n); /* equal text, equal pointer */
/* Maps from pointers (interned names, variables) to pointers, in the arena's memory; zeroed is empty. */
bool ptx_map_has(const struct map *m, const void *key);
void *ptx_map_get(const struct map *m, const void *key); /* NULL: not there, or it is the value */
void ptx_map_put(struct ptx_arena *a, struct map *m, const void *key, void *value);

/* ---- arena.c: errors ---- */
struct ptx_diag;
void ptx_error(struct ptx_diag *d, struct ptx_pos at, const char *format, ...) __attribute__((format(printf, 3, 4)));
void ptx_warning(struct ptx_diag *d, struct ptx_pos at, const char *format, ...) __attribute__((format(printf, 3, 4)));
unsigned ptx_errors(
    const struct ptx_diag *d); /* so far; the parser goes on after an error at the next ';' (at most 20 are reported) */
/* Stop: never returns (longjmp to heddle_ptx_compile, which frees the arena). */
_Noreturn void ptx_fatal(struct ptx_diag *d, struct ptx_pos at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
_Noreturn void ptx_no_memory(struct ptx_diag *d, struct ptx_pos at); /* the same, of the host */

/* ---- parse.c ---- */
/* NULL after errors. `size` bytes of text; at most 64 MiB, nesting at most 64 deep. From here on the arena reports
 * to `d` when it is full. Lowering checks that a name is declared, once, and its kind. */
struct ptx_module *ptx_parse(struct ptx_arena *a, struct ptx_diag *d, const char *text, size_t size, const char *file);

/* ---- ast_print.c: for tests and fuzzing ---- */
#include <stdio.h>
void ptx_print(const struct ptx_module *m, FILE *to); /* text that parses to the same module */
/* NULL, or what differs (a static string), not counting positions. Both modules share an arena. */
const char *ptx_differ(const struct ptx_module *a, const struct ptx_module *b);

#endif
