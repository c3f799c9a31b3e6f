/* SPDX-License-Identifier: Apache-2.0
 * Both 16-bit types: pairs taken apart and put together, integers, functions of numbers (in float, then rounded),
 * shuffles, atomic sums. */
#ifndef HEDDLE_CUDA_HALVES_MATH_H
#define HEDDLE_CUDA_HALVES_MATH_H

#include "cuda_halves_ops.h"

#ifdef __CUDA_ARCH__
#define __HEDDLE_IN_FLOAT(WHAT) WHAT##f(v)
#define __HEDDLE_EXP10 exp10f(v)
#else
#define __HEDDLE_IN_FLOAT(WHAT) std::WHAT(v)
#define __HEDDLE_EXP10 (float)std::pow(10.0, (double)v)
#endif

#define __HEDDLE_HALF_FUNCTION(T, T2, NAME, EXPRESSION)                                                                \
  __HEDDLE_MAKE T h##NAME(T a) {                                                                                       \
    const float v = a;                                                                                                 \
    return T(EXPRESSION);                                                                                              \
  }                                                                                                                    \
  __HEDDLE_MAKE T2 h2##NAME(T2 a) {                                                                                    \
    return T2(h##NAME(a.x), h##NAME(a.y));                                                                             \
  }
#define __HEDDLE_HALF_MATH(T, T2)                                                                                      \
  __HEDDLE_HALF_FUNCTION(T, T2, sqrt, __HEDDLE_IN_FLOAT(sqrt))                                                         \
  __HEDDLE_HALF_FUNCTION(T, T2, rsqrt, 1.0f / __HEDDLE_IN_FLOAT(sqrt))                                                 \
  __HEDDLE_HALF_FUNCTION(T, T2, rcp, 1.0f / v)                                                                         \
  __HEDDLE_HALF_FUNCTION(T, T2, exp, __HEDDLE_IN_FLOAT(exp))                                                           \
  __HEDDLE_HALF_FUNCTION(T, T2, exp2, __HEDDLE_IN_FLOAT(exp2))                                                         \
  __HEDDLE_HALF_FUNCTION(T, T2, exp10, __HEDDLE_EXP10)                                                                 \
  __HEDDLE_HALF_FUNCTION(T, T2, log, __HEDDLE_IN_FLOAT(log))                                                           \
  __HEDDLE_HALF_FUNCTION(T, T2, log2, __HEDDLE_IN_FLOAT(log2))                                                         \
  __HEDDLE_HALF_FUNCTION(T, T2, log10, __HEDDLE_IN_FLOAT(log10))                                                       \
  __HEDDLE_HALF_FUNCTION(T, T2, sin, __HEDDLE_IN_FLOAT(sin))                                                           \
  __HEDDLE_HALF_FUNCTION(T, T2, cos, __HEDDLE_IN_FLOAT(cos))                                                           \
  __HEDDLE_HALF_FUNCTION(T, T2, tanh, __HEDDLE_IN_FLOAT(tanh))                                                         \
  __HEDDLE_HALF_FUNCTION(T, T2, floor, __HEDDLE_IN_FLOAT(floor))                                                       \
  __HEDDLE_HALF_FUNCTION(T, T2, ceil, __HEDDLE_IN_FLOAT(ceil))                                                         \
  __HEDDLE_HALF_FUNCTION(T, T2, trunc, __HEDDLE_IN_FLOAT(trunc))                                                       \
  __HEDDLE_HALF_FUNCTION(T, T2, rint, __HEDDLE_IN_FLOAT(rint))

/* ---- pairs: N is what names call the type, half or bfloat16 ---- */

#define __HEDDLE_HALF_PAIRS(T, T2, N, N2)                                                                              \
  __HEDDLE_MAKE T2 __float2##N2##_rn(float v) {                                                                        \
    return T2(T(v), T(v));                                                                                             \
  }                                                                                                                    \
  __HEDDLE_MAKE T2 __floats2##N2##_rn(float a, float b) {                                                              \
    return T2(T(a), T(b));                                                                                             \
  }                                                                                                                    \
  __HEDDLE_MAKE T2 __float22##N2##_rn(float2 v) {                                                                      \
    return T2(T(v.x), T(v.y));                                                                                         \
  }                                                                                                                    \
  __HEDDLE_MAKE float2 __##N##22float2(T2 v) {                                                                         \
    return {(float)v.x, (float)v.y};                                                                                   \
  }                                                                                                                    \
  __HEDDLE_MAKE float __##N##2float(T v) {                                                                             \
    return v;                                                                                                          \
  }                                                                                                                    \
  __HEDDLE_MAKE T __float2##N(float v) {                                                                               \
    return T(v);                                                                                                       \
  }                                                                                                                    \
  __HEDDLE_MAKE T __float2##N##_rn(float v) {                                                                          \
    return T(v);                                                                                                       \
  }                                                                                                                    \
  __HEDDLE_MAKE T __double2##N(double v) {                                                                             \
    return T(v);                                                                                                       \
  }                                                                                                                    \
  __HEDDLE_MAKE T2 __##N##2##N2(T v) {                                                                                 \
    return T2(v, v);                                                                                                   \
  }                                                                                                                    \
  __HEDDLE_MAKE T __low2##N(T2 v) {                                                                                    \
    return v.x;                                                                                                        \
  }                                                                                                                    \
  __HEDDLE_MAKE T __high2##N(T2 v) {                                                                                   \
    return v.y;                                                                                                        \
  }                                                                                                                    \
  __HEDDLE_MAKE float __low2float(T2 v) {                                                                              \
    return v.x;                                                                                                        \
  }                                                                                                                    \
  __HEDDLE_MAKE float __high2float(T2 v) {                                                                             \
    return v.y;                                                                                                        \
  }                                                                                                                    \
  __HEDDLE_MAKE T2 __low2##N2(T2 v) {                                                                                  \
    return T2(v.x, v.x);                                                                                               \
  }                                                                                                                    \
  __HEDDLE_MAKE T2 __high2##N2(T2 v) {                                                                                 \
    return T2(v.y, v.y);                                                                                               \
  }                                                                                                                    \
  __HEDDLE_MAKE T2 __lows2##N2(T2 a, T2 b) {                                                                           \
    return T2(a.x, b.x);                                                                                               \
  }                                                                                                                    \
  __HEDDLE_MAKE T2 __highs2##N2(T2 a, T2 b) {                                                                          \
    return T2(a.y, b.y);                                                                                               \
  }                                                                                                                    \
  __HEDDLE_MAKE T2 __lowhigh2highlow(T2 v) {                                                                           \
    return T2(v.y, v.x);                                                                                               \
  }                                                                                                                    \
  __HEDDLE_MAKE T2 __halves2##N2(T a, T b) {                                                                           \
    return T2(a, b);                                                                                                   \
  }                                                                                                                    \
  __HEDDLE_MAKE T2 make_##N2(T a, T b) {                                                                               \
    return T2(a, b);                                                                                                   \
  }                                                                                                                    \
  __HEDDLE_MAKE short __##N##_as_short(T v) {                                                                          \
    return (short)v.__x;                                                                                               \
  }                                                                                                                    \
  __HEDDLE_MAKE unsigned short __##N##_as_ushort(T v) {                                                                \
    return v.__x;                                                                                                      \
  }                                                                                                                    \
  __HEDDLE_MAKE T __short_as_##N(short v) {                                                                            \
    return __heddle_make_##T((unsigned short)v);                                                                       \
  }                                                                                                                    \
  __HEDDLE_MAKE T __ushort_as_##N(unsigned short v) {                                                                  \
    return __heddle_make_##T(v);                                                                                       \
  }

/* ---- integers: to one by float, which holds every value; from one with a single rounding ---- */

#define __HEDDLE_HALF_INTEGER(T, N, WORD, TYPE)                                                                        \
  __HEDDLE_MAKE T __##WORD##2##N##_rn(TYPE v) {                                                                        \
    return T(v);                                                                                                       \
  }                                                                                                                    \
  __HEDDLE_MAKE TYPE __##N##2##WORD##_rn(T h) {                                                                        \
    const float v = h;                                                                                                 \
    return (TYPE)__HEDDLE_IN_FLOAT(rint);                                                                              \
  }                                                                                                                    \
  __HEDDLE_MAKE TYPE __##N##2##WORD##_rz(T h) {                                                                        \
    return (TYPE)(float)h;                                                                                             \
  }                                                                                                                    \
  __HEDDLE_MAKE TYPE __##N##2##WORD##_ru(T h) {                                                                        \
    const float v = h;                                                                                                 \
    return (TYPE)__HEDDLE_IN_FLOAT(ceil);                                                                              \
  }                                                                                                                    \
  __HEDDLE_MAKE TYPE __##N##2##WORD##_rd(T h) {                                                                        \
    const float v = h;                                                                                                 \
    return (TYPE)__HEDDLE_IN_FLOAT(floor);                                                                             \
  }
#define __HEDDLE_HALF_INTEGERS(T, N)                                                                                   \
  __HEDDLE_HALF_INTEGER(T, N, int, int)                                                                                \
  __HEDDLE_HALF_INTEGER(T, N, uint, unsigned)                                                                          \
  __HEDDLE_HALF_INTEGER(T, N, short, short)                                                                            \
  __HEDDLE_HALF_INTEGER(T, N, ushort, unsigned short)                                                                  \
  __HEDDLE_HALF_INTEGER(T, N, ll, long long)                                                                           \
  __HEDDLE_HALF_INTEGER(T, N, ull, unsigned long long)

/* ---- of a kernel alone ---- */

#ifdef __CUDA__
#define __HEDDLE_HALF_ROUNDED(T, N, MODE, M, P)                                                                        \
  static __device__ inline T __float2##N##_##MODE(float v) {                                                           \
    unsigned short r;                                                                                                  \
    __asm__("cvt.r" M "." P ".f32 %0, %1;" : "=h"(r) : "f"(v));                                                        \
    return __heddle_make_##T(r);                                                                                       \
  }
#define __HEDDLE_HALF_SHUFFLE(T, T2, NAME, LANE)                                                                       \
  __heddle_fn T NAME(unsigned mask, T v, LANE lane, int width = 32) {                                                  \
    return __heddle_make_##T((unsigned short)NAME(mask, (unsigned)v.__x, lane, width));                                \
  }                                                                                                                    \
  __heddle_fn T2 NAME(unsigned mask, T2 v, LANE lane, int width = 32) {                                                \
    return __heddle_make_##T2(NAME(mask, __heddle_bits(v), lane, width));                                              \
  }
#define __HEDDLE_HALF_KERNEL(T, T2, N, P)                                                                              \
  __HEDDLE_HALF_ROUNDED(T, N, rz, "z", P)                                                                              \
  __HEDDLE_HALF_ROUNDED(T, N, ru, "p", P)                                                                              \
  __HEDDLE_HALF_ROUNDED(T, N, rd, "m", P)                                                                              \
  __HEDDLE_HALF_SHUFFLE(T, T2, __shfl_sync, int)                                                                       \
  __HEDDLE_HALF_SHUFFLE(T, T2, __shfl_up_sync, unsigned)                                                               \
  __HEDDLE_HALF_SHUFFLE(T, T2, __shfl_down_sync, unsigned)                                                             \
  __HEDDLE_HALF_SHUFFLE(T, T2, __shfl_xor_sync, int)                                                                   \
  __heddle_fn T atomicAdd(T *at, T v) {                                                                                \
    unsigned short r;                                                                                                  \
    __asm__ volatile("atom.add.noftz." P " %0, [%1], %2;" : "=h"(r) : "l"(at), "h"(v.__x) : "memory");                 \
    return __heddle_make_##T(r);                                                                                       \
  }                                                                                                                    \
  __heddle_fn T2 atomicAdd(T2 *at, T2 v) {                                                                             \
    unsigned r;                                                                                                        \
    __asm__ volatile("atom.add.noftz." P "x2 %0, [%1], %2;" : "=r"(r) : "l"(at), "r"(__heddle_bits(v)) : "memory");    \
    return __heddle_make_##T2(r);                                                                                      \
  }
#else
#define __HEDDLE_HALF_KERNEL(T, T2, N, P)
#endif

#define __HEDDLE_HALVES(T, T2, N, N2, P)                                                                               \
  __HEDDLE_HALF_ARITHMETIC(T, T2, P)                                                                                   \
  __HEDDLE_HALF_COMPARISONS(T, T2)                                                                                     \
  __HEDDLE_HALF_OPERATORS(T, T2)                                                                                       \
  __HEDDLE_HALF_MATH(T, T2)                                                                                            \
  __HEDDLE_HALF_PAIRS(T, T2, N, N2)                                                                                    \
  __HEDDLE_HALF_INTEGERS(T, N)                                                                                         \
  __HEDDLE_HALF_KERNEL(T, T2, N, P)

#endif
