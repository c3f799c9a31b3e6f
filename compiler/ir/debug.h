/* SPDX-License-Identifier: Apache-2.0
 *
 * Source information of a module: lines, and further data of a debugger.
 */
#ifndef HEDDLE_COMPILER_IR_DEBUG_H
#define HEDDLE_COMPILER_IR_DEBUG_H

#include "compiler/ir/ast.h"

/* Lines of the source of a module: `.file` and `.loc`, by their places in the PTX text. An instruction is of the
 * line of the last `.loc` of its function before it. Before the first one it is of that one; in a function without
 * any, of its own line in the PTX. `.loc` with line 0 (clang: no line in particular) changes nothing. Code inlined
 * by an earlier compiler is of the line in which it was written. */

enum { PTX_FILE_NAME_MAX = 4000 }; /* characters */

struct ptx_lines;
struct heddle_program;

struct ptx_lines *ptx_lines_new(const struct ptx_module *m); /* on its arena */
/* While parsing, each behind the last: `.file`, `.loc`, the beginning of a body. */
void ptx_lines_file(struct ptx_module *m, uint64_t number, const char *name);
/* begins: it names a function as a whole, as clang does it in front of what the function does. */
void ptx_lines_loc(struct ptx_module *m, struct ptx_pos at, uint64_t file, uint64_t line, bool begins);
void ptx_lines_forget(struct ptx_module *m, struct ptx_pos at);

/* The files of `.file` 1, 2 ... are the first of the program, so that debug data may count them. False: no memory. */
bool ptx_lines_files(const struct ptx_lines *x, struct heddle_program *p);
/* The word at `pc`, behind all before, belongs to `pos` in the PTX. The first instruction of a function that is on
 * its first line has a row of its own: debuggers look there for the end of the prologue. False: no memory. */
bool ptx_lines_put(struct ptx_lines *x, struct heddle_program *p, uint32_t pc, struct ptx_pos pos);

/* Debug information of a module beside its lines: the DWARF that clang writes into PTX as data (`.section
 * .debug_info`), carried into the program. Its addresses are names: labels become places of code, variables become
 * generic addresses (isa/doc/04-memory.md). A variable in the frame of a function is counted from its stack pointer. */

enum { PTX_DEBUG_MAX = 16 << 20 }; /* bytes of a section */

struct ptx_debug;
struct ir_function;
struct mir_function;
struct heddle_program;

struct ptx_debug *ptx_debug_new(struct ptx_arena *a);

/* ---- while parsing */
/* From here on data are of this section (".debug_info"); of others nothing is kept. */
void ptx_debug_section(struct ptx_debug *d, const char *name);
bool ptx_debug_data(struct ptx_debug *d, uint64_t value, unsigned bytes); /* false: too much */
/* 8 or 4 bytes that are what a name means, and something more. */
bool ptx_debug_name(struct ptx_debug *d, const char *name, uint64_t plus, unsigned bytes);
void ptx_debug_mark(struct ptx_debug *d, const char *name);                      /* a label in the section, here */
void ptx_debug_label(struct ptx_debug *d, const char *name, struct ptx_pos pos); /* a label of code */

bool ptx_debug_any(const struct ptx_debug *d);       /* are there such sections? */
bool ptx_debug_variables(const struct ptx_debug *d); /* do they say where variables are, beside lines? */

/* ---- while compiling; names are interned */
void ptx_debug_word(struct ptx_debug *d, uint32_t pc, struct ptx_pos pos); /* where a word was made from, or line 0 */
/* Places of the function's variables, when registers have their numbers. */
void ptx_debug_memory(struct ptx_debug *d, const struct ir_function *f, const struct mir_function *m);

/* All of it into the program, when that is complete. Nothing is added if it has no such sections. False: no memory. */
bool ptx_debug_finish(struct ptx_debug *d, const struct ptx_module *m, struct heddle_program *p);

#endif
