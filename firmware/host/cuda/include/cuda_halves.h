/* SPDX-License-Identifier: Apache-2.0
 * Shared by both 16-bit types of CUDA (cuda_fp16.h, cuda_bf16.h): a type and a pair of it, and a host's rounding.
 * Operations: cuda_halves_ops.h, cuda_halves_math.h. */
#ifndef HEDDLE_CUDA_HALVES_H
#define HEDDLE_CUDA_HALVES_H

#include <cmath>

#include "cuda_vectors.h"

/* To the nearest, ties to even, by integers: FRACTION bits, exponents as wide as what is left of 15. */
__HEDDLE_MAKE unsigned short __heddle_narrow(double from, int fraction) {
  unsigned long long u;
  __builtin_memcpy(&u, &from, sizeof u);
  const unsigned sign = (unsigned)(u >> 48) & 0x8000u, top = 0x7fffu >> fraction << fraction;
  const int bias = (1 << (14 - fraction)) - 1;
  int e = (int)(u >> 52 & 0x7ff) - 1023;
  unsigned long long m = u & 0xfffffffffffffULL;
  if (e == 1024) return (unsigned short)(m ? 0x7fff : sign | top);
  if (e < -bias - fraction - 1) return (unsigned short)sign;
  m |= 1ULL << 52;
  int cut = 52 - fraction;
  if (e <= -bias) {
    cut += 1 - bias - e;
    e = -bias;
  }
  unsigned long long kept = m >> cut;
  const unsigned long long rest = m & ((1ULL << cut) - 1), tie = 1ULL << (cut - 1);
  kept += rest > tie || (rest == tie && (kept & 1));
  const unsigned long long bits = e == -bias ? kept : kept + ((unsigned long long)(e + bias - 1) << fraction);
  return (unsigned short)(bits >= top ? sign | top : sign | bits);
}
__HEDDLE_MAKE double __heddle_widen(unsigned short from, int fraction) {
  const unsigned top = 0x7fffu >> fraction, e = (unsigned)(from & 0x7fff) >> fraction,
                 m = from & ((1u << fraction) - 1);
  const int bias = (int)top >> 1;
  double r;
  if (e == top)
    r = m ? __builtin_nan("") : __builtin_huge_val();
  else
    r = __builtin_ldexp((double)(e ? m | 1u << fraction : m), (int)(e ? e : 1) - bias - fraction);
  return from & 0x8000 ? -r : r;
}
/* a b + c with a sticky last bit for the rest beyond double, so that the second rounding is right. */
__HEDDLE_MAKE double __heddle_fma_odd(double a, double b, double c) {
  const double product = a * b, sum = product + c, back = sum - product;
  const double rest = (product - (sum - back)) + (c - back);
  unsigned long long u;
  __builtin_memcpy(&u, &sum, sizeof u);
  if (rest == 0 || rest != rest || (u & 1)) return sum;
  u += (rest > 0) == (sum > 0) ? 1ULL : ~0ULL;
  double r;
  __builtin_memcpy(&r, &u, sizeof r);
  return r;
}

#define __HEDDLE_HALF_FROM(T, TYPE)                                                                                    \
  __HEDDLE_BOTH T(TYPE v) : T((double)v) {}
#define __HEDDLE_HALF_TO(TYPE)                                                                                         \
  __HEDDLE_BOTH operator TYPE() const {                                                                                \
    return (TYPE)(float)*this;                                                                                         \
  }
/* FROM and TO: bits of a float or a double, and the float of bits, on either side. Implicit, as there. */
#define __HEDDLE_HALF_TYPE(T, T2, FROM_FLOAT, FROM_DOUBLE, TO_FLOAT)                                                   \
  struct T##_raw {                                                                                                     \
    unsigned short x;                                                                                                  \
  };                                                                                                                   \
  struct __attribute__((aligned(2))) T {                                                                               \
    unsigned short __x;                                                                                                \
    static constexpr bool heddle_is_half = true;                                                                       \
    T() = default;                                                                                                     \
    template <class Other, bool = Other::heddle_is_half>                                                               \
    __HEDDLE_BOTH T(const Other &other) : __x(FROM_FLOAT((float)other)) {}                                             \
    __HEDDLE_BOTH T(const T##_raw &raw) : __x(raw.x) {}                                                                \
    __HEDDLE_BOTH T(float v) : __x(FROM_FLOAT(v)) {}                                                                   \
    __HEDDLE_BOTH T(double v) : __x(FROM_DOUBLE(v)) {}                                                                 \
    __HEDDLE_HALF_FROM(T, short)                                                                                       \
    __HEDDLE_HALF_FROM(T, unsigned short)                                                                              \
    __HEDDLE_HALF_FROM(T, int)                                                                                         \
    __HEDDLE_HALF_FROM(T, unsigned)                                                                                    \
    __HEDDLE_HALF_FROM(T, long)                                                                                        \
    __HEDDLE_HALF_FROM(T, unsigned long)                                                                               \
    __HEDDLE_HALF_FROM(T, long long)                                                                                   \
    __HEDDLE_HALF_FROM(T, unsigned long long)                                                                          \
    __HEDDLE_BOTH operator float() const { return TO_FLOAT(__x); }                                                     \
    __HEDDLE_BOTH operator T##_raw() const { return {__x}; }                                                           \
    __HEDDLE_BOTH operator bool() const { return (__x & 0x7fff) != 0; }                                                \
    __HEDDLE_HALF_TO(signed char)                                                                                      \
    __HEDDLE_HALF_TO(unsigned char)                                                                                    \
    __HEDDLE_HALF_TO(char)                                                                                             \
    __HEDDLE_HALF_TO(short)                                                                                            \
    __HEDDLE_HALF_TO(unsigned short)                                                                                   \
    __HEDDLE_HALF_TO(int)                                                                                              \
    __HEDDLE_HALF_TO(unsigned)                                                                                         \
    __HEDDLE_HALF_TO(long)                                                                                             \
    __HEDDLE_HALF_TO(unsigned long)                                                                                    \
    __HEDDLE_HALF_TO(long long)                                                                                        \
    __HEDDLE_HALF_TO(unsigned long long)                                                                               \
  };                                                                                                                   \
  struct T2##_raw {                                                                                                    \
    unsigned short x, y;                                                                                               \
  };                                                                                                                   \
  struct __attribute__((aligned(4))) T2 {                                                                              \
    T x, y;                                                                                                            \
    T2() = default;                                                                                                    \
    __HEDDLE_BOTH T2(T a, T b) : x(a), y(b) {}                                                                         \
    __HEDDLE_BOTH T2(const T2##_raw &raw) : x(T##_raw{raw.x}), y(T##_raw{raw.y}) {}                                    \
    __HEDDLE_BOTH operator T2##_raw() const { return {x.__x, y.__x}; }                                                 \
  };                                                                                                                   \
  __HEDDLE_MAKE T __heddle_make_##T(unsigned short bits) {                                                             \
    return T(T##_raw{bits});                                                                                           \
  }                                                                                                                    \
  __HEDDLE_MAKE unsigned __heddle_bits(T2 v) {                                                                         \
    return (unsigned)v.y.__x << 16 | v.x.__x;                                                                          \
  }                                                                                                                    \
  __HEDDLE_MAKE T2 __heddle_make_##T2(unsigned bits) {                                                                 \
    return {__heddle_make_##T((unsigned short)bits), __heddle_make_##T((unsigned short)(bits >> 16))};                 \
  }

#endif
