/* SPDX-License-Identifier: Apache-2.0
 * Functions of numbers that libclc has less well than OpenCL asks: results too small to be normal, NaN, the sign of a
 * zero, an erfc far from 0. Each is libclc's but there. */
#ifndef HEDDLE_OPENCL_MATH_H
#define HEDDLE_OPENCL_MATH_H

/* libclc's end at the least normal number. */
__heddle_fn float __heddle_exp_of(float x) {
  const bool small = x < -87.3f;
  const float r = exp(small ? 0.5f * x : x);
  return small ? r * r : r;
}
__heddle_fn float __heddle_exp2_of(float x) {
  const bool small = x < -126;
  const float r = exp2(small ? x + 64 : x);
  return small ? r * 0x1p-64f : r;
}

/* erfc(x) exp(x^2) (1 + 2 x) by the polynomial of coefficients.py, and exp(-x^2) by x^2 in two parts. */
__heddle_fn float __heddle_erfc_of(float x) {
  if (!(x > 1)) return erfc(x);
  const float t = (x - 4) / (x + 4), h = x * x, e = fma(x, x, -h), grown = __heddle_exp_of(-h);
  float r = 1.16607997e-4f;
  r = fma(r, t, -2.48632297e-4f);
  r = fma(r, t, -7.16339472e-4f);
  r = fma(r, t, 5.08280915e-3f);
  r = fma(r, t, -1.62222746e-2f);
  r = fma(r, t, 3.71399169e-2f);
  r = fma(r, t, -6.63232595e-2f);
  r = fma(r, t, 9.37404438e-2f);
  r = fma(r, t, -1.01039951e-1f);
  r = fma(r, t, 6.80961321e-2f);
  r = fma(r, t, 1.53796837e-2f);
  r = fma(r, t, -1.39621084e-1f);
  r = fma(r, t, 1.23299512f);
  return grown == 0 ? 0 : r / fma(2.0f, x, 1.0f) * fma(grown, -e, grown);
}

/* The zero between two halves of a turn. */
#define __HEDDLE_TANPI(x, r) ((r) == 0 ? copysign(r, (x)*0.5f == trunc((x)*0.5f) ? (x) : -(x)) : (r))

__HEDDLE_EACH(float, exp, __heddle_exp_of(x))
__HEDDLE_EACH(float, exp2, __heddle_exp2_of(x))
__HEDDLE_EACH(float, erfc, __heddle_erfc_of(x))
__HEDDLE_EACH(float, sinpi, sinpi(x) == 0 ? copysign(sinpi(x), x) : sinpi(x))
__HEDDLE_EACH(float, cospi, cospi(x) + 0)
__HEDDLE_EACH(float, tanpi, __HEDDLE_TANPI(x, tanpi(x)))
__HEDDLE_EACH(float, atanpi, atanpi(x))
__HEDDLE_EACH(float, acospi, acospi(x))
#ifdef cl_khr_fp64
__HEDDLE_EACH(double, exp, exp(x))
__HEDDLE_EACH(double, exp2, exp2(x))
__HEDDLE_EACH(double, erfc, erfc(x))
__HEDDLE_EACH(double, sinpi, sinpi(x) == 0 ? copysign(sinpi(x), x) : sinpi(x))
__HEDDLE_EACH(double, cospi, cospi(x) + 0)
__HEDDLE_EACH(double, tanpi, __HEDDLE_TANPI(x, tanpi(x)))
__HEDDLE_EACH(double, atanpi, copysign(atanpi(x), x))
__HEDDLE_EACH(double, acospi, isnan(x) ? x : acospi(x))
#endif
#define exp(x) __heddle_exp(x)
#define exp2(x) __heddle_exp2(x)
#define erfc(x) __heddle_erfc(x)
#define sinpi(x) __heddle_sinpi(x)
#define cospi(x) __heddle_cospi(x)
#define tanpi(x) __heddle_tanpi(x)
#define atanpi(x) __heddle_atanpi(x)
#define acospi(x) __heddle_acospi(x)

/* ---- rests: libclc's take what is below the least normal float for 0. Multiples of 2^64 y change no rest. ---- */

#define __HEDDLE_EACH2(TYPE, NAME, EXPRESSION)                                                                         \
  __heddle_fn TYPE __heddle_##NAME(TYPE x, TYPE y) {                                                                   \
    return EXPRESSION;                                                                                                 \
  }                                                                                                                    \
  __heddle_fn TYPE##2 __heddle_##NAME(TYPE##2 x, TYPE##2 y) {                                                          \
    return (TYPE##2)(__heddle_##NAME(x.x, y.x), __heddle_##NAME(x.y, y.y));                                            \
  }                                                                                                                    \
  __heddle_fn TYPE##3 __heddle_##NAME(TYPE##3 x, TYPE##3 y) {                                                          \
    return (TYPE##3)(__heddle_##NAME(x.xy, y.xy), __heddle_##NAME(x.z, y.z));                                          \
  }                                                                                                                    \
  __HEDDLE_EACH2_HALVES(TYPE##4, NAME) __HEDDLE_EACH2_HALVES(TYPE##8, NAME) __HEDDLE_EACH2_HALVES(TYPE##16, NAME)
#define __HEDDLE_EACH2_HALVES(TYPE, NAME)                                                                              \
  __heddle_fn TYPE __heddle_##NAME(TYPE x, TYPE y) {                                                                   \
    return (TYPE)(__heddle_##NAME(x.lo, y.lo), __heddle_##NAME(x.hi, y.hi));                                           \
  }
#define __HEDDLE_REST(NAME)                                                                                            \
  __heddle_fn float __heddle_##NAME##_of(float x, float y) {                                                           \
    if (!(fabs(y) < 0x1p-60f) || y == 0 || !isfinite(x)) return NAME(x, y);                                            \
    const float far = y * 0x1p64f, near = fabs(x) < 0x1p60f ? x : fmod(x, far);                                        \
    return NAME(near * 0x1p64f, far) * 0x1p-64f;                                                                       \
  }                                                                                                                    \
  __HEDDLE_EACH2(float, NAME, fabs(x) < 0x1p-100f && fabs(y) > 0x1p-60f ? x : __heddle_##NAME##_of(x, y))
__HEDDLE_REST(fmod)
__HEDDLE_REST(remainder)
#ifdef cl_khr_fp64
__HEDDLE_EACH2(double, fmod, fmod(x, y))
__HEDDLE_EACH2(double, remainder, remainder(x, y))
#endif
#define fmod(x, y) __heddle_fmod(x, y)
#define remainder(x, y) __heddle_remainder(x, y)

/* ---- these are not libclc's ---- */

/* Down to the least normal exponent nothing is lost; one step below it rounds once. */
#define __HEDDLE_LDEXP(TYPE, INT, MANTISSA, BIAS)                                                                      \
  __heddle_fn TYPE __heddle_power(TYPE of, int n) {                                                                    \
    return as_##TYPE((INT)(n + BIAS) << MANTISSA);                                                                     \
  }                                                                                                                    \
  __heddle_fn TYPE ldexp(TYPE x, int n) {                                                                              \
    const int e = clamp(ilogb(x), 1 - BIAS, BIAS), all = clamp(n, -3 * BIAS, 3 * BIAS),                                \
              first = max(all, 1 - BIAS - e);                                                                          \
    const int third = first / 3, rest = max(all - first, 1 - BIAS);                                                    \
    return x * __heddle_power(x, third) * __heddle_power(x, third) * __heddle_power(x, first - 2 * third) *            \
           __heddle_power(x, rest);                                                                                    \
  }                                                                                                                    \
  __heddle_fn TYPE##2 ldexp(TYPE##2 x, int2 n) {                                                                       \
    return (TYPE##2)(ldexp(x.x, n.x), ldexp(x.y, n.y));                                                                \
  }                                                                                                                    \
  __heddle_fn TYPE##3 ldexp(TYPE##3 x, int3 n) {                                                                       \
    return (TYPE##3)(ldexp(x.xy, n.xy), ldexp(x.z, n.z));                                                              \
  }                                                                                                                    \
  __HEDDLE_LDEXP_HALVES(TYPE, 4)                                                                                       \
  __HEDDLE_LDEXP_HALVES(TYPE, 8)                                                                                       \
  __HEDDLE_LDEXP_HALVES(TYPE, 16)                                                                                      \
  __HEDDLE_LDEXP_ONE(TYPE, 2)                                                                                          \
  __HEDDLE_LDEXP_ONE(TYPE, 3)                                                                                          \
  __HEDDLE_LDEXP_ONE(TYPE, 4) __HEDDLE_LDEXP_ONE(TYPE, 8) __HEDDLE_LDEXP_ONE(TYPE, 16)
#define __HEDDLE_LDEXP_HALVES(TYPE, N)                                                                                 \
  __heddle_fn TYPE##N ldexp(TYPE##N x, int##N n) {                                                                     \
    return (TYPE##N)(ldexp(x.lo, n.lo), ldexp(x.hi, n.hi));                                                            \
  }
#define __HEDDLE_LDEXP_ONE(TYPE, N)                                                                                    \
  __heddle_fn TYPE##N ldexp(TYPE##N x, int n) {                                                                        \
    return ldexp(x, (int##N)n);                                                                                        \
  }
__HEDDLE_LDEXP(float, int, 23, 127)
#ifdef cl_khr_fp64
__HEDDLE_LDEXP(double, long, 52, 1023)

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
