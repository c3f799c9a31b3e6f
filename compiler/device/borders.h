/* SPDX-License-Identifier: Apache-2.0
 * Functions of numbers where libclc's are wrong. Cases: results and operands below the least normal number, the sign
 * of a zero, infinities; a gamma function with an error above the permitted one. Each is libclc's but there. In
 * OpenCL C and in CUDA C, read twice: T is float, then double, and LETTER is the letter that C++ has for it in
 * libclc's names. */

#ifndef HEDDLE_BORDERS_H
#define HEDDLE_BORDERS_H
#include "coefficients.h"
/* libclc's, by the name that C++ gives a function of so many letters. */
#define __HEDDLE_CLC(LENGTH, NAME, ARGUMENTS) __asm__("_Z" #LENGTH #NAME ARGUMENTS)
#define __HEDDLE_OUTER1(LENGTH, NAME) __heddle_outer T __heddle_clc_##NAME(T) __HEDDLE_CLC(LENGTH, NAME, LETTER);
#endif

__HEDDLE_OUTER1(3, exp)
__HEDDLE_OUTER1(4, exp2)
__HEDDLE_OUTER1(5, expm1)
__HEDDLE_OUTER1(3, log)
__HEDDLE_OUTER1(4, atan)
__HEDDLE_OUTER1(3, erf)
__HEDDLE_OUTER1(4, erfc)
__HEDDLE_OUTER1(5, sinpi)
__HEDDLE_OUTER1(5, cospi)
__HEDDLE_OUTER1(6, lgamma)
__heddle_outer int __heddle_clc_ilogb(T) __HEDDLE_CLC(5, ilogb, LETTER);
__heddle_outer T __heddle_clc_fmod(T, T) __HEDDLE_CLC(4, fmod, LETTER LETTER);
__heddle_outer T __heddle_clc_nextafter(T, T) __HEDDLE_CLC(9, nextafter, LETTER LETTER);
__heddle_outer T __heddle_clc_remquo(T, T, __heddle_own int *) __HEDDLE_CLC(6, remquo, LETTER LETTER "Pi");

__heddle_fn T __heddle_expm1(T x) {
  return x == 0 ? x : __heddle_clc_expm1(x);
}
__heddle_fn T __heddle_atan(T x) {
  return x == 0 ? x : __heddle_clc_atan(x);
}
__heddle_fn T __heddle_erf(T x) {
  return x == 0 ? x : __heddle_clc_erf(x);
}
__heddle_fn T __heddle_sinpi(T x) {
  const T r = __heddle_clc_sinpi(x);
  return r == 0 ? copysign(r, x) : r;
}
__heddle_fn T __heddle_cospi(T x) {
  return __heddle_clc_cospi(x) + 0;
}
__heddle_fn T __heddle_nextafter(T x, T y) {
  const T r = __heddle_clc_nextafter(x, y);
  return r == 0 && x != 0 ? copysign(r, x) : r;
}

/* ---- libclc's of float end at the least normal number; its erfc is 56 ulp off ---- */

__heddle_fn T __heddle_exp(T x) {
  const bool small = sizeof(T) == 4 && x < -87.3f;
  const T r = __heddle_clc_exp(small ? x * 0.5f : x);
  return small ? r * r : r;
}
__heddle_fn T __heddle_exp2(T x) {
  const bool small = sizeof(T) == 4 && x < -126;
  const T r = __heddle_clc_exp2(small ? x + 64 : x);
  return small ? r * 0x1p-64f : r;
}
/* The polynomial is erfc(x) exp(x^2) (1 + 2 x); exp(-x^2) by x^2 in two parts. */
__heddle_fn T __heddle_erfc(T x) {
  if (sizeof(T) != 4 || !(x > 1)) return __heddle_clc_erfc(x);
  const T h = x * x, e = fma(x, x, -h), grown = __heddle_exp(-h);
  return grown == 0 ? 0 : __heddle_fit_erfcx((x - 4) / (x + 4)) / fma((T)2, x, (T)1) * fma(grown, -e, grown);
}

/* ---- rests: of float libclc's take what is below the least normal number for 0 ---- */

/* Multiples of 2^64 y change no rest, nor the last bits of a quotient. Returns what the rest is to be multiplied by. */
__heddle_fn T __heddle_enlarge(__heddle_own T *x, __heddle_own T *y) {
  const T a = fabs(*x), b = fabs(*y);
  if (sizeof(T) != 4 || !(b < 0x1p-60f) || b == 0 || !isfinite(a)) return 1;
  *y *= 0x1p64f;
  *x = (a < 0x1p60f ? *x : __heddle_clc_fmod(*x, *y)) * 0x1p64f;
  return 0x1p-64f;
}
__heddle_fn bool __heddle_all_rest(T x, T y) {
  return sizeof(T) == 4 && fabs(x) < 0x1p-100f && fabs(y) > 0x1p-60f;
}
__heddle_fn T __heddle_fmod(T x, T y) {
  if (__heddle_all_rest(x, y)) return x;
  const T back = __heddle_enlarge(&x, &y);
  return __heddle_clc_fmod(x, y) * back;
}
__heddle_fn T __heddle_remquo(T x, T y, __heddle_own int *quotient) {
  *quotient = 0;
  if (__heddle_all_rest(x, y)) return x;
  const T back = __heddle_enlarge(&x, &y);
  return __heddle_clc_remquo(x, y, quotient) * back;
}
__heddle_fn T __heddle_remainder(T x, T y) {
  int quotient;
  return __heddle_remquo(x, y, &quotient);
}

/* ---- powers of two: down to the least normal exponent nothing is lost; one step below it rounds once ---- */

__heddle_fn T __heddle_power(T of, int n) {
  const union {
    unsigned long bits;
    T number;
  } u = {sizeof of == 4 ? (unsigned)(n + 127) << 23 : (unsigned long)(n + 1023) << 52};
  return u.number;
}
__heddle_fn T __heddle_ldexp(T x, int n) {
  if (x == 0 || !isfinite(x)) return x + x;
  const int bias = sizeof(T) == 4 ? 127 : 1023, e = __heddle_clc_ilogb(x), least = 1 - bias;
  const int all = n < -3 * bias ? -3 * bias : n > 3 * bias ? 3 * bias : n;
  const int lowest = least - (e < least ? least : e), first = all < lowest ? lowest : all, third = first / 3;
  const int rest = all - first < least ? least : all - first;
  return x * __heddle_power(x, third) * __heddle_power(x, third) * __heddle_power(x, first - 2 * third) *
         __heddle_power(x, rest);
}

/* ---- the gamma function: by a polynomial between 1 and 2, by a product in two parts elsewhere ---- */

__heddle_fn void __heddle_multiply(__heddle_own T *high, __heddle_own T *low, T m) {
  const T h = *high * m;
  *low = fma(*low, m, fma(*high, m, -h));
  *high = h;
}
/* Below 1 what is between is divided by, in two products: neither leaves the format. */
__heddle_fn T __heddle_gamma_below(T x) {
  if (fabs(x) < 0x1p-57f) return 1 / x;
  const T whole = floor(x), middle = floor(x * 0.5f);
  if (whole == x) return (T)__builtin_nanf("");
  if (x < (sizeof(T) == 4 ? -43 : -186)) return whole == 2 * middle ? 0.0f : -0.0f;
  T first = 1, first_low = 0, second = 1, second_low = 0, m = x;
  for (; m < middle; m += 1) __heddle_multiply(&first, &first_low, m);
  for (; m < 1; m += 1) __heddle_multiply(&second, &second_low, m);
  const T r = __heddle_fit_gamma(m - 1.5f) / second, s = first_low / first + second_low / second;
  return fma(-r, s, r) / first;
}
__heddle_fn T __heddle_tgamma(T x) {
  if (x < 1) return __heddle_gamma_below(x);
  if (!(x < (sizeof(T) == 4 ? 36 : 172))) return x * (T)__builtin_inff();
  T m = x - floor(x) + 1, high = __heddle_fit_gamma(m - 1.5f), low = 0;
  for (; m < x; m += 1) __heddle_multiply(&high, &low, m);
  return isinf(high) ? high : high + low;
}
__heddle_fn T __heddle_lgamma(T x) {
  const T a = fabs(x);
  if (x < -0x1p126f) return (T)__builtin_inff();
  return a < (sizeof(T) == 4 ? 0x1p-33f : 0x1p-70f) && a != 0 ? -__heddle_clc_log(a) : __heddle_clc_lgamma(x);
}
