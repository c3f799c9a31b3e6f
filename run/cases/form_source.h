/* SPDX-License-Identifier: Apache-2.0
 *
 * A PTX instruction form as a whole kernel, in the words that were run on silicon. */
#ifndef HEDDLE_TOOL_FORM_SOURCE_H
#define HEDDLE_TOOL_FORM_SOURCE_H

/* Kernel `k`, with parameters for the addresses of a, b, c and d: thread i loads its elements of a, b and c, does
 * `statement` ("add.f32 d,a,b;", several may follow each other) and stores its element of d. `type` are PTX types
 * of a, b, c, d ("f32"); NULL: the form has no such operand, which d must be. NULL: no memory, or a type that is
 * none. Caller frees. */
char *form_source(const char *const type[4], const char *statement);

#endif
