/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of printf, whose body library/printf.cu is. clang calls it in three ways, of which one is left:
 *
 *   CUDA C             vprintf(format, address of the arguments)
 *   clang 19, OpenCL   printf(format, address of the arguments), declared with two parameters
 *   clang 14, OpenCL   printf(format, each argument), declared with one: the arguments are put where an address is */
#ifndef HEDDLE_PTX_PRINTF_H
#define HEDDLE_PTX_PRINTF_H

#include "compiler/ir/ast.h"

/* All calls become those of that body. */
void ptx_printf_calls(struct ptx_diag *d, struct ptx_module *m);

#endif
