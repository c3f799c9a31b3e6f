/* SPDX-License-Identifier: Apache-2.0
 *
 * printf. A module that calls it has no body of it; it gets one (library/printf.cu), and a buffer in its .global
 * variables (heddle/printf.h says what lies there). clang calls it in three ways, of which one is left:
 *
 *   CUDA C             vprintf(format, address of the arguments)
 *   clang 19, OpenCL   printf(format, address of the arguments), declared with two parameters
 *   clang 14, OpenCL   printf(format, each argument), declared with one: the arguments are put where an address is */
#ifndef HEDDLE_PTX_PRINTF_H
#define HEDDLE_PTX_PRINTF_H

#include "compiler/ast.h"

enum { PTX_PRINTF_BYTES = 64 << 10 }; /* of the buffer, where nobody says another number */

bool ptx_printf_wanted(const struct ptx_module *m);
/* The module's text with the body behind it, on the arena; *size grows. `bytes`: of the buffer, a multiple of 8. */
const char *ptx_printf_text(struct ptx_arena *a, const char *text, size_t *size, uint32_t bytes);
/* All calls become those of that body. */
void ptx_printf_calls(struct ptx_diag *d, struct ptx_module *m);

#endif
