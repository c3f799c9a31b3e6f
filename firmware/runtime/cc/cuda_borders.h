/* SPDX-License-Identifier: Apache-2.0
 * Where libclc's functions are wrong at the borders of formats: results and operands below the least normal number, the
 * sign of a zero, infinities. Each is libclc's but there; opencl_math.h does the same for OpenCL C. */
#ifndef HEDDLE_CUDA_BORDERS_H
#define HEDDLE_CUDA_BORDERS_H

/* As __HEDDLE_CLC1, by an expression of x and of libclc's r. */
#define __HEDDLE_BORDER_ONE(LENGTH, NAME, TYPE, SUFFIX, MANGLED, EXPRESSION)                                           \
  __device__ TYPE __heddle_clc_##NAME(TYPE) __HEDDLE_CLC(LENGTH, NAME, MANGLED);                                       \
  __heddle_fn TYPE __nv_##NAME##SUFFIX(TYPE x) {                                                                       \
    const TYPE r = __heddle_clc_##NAME(x);                                                                             \
    return EXPRESSION;                                                                                                 \
  }
#define __HEDDLE_BORDER1(LENGTH, NAME, EXPRESSION_F, EXPRESSION_D)                                                     \
  __HEDDLE_BORDER_ONE(LENGTH, NAME, float, f, "f", EXPRESSION_F)                                                       \
  __HEDDLE_BORDER_ONE(LENGTH, NAME, double, , "d", EXPRESSION_D)
__HEDDLE_BORDER1(4, atan, r, x == 0 ? x : r)
__HEDDLE_BORDER1(5, expm1, r, x == 0 ? x : r)
__HEDDLE_BORDER1(3, erf, r, x == 0 ? x : r)
__HEDDLE_BORDER1(5, sinpi, r == 0 ? __builtin_copysignf(r, x) : r, r == 0 ? __builtin_copysign(r, x) : r)
__HEDDLE_BORDER1(5, cospi, r + 0, r + 0)
__HEDDLE_BORDER1(6, lgamma,
                 x < -0x1p126f                           ? __builtin_inff()
                 : __builtin_fabsf(x) < 1e-10f && x != 0 ? -__nv_logf(__builtin_fabsf(x))
                                                         : r,
                 r)
/* libclc's of float end at the least normal number. */
__device__ float __heddle_clc_exp(float) __HEDDLE_CLC(3, exp, "f");
__device__ float __heddle_clc_exp2(float) __HEDDLE_CLC(4, exp2, "f");
__device__ double __heddle_clc_exp(double) __HEDDLE_CLC(3, exp, "d");
__device__ double __heddle_clc_exp2(double) __HEDDLE_CLC(4, exp2, "d");
__heddle_fn float __nv_expf(float x) {
  const bool small = x < -87.3f;
  const float r = __heddle_clc_exp(small ? 0.5f * x : x);
  return small ? r * r : r;
}
__heddle_fn float __nv_exp2f(float x) {
  const bool small = x < -126;
  const float r = __heddle_clc_exp2(small ? x + 64 : x);
  return small ? r * 0x1p-64f : r;
}
__heddle_fn double __nv_exp(double x) {
  return __heddle_clc_exp(x);
}
__heddle_fn double __nv_exp2(double x) {
  return __heddle_clc_exp2(x);
}
__device__ double __heddle_clc_erfc(double) __HEDDLE_CLC(4, erfc, "d");
__heddle_fn float __nv_erfcf(float);
__heddle_fn double __nv_erfc(double x) {
  return __heddle_clc_erfc(x);
}

/* ---- rests: of float libclc's take what is below the least normal number for 0. Multiples of 2^64 y change no rest,
 * nor the last bits of a quotient. ---- */

__device__ float __heddle_clc_fmod(float, float) __HEDDLE_CLC(4, fmod, "ff");
__device__ double __heddle_clc_fmod(double, double) __HEDDLE_CLC(4, fmod, "dd");
__device__ float __heddle_clc_remainder(float, float) __HEDDLE_CLC(9, remainder, "ff");
__device__ double __heddle_clc_remainder(double, double) __HEDDLE_CLC(9, remainder, "dd");
__device__ float __heddle_clc_remquo(float, float, int *) __HEDDLE_CLC(6, remquo, "ffPi");
__device__ double __heddle_clc_remquo(double, double, int *) __HEDDLE_CLC(6, remquo, "ddPi");
template <class F> __heddle_fn float __heddle_rest(float x, float y, F rest) {
  const float a = __builtin_fabsf(x), b = __builtin_fabsf(y);
  if (a < 0x1p-100f && b > 0x1p-60f) return x;
  if (!(b < 0x1p-60f) || y == 0 || !__builtin_isfinite(x)) return rest(x, y);
  const float far = y * 0x1p64f, near = a < 0x1p60f ? x : __heddle_clc_fmod(x, far);
  return rest(near * 0x1p64f, far) * 0x1p-64f;
}
__heddle_fn float __nv_fmodf(float x, float y) {
  return __heddle_rest(x, y, [](float a, float b) { return __heddle_clc_fmod(a, b); });
}
__heddle_fn double __nv_fmod(double x, double y) {
  return __heddle_clc_fmod(x, y);
}
__heddle_fn float __nv_remainderf(float x, float y) {
  return __heddle_rest(x, y, [](float a, float b) { return __heddle_clc_remainder(a, b); });
}
__heddle_fn double __nv_remainder(double x, double y) {
  return __heddle_clc_remainder(x, y);
}
__heddle_fn float __nv_remquof(float x, float y, int *quotient) {
  int q = 0;
  const float r = __heddle_rest(x, y, [&q](float a, float b) { return __heddle_clc_remquo(a, b, &q); });
  *quotient = q;
  return r;
}
__heddle_fn double __nv_remquo(double x, double y, int *quotient) {
  return __heddle_clc_remquo(x, y, quotient);
}

/* ---- powers of two: down to the least normal exponent nothing is lost; one step below it rounds once ---- */

#define __HEDDLE_LDEXP(TYPE, SUFFIX, BITS, MANTISSA, BIAS)                                                             \
  __heddle_fn TYPE __heddle_power(TYPE, int n) {                                                                       \
    return __builtin_bit_cast(TYPE, (BITS)(n + BIAS) << MANTISSA);                                                     \
  }                                                                                                                    \
  __heddle_fn TYPE __nv_ldexp##SUFFIX(TYPE x, int n) {                                                                 \
    if (x == 0 || !__builtin_isfinite(x)) return x + x;                                                                \
    int e = __heddle_clc_ilogb(x);                                                                                     \
    e = e < 1 - BIAS ? 1 - BIAS : e;                                                                                   \
    const int all = n < -3 * BIAS ? -3 * BIAS : n > 3 * BIAS ? 3 * BIAS : n;                                           \
    const int first = all < 1 - BIAS - e ? 1 - BIAS - e : all, third = first / 3;                                      \
    const int rest = all - first < 1 - BIAS ? 1 - BIAS : all - first;                                                  \
    return x * __heddle_power(x, third) * __heddle_power(x, third) * __heddle_power(x, first - 2 * third) *            \
           __heddle_power(x, rest);                                                                                    \
  }                                                                                                                    \
  __heddle_fn TYPE __nv_scalbn##SUFFIX(TYPE x, int n) {                                                                \
    return __nv_ldexp##SUFFIX(x, n);                                                                                   \
  }
__device__ int __heddle_clc_ilogb(float) __HEDDLE_CLC(5, ilogb, "f");
__device__ int __heddle_clc_ilogb(double) __HEDDLE_CLC(5, ilogb, "d");
__HEDDLE_LDEXP(float, f, unsigned, 23, 127)
__HEDDLE_LDEXP(double, , unsigned long long, 52, 1023)

#endif
