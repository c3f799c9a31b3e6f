/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that a module calls without a body, because compilers leave them to the vendor: printf (library/printf.cu),
 * the call of a failed assertion (assert.cu), malloc and free (heap.cu). The module gets the body, and its data in
 * .global variables: a buffer (its content: heddle/printf.h), a mark, a heap.
 */
#ifndef HEDDLE_PTX_LIBRARY_H
#define HEDDLE_PTX_LIBRARY_H

#include <heddle/ptx.h>
#include "compiler/ir/ast.h"

/* The module's text with all that it lacks behind it, on its arena, *size grows; NULL: it lacks nothing. */
const char *ptx_library_text(struct ptx_diag *d, const struct ptx_module *m, const struct heddle_ptx_options *o,
                             const char *text, size_t *size);

/* Calls of printf, with its body in library/printf.cu. clang calls it in three ways, of which one is left:
 *
 *   CUDA C             vprintf(format, address of the arguments)
 *   clang 19, OpenCL   printf(format, address of the arguments), declared with two parameters
 *   clang 14, OpenCL   printf(format, each argument), declared with one: the arguments are put where an address is */

/* All calls become those of that body. */
void ptx_printf_calls(struct ptx_diag *d, struct ptx_module *m);

#endif
