/* SPDX-License-Identifier: Apache-2.0
 *
 * Room between the arrays of a function, in LLVM's text: an array `alloca T` becomes `alloca { T, [N x i8] }`, and a
 * variable says to the PTX compiler how the function's local memory is cut (compiler/lower/lower_layout.c). */
#ifndef HEDDLE_LOCAL_GAP_H
#define HEDDLE_LOCAL_GAP_H

/* The text with `gap` bytes behind each array; the caller's. NULL: there is none, or no memory, or it is of an LLVM
 * whose pointers have types (before 15), which would not fit any more. */
char *local_gaps(const char *text, unsigned gap);

#endif
