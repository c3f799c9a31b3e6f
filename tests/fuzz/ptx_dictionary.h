/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of PTX: of the compiler's own tables, and what else is written.
 */
#ifndef HEDDLE_FUZZ_PTX_DICTIONARY_H
#define HEDDLE_FUZZ_PTX_DICTIONARY_H

#include <stddef.h>

void ptx_dictionary(void (*entry)(const char *s, size_t n));

#endif
