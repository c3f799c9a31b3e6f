/* SPDX-License-Identifier: Apache-2.0
 *
 * What a debugger knows of a module beside its lines: the DWARF that clang writes into PTX as data (`.section
 * .debug_info`), carried into the program. Its addresses are names: of labels, which become places of code, and of
 * variables, which become generic addresses (isa/doc/04-memory.md); a variable in the frame of a function is counted
 * from its stack pointer. */
#ifndef HEDDLE_PTX_DEBUG_H
#define HEDDLE_PTX_DEBUG_H

#include "compiler/ir/ast.h"

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
/* Where the function's variables lie, when registers have their numbers. */
void ptx_debug_memory(struct ptx_debug *d, const struct ir_function *f, const struct mir_function *m);

/* All of it into the program, when that is complete. Nothing is added if it has no such sections. False: no memory. */
bool ptx_debug_finish(struct ptx_debug *d, const struct ptx_module *m, struct heddle_program *p);

#endif
