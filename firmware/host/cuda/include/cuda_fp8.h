/* SPDX-License-Identifier: Apache-2.0
 * Numbers of 8 bits, E4M3 and E5M2 of "OCP 8-bit Floating Point Specification" 1.0, of host and device. They are
 * converted and no more: what is computed with them is computed with float or half. */
#ifndef HEDDLE_CUDA_FP8_H
#define HEDDLE_CUDA_FP8_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
/* Result above the greatest number: infinity (E4M3, which has none: not a number), or the greatest. */
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

/* ---- one number, by integers: to the nearest, ties to even */

__HEDDLE_MAKE unsigned __heddle_float_bits(float v) {
  return __builtin_bit_cast(unsigned, v);
}
__HEDDLE_MAKE __nv_fp8_storage_t __heddle_fp8_of_bits(unsigned from, __nv_saturation_t saturate,
                                                      __nv_fp8_interpretation_t kind) {
  const int fraction = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
  const unsigned most = kind == __NV_E4M3 ? 0x7e : 0x7b, sign = from >> 24 & 0x80, a = from & 0x7fffffff;
  const unsigned above = saturate == __NV_SATFINITE ? most : most + 1; /* E4M3: NaN, E5M2: infinity */
  const int e = (int)(a >> 23) - 127, below = 1 - bias - e;
  if (a > 0x7f800000) return 0x7f;
  if (e > 15) return (__nv_fp8_storage_t)(sign | above);
  if (below > fraction + 1) return (__nv_fp8_storage_t)sign;
  const unsigned m = (a & 0x7fffff) | 0x800000;
  const int cut = 23 - fraction + (below > 0 ? below : 0);
  const unsigned kept = m >> cut, rest = m & ((1u << cut) - 1), tie = 1u << (cut - 1);
  unsigned r = kept + (rest > tie || (rest == tie && (kept & 1)));
  if (below <= 0) r += (unsigned)(e + bias - 1) << fraction;
  return (__nv_fp8_storage_t)(sign | (r > most ? above : r));
}
/* A float with a sticky last bit for the rest of the double: rounding it is rounding the double. */
__HEDDLE_MAKE unsigned __heddle_float_bits_odd(double v) {
  const unsigned long long u = __builtin_bit_cast(unsigned long long, v), m = u & 0xfffffffffffffULL;
  const unsigned sign = (unsigned)(u >> 63) << 31, e = (unsigned)(u >> 52) & 0x7ff;
  if (e == 0x7ff) return sign | (m ? 0x7fffffffu : 0x7f800000u);
  if (e > 1023 + 127) return sign | 0x7f7fffffu;
  if (e < 1023 - 126) return sign;
  return sign | (e - 1023 + 127) << 23 | (unsigned)(m >> 29) | ((m & 0x1fffffff) != 0);
}
__HEDDLE_MAKE float __heddle_fp8_float(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  const int fraction = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
  const unsigned sign = (unsigned)(x & 0x80) << 24, a = x & 0x7fu, e = a >> fraction, m = a & ((1u << fraction) - 1);
  unsigned r;
  if (kind == __NV_E4M3 ? a == 0x7f : a > 0x7c)
    return __builtin_bit_cast(float, 0x7fffffffu);
  else if (kind == __NV_E5M2 && a == 0x7c)
    r = 0x7f800000;
  else if (e)
    r = (e + 127 - (unsigned)bias) << 23 | m << (23 - fraction);
  else
    r = __heddle_float_bits((float)m * (kind == __NV_E4M3 ? 0x1p-9f : 0x1p-16f));
  return __builtin_bit_cast(float, sign | r);
}

/* ---- by the names of the CUDA Math API */

__HEDDLE_MAKE __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return __heddle_fp8_of_bits(__heddle_float_bits(x), s, k);
}
__HEDDLE_MAKE __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  /* A NaN keeps its sign here, and is a bit less if it is negative and E5M2 (nvcc's host code). */
  if (x != x) return !__builtin_signbit(x) ? 0x7f : k == __NV_E4M3 ? 0xff : 0xfe;
  return __heddle_fp8_of_bits(__heddle_float_bits_odd(x), s, k);
}
__HEDDLE_MAKE __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t s,
                                                         __nv_fp8_interpretation_t k) {
  return __nv_cvt_float_to_fp8((float)__half(x), s, k);
}
__HEDDLE_MAKE __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t s,
                                                             __nv_fp8_interpretation_t k) {
  return __nv_cvt_float_to_fp8((float)__nv_bfloat16(x), s, k);
}
__HEDDLE_MAKE __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t k) {
  return __half(__heddle_fp8_float(x, k));
}
#define __HEDDLE_FP8_PAIR(NAME, PAIR, ONE, FIRST, SECOND)                                                              \
  __HEDDLE_MAKE __nv_fp8x2_storage_t __nv_cvt_##NAME##_to_fp8x2(PAIR v, __nv_saturation_t s,                           \
                                                                __nv_fp8_interpretation_t k) {                         \
    return (__nv_fp8x2_storage_t)(__nv_cvt_##ONE##_to_fp8(FIRST, s, k) |                                               \
                                  (unsigned)__nv_cvt_##ONE##_to_fp8(SECOND, s, k) << 8);                               \
  }
__HEDDLE_FP8_PAIR(float2, float2, float, v.x, v.y)
__HEDDLE_FP8_PAIR(double2, double2, double, v.x, v.y)
__HEDDLE_FP8_PAIR(halfraw2, __half2_raw, halfraw, __half_raw{v.x}, __half_raw{v.y})
__HEDDLE_FP8_PAIR(bfloat16raw2, __nv_bfloat162_raw, bfloat16raw, __nv_bfloat16_raw{v.x}, __nv_bfloat16_raw{v.y})
__HEDDLE_MAKE __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t k) {
  return {__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, k).x,
          __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), k).x};
}

/* ---- types; made of a number that is too great, they hold the greatest */

#define __HEDDLE_FP8_FROM(T, TYPE, KIND)                                                                               \
  explicit __HEDDLE_BOTH T(TYPE v) : __x(__nv_cvt_float_to_fp8((float)v, __NV_SATFINITE, KIND)) {}
#define __HEDDLE_FP8_TO(TYPE)                                                                                          \
  explicit __HEDDLE_BOTH operator TYPE() const {                                                                       \
    return (TYPE)(float)*this;                                                                                         \
  }
#define __HEDDLE_FP8_EACH(F)                                                                                           \
  F(short) F(unsigned short) F(int) F(unsigned) F(long) F(unsigned long) F(long long) F(unsigned long long)

#define __HEDDLE_FP8_TYPE(T, T2, T4, KIND)                                                                             \
  struct T {                                                                                                           \
    __nv_fp8_storage_t __x;                                                                                            \
    T() = default;                                                                                                     \
    explicit __HEDDLE_BOTH T(double v) : __x(__nv_cvt_double_to_fp8(v, __NV_SATFINITE, KIND)) {}                       \
    __HEDDLE_FP8_FROM(T, float, KIND)                                                                                  \
    __HEDDLE_FP8_FROM(T, __half, KIND)                                                                                 \
    __HEDDLE_FP8_FROM(T, __nv_bfloat16, KIND)                                                                          \
    __HEDDLE_FP8_FROM(T, short, KIND)                                                                                  \
    __HEDDLE_FP8_FROM(T, unsigned short, KIND)                                                                         \
    __HEDDLE_FP8_FROM(T, int, KIND)                                                                                    \
    __HEDDLE_FP8_FROM(T, unsigned, KIND)                                                                               \
    __HEDDLE_FP8_FROM(T, long, KIND)                                                                                   \
    __HEDDLE_FP8_FROM(T, unsigned long, KIND)                                                                          \
    __HEDDLE_FP8_FROM(T, long long, KIND)                                                                              \
    __HEDDLE_FP8_FROM(T, unsigned long long, KIND)                                                                     \
    explicit __HEDDLE_BOTH operator float() const { return __heddle_fp8_float(__x, KIND); }                            \
    explicit __HEDDLE_BOTH operator __half() const { return __half((float)*this); }                                    \
    explicit __HEDDLE_BOTH operator __nv_bfloat16() const { return __nv_bfloat16((float)*this); }                      \
    explicit __HEDDLE_BOTH operator bool() const { return (__x & 0x7f) != 0; }                                         \
    __HEDDLE_FP8_TO(double)                                                                                            \
    __HEDDLE_FP8_TO(char)                                                                                              \
    __HEDDLE_FP8_TO(signed char)                                                                                       \
    __HEDDLE_FP8_TO(unsigned char)                                                                                     \
    __HEDDLE_FP8_EACH(__HEDDLE_FP8_TO)                                                                                 \
  };                                                                                                                   \
  struct __attribute__((aligned(2))) T2 {                                                                              \
    __nv_fp8x2_storage_t __x;                                                                                          \
    T2() = default;                                                                                                    \
    explicit __HEDDLE_BOTH T2(float2 v) : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, KIND)) {}                    \
    explicit __HEDDLE_BOTH T2(double2 v) : __x(__nv_cvt_double2_to_fp8x2(v, __NV_SATFINITE, KIND)) {}                  \
    explicit __HEDDLE_BOTH T2(__half2 v) : __x(__nv_cvt_halfraw2_to_fp8x2(v, __NV_SATFINITE, KIND)) {}                 \
    explicit __HEDDLE_BOTH T2(__nv_bfloat162 v) : __x(__nv_cvt_bfloat16raw2_to_fp8x2(v, __NV_SATFINITE, KIND)) {}      \
    explicit __HEDDLE_BOTH operator __half2() const { return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, KIND)); }         \
    explicit __HEDDLE_BOTH operator float2() const {                                                                   \
      return {__heddle_fp8_float((__nv_fp8_storage_t)__x, KIND),                                                       \
              __heddle_fp8_float((__nv_fp8_storage_t)(__x >> 8), KIND)};                                               \
    }                                                                                                                  \
  };                                                                                                                   \
  struct __attribute__((aligned(4))) T4 {                                                                              \
    __nv_fp8x4_storage_t __x;                                                                                          \
    T4() = default;                                                                                                    \
    __HEDDLE_BOTH T4(T2 low, T2 high) : __x(low.__x | (unsigned)high.__x << 16) {}                                     \
    explicit __HEDDLE_BOTH T4(float4 v) : T4(T2(float2{v.x, v.y}), T2(float2{v.z, v.w})) {}                            \
    explicit __HEDDLE_BOTH T4(double4 v) : T4(T2(double2{v.x, v.y}), T2(double2{v.z, v.w})) {}                         \
    explicit __HEDDLE_BOTH T4(__half2 low, __half2 high) : T4(T2(low), T2(high)) {}                                    \
    explicit __HEDDLE_BOTH T4(__nv_bfloat162 low, __nv_bfloat162 high) : T4(T2(low), T2(high)) {}                      \
    explicit __HEDDLE_BOTH operator float4() const {                                                                   \
      T2 low, high;                                                                                                    \
      low.__x = (__nv_fp8x2_storage_t)__x;                                                                             \
      high.__x = (__nv_fp8x2_storage_t)(__x >> 16);                                                                    \
      const float2 a = (float2)low, b = (float2)high;                                                                  \
      return {a.x, a.y, b.x, b.y};                                                                                     \
    }                                                                                                                  \
  };
__HEDDLE_FP8_TYPE(__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3)
__HEDDLE_FP8_TYPE(__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2)

#endif
