/* SPDX-License-Identifier: Apache-2.0
 * Functions of numbers in which libclc is below OpenCL's requirements: those of borders.h and trig.h, and those that
 * OpenCL C alone has. Each is libclc's but there. */
#ifndef HEDDLE_OPENCL_MATH_H
#define HEDDLE_OPENCL_MATH_H

#define __heddle_outer __attribute__((overloadable))
/* Private place of a second result; libclc's functions take such places by the same names. */
#ifdef __opencl_c_generic_address_space
#define __heddle_own generic
#else
#define __heddle_own private
#endif
#if __OPENCL_C_VERSION__ < 120
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#pragma push_macro("T")
#pragma push_macro("LETTER")
#undef T
#undef LETTER
#define T float
#define LETTER "f"
#include "borders.h"
#include "trig.h"
#ifdef cl_khr_fp64
#undef T
#undef LETTER
#define T double
#define LETTER "d"
#include "borders.h"
#include "trig.h"
#define __HEDDLE_TYPES(MACRO, ...) MACRO(float, __VA_ARGS__) MACRO(double, __VA_ARGS__)
#else
#define __HEDDLE_TYPES(MACRO, ...) MACRO(float, __VA_ARGS__)
#endif
#pragma pop_macro("T")
#pragma pop_macro("LETTER")

/* ---- of one number ---- */

/* The zero between two halves of a turn. */
#define __HEDDLE_TANPI(x, r) ((r) == 0 ? copysign(r, (x)*0.5f == trunc((x)*0.5f) ? (x) : -(x)) : (r))

__HEDDLE_TYPES(__HEDDLE_VECTORS, exp)
__HEDDLE_TYPES(__HEDDLE_VECTORS, exp2)
__HEDDLE_TYPES(__HEDDLE_VECTORS, expm1)
__HEDDLE_TYPES(__HEDDLE_VECTORS, atan)
__HEDDLE_TYPES(__HEDDLE_VECTORS, erf)
__HEDDLE_TYPES(__HEDDLE_VECTORS, erfc)
__HEDDLE_TYPES(__HEDDLE_VECTORS, sinpi)
__HEDDLE_TYPES(__HEDDLE_VECTORS, cospi)
__HEDDLE_TYPES(__HEDDLE_VECTORS, tgamma)
__HEDDLE_TYPES(__HEDDLE_VECTORS, lgamma)
__HEDDLE_TYPES(__HEDDLE_VECTORS, sin)
__HEDDLE_TYPES(__HEDDLE_VECTORS, cos)
__HEDDLE_TYPES(__HEDDLE_VECTORS, tan)
__HEDDLE_TYPES(__HEDDLE_EACH, tanpi, __HEDDLE_TANPI(x, tanpi(x)))
__HEDDLE_TYPES(__HEDDLE_EACH, atanpi, copysign(atanpi(x), x))
__HEDDLE_TYPES(__HEDDLE_EACH, acospi, isnan(x) ? x : acospi(x))
#define exp(x) __heddle_exp(x)
#define exp2(x) __heddle_exp2(x)
#define expm1(x) __heddle_expm1(x)
#define atan(x) __heddle_atan(x)
#define erf(x) __heddle_erf(x)
#define erfc(x) __heddle_erfc(x)
#define sinpi(x) __heddle_sinpi(x)
#define cospi(x) __heddle_cospi(x)
#define tanpi(x) __heddle_tanpi(x)
#define atanpi(x) __heddle_atanpi(x)
#define acospi(x) __heddle_acospi(x)
#define tgamma(x) __heddle_tgamma(x)
#define lgamma(x) __heddle_lgamma(x)
#define sin(x) __heddle_sin(x)
#define cos(x) __heddle_cos(x)
#define tan(x) __heddle_tan(x)

/* ---- of two numbers, and of a number and a whole one ---- */

#define __HEDDLE_VECTORS2(TYPE, NAME, MORE)                                                                            \
  __heddle_fn TYPE##2 __heddle_##NAME(TYPE##2 x, MORE##2 y) {                                                          \
    return (TYPE##2)(__heddle_##NAME(x.x, y.x), __heddle_##NAME(x.y, y.y));                                            \
  }                                                                                                                    \
  __heddle_fn TYPE##3 __heddle_##NAME(TYPE##3 x, MORE##3 y) {                                                          \
    return (TYPE##3)(__heddle_##NAME(x.xy, y.xy), __heddle_##NAME(x.z, y.z));                                          \
  }                                                                                                                    \
  __HEDDLE_HALVES2(TYPE##4, NAME, MORE##4)                                                                             \
  __HEDDLE_HALVES2(TYPE##8, NAME, MORE##8) __HEDDLE_HALVES2(TYPE##16, NAME, MORE##16)
#define __HEDDLE_HALVES2(TYPE, NAME, MORE)                                                                             \
  __heddle_fn TYPE __heddle_##NAME(TYPE x, MORE y) {                                                                   \
    return (TYPE)(__heddle_##NAME(x.lo, y.lo), __heddle_##NAME(x.hi, y.hi));                                           \
  }
#define __HEDDLE_VECTORS_INT(TYPE, N)                                                                                  \
  __heddle_fn TYPE##N __heddle_ldexp(TYPE##N x, int n) {                                                               \
    return __heddle_ldexp(x, (int##N)n);                                                                               \
  }
#define __HEDDLE_TWO(TYPE, ...)                                                                                        \
  __HEDDLE_VECTORS2(TYPE, fmod, TYPE)                                                                                  \
  __HEDDLE_VECTORS2(TYPE, remainder, TYPE)                                                                             \
  __HEDDLE_VECTORS2(TYPE, nextafter, TYPE)                                                                             \
  __HEDDLE_VECTORS2(TYPE, ldexp, int)                                                                                  \
  __HEDDLE_VECTORS_INT(TYPE, 2)                                                                                        \
  __HEDDLE_VECTORS_INT(TYPE, 3)                                                                                        \
  __HEDDLE_VECTORS_INT(TYPE, 4) __HEDDLE_VECTORS_INT(TYPE, 8) __HEDDLE_VECTORS_INT(TYPE, 16)
__HEDDLE_TYPES(__HEDDLE_TWO, )
#define fmod(x, y) __heddle_fmod(x, y)
#define remainder(x, y) __heddle_remainder(x, y)
#define nextafter(x, y) __heddle_nextafter(x, y)
#define ldexp(x, n) __heddle_ldexp(x, n)

/* libclc's of float takes what is below the least normal number for 0. */
__heddle_fn float __heddle_rootn(float x, int n) {
  if (n == 1) return x;
  if (n == -1) return 1 / x;
  if (x == 0 || !(fabs(x) < 0x1p-126f)) return rootn(x, n);
  return rootn(x * 0x1p24f, n) * __heddle_exp2(-24.0f / n);
}
__HEDDLE_VECTORS2(float, rootn, int)
#ifdef cl_khr_fp64
__heddle_fn double __heddle_rootn(double x, int n) {
  return rootn(x, n);
}
__HEDDLE_VECTORS2(double, rootn, int)
#endif
#define rootn(x, n) __heddle_rootn(x, n)

/* ---- with a second result, in any memory ---- */

#define __HEDDLE_SCALARS(TYPE, ...)                                                                                    \
  __heddle_fn TYPE __heddle_fract(TYPE x, __heddle_own TYPE *whole) {                                                  \
    const TYPE r = fract(x, whole);                                                                                    \
    return x == 0 || isinf(x) ? copysign((TYPE)0, x) : r;                                                              \
  }                                                                                                                    \
  __heddle_fn TYPE __heddle_sincos(TYPE x, __heddle_own TYPE *cosine) {                                                \
    TYPE s;                                                                                                            \
    __heddle_sincos(x, &s, cosine);                                                                                    \
    return s;                                                                                                          \
  }                                                                                                                    \
  __heddle_fn TYPE __heddle_frexp(TYPE x, __heddle_own int *exponent) {                                                \
    return frexp(x, exponent);                                                                                         \
  }                                                                                                                    \
  __heddle_fn TYPE __heddle_lgamma_r(TYPE x, __heddle_own int *sign) {                                                 \
    const TYPE pairs = floor(x) * 0.5f;                                                                                \
    *sign = signbit(x) && (x == 0 || pairs != floor(pairs)) ? -1 : 1;                                                  \
    return __heddle_lgamma(x);                                                                                         \
  }
__HEDDLE_TYPES(__HEDDLE_SCALARS, )

/* Y: __HEDDLE_ALONE, or __HEDDLE_AND where there is a second argument. */
#define __HEDDLE_ALONE(Y)
#define __HEDDLE_AND(Y) Y,
#define __HEDDLE_PLACE(SPACE, TYPE, NAME, MORE, Y)                                                                     \
  __heddle_fn TYPE __heddle_##NAME(TYPE x, Y(TYPE y) SPACE MORE *to) {                                                 \
    MORE second;                                                                                                       \
    const TYPE r = __heddle_##NAME(x, Y(y) & second);                                                                  \
    *to = second;                                                                                                      \
    return r;                                                                                                          \
  }
#define __HEDDLE_PLACES(...) __HEDDLE_PLACE(global, __VA_ARGS__) __HEDDLE_PLACE(local, __VA_ARGS__)
#define __HEDDLE_PARTS(N, LOW, A, HIGH, B, TYPE, NAME, MORE, Y)                                                        \
  __heddle_fn TYPE##N __heddle_##NAME(TYPE##N x, Y(TYPE##N y) __heddle_own MORE##N *to) {                              \
    MORE##LOW a;                                                                                                       \
    MORE##HIGH b;                                                                                                      \
    const TYPE##N r = (TYPE##N)(__heddle_##NAME(x.A, Y(y.A) & a), __heddle_##NAME(x.B, Y(y.B) & b));                   \
    *to = (MORE##N)(a, b);                                                                                             \
    return r;                                                                                                          \
  }                                                                                                                    \
  __HEDDLE_PLACES(TYPE##N, NAME, MORE##N, Y)
#define __HEDDLE_SECONDS(TYPE, NAME, MORE, Y)                                                                          \
  __HEDDLE_PLACES(TYPE, NAME, MORE, Y)                                                                                 \
  __HEDDLE_PARTS(2, , x, , y, TYPE, NAME, MORE, Y)                                                                     \
  __HEDDLE_PARTS(3, 2, xy, , z, TYPE, NAME, MORE, Y)                                                                   \
  __HEDDLE_PARTS(4, 2, lo, 2, hi, TYPE, NAME, MORE, Y)                                                                 \
  __HEDDLE_PARTS(8, 4, lo, 4, hi, TYPE, NAME, MORE, Y) __HEDDLE_PARTS(16, 8, lo, 8, hi, TYPE, NAME, MORE, Y)
#define __HEDDLE_SECOND_RESULTS(TYPE, ...)                                                                             \
  __HEDDLE_SECONDS(TYPE, fract, TYPE, __HEDDLE_ALONE)                                                                  \
  __HEDDLE_SECONDS(TYPE, sincos, TYPE, __HEDDLE_ALONE)                                                                 \
  __HEDDLE_SECONDS(TYPE, frexp, int, __HEDDLE_ALONE)                                                                   \
  __HEDDLE_SECONDS(TYPE, lgamma_r, int, __HEDDLE_ALONE)                                                                \
  __HEDDLE_SECONDS(TYPE, remquo, int, __HEDDLE_AND)
__HEDDLE_TYPES(__HEDDLE_SECOND_RESULTS, )
#define fract(x, whole) __heddle_fract(x, whole)
#define sincos(x, cosine) __heddle_sincos(x, cosine)
#define frexp(x, exponent) __heddle_frexp(x, exponent)
#define lgamma_r(x, sign) __heddle_lgamma_r(x, sign)
#define remquo(x, y, quotient) __heddle_remquo(x, y, quotient)

#ifdef cl_khr_fp64
#define __HEDDLE_NAN(N)                                                                                                \
  __heddle_fn double##N nan(ulong##N code) {                                                                           \
    return as_double##N(code | 0x7ff8000000000000UL);                                                                  \
  }
__HEDDLE_NAN()
__HEDDLE_NAN(2)
__HEDDLE_NAN(3)
__HEDDLE_NAN(4)
__HEDDLE_NAN(8)
__HEDDLE_NAN(16)
#endif

/* ---- stores of halves that round up or down: libclc's end at the least half. Rounded first, then stored as it is.
 * ---- */

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define __HEDDLE_ROUND(TYPE)                                                                                           \
  __heddle_fn TYPE __heddle_up(TYPE x) {                                                                               \
    const half near = (half)x;                                                                                         \
    const ushort bits = as_ushort(near);                                                                               \
    return (TYPE)near < x ? (TYPE)as_half((ushort)(bits & 0x8000 ? bits - 1 : bits + 1)) : x == x ? (TYPE)near : x;    \
  }                                                                                                                    \
  __HEDDLE_EACH(TYPE, rtp, __heddle_up(x))                                                                             \
  __HEDDLE_EACH(TYPE, rtn, -__heddle_up(-x))
__HEDDLE_ROUND(float)
#ifdef cl_khr_fp64
__HEDDLE_ROUND(double)
#endif
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#define vstore_half_rtp(v, at, p) vstore_half(__heddle_rtp(v), at, p)
#define vstore_half2_rtp(v, at, p) vstore_half2(__heddle_rtp(v), at, p)
#define vstore_half3_rtp(v, at, p) vstore_half3(__heddle_rtp(v), at, p)
#define vstore_half4_rtp(v, at, p) vstore_half4(__heddle_rtp(v), at, p)
#define vstore_half8_rtp(v, at, p) vstore_half8(__heddle_rtp(v), at, p)
#define vstore_half16_rtp(v, at, p) vstore_half16(__heddle_rtp(v), at, p)
#define vstorea_half_rtp(v, at, p) vstorea_half(__heddle_rtp(v), at, p)
#define vstorea_half2_rtp(v, at, p) vstorea_half2(__heddle_rtp(v), at, p)
#define vstorea_half3_rtp(v, at, p) vstorea_half3(__heddle_rtp(v), at, p)
#define vstorea_half4_rtp(v, at, p) vstorea_half4(__heddle_rtp(v), at, p)
#define vstorea_half8_rtp(v, at, p) vstorea_half8(__heddle_rtp(v), at, p)
#define vstorea_half16_rtp(v, at, p) vstorea_half16(__heddle_rtp(v), at, p)
#define vstore_half_rtn(v, at, p) vstore_half(__heddle_rtn(v), at, p)
#define vstore_half2_rtn(v, at, p) vstore_half2(__heddle_rtn(v), at, p)
#define vstore_half3_rtn(v, at, p) vstore_half3(__heddle_rtn(v), at, p)
#define vstore_half4_rtn(v, at, p) vstore_half4(__heddle_rtn(v), at, p)
#define vstore_half8_rtn(v, at, p) vstore_half8(__heddle_rtn(v), at, p)
#define vstore_half16_rtn(v, at, p) vstore_half16(__heddle_rtn(v), at, p)
#define vstorea_half_rtn(v, at, p) vstorea_half(__heddle_rtn(v), at, p)
#define vstorea_half2_rtn(v, at, p) vstorea_half2(__heddle_rtn(v), at, p)
#define vstorea_half3_rtn(v, at, p) vstorea_half3(__heddle_rtn(v), at, p)
#define vstorea_half4_rtn(v, at, p) vstorea_half4(__heddle_rtn(v), at, p)
#define vstorea_half8_rtn(v, at, p) vstorea_half8(__heddle_rtn(v), at, p)
#define vstorea_half16_rtn(v, at, p) vstorea_half16(__heddle_rtn(v), at, p)

#endif
