/* SPDX-License-Identifier: Apache-2.0
 *
 * The programs of `heddle bench model`, as assembly text. Each kernel repeats its body `n` times (parameter u32 n) and
 * leaves something in the buffer `out` (parameter u64 out, 16 bytes a thread of the grid). */
#ifndef HEDDLE_TOOL_BENCH_KERNELS_H
#define HEDDLE_TOOL_BENCH_KERNELS_H

#include <stddef.h>

enum bench_kernel {
  BENCH_FFMA,
  BENCH_INTEGER,
  BENCH_MIXED,
  BENCH_DIVERGENT,
  BENCH_GLOBAL,
  BENCH_SHARED,
  BENCH_GATHER,
  BENCH_KERNELS
};

const char *bench_kernel_name(enum bench_kernel k);
/* malloc'ed text of all kernels for a grid of that many threads; NULL: no memory. */
char *bench_kernel_text(unsigned threads, size_t *size);

#endif
