/* SPDX-License-Identifier: Apache-2.0
 * Arithmetic, comparisons and operators of both 16-bit types and their pairs. On the device an operation is the
 * instruction of the type, rounded once. A host computes the same bits in double, which has more than twice the bits
 * of either type. */
#ifndef HEDDLE_CUDA_HALVES_OPS_H
#define HEDDLE_CUDA_HALVES_OPS_H

#include "cuda_halves.h"

__HEDDLE_MAKE double __heddle_lesser(double a, double b) {
  if (a != a || b != b) return a != a ? b : a;
  return a < b || (a == b && __builtin_signbit(a)) ? a : b;
}
__HEDDLE_MAKE double __heddle_greater(double a, double b) {
  if (a != a || b != b) return a != a ? b : a;
  return a > b || (a == b && __builtin_signbit(b)) ? a : b;
}

#ifdef __CUDA_ARCH__
#define __HEDDLE_HALF_1(T, T2, NAME, HOW, HOST)                                                                        \
  __HEDDLE_MAKE T NAME(T a) {                                                                                          \
    unsigned short r;                                                                                                  \
    __asm__(HOW " %0, %1;" : "=h"(r) : "h"(a.__x));                                                                    \
    return __heddle_make_##T(r);                                                                                       \
  }                                                                                                                    \
  __HEDDLE_MAKE T2 NAME##2(T2 a) {                                                                                     \
    unsigned r;                                                                                                        \
    __asm__(HOW "x2 %0, %1;" : "=r"(r) : "r"(__heddle_bits(a)));                                                       \
    return __heddle_make_##T2(r);                                                                                      \
  }
#define __HEDDLE_HALF_2(T, T2, NAME, HOW, HOST)                                                                        \
  __HEDDLE_MAKE T NAME(T a, T b) {                                                                                     \
    unsigned short r;                                                                                                  \
    __asm__(HOW " %0, %1, %2;" : "=h"(r) : "h"(a.__x), "h"(b.__x));                                                    \
    return __heddle_make_##T(r);                                                                                       \
  }                                                                                                                    \
  __HEDDLE_MAKE T2 NAME##2(T2 a, T2 b) {                                                                               \
    unsigned r;                                                                                                        \
    __asm__(HOW "x2 %0, %1, %2;" : "=r"(r) : "r"(__heddle_bits(a)), "r"(__heddle_bits(b)));                            \
    return __heddle_make_##T2(r);                                                                                      \
  }
#define __HEDDLE_HALF_3(T, T2, NAME, HOW, HOST)                                                                        \
  __HEDDLE_MAKE T NAME(T a, T b, T c) {                                                                                \
    unsigned short r;                                                                                                  \
    __asm__(HOW " %0, %1, %2, %3;" : "=h"(r) : "h"(a.__x), "h"(b.__x), "h"(c.__x));                                    \
    return __heddle_make_##T(r);                                                                                       \
  }                                                                                                                    \
  __HEDDLE_MAKE T2 NAME##2(T2 a, T2 b, T2 c) {                                                                         \
    unsigned r;                                                                                                        \
    __asm__(HOW "x2 %0, %1, %2, %3;" : "=r"(r) : "r"(__heddle_bits(a)), "r"(__heddle_bits(b)), "r"(__heddle_bits(c))); \
    return __heddle_make_##T2(r);                                                                                      \
  }
#else /* HOST: an expression of the doubles x, y and z */
#define __HEDDLE_HALF_1(T, T2, NAME, HOW, HOST)                                                                        \
  __HEDDLE_MAKE T NAME(T a) {                                                                                          \
    const double x = (float)a;                                                                                         \
    return T(HOST);                                                                                                    \
  }                                                                                                                    \
  __HEDDLE_MAKE T2 NAME##2(T2 a) {                                                                                     \
    return T2(NAME(a.x), NAME(a.y));                                                                                   \
  }
#define __HEDDLE_HALF_2(T, T2, NAME, HOW, HOST)                                                                        \
  __HEDDLE_MAKE T NAME(T a, T b) {                                                                                     \
    const double x = (float)a, y = (float)b;                                                                           \
    return T(HOST);                                                                                                    \
  }                                                                                                                    \
  __HEDDLE_MAKE T2 NAME##2(T2 a, T2 b) {                                                                               \
    return T2(NAME(a.x, b.x), NAME(a.y, b.y));                                                                         \
  }
#define __HEDDLE_HALF_3(T, T2, NAME, HOW, HOST)                                                                        \
  __HEDDLE_MAKE T NAME(T a, T b, T c) {                                                                                \
    const double x = (float)a, y = (float)b, z = (float)c;                                                             \
    return T(HOST);                                                                                                    \
  }                                                                                                                    \
  __HEDDLE_MAKE T2 NAME##2(T2 a, T2 b, T2 c) {                                                                         \
    return T2(NAME(a.x, b.x, c.x), NAME(a.y, b.y, c.y));                                                               \
  }
#endif

/* Into [0, 1]; what is no number becomes 0. */
#define __HEDDLE_HALF_SAT(T, T2)                                                                                       \
  __HEDDLE_MAKE T __heddle_sat(T a) {                                                                                  \
    return __hmin(__hmax(a, T(0.0f)), T(1.0f));                                                                        \
  }                                                                                                                    \
  __HEDDLE_MAKE T2 __heddle_sat(T2 a) {                                                                                \
    return T2(__heddle_sat(a.x), __heddle_sat(a.y));                                                                   \
  }
#define __HEDDLE_HALF_ALIAS(T, OTHER, NAME)                                                                            \
  __HEDDLE_MAKE T OTHER(T a, T b) {                                                                                    \
    return NAME(a, b);                                                                                                 \
  }
#define __HEDDLE_HALF_SATURATED(T, OTHER, NAME)                                                                        \
  __HEDDLE_MAKE T OTHER(T a, T b) {                                                                                    \
    return __heddle_sat(NAME(a, b));                                                                                   \
  }
#define __HEDDLE_HALF_ARITHMETIC(T, T2, P)                                                                             \
  __HEDDLE_HALF_1(T, T2, __hneg, "neg." P, -x)                                                                         \
  __HEDDLE_HALF_1(T, T2, __habs, "abs." P, x < 0 || __builtin_signbit(x) ? -x : x)                                     \
  __HEDDLE_HALF_2(T, T2, __hadd, "add.rn." P, x + y)                                                                   \
  __HEDDLE_HALF_2(T, T2, __hsub, "sub.rn." P, x - y)                                                                   \
  __HEDDLE_HALF_2(T, T2, __hmul, "mul.rn." P, x *y)                                                                    \
  __HEDDLE_HALF_2(T, T2, __hmin, "min." P, __heddle_lesser(x, y))                                                      \
  __HEDDLE_HALF_2(T, T2, __hmax, "max." P, __heddle_greater(x, y))                                                     \
  __HEDDLE_HALF_2(T, T2, __hmin_nan, "min.NaN." P, x != x || y != y ? x + y : __heddle_lesser(x, y))                   \
  __HEDDLE_HALF_2(T, T2, __hmax_nan, "max.NaN." P, x != x || y != y ? x + y : __heddle_greater(x, y))                  \
  __HEDDLE_HALF_3(T, T2, __hfma, "fma.rn." P, __heddle_fma_odd(x, y, z))                                               \
  __HEDDLE_HALF_3(T, T2, __heddle_fma_relu, "fma.rn.relu." P, __heddle_relu(__heddle_fma_odd(x, y, z)))                \
  __HEDDLE_HALF_SAT(T, T2)                                                                                             \
  /* The quotient of two floats that have so few bits is rounded right by a second rounding. */                        \
  __HEDDLE_MAKE T __hdiv(T a, T b) {                                                                                   \
    return T((float)a / (float)b);                                                                                     \
  }                                                                                                                    \
  __HEDDLE_MAKE T2 __h2div(T2 a, T2 b) {                                                                               \
    return T2(__hdiv(a.x, b.x), __hdiv(a.y, b.y));                                                                     \
  }                                                                                                                    \
  __HEDDLE_MAKE T __hfma_relu(T a, T b, T c) {                                                                         \
    return __heddle_fma_relu(a, b, c);                                                                                 \
  }                                                                                                                    \
  __HEDDLE_MAKE T2 __hfma2_relu(T2 a, T2 b, T2 c) {                                                                    \
    return __heddle_fma_relu2(a, b, c);                                                                                \
  }                                                                                                                    \
  __HEDDLE_MAKE T __hfma_sat(T a, T b, T c) {                                                                          \
    return __heddle_sat(__hfma(a, b, c));                                                                              \
  }                                                                                                                    \
  __HEDDLE_MAKE T2 __hfma2_sat(T2 a, T2 b, T2 c) {                                                                     \
    return __heddle_sat(__hfma2(a, b, c));                                                                             \
  }                                                                                                                    \
  __HEDDLE_HALF_ALIAS(T, __hadd_rn, __hadd)                                                                            \
  __HEDDLE_HALF_ALIAS(T, __hsub_rn, __hsub)                                                                            \
  __HEDDLE_HALF_ALIAS(T, __hmul_rn, __hmul)                                                                            \
  __HEDDLE_HALF_ALIAS(T2, __hadd2_rn, __hadd2)                                                                         \
  __HEDDLE_HALF_ALIAS(T2, __hsub2_rn, __hsub2)                                                                         \
  __HEDDLE_HALF_ALIAS(T2, __hmul2_rn, __hmul2)                                                                         \
  __HEDDLE_HALF_ALIAS(T2, __hmin2_nan, __hmin_nan2)                                                                    \
  __HEDDLE_HALF_ALIAS(T2, __hmax2_nan, __hmax_nan2)                                                                    \
  __HEDDLE_HALF_SATURATED(T, __hadd_sat, __hadd)                                                                       \
  __HEDDLE_HALF_SATURATED(T, __hsub_sat, __hsub)                                                                       \
  __HEDDLE_HALF_SATURATED(T, __hmul_sat, __hmul)                                                                       \
  __HEDDLE_HALF_SATURATED(T2, __hadd2_sat, __hadd2)                                                                    \
  __HEDDLE_HALF_SATURATED(T2, __hsub2_sat, __hsub2)                                                                    \
  __HEDDLE_HALF_SATURATED(T2, __hmul2_sat, __hmul2)
__HEDDLE_MAKE double __heddle_relu(double x) {
  return x < 0 || __builtin_signbit(x) ? (x != x ? x : 0) : x;
}

/* ---- comparisons: of one value, of both of a pair (b), and as 1.0 and 0.0 ---- */

#define __HEDDLE_HALF_COMPARE(T, T2, NAME, EXPRESSION)                                                                 \
  __HEDDLE_MAKE bool __h##NAME(T p, T q) {                                                                             \
    const float a = p, b = q;                                                                                          \
    return EXPRESSION;                                                                                                 \
  }                                                                                                                    \
  __HEDDLE_MAKE bool __hb##NAME##2(T2 p, T2 q) {                                                                       \
    return __h##NAME(p.x, q.x) && __h##NAME(p.y, q.y);                                                                 \
  }                                                                                                                    \
  __HEDDLE_MAKE T2 __h##NAME##2(T2 p, T2 q) {                                                                          \
    return T2(T(__h##NAME(p.x, q.x) ? 1.0f : 0.0f), T(__h##NAME(p.y, q.y) ? 1.0f : 0.0f));                             \
  }
#define __HEDDLE_HALF_COMPARISONS(T, T2)                                                                               \
  __HEDDLE_HALF_COMPARE(T, T2, eq, a == b)                                                                             \
  __HEDDLE_HALF_COMPARE(T, T2, ne, a<b || a> b)                                                                        \
  __HEDDLE_HALF_COMPARE(T, T2, lt, a < b)                                                                              \
  __HEDDLE_HALF_COMPARE(T, T2, le, a <= b)                                                                             \
  __HEDDLE_HALF_COMPARE(T, T2, gt, a > b)                                                                              \
  __HEDDLE_HALF_COMPARE(T, T2, ge, a >= b)                                                                             \
  __HEDDLE_HALF_COMPARE(T, T2, equ, !(a < b || a > b))                                                                 \
  __HEDDLE_HALF_COMPARE(T, T2, neu, !(a == b))                                                                         \
  __HEDDLE_HALF_COMPARE(T, T2, ltu, !(a >= b))                                                                         \
  __HEDDLE_HALF_COMPARE(T, T2, leu, !(a > b))                                                                          \
  __HEDDLE_HALF_COMPARE(T, T2, gtu, !(a <= b))                                                                         \
  __HEDDLE_HALF_COMPARE(T, T2, geu, !(a < b))                                                                          \
  __HEDDLE_MAKE bool __hisnan(T a) {                                                                                   \
    return (float)a != (float)a;                                                                                       \
  }                                                                                                                    \
  __HEDDLE_MAKE T2 __hisnan2(T2 a) {                                                                                   \
    return T2(T(__hisnan(a.x) ? 1.0f : 0.0f), T(__hisnan(a.y) ? 1.0f : 0.0f));                                         \
  }                                                                                                                    \
  __HEDDLE_MAKE int __hisinf(T a) {                                                                                    \
    const float v = a;                                                                                                 \
    return v == __builtin_huge_valf() ? 1 : v == -__builtin_huge_valf() ? -1 : 0;                                      \
  }

/* ---- operators ---- */

#define __HEDDLE_HALF_OPERATOR(T, OP, NAME)                                                                            \
  __HEDDLE_MAKE T operator OP(const T &a, const T &b) {                                                                \
    return NAME(a, b);                                                                                                 \
  }                                                                                                                    \
  __HEDDLE_MAKE T &operator OP##=(T &a, const T &b) {                                                                  \
    return a = NAME(a, b);                                                                                             \
  }
#define __HEDDLE_HALF_ORDER(T, OP, NAME)                                                                               \
  __HEDDLE_MAKE bool operator OP(const T &a, const T &b) {                                                             \
    return NAME(a, b);                                                                                                 \
  }
#define __HEDDLE_HALF_STEPS(T, ADD, SUB, NEG, ONE)                                                                     \
  __HEDDLE_MAKE T operator-(const T &a) {                                                                              \
    return NEG(a);                                                                                                     \
  }                                                                                                                    \
  __HEDDLE_MAKE T operator+(const T &a) {                                                                              \
    return a;                                                                                                          \
  }                                                                                                                    \
  __HEDDLE_MAKE T &operator++(T &a) {                                                                                  \
    return a = ADD(a, ONE);                                                                                            \
  }                                                                                                                    \
  __HEDDLE_MAKE T &operator--(T &a) {                                                                                  \
    return a = SUB(a, ONE);                                                                                            \
  }                                                                                                                    \
  __HEDDLE_MAKE T operator++(T &a, int) {                                                                              \
    const T was = a;                                                                                                   \
    ++a;                                                                                                               \
    return was;                                                                                                        \
  }                                                                                                                    \
  __HEDDLE_MAKE T operator--(T &a, int) {                                                                              \
    const T was = a;                                                                                                   \
    --a;                                                                                                               \
    return was;                                                                                                        \
  }
#define __HEDDLE_HALF_OPERATORS(T, T2)                                                                                 \
  __HEDDLE_HALF_OPERATOR(T, +, __hadd)                                                                                 \
  __HEDDLE_HALF_OPERATOR(T, -, __hsub)                                                                                 \
  __HEDDLE_HALF_OPERATOR(T, *, __hmul)                                                                                 \
  __HEDDLE_HALF_OPERATOR(T, /, __hdiv)                                                                                 \
  __HEDDLE_HALF_STEPS(T, __hadd, __hsub, __hneg, T(1.0f))                                                              \
  __HEDDLE_HALF_ORDER(T, ==, __heq)                                                                                    \
  __HEDDLE_HALF_ORDER(T, !=, __hneu)                                                                                   \
  __HEDDLE_HALF_ORDER(T, <, __hlt)                                                                                     \
  __HEDDLE_HALF_ORDER(T, <=, __hle)                                                                                    \
  __HEDDLE_HALF_ORDER(T, >, __hgt)                                                                                     \
  __HEDDLE_HALF_ORDER(T, >=, __hge)                                                                                    \
  __HEDDLE_HALF_OPERATOR(T2, +, __hadd2)                                                                               \
  __HEDDLE_HALF_OPERATOR(T2, -, __hsub2)                                                                               \
  __HEDDLE_HALF_OPERATOR(T2, *, __hmul2)                                                                               \
  __HEDDLE_HALF_OPERATOR(T2, /, __h2div)                                                                               \
  __HEDDLE_HALF_STEPS(T2, __hadd2, __hsub2, __hneg2, T2(T(1.0f), T(1.0f)))                                             \
  __HEDDLE_HALF_ORDER(T2, ==, __hbeq2)                                                                                 \
  __HEDDLE_HALF_ORDER(T2, !=, !__hbeq2)                                                                                \
  __HEDDLE_HALF_ORDER(T2, <, __hblt2)                                                                                  \
  __HEDDLE_HALF_ORDER(T2, <=, __hble2)                                                                                 \
  __HEDDLE_HALF_ORDER(T2, >, __hbgt2)                                                                                  \
  __HEDDLE_HALF_ORDER(T2, >=, __hbge2)

#endif
