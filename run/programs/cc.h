/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenCL C and CUDA C to PTX, by a clang that is installed, with headers of ours (compiler/device). */
#ifndef HEDDLE_CC_H
#define HEDDLE_CC_H

#include <stdbool.h>
#include <stddef.h>

#define CC_MORE_MAX 1024u

struct cc_options {
  unsigned level;                /* -O0 to -O3 */
  const char *more[CC_MORE_MAX]; /* further arguments of clang: -DN=4, -Iinclude; borrowed */
  unsigned mores;
  unsigned local_gap; /* bytes behind each array of a function, for sanitizers (local_gap.h); clang 14 leaves none */
};

bool cc_is_source(const char *path); /* does it end in .cl or .cu? */
/* TOOL_OK and the PTX (caller frees). Else a sentence in err: TOOL_USAGE, and clang has told on stderr what is wrong
 * with the source; TOOL_MISSING, something is not installed. */
int cc_to_ptx(const char *path, const struct cc_options *o, char **ptx, size_t *size, char *err, size_t err_bytes);

#endif
