/* SPDX-License-Identifier: Apache-2.0
 * Functions called by clang's own headers of CUDA mathematics (<__clang_cuda_math.h>): names that begin with __nv_.
 * Most are libclc's functions of OpenCL C, bound by the name that C++ gives them; cuda_special.h has those that it
 * lacks. */
#ifndef HEDDLE_CUDA_LIBDEVICE_H
#define HEDDLE_CUDA_LIBDEVICE_H

#include "cuda_borders.h"

/* Each as float __nv_NAMEf(float) and double __nv_NAME(double). LENGTH counts the letters of NAME, as mangling does. */
#define __HEDDLE_CLC1(LENGTH, NAME)                                                                                    \
  __device__ float __heddle_clc_##NAME(float) __HEDDLE_CLC(LENGTH, NAME, "f");                                         \
  __device__ double __heddle_clc_##NAME(double) __HEDDLE_CLC(LENGTH, NAME, "d");                                       \
  __heddle_fn float __nv_##NAME##f(float x) {                                                                          \
    return __heddle_clc_##NAME(x);                                                                                     \
  }                                                                                                                    \
  __heddle_fn double __nv_##NAME(double x) {                                                                           \
    return __heddle_clc_##NAME(x);                                                                                     \
  }
#define __HEDDLE_CLC2(LENGTH, NAME)                                                                                    \
  __device__ float __heddle_clc_##NAME(float, float) __HEDDLE_CLC(LENGTH, NAME, "ff");                                 \
  __device__ double __heddle_clc_##NAME(double, double) __HEDDLE_CLC(LENGTH, NAME, "dd");                              \
  __heddle_fn float __nv_##NAME##f(float x, float y) {                                                                 \
    return __heddle_clc_##NAME(x, y);                                                                                  \
  }                                                                                                                    \
  __heddle_fn double __nv_##NAME(double x, double y) {                                                                 \
    return __heddle_clc_##NAME(x, y);                                                                                  \
  }
__HEDDLE_CLC1(4, asin)
__HEDDLE_CLC1(4, acos)
__HEDDLE_CLC1(4, sinh)
__HEDDLE_CLC1(4, cosh)
__HEDDLE_CLC1(4, tanh)
__HEDDLE_CLC1(5, asinh)
__HEDDLE_CLC1(5, acosh)
__HEDDLE_CLC1(5, atanh)
__HEDDLE_CLC1(5, exp10)
__HEDDLE_CLC1(3, log)
__HEDDLE_CLC1(4, log2)
__HEDDLE_CLC1(5, log10)
__HEDDLE_CLC1(5, log1p)
__HEDDLE_CLC1(4, logb)
__HEDDLE_CLC1(4, cbrt)
__HEDDLE_CLC1(5, rsqrt)
__HEDDLE_CLC1(5, round)
__HEDDLE_CLC2(3, pow)
__HEDDLE_CLC2(5, atan2)
__HEDDLE_CLC2(5, hypot)
__HEDDLE_CLC2(4, fdim)

/* A number and an integer, or a place for a second result. */
#define __HEDDLE_CLC_WITH(LENGTH, NAME, NV, MORE, MANGLED_F, MANGLED_D, MORE_D)                                        \
  __device__ float __heddle_clc_##NAME(float, MORE) __HEDDLE_CLC(LENGTH, NAME, MANGLED_F);                             \
  __device__ double __heddle_clc_##NAME(double, MORE_D) __HEDDLE_CLC(LENGTH, NAME, MANGLED_D);                         \
  __heddle_fn float __nv_##NV##f(float x, MORE y) {                                                                    \
    return __heddle_clc_##NAME(x, y);                                                                                  \
  }                                                                                                                    \
  __heddle_fn double __nv_##NV(double x, MORE_D y) {                                                                   \
    return __heddle_clc_##NAME(x, y);                                                                                  \
  }
__HEDDLE_CLC_WITH(4, pown, powi, int, "fi", "di", int)
__HEDDLE_CLC_WITH(5, frexp, frexp, int *, "fPi", "dPi", int *)
__HEDDLE_CLC_WITH(4, modf, modf, float *, "fPf", "dPd", double *)
/* Each by one expression that is good for both types. */
#define __HEDDLE_NV1(NAME, RESULT_F, RESULT_D, EXPRESSION_F, EXPRESSION_D)                                             \
  __heddle_fn RESULT_F __nv_##NAME##f(float x) {                                                                       \
    return EXPRESSION_F;                                                                                               \
  }                                                                                                                    \
  __heddle_fn RESULT_D __nv_##NAME(double x) {                                                                         \
    return EXPRESSION_D;                                                                                               \
  }
__HEDDLE_NV1(fabs, float, double, __builtin_fabsf(x), __builtin_fabs(x))
__HEDDLE_NV1(floor, float, double, __builtin_floorf(x), __builtin_floor(x))
__HEDDLE_NV1(ceil, float, double, __builtin_ceilf(x), __builtin_ceil(x))
__HEDDLE_NV1(trunc, float, double, __builtin_truncf(x), __builtin_trunc(x))
__HEDDLE_NV1(rint, float, double, __builtin_rintf(x), __builtin_rint(x))
__HEDDLE_NV1(nearbyint, float, double, __builtin_rintf(x), __builtin_rint(x))
__HEDDLE_NV1(rcbrt, float, double, 1.0f / __nv_cbrtf(x), 1.0 / __nv_cbrt(x))
__HEDDLE_NV1(llround, long long, long long, (long long)__nv_roundf(x), (long long)__nv_round(x))
__HEDDLE_NV1(llrint, long long, long long, (long long)__builtin_rintf(x), (long long)__builtin_rint(x))

#define __HEDDLE_NV2(NAME, BUILTIN)                                                                                    \
  __heddle_fn float __nv_##NAME##f(float x, float y) {                                                                 \
    return __builtin_##BUILTIN##f(x, y);                                                                               \
  }                                                                                                                    \
  __heddle_fn double __nv_##NAME(double x, double y) {                                                                 \
    return __builtin_##BUILTIN(x, y);                                                                                  \
  }
__HEDDLE_NV2(fmin, fmin)
__HEDDLE_NV2(fmax, fmax)
__HEDDLE_NV2(copysign, copysign)

/* Without errno, which a kernel has not: clang would call the function of the C library. */
__heddle_fn float __nv_sqrtf(float x) {
  float r;
  __asm__("sqrt.rn.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}
__heddle_fn double __nv_sqrt(double x) {
  double r;
  __asm__("sqrt.rn.f64 %0, %1;" : "=d"(r) : "d"(x));
  return r;
}
__heddle_fn float __nv_fmaf(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
__heddle_fn double __nv_fma(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
__heddle_fn void __nv_sincospif(float x, float *s, float *c) {
  *s = __nv_sinpif(x);
  *c = __nv_cospif(x);
}
__heddle_fn void __nv_sincospi(double x, double *s, double *c) {
  *s = __nv_sinpi(x);
  *c = __nv_cospi(x);
}

#define __HEDDLE_NV_ORDER(MIN, MAX, TYPE)                                                                              \
  __heddle_fn TYPE __nv_##MIN(TYPE a, TYPE b) {                                                                        \
    return b < a ? b : a;                                                                                              \
  }                                                                                                                    \
  __heddle_fn TYPE __nv_##MAX(TYPE a, TYPE b) {                                                                        \
    return a < b ? b : a;                                                                                              \
  }
__HEDDLE_NV_ORDER(min, max, int)
__HEDDLE_NV_ORDER(umin, umax, unsigned)
__HEDDLE_NV_ORDER(llmin, llmax, long long)
__HEDDLE_NV_ORDER(ullmin, ullmax, unsigned long long)
__heddle_fn int __nv_abs(int x) {
  return x < 0 ? (int)(0 - (unsigned)x) : x;
}
__heddle_fn long long __nv_llabs(long long x) {
  return x < 0 ? (long long)(0 - (unsigned long long)x) : x;
}

/* In cuda_special.h, which wants what comes between. */
#define __HEDDLE_LATER1(NAME)                                                                                          \
  __heddle_fn float __nv_##NAME##f(float);                                                                             \
  __heddle_fn double __nv_##NAME(double);
__HEDDLE_LATER1(erfinv)
__HEDDLE_LATER1(erfcinv)
__HEDDLE_LATER1(erfcx)
__HEDDLE_LATER1(normcdf)
__HEDDLE_LATER1(normcdfinv)
__HEDDLE_LATER1(j0)
__HEDDLE_LATER1(j1)
__HEDDLE_LATER1(y0)
__HEDDLE_LATER1(y1)
__HEDDLE_LATER1(cyl_bessel_i0)
__HEDDLE_LATER1(cyl_bessel_i1)
#define __HEDDLE_LATER(TYPE, SUFFIX)                                                                                   \
  __heddle_fn TYPE __nv_jn##SUFFIX(int, TYPE);                                                                         \
  __heddle_fn TYPE __nv_yn##SUFFIX(int, TYPE);                                                                         \
  __heddle_fn TYPE __nv_norm##SUFFIX(int, const TYPE *);                                                               \
  __heddle_fn TYPE __nv_rnorm##SUFFIX(int, const TYPE *);                                                              \
  __heddle_fn TYPE __nv_norm3d##SUFFIX(TYPE, TYPE, TYPE);                                                              \
  __heddle_fn TYPE __nv_norm4d##SUFFIX(TYPE, TYPE, TYPE, TYPE);                                                        \
  __heddle_fn TYPE __nv_rnorm3d##SUFFIX(TYPE, TYPE, TYPE);                                                             \
  __heddle_fn TYPE __nv_rnorm4d##SUFFIX(TYPE, TYPE, TYPE, TYPE);                                                       \
  __heddle_fn TYPE __nv_rhypot##SUFFIX(TYPE, TYPE);
__HEDDLE_LATER(float, f)
__HEDDLE_LATER(double, )

/* Predicates of a number for clang's <cmath> for devices. */
#define __HEDDLE_CLASS(NAME, TYPE, RESULT, EXPRESSION)                                                                 \
  __heddle_fn RESULT NAME(TYPE x) {                                                                                    \
    return EXPRESSION;                                                                                                 \
  }
__HEDDLE_CLASS(__isinff, float, int, __builtin_isinf(x))
__HEDDLE_CLASS(__isinf, double, int, __builtin_isinf(x))
__HEDDLE_CLASS(__isnanf, float, int, __builtin_isnan(x))
__HEDDLE_CLASS(__isnan, double, int, __builtin_isnan(x))
__HEDDLE_CLASS(__finitef, float, int, __builtin_isfinite(x))
__HEDDLE_CLASS(__finite, double, int, __builtin_isfinite(x))
__HEDDLE_CLASS(__isfinited, double, int, __builtin_isfinite(x))
__HEDDLE_CLASS(__signbitf, float, int, __builtin_signbitf(x))
__HEDDLE_CLASS(__signbitd, double, int, __builtin_signbit(x))

#endif
