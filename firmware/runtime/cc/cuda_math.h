/* SPDX-License-Identifier: Apache-2.0
 * Functions of numbers. Those that are more than an instruction are libclc's: a C++ function has the name there that
 * libclc's of the same type has. */
#ifndef HEDDLE_CUDA_MATH_H
#define HEDDLE_CUDA_MATH_H

/* Each as float NAME(float), double NAME(double), and float NAMEf(float). */
#define __HEDDLE_MATH1(NAME)                                                                                           \
  __device__ float NAME(float);                                                                                        \
  __device__ double NAME(double);                                                                                      \
  __heddle_fn float NAME##f(float x) {                                                                                 \
    return NAME(x);                                                                                                    \
  }
#define __HEDDLE_MATH2(NAME)                                                                                           \
  __device__ float NAME(float, float);                                                                                 \
  __device__ double NAME(double, double);                                                                              \
  __heddle_fn float NAME##f(float x, float y) {                                                                        \
    return NAME(x, y);                                                                                                 \
  }
__HEDDLE_MATH1(sin)
__HEDDLE_MATH1(cos)
__HEDDLE_MATH1(tan)
__HEDDLE_MATH1(asin)
__HEDDLE_MATH1(acos)
__HEDDLE_MATH1(atan)
__HEDDLE_MATH1(sinh)
__HEDDLE_MATH1(cosh)
__HEDDLE_MATH1(tanh)
__HEDDLE_MATH1(asinh)
__HEDDLE_MATH1(acosh)
__HEDDLE_MATH1(atanh)
__HEDDLE_MATH1(exp)
__HEDDLE_MATH1(exp2)
__HEDDLE_MATH1(exp10)
__HEDDLE_MATH1(expm1)
__HEDDLE_MATH1(log)
__HEDDLE_MATH1(log2)
__HEDDLE_MATH1(log10)
__HEDDLE_MATH1(log1p)
__HEDDLE_MATH1(sqrt)
__HEDDLE_MATH1(rsqrt)
__HEDDLE_MATH1(cbrt)
__HEDDLE_MATH1(erf)
__HEDDLE_MATH1(erfc)
__HEDDLE_MATH1(tgamma)
__HEDDLE_MATH1(lgamma)
__HEDDLE_MATH1(floor)
__HEDDLE_MATH1(ceil)
__HEDDLE_MATH1(trunc)
__HEDDLE_MATH1(round)
__HEDDLE_MATH1(rint)
__HEDDLE_MATH1(fabs)
__HEDDLE_MATH1(sinpi)
__HEDDLE_MATH1(cospi)
__HEDDLE_MATH1(logb)
__HEDDLE_MATH2(pow)
__HEDDLE_MATH2(atan2)
__HEDDLE_MATH2(fmod)
__HEDDLE_MATH2(remainder)
__HEDDLE_MATH2(hypot)
__HEDDLE_MATH2(copysign)
__HEDDLE_MATH2(nextafter)
__HEDDLE_MATH2(fdim)
__HEDDLE_MATH2(fmin)
__HEDDLE_MATH2(fmax)
__device__ float fma(float, float, float);
__device__ double fma(double, double, double);
__heddle_fn float fmaf(float a, float b, float c) {
  return fma(a, b, c);
}
__device__ float ldexp(float, int);
__device__ double ldexp(double, int);
__heddle_fn float ldexpf(float x, int e) {
  return ldexp(x, e);
}
__heddle_fn float scalbnf(float x, int e) {
  return ldexp(x, e);
}
__device__ int ilogb(float);
__device__ int ilogb(double);
__heddle_fn int ilogbf(float x) {
  return ilogb(x);
}
__heddle_fn float nearbyintf(float x) {
  return rint(x);
}
__heddle_fn float saturate(float x) {
  return fminf(fmaxf(x, 0.0f), 1.0f);
}
__heddle_fn float __saturatef(float x) {
  return saturate(x);
}
__heddle_fn void sincosf(float x, float *s, float *c) {
  *s = sin(x);
  *c = cos(x);
}
__heddle_fn void sincos(double x, double *s, double *c) {
  *s = sin(x);
  *c = cos(x);
}
__heddle_fn int lroundf(float x) {
  return (int)round(x);
}
__heddle_fn int lrintf(float x) {
  return (int)rint(x);
}

#define __HEDDLE_CLASS(NAME)                                                                                           \
  __heddle_fn bool NAME(float x) {                                                                                     \
    return __builtin_##NAME(x);                                                                                        \
  }                                                                                                                    \
  __heddle_fn bool NAME(double x) {                                                                                    \
    return __builtin_##NAME(x);                                                                                        \
  }
__HEDDLE_CLASS(isnan)
__HEDDLE_CLASS(isinf)
__HEDDLE_CLASS(isfinite)
__heddle_fn bool signbit(float x) {
  return __builtin_signbitf(x);
}
__heddle_fn bool signbit(double x) {
  return __builtin_signbit(x);
}

#define __HEDDLE_ORDER(TYPE)                                                                                           \
  __heddle_fn TYPE min(TYPE a, TYPE b) {                                                                               \
    return b < a ? b : a;                                                                                              \
  }                                                                                                                    \
  __heddle_fn TYPE max(TYPE a, TYPE b) {                                                                               \
    return a < b ? b : a;                                                                                              \
  }
__HEDDLE_ORDER(int)
__HEDDLE_ORDER(unsigned)
__HEDDLE_ORDER(long)
__HEDDLE_ORDER(unsigned long)
__HEDDLE_ORDER(long long)
__HEDDLE_ORDER(unsigned long long)
__heddle_fn float min(float a, float b) {
  return fmin(a, b);
}
__heddle_fn float max(float a, float b) {
  return fmax(a, b);
}
__heddle_fn double min(double a, double b) {
  return fmin(a, b);
}
__heddle_fn double max(double a, double b) {
  return fmax(a, b);
}
__heddle_fn int abs(int x) {
  return x < 0 ? -x : x;
}
__heddle_fn long long abs(long long x) {
  return x < 0 ? -x : x;
}
__heddle_fn long long llabs(long long x) {
  return x < 0 ? -x : x;
}
__heddle_fn float abs(float x) {
  return fabs(x);
}
__heddle_fn double abs(double x) {
  return fabs(x);
}

/* ---- the special function unit, as it is ---- */

__HEDDLE_PTX1(__sinf, float, float, "sin.approx.f32", "f", "f")
__HEDDLE_PTX1(__cosf, float, float, "cos.approx.f32", "f", "f")
__HEDDLE_PTX1(__heddle_ex2, float, float, "ex2.approx.f32", "f", "f")
__HEDDLE_PTX1(__heddle_lg2, float, float, "lg2.approx.f32", "f", "f")
__HEDDLE_PTX1(__frcp_rn, float, float, "rcp.rn.f32", "f", "f")
__HEDDLE_PTX1(__fsqrt_rn, float, float, "sqrt.rn.f32", "f", "f")
__HEDDLE_PTX1(__frsqrt_rn, float, float, "rsqrt.approx.f32", "f", "f")
__heddle_fn float __tanf(float x) {
  return __sinf(x) / __cosf(x);
}
__heddle_fn float __exp2f(float x) {
  return __heddle_ex2(x);
}
__heddle_fn float __expf(float x) {
  return __heddle_ex2(x * 1.44269504f);
}
__heddle_fn float __exp10f(float x) {
  return __heddle_ex2(x * 3.32192809f);
}
__heddle_fn float __log2f(float x) {
  return __heddle_lg2(x);
}
__heddle_fn float __logf(float x) {
  return __heddle_lg2(x) * 0.693147182f;
}
__heddle_fn float __log10f(float x) {
  return __heddle_lg2(x) * 0.301029987f;
}
__heddle_fn float __powf(float x, float y) {
  return __heddle_ex2(y * __heddle_lg2(x));
}
__heddle_fn void __sincosf(float x, float *s, float *c) {
  *s = __sinf(x);
  *c = __cosf(x);
}

/* ---- one operation, one rounding: never contracted with another ---- */

#define __HEDDLE_PTX2(NAME, TYPE, HOW, REG)                                                                            \
  __heddle_fn TYPE NAME(TYPE a, TYPE b) {                                                                              \
    TYPE r;                                                                                                            \
    __asm__(HOW " %0, %1, %2;" : "=" REG(r) : REG(a), REG(b));                                                         \
    return r;                                                                                                          \
  }
#define __HEDDLE_EXACT(MODE, M)                                                                                        \
  __HEDDLE_PTX2(__fadd_##MODE, float, "add.r" M ".f32", "f")                                                           \
  __HEDDLE_PTX2(__fsub_##MODE, float, "sub.r" M ".f32", "f")                                                           \
  __HEDDLE_PTX2(__fmul_##MODE, float, "mul.r" M ".f32", "f")                                                           \
  __HEDDLE_PTX2(__fdiv_##MODE, float, "div.r" M ".f32", "f")                                                           \
  __HEDDLE_PTX2(__dadd_##MODE, double, "add.r" M ".f64", "d")                                                          \
  __HEDDLE_PTX2(__dmul_##MODE, double, "mul.r" M ".f64", "d")                                                          \
  __heddle_fn float __fmaf_##MODE(float a, float b, float c) {                                                         \
    float r;                                                                                                           \
    __asm__("fma.r" M ".f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c));                                      \
    return r;                                                                                                          \
  }
__HEDDLE_EXACT(rn, "n")
__HEDDLE_EXACT(rz, "z")
__HEDDLE_EXACT(ru, "p")
__HEDDLE_EXACT(rd, "m")
__HEDDLE_PTX2(__fdividef, float, "div.approx.f32", "f")
__HEDDLE_PTX2(fdividef, float, "div.approx.f32", "f")

/* ---- loads by a hint: there is none here ---- */

template <typename T> __heddle_fn T __ldg(const T *at) {
  return *at;
}
template <typename T> __heddle_fn T __ldcg(const T *at) {
  return *at;
}
template <typename T> __heddle_fn T __ldcs(const T *at) {
  return *at;
}
template <typename T> __heddle_fn void __stcg(T *at, T v) {
  *at = v;
}
template <typename T> __heddle_fn void __stcs(T *at, T v) {
  *at = v;
}

#endif
