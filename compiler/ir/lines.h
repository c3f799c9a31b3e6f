/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of the source that a module was compiled from: what `.file` and `.loc` say, by their places in the PTX text. An
 * instruction is of the line that the last `.loc` of its function before it names; before the first one of that one;
 * where a function has none, of its own line in the PTX. `.loc` with line 0 (clang: no line in particular) changes
 * nothing. Code inlined by an earlier compiler is of the line that it was written in. */
#ifndef HEDDLE_PTX_LINES_H
#define HEDDLE_PTX_LINES_H

#include "compiler/ir/ast.h"

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
/* The word at `pc`, behind all before, is of what stands at `pos` in the PTX. Where a function begins to do something
 * on its first line, that has a row of its own: debuggers look there for what is ready. False: no memory. */
bool ptx_lines_put(struct ptx_lines *x, struct heddle_program *p, uint32_t pc, struct ptx_pos pos);

#endif
