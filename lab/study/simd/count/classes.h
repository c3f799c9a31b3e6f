/* SPDX-License-Identifier: Apache-2.0
 *
 * What each instruction of a listing is for, from a file (lab/study/simd/classes): lines
 *   PATTERN CLASS KIND [BYTES]
 * where PATTERN is a mnemonic as the shell's wildcards have it, and the first line that fits decides; CLASS a name of
 * simd_class_names; KIND scalar, packed (with the bytes of an element), vector or whole. A line "guarded TEXT" says
 * that instructions with TEXT in them run under a mask. # begins a comment. */
#ifndef SIMD_CLASSES_H
#define SIMD_CLASSES_H

#include "lab/study/simd/count/listing.h"

/* False: no file, a line that is none, or a mnemonic that no line fits; err says which. */
bool simd_classify(struct simd_listing *l, const char *file, char err[SIMD_ERROR]);

#endif
