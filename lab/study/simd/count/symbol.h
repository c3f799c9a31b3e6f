/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a function lies in an ELF file. */
#ifndef SIMD_SYMBOL_H
#define SIMD_SYMBOL_H

#include "lab/study/simd/count/listing.h"

/* Fills function, start and bytes of `l`. False: no ELF file, no such function or one without a size; err says it. */
bool simd_symbol(struct simd_listing *l, const char *elf, const char *function, char err[SIMD_ERROR]);

#endif
