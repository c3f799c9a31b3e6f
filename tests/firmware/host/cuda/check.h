/* SPDX-License-Identifier: Apache-2.0
 * Checks for the programs of this folder; exit status 3: one has failed. */
#ifndef HEDDLE_TESTS_CUDA_CHECK_H
#define HEDDLE_TESTS_CUDA_CHECK_H

#include <cstdio>
#include <cstdlib>

#define IS(call, wanted)                                                                                               \
  do {                                                                                                                 \
    const cudaError_t is_ = (call);                                                                                    \
    if (is_ == (wanted)) break;                                                                                        \
    fprintf(stderr, "%s:%d: %s: %s, not %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(is_), #wanted);             \
    exit(3);                                                                                                           \
  } while (0)
#define OK(call) IS(call, cudaSuccess)
#define SAY(condition)                                                                                                 \
  do {                                                                                                                 \
    if (condition) break;                                                                                              \
    fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                            \
    exit(3);                                                                                                           \
  } while (0)

#endif
