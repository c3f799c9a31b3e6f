/* SPDX-License-Identifier: Apache-2.0
 * OpenCL's side of borders.cu: one kernel for numbers, one for vectors of two, of each type. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "borders.h"

#define FN __attribute__((overloadable)) static
/* Second results, and what takes whole numbers. ilogb's words for zero and NaN become those of logb. */
#define HELPERS(T, INT)                                                                                                \
  FN INT large(T y) {                                                                                                  \
    return convert_##INT##_sat(isnan(y) ? (T)0 : y);                                                                   \
  }                                                                                                                    \
  FN INT whole(T y) {                                                                                                  \
    return clamp(large(y), (INT)-5000, (INT)5000);                                                                     \
  }                                                                                                                    \
  FN T sine_of(T x) {                                                                                                  \
    T c;                                                                                                               \
    return sincos(x, &c);                                                                                              \
  }                                                                                                                    \
  FN T cosine_of(T x) {                                                                                                \
    T c;                                                                                                               \
    sincos(x, &c);                                                                                                     \
    return c;                                                                                                          \
  }                                                                                                                    \
  FN T exponent_of(T x) {                                                                                              \
    const T r = convert_##T(ilogb(x));                                                                                 \
    const T zero = r == (T)FP_ILOGB0 ? (T)-INFINITY : (T)0, none = r == (T)FP_ILOGBNAN ? (T)NAN : (T)0;                      \
    return isnan(x) ? none : isinf(x) ? (r == (T)INT_MAX ? fabs(x) : (T)0) : x == 0 ? zero : r;                           \
  }                                                                                                                    \
  FN T fraction_of(T x) {                                                                                              \
    INT e;                                                                                                             \
    return frexp(x, &e);                                                                                               \
  }                                                                                                                    \
  FN T power_of(T x) {                                                                                                 \
    INT e;                                                                                                             \
    frexp(x, &e);                                                                                                      \
    return isnan(x) || isinf(x) ? (T)0 : convert_##T(e);                                                                  \
  }                                                                                                                    \
  FN T part_of(T x) {                                                                                                  \
    T whole;                                                                                                           \
    return modf(x, &whole);                                                                                            \
  }                                                                                                                    \
  FN T rounded_of(T x) {                                                                                               \
    T whole;                                                                                                           \
    modf(x, &whole);                                                                                                   \
    return whole;                                                                                                      \
  }                                                                                                                    \
  FN T fract_of(T x) {                                                                                                 \
    T whole;                                                                                                           \
    return fract(x, &whole);                                                                                           \
  }                                                                                                                    \
  FN T floor_of(T x) {                                                                                                 \
    T whole;                                                                                                           \
    fract(x, &whole);                                                                                                  \
    return whole;                                                                                                      \
  }                                                                                                                    \
  FN T rest_of(T x, T y) {                                                                                             \
    INT q;                                                                                                             \
    return remquo(x, y, &q);                                                                                           \
  }                                                                                                                    \
  FN T quotient_of(T x, T y) {                                                                                         \
    INT q = 0;                                                                                                         \
    const T rest = remquo(x, y, &q);                                                                                   \
    const INT low = convert_##INT(abs(q)) & 127;                                                                       \
    return isnan(rest) ? rest : convert_##T(select(low, -low, q < 0));                                                 \
  }                                                                                                                    \
  FN T lgamma_of(T x) {                                                                                                \
    INT sign;                                                                                                          \
    return lgamma_r(x, &sign);                                                                                         \
  }                                                                                                                    \
  FN T sign_of(T x) {                                                                                                  \
    INT sign = 7;                                                                                                      \
    const T r = lgamma_r(x, &sign);                                                                                    \
    return isnan(r) ? r : isinf(r) ? (T)0 : convert_##T(sign);                                                         \
  }
#define EVALUATE(NAME, T, ELEMENT, LOAD, STORE)                                                                    \
  kernel void evaluate_##NAME(int first, int n, global const ELEMENT *xs, global const ELEMENT *ys,                    \
                              global const ELEMENT *zs, global ELEMENT *results) {                                     \
    const int i = get_global_id(0), which = first + get_global_id(1);                                                  \
    if (i >= n) return;                                                                                                \
    const T x = LOAD(i, xs), y = LOAD(i, ys), z = LOAD(i, zs);                                                         \
    T r = 0;                                                                                                           \
    int k = 0;                                                                                                         \
    FUNCTIONS(F, F, F)                                                                                                 \
    FUNCTIONS_OF_OPENCL(F, F, F)                                                                                       \
    STORE(r, get_global_id(1) * n + i, results);                                                                                              \
  }
#define F(NAME, EXPRESSION, TRUTH, GRANTED) if (which == k++) r = EXPRESSION;
#define LOAD1(I, FROM) FROM[I]
#define STORE1(R, I, TO) TO[I] = R
HELPERS(float, int)
HELPERS(float2, int2)
HELPERS(double, int)
HELPERS(double2, int2)
EVALUATE(f, float, float, LOAD1, STORE1)
EVALUATE(f2, float2, float, vload2, vstore2)
EVALUATE(d, double, double, LOAD1, STORE1)
EVALUATE(d2, double2, double, vload2, vstore2)
