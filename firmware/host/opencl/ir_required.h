/* SPDX-License-Identifier: Apache-2.0
 *
 * Between clang's two halves: LLVM's text says a kernel's reqd_work_group_size, and its back end for PTX writes
 * .reqntid of what an annotation says. Nothing of clang makes the one of the other. */
#ifndef HEDDLE_IR_REQUIRED_H
#define HEDDLE_IR_REQUIRED_H

/* The text with these annotations (caller frees), made of `ir`, which is freed; NULL: no memory. */
char *ir_required(char *ir);

#endif
