/* SPDX-License-Identifier: Apache-2.0
 * Functions of numbers that are one instruction: of the special function unit, or with a rounding of their own. */
#ifndef HEDDLE_CUDA_FAST_H
#define HEDDLE_CUDA_FAST_H

/* ---- the special function unit, as it is ---- */

__HEDDLE_PTX1(__sinf, float, float, "sin.approx.f32", "f", "f")
__HEDDLE_PTX1(__cosf, float, float, "cos.approx.f32", "f", "f")
__HEDDLE_PTX1(__heddle_ex2, float, float, "ex2.approx.f32", "f", "f")
__HEDDLE_PTX1(__heddle_lg2, float, float, "lg2.approx.f32", "f", "f")
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
#define __HEDDLE_EXACT_OF(MODE, M, F, TYPE, BITS, REG)                                                                 \
  __HEDDLE_PTX2(__##F##add_##MODE, TYPE, "add.r" M BITS, REG)                                                          \
  __HEDDLE_PTX2(__##F##sub_##MODE, TYPE, "sub.r" M BITS, REG)                                                          \
  __HEDDLE_PTX2(__##F##mul_##MODE, TYPE, "mul.r" M BITS, REG)                                                          \
  __HEDDLE_PTX2(__##F##div_##MODE, TYPE, "div.r" M BITS, REG)                                                          \
  __HEDDLE_PTX1(__##F##rcp_##MODE, TYPE, TYPE, "rcp.r" M BITS, REG, REG)                                               \
  __HEDDLE_PTX1(__##F##sqrt_##MODE, TYPE, TYPE, "sqrt.r" M BITS, REG, REG)
#define __HEDDLE_FMA(NAME, M, TYPE, BITS, REG)                                                                         \
  __heddle_fn TYPE NAME(TYPE a, TYPE b, TYPE c) {                                                                      \
    TYPE r;                                                                                                            \
    __asm__("fma.r" M BITS " %0, %1, %2, %3;" : "=" REG(r) : REG(a), REG(b), REG(c));                                  \
    return r;                                                                                                          \
  }
#define __HEDDLE_EXACT(MODE, M)                                                                                        \
  __HEDDLE_EXACT_OF(MODE, M, f, float, ".f32", "f")                                                                    \
  __HEDDLE_EXACT_OF(MODE, M, d, double, ".f64", "d")                                                                   \
  __HEDDLE_FMA(__fmaf_##MODE, M, float, ".f32", "f")                                                                   \
  __HEDDLE_FMA(__fma_##MODE, M, double, ".f64", "d")
__HEDDLE_EXACT(rn, "n")
__HEDDLE_EXACT(rz, "z")
__HEDDLE_EXACT(ru, "p")
__HEDDLE_EXACT(rd, "m")
/* The unit's result, and what it lacks: y (1 + r / 2 + 3 r^2 / 8), where r = 1 - x y^2 is exact enough for one
 * rounding. */
__heddle_fn float __frsqrt_rn(float x) {
  float y;
  __asm__("rsqrt.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  if (!(x > 0) || x == __builtin_huge_valf()) return y;
  const float h = __fmul_rn(x, y), low = __fmaf_rn(x, y, -h);
  const float r = __fmaf_rn(-low, y, __fmaf_rn(-h, y, 1.0f));
  return __fmaf_rn(__fmul_rn(y, r), __fmaf_rn(r, 0.375f, 0.5f), y);
}
__HEDDLE_PTX2(__fdividef, float, "div.approx.f32", "f")
__heddle_fn float __saturatef(float x) {
  return __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f);
}
/* Functions that clang takes under -ffast-math. */
#define __nv_fast_sinf __sinf
#define __nv_fast_cosf __cosf
#define __nv_fast_sincosf __sincosf
#define __nv_fast_logf __logf
#define __nv_fast_log2f __log2f
#define __nv_fast_fdividef __fdividef

/* ---- loads and stores by a hint: there is none here ---- */

#define __HEDDLE_LOAD(NAME)                                                                                            \
  template <typename T> __heddle_fn T NAME(const T *at) {                                                              \
    return *at;                                                                                                        \
  }
__HEDDLE_LOAD(__ldg)
__HEDDLE_LOAD(__ldca)
__HEDDLE_LOAD(__ldcg)
__HEDDLE_LOAD(__ldcs)
__HEDDLE_LOAD(__ldlu)
template <typename T> __heddle_fn T __ldcv(const T *at) {
  T v;
  __builtin_memcpy(&v, const_cast<const T *>(at), sizeof v);
  __asm__ volatile("" ::: "memory");
  return v;
}
#define __HEDDLE_STORE(NAME)                                                                                           \
  template <typename T> __heddle_fn void NAME(T *at, T v) {                                                            \
    *at = v;                                                                                                           \
  }
__HEDDLE_STORE(__stwb)
__HEDDLE_STORE(__stcg)
__HEDDLE_STORE(__stcs)
__HEDDLE_STORE(__stwt)

#endif
