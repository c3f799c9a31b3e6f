/* SPDX-License-Identifier: Apache-2.0
 * Sine, cosine and tangent: the rest of x after the nearest multiple of pi / 2, taken off in three parts without a
 * rounding between, then a polynomial. That is half the instructions of libclc's, which are used beyond the bound of
 * the three parts. Read twice, as borders.h is. */

#ifndef HEDDLE_TRIG_H
#define HEDDLE_TRIG_H
__heddle_fn float __heddle_quarter(float x, __heddle_own int *quadrant) {
  const float k = __builtin_rintf(x * 0.636619772f);
  *quadrant = (int)k;
  const float r = __builtin_fmaf(-k, 1.57079601287841796875f, x);
  return __builtin_fmaf(-k, 5.39030295e-15f, __builtin_fmaf(-k, 3.13916473260178463e-07f, r));
}
#if !defined(__OPENCL_VERSION__) || defined(cl_khr_fp64)
__heddle_fn double __heddle_quarter(double x, __heddle_own int *quadrant) {
  const double k = __builtin_rint(x * 0.63661977236758138);
  *quadrant = (int)k;
  const double r = __builtin_fma(-k, 1.57079632679489655800e+00, x);
  return __builtin_fma(-k, -1.4973849048591698e-33, __builtin_fma(-k, 6.12323399573676603587e-17, r));
}
#endif
#endif

__HEDDLE_OUTER1(3, sin)
__HEDDLE_OUTER1(3, cos)

__heddle_fn void __heddle_sincos(T x, __heddle_own T *s, __heddle_own T *c) {
  if (!(fabs(x) < (sizeof(T) == 4 ? 1e5f : 1e9f))) {
    *s = __heddle_clc_sin(x);
    *c = __heddle_clc_cos(x);
    return;
  }
  int quadrant;
  const T r = __heddle_quarter(x, &quadrant), u = r * r;
  const T sine = fma(u * r, __heddle_fit_sin(u), r);
  const T cosine = fma(u * u, __heddle_fit_cos(u), fma(u, (T)-0.5f, (T)1));
  const T a = quadrant & 1 ? cosine : sine, b = quadrant & 1 ? sine : cosine;
  *s = x == 0 ? x : quadrant & 2 ? -a : a;
  *c = (quadrant + 1) & 2 ? -b : b;
}
__heddle_fn T __heddle_sin(T x) {
  T s, c;
  __heddle_sincos(x, &s, &c);
  return s;
}
__heddle_fn T __heddle_cos(T x) {
  T s, c;
  __heddle_sincos(x, &s, &c);
  return c;
}
__heddle_fn T __heddle_tan(T x) {
  T s, c;
  __heddle_sincos(x, &s, &c);
  return s / c;
}
