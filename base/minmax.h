/* SPDX-License-Identifier: Apache-2.0
 *
 * The lesser and the greater of two numbers of one type. */
#ifndef HEDDLE_MINMAX_H
#define HEDDLE_MINMAX_H

#include <stdint.h>

#define MINMAX(type, name)                                                                                             \
  static inline type min_##name(type a, type b) {                                                                      \
    return a < b ? a : b;                                                                                              \
  }                                                                                                                    \
  static inline type max_##name(type a, type b) {                                                                      \
    return a > b ? a : b;                                                                                              \
  }

MINMAX(uint32_t, u32)
MINMAX(uint64_t, u64)
MINMAX(int32_t, s32)
MINMAX(int64_t, s64)
#undef MINMAX

#endif
