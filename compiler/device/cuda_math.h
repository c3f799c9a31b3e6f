/* SPDX-License-Identifier: Apache-2.0
 * Functions of numbers by their usual names, std:: ones too: clang's own headers, over cuda_libdevice.h. */
#ifndef HEDDLE_CUDA_MATH_H
#define HEDDLE_CUDA_MATH_H

#include <limits.h>

#include "cuda_libdevice.h"

/* They test the release of CUDA that they replace. */
#pragma push_macro("CUDA_VERSION")
#undef CUDA_VERSION
#define CUDA_VERSION 11000
#include <__clang_cuda_math.h>
#pragma pop_macro("CUDA_VERSION")

#include <__clang_cuda_cmath.h>

#include <__clang_cuda_complex_builtins.h>

/* ---- the lesser and the greater: of host and device, of equal types and of mixed ones ---- */

#define __HEDDLE_ORDER(A, B, RESULT)                                                                                   \
  __HEDDLE_MAKE RESULT min(A a, B b) {                                                                                 \
    return (RESULT)b < (RESULT)a ? (RESULT)b : (RESULT)a;                                                              \
  }                                                                                                                    \
  __HEDDLE_MAKE RESULT max(A a, B b) {                                                                                 \
    return (RESULT)a < (RESULT)b ? (RESULT)b : (RESULT)a;                                                              \
  }
#define __HEDDLE_ORDERS(INT, UNSIGNED)                                                                                 \
  __HEDDLE_ORDER(UNSIGNED, UNSIGNED, UNSIGNED)                                                                         \
  __HEDDLE_ORDER(INT, UNSIGNED, UNSIGNED)                                                                              \
  __HEDDLE_ORDER(UNSIGNED, INT, UNSIGNED)
/* Functions of two int: clang has them for the device. */
#ifndef __HEDDLE__
static inline __host__ __attribute__((unused)) int min(int a, int b) {
  return b < a ? b : a;
}
static inline __host__ __attribute__((unused)) int max(int a, int b) {
  return a < b ? b : a;
}
#endif
__HEDDLE_ORDERS(int, unsigned)
__HEDDLE_ORDER(long, long, long)
__HEDDLE_ORDERS(long, unsigned long)
__HEDDLE_ORDER(long long, long long, long long)
__HEDDLE_ORDERS(long long, unsigned long long)
#define __HEDDLE_FLOAT_ORDER(A, B, RESULT, SUFFIX)                                                                     \
  __HEDDLE_MAKE RESULT min(A a, B b) {                                                                                 \
    return __builtin_fmin##SUFFIX(a, b);                                                                               \
  }                                                                                                                    \
  __HEDDLE_MAKE RESULT max(A a, B b) {                                                                                 \
    return __builtin_fmax##SUFFIX(a, b);                                                                               \
  }
__HEDDLE_FLOAT_ORDER(float, float, float, f)
__HEDDLE_FLOAT_ORDER(double, double, double, )
__HEDDLE_FLOAT_ORDER(float, double, double, )
__HEDDLE_FLOAT_ORDER(double, float, double, )

/* ---- what clang leaves to CUDA's headers: the float of a name that it has for double ---- */

#define __HEDDLE_FLOAT1(RESULT, NAME)                                                                                  \
  __heddle_fn RESULT NAME(float x) {                                                                                   \
    return NAME##f(x);                                                                                                 \
  }
#define __HEDDLE_FLOAT2(NAME)                                                                                          \
  __heddle_fn float NAME(float x, float y) {                                                                           \
    return NAME##f(x, y);                                                                                              \
  }
__HEDDLE_FLOAT1(float, acosh)
__HEDDLE_FLOAT1(float, asinh)
__HEDDLE_FLOAT1(float, atanh)
__HEDDLE_FLOAT1(float, cbrt)
__HEDDLE_FLOAT1(float, erf)
__HEDDLE_FLOAT1(float, erfc)
__HEDDLE_FLOAT1(float, exp2)
__HEDDLE_FLOAT1(float, expm1)
__HEDDLE_FLOAT1(float, lgamma)
__HEDDLE_FLOAT1(float, log1p)
__HEDDLE_FLOAT1(float, log2)
__HEDDLE_FLOAT1(float, logb)
__HEDDLE_FLOAT1(float, nearbyint)
__HEDDLE_FLOAT1(float, rint)
__HEDDLE_FLOAT1(float, round)
__HEDDLE_FLOAT1(float, tgamma)
__HEDDLE_FLOAT1(float, trunc)
__HEDDLE_FLOAT1(int, ilogb)
__HEDDLE_FLOAT1(long, lrint)
__HEDDLE_FLOAT1(long, lround)
__HEDDLE_FLOAT1(long long, llrint)
__HEDDLE_FLOAT1(long long, llround)
__HEDDLE_FLOAT2(copysign)
__HEDDLE_FLOAT2(fdim)
__HEDDLE_FLOAT2(fmax)
__HEDDLE_FLOAT2(fmin)
__HEDDLE_FLOAT2(hypot)
__HEDDLE_FLOAT2(nextafter)
__HEDDLE_FLOAT2(remainder)
__heddle_fn float fma(float a, float b, float c) {
  return fmaf(a, b, c);
}
__heddle_fn float scalbn(float x, int e) {
  return scalbnf(x, e);
}
__heddle_fn float scalbln(float x, long e) {
  return scalblnf(x, e);
}
__heddle_fn float remquo(float x, float y, int *quotient) {
  return remquof(x, y, quotient);
}
__heddle_fn double nan(const char *) {
  return __builtin_nan("");
}
__heddle_fn float nanf(const char *) {
  return __builtin_nanf("");
}
/* Names of CUDA's own. */
__HEDDLE_FLOAT1(float, rsqrt)
__HEDDLE_FLOAT1(float, rcbrt)
__HEDDLE_FLOAT1(float, exp10)
__HEDDLE_FLOAT1(float, sinpi)
__HEDDLE_FLOAT1(float, cospi)
__HEDDLE_FLOAT1(float, erfinv)
__HEDDLE_FLOAT1(float, erfcinv)
__HEDDLE_FLOAT1(float, erfcx)
__HEDDLE_FLOAT1(float, normcdf)
__HEDDLE_FLOAT1(float, normcdfinv)
__HEDDLE_FLOAT1(float, j0)
__HEDDLE_FLOAT1(float, j1)
__HEDDLE_FLOAT1(float, y0)
__HEDDLE_FLOAT1(float, y1)
__HEDDLE_FLOAT1(float, cyl_bessel_i0)
__HEDDLE_FLOAT1(float, cyl_bessel_i1)
__HEDDLE_FLOAT2(rhypot)
__heddle_fn void sincos(float x, float *s, float *c) {
  sincosf(x, s, c);
}
__heddle_fn void sincospi(float x, float *s, float *c) {
  sincospif(x, s, c);
}
/* Those that nvcc lets a host call, too. */
#ifndef __HEDDLE__
static inline __host__ __attribute__((unused)) float rsqrtf(float x) {
  return 1.0f / __builtin_sqrtf(x);
}
static inline __host__ __attribute__((unused)) double rsqrt(double x) {
  return 1.0 / __builtin_sqrt(x);
}
static inline __host__ __attribute__((unused)) float rsqrt(float x) {
  return rsqrtf(x);
}
#endif

#include "cuda_special.h"

#endif
