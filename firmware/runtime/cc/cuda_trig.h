/* SPDX-License-Identifier: Apache-2.0
 * Sine, cosine and tangent: what is left of x after the nearest multiple of pi / 2, taken off in three parts without a
 * rounding between, then a polynomial. libclc's lose all their bits near multiples of pi; beyond the bound of the three
 * parts they stand in all the same. */
#ifndef HEDDLE_CUDA_TRIG_H
#define HEDDLE_CUDA_TRIG_H

__device__ float __heddle_clc_sin(float) __HEDDLE_CLC(3, sin, "f");
__device__ double __heddle_clc_sin(double) __HEDDLE_CLC(3, sin, "d");
__device__ float __heddle_clc_cos(float) __HEDDLE_CLC(3, cos, "f");
__device__ double __heddle_clc_cos(double) __HEDDLE_CLC(3, cos, "d");

__heddle_fn float __heddle_quarter(float x, int *quadrant) {
  const float k = __builtin_rintf(x * 0.636619772f);
  *quadrant = (int)k;
  const float r = __builtin_fmaf(-k, 1.57079601287841796875f, x);
  return __builtin_fmaf(-k, 5.39030295e-15f, __builtin_fmaf(-k, 3.13916473260178463e-07f, r));
}
__heddle_fn double __heddle_quarter(double x, int *quadrant) {
  const double k = __builtin_rint(x * 0.63661977236758138);
  *quadrant = (int)k;
  const double r = __builtin_fma(-k, 1.57079632679489655800e+00, x);
  return __builtin_fma(-k, -1.4973849048591698e-33, __builtin_fma(-k, 6.12323399573676603587e-17, r));
}
__heddle_fn bool __heddle_near(float x) {
  return __builtin_fabsf(x) < 1e5f;
}
__heddle_fn bool __heddle_near(double x) {
  return __builtin_fabs(x) < 1e9;
}
template <class T> __heddle_fn void __heddle_sincos(T x, T *s, T *c) {
  if (!__heddle_near(x)) {
    *s = __heddle_clc_sin(x);
    *c = __heddle_clc_cos(x);
    return;
  }
  int quadrant;
  const T r = __heddle_quarter(x, &quadrant), u = r * r;
  const T sine = fma(u * r, __heddle_fit_sin(u), r), cosine = fma(u * u, __heddle_fit_cos(u), fma(u, T(-0.5), T(1)));
  const T a = quadrant & 1 ? cosine : sine, b = quadrant & 1 ? sine : cosine;
  *s = x == 0 ? x : quadrant & 2 ? -a : a;
  *c = (quadrant + 1) & 2 ? -b : b;
}
#define __HEDDLE_TRIG(TYPE, SUFFIX)                                                                                    \
  __heddle_fn void __nv_sincos##SUFFIX(TYPE x, TYPE *s, TYPE *c) {                                                     \
    __heddle_sincos(x, s, c);                                                                                          \
  }                                                                                                                    \
  __heddle_fn TYPE __nv_sin##SUFFIX(TYPE x) {                                                                          \
    TYPE s, c;                                                                                                         \
    __heddle_sincos(x, &s, &c);                                                                                        \
    return s;                                                                                                          \
  }                                                                                                                    \
  __heddle_fn TYPE __nv_cos##SUFFIX(TYPE x) {                                                                          \
    TYPE s, c;                                                                                                         \
    __heddle_sincos(x, &s, &c);                                                                                        \
    return c;                                                                                                          \
  }                                                                                                                    \
  __heddle_fn TYPE __nv_tan##SUFFIX(TYPE x) {                                                                          \
    TYPE s, c;                                                                                                         \
    __heddle_sincos(x, &s, &c);                                                                                        \
    return s / c;                                                                                                      \
  }
__HEDDLE_TRIG(float, f)
__HEDDLE_TRIG(double, )

#endif
