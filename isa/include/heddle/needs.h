/* SPDX-License-Identifier: Apache-2.0
 *
 * Needs of a kernel, by its words: computed, never listed. Program files have the same in a note (isa/doc/06-abi.md)
 * for readers that cannot decode words; others call this, so files without the note are fine.
 *
 * A word counts when a launch may reach it: along branches and calls with a target in the word. A branch through a
 * register may go anywhere in its own kernel or function, and to any function; a call through one to any function. */
#ifndef HEDDLE_NEEDS_H
#define HEDDLE_NEEDS_H

#include <heddle/api.h>
#include <heddle/program.h>

#ifdef __cplusplus
extern "C" {
#endif

/* HOST_MEMORY. */
HEDDLE_API enum heddle_error heddle_kernel_needs(const struct heddle_program *p, const struct heddle_kernel *k,
                                                 struct heddle_needs *out);

/* The first of these words, by address, that needs any of `units` (heddle_isa_needs); *words, or NULL: how many do.
 * UINT32_MAX: none, or no memory. */
HEDDLE_API uint32_t heddle_kernel_first(const struct heddle_program *p, const struct heddle_kernel *k, uint32_t units,
                                        uint32_t *words);

/* "alu br uni", in the order of the bits; cut to `size`. */
HEDDLE_API void heddle_needs_text(uint32_t units, char *text, size_t size);
/* The other way. INVALID_VALUE: a name that is none, or given twice. */
HEDDLE_API enum heddle_error heddle_needs_parse(const char *text, uint32_t *units, struct heddle_message *msg);

#ifdef __cplusplus
}
#endif

#endif
