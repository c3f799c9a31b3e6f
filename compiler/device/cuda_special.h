/* SPDX-License-Identifier: Apache-2.0
 * Functions of mathematics that libclc lacks, in either type by the same steps: polynomials of coefficients.h
 * where a function is smooth, its form at infinity elsewhere. How far each is from the true value:
 * docs/cuda-functions.md. */
#ifndef HEDDLE_CUDA_SPECIAL_H
#define HEDDLE_CUDA_SPECIAL_H

/* erfinv(x) / x, where w = -log(1 - x^2). */
template <class T> __heddle_fn T __heddle_erfinv_by(T w) {
  if (w < T(6.25)) return __heddle_fit_erfinv_middle(w - T(3.125));
  const T s = sqrt(w);
  if (s < T(4)) return __heddle_fit_erfinv_tail(s - T(3.25));
  if (s < T(6.25)) return __heddle_fit_erfinv_far(s - T(5.125));
  return isinf(s) ? s : s * __heddle_fit_erfinv_end(1 / s - T(0.09765625));
}
template <class T> __heddle_fn T __heddle_erfinv(T x) {
  return x * __heddle_erfinv_by(-log((1 - x) * (1 + x)));
}
template <class T> __heddle_fn T __heddle_erfcinv(T x) {
  return (1 - x) * __heddle_erfinv_by(x > T(0.5) && x < T(1.5) ? -log(x * (2 - x)) : -log(x) - log(2 - x));
}

/* The product's rest e counts: exp(h + e) is exp(h) (1 + e). */
template <class T> __heddle_fn T __heddle_erfcx(T x) {
  const T a = fabs(x), of = 1 + 2 * a;
  T r = T(0.56418958354775628695) / a;
  if (a < T(1e8)) r = __heddle_fit_erfcx((a - 4) / (a + 4)) / of;
  if (x >= 0 || isnan(x)) return r;
  const T h = x * x, e = isinf(h) ? T(0) : fma(x, x, -h), grown = exp(h);
  return isinf(grown) ? grown : 2 * fma(grown, e, grown) - r;
}
/* erfc(x) where it is small, by a^2 OVER in two parts, which is x^2. */
template <class T> __heddle_fn T __heddle_erfc_far(T x, T a, T over) {
  const T h = a * a, e = isinf(h) ? T(0) : fma(a, a, -h), grown = exp(-h * over);
  return __heddle_erfcx(x) * fma(grown, -e * over, grown);
}
template <class T> __heddle_fn T __heddle_normcdf(T x) {
  const T t = x * T(-0.70710678118654752440);
  return (t < 1 || isnan(t) ? erfc(t) : __heddle_erfc_far(t, x, T(0.5))) / 2;
}

/* ---- Bessel functions: below 8 by x^2, above by Hankel's form ---- */

template <class T> __heddle_fn T __heddle_j(int n, T x) {
  const T a = fabs(x);
  T r;
  if (a < 8) {
    const T v = fma(a, a / 32, T(-1));
    return n ? x * __heddle_fit_j1(v) : __heddle_fit_j0(v);
  }
  if (isinf(a)) return 0;
  T s, c;
  sincos(a, &s, &c);
  const T y = 8 / a, z = y * y, scale = T(0.56418958354775628695) * rsqrt(a);
  if (n == 0)
    r = __heddle_fit_p0(z) * (c + s) - y * __heddle_fit_q0(z) * (s - c);
  else
    r = __heddle_fit_p1(z) * (s - c) + y * __heddle_fit_q1(z) * (s + c);
  return n && x < 0 ? -r * scale : r * scale;
}
template <class T> __heddle_fn T __heddle_y(int n, T x) {
  const T two_over_pi = T(0.63661977236758134308);
  if (!(x > 0)) return x == 0 ? -T(__builtin_huge_val()) : T(__builtin_nan(""));
  if (x < 8) {
    const T v = fma(x, x / 32, T(-1));
    if (n == 0) return fma(two_over_pi * log(x), __heddle_fit_j0(v), __heddle_fit_y0(v));
    return fma(two_over_pi, log(x) * (x * __heddle_fit_j1(v)) - 1 / x, x * __heddle_fit_y1(v));
  }
  if (isinf(x)) return 0;
  T s, c;
  sincos(x, &s, &c);
  const T y = 8 / x, z = y * y, scale = T(0.56418958354775628695) * rsqrt(x);
  if (n == 0) return (__heddle_fit_p0(z) * (s - c) + y * __heddle_fit_q0(z) * (s + c)) * scale;
  return (y * __heddle_fit_q1(z) * (s - c) - __heddle_fit_p1(z) * (s + c)) * scale;
}
/* Upwards where that is stable, else downwards from an order so high that what it begins with does not matter. */
template <class T> __heddle_fn T __heddle_jn(int n, T x) {
  if (n < 0) return T(__builtin_nan(""));
  const T a = fabs(x);
  if (n < 2) return __heddle_j(n, x);
  if (a == 0 || isinf(a)) return 0;
  T below = __heddle_j(0, a), r = __heddle_j(1, a);
  if (a > T(n)) {
    for (int k = 1; k < n; k++) {
      const T next = 2 * k / a * r - below;
      below = r;
      r = next;
    }
  } else {
    T up = 0, at = T(1e-30), sum = 0, wanted = 0;
    for (int k = (n + 16 + (int)sqrt(T(160) * n)) & ~1; k > 0; k--) {
      const T next = 2 * k / a * at - up;
      up = at;
      at = next;
      if (k - 1 == n) wanted = at;
      if (((k - 1) & 1) == 0 && k > 1) sum += 2 * at;
      if (fabs(at) > T(1e10)) {
        up *= T(1e-10);
        at *= T(1e-10);
        sum *= T(1e-10);
        wanted *= T(1e-10);
      }
    }
    r = wanted / (sum + at);
  }
  return x < 0 && (n & 1) ? -r : r;
}
template <class T> __heddle_fn T __heddle_yn(int n, T x) {
  if (n < 0) return T(__builtin_nan(""));
  if (n < 2) return __heddle_y(n, x);
  T below = __heddle_y(0, x), r = __heddle_y(1, x);
  for (int k = 1; k < n && !isinf(r); k++) {
    const T next = 2 * k / x * r - below;
    below = r;
    r = next;
  }
  return r;
}
/* e^x in two factors: it ends before the function does. */
template <class T> __heddle_fn T __heddle_i(int n, T x) {
  const T a = fabs(x);
  if (isinf(a)) return n ? x : a;
  if (a < 8) return (n ? x * __heddle_fit_i1(a / 4 - 1) : __heddle_fit_i0(a / 4 - 1)) * exp(a);
  const T half = exp(a / 2), r = (n ? __heddle_fit_i1_end(8 / a) : __heddle_fit_i0_end(8 / a)) * rsqrt(a);
  return n && x < 0 ? -(half * r) * half : half * r * half;
}

/* ---- lengths: scaled by the greatest, so that no square is too large or too small ---- */

template <class T> __heddle_fn T __heddle_norm(int n, const T *x) {
  T most = 0, sum = 0;
  bool unknown = false;
  for (int i = 0; i < n; i++) {
    if (isinf(x[i])) return T(__builtin_huge_val());
    unknown = unknown || isnan(x[i]);
    most = fmax(most, fabs(x[i]));
  }
  if (unknown) return T(__builtin_nan(""));
  if (most == 0) return 0;
  const int e = ilogb(most);
  for (int i = 0; i < n; i++) {
    const T part = ldexp(x[i], -e);
    sum = fma(part, part, sum);
  }
  return ldexp(sqrt(sum), e);
}

#define __HEDDLE_SPECIAL1(NAME, CALL)                                                                                  \
  __heddle_fn float __nv_##NAME##f(float x) {                                                                          \
    return CALL;                                                                                                       \
  }                                                                                                                    \
  __heddle_fn double __nv_##NAME(double x) {                                                                           \
    return CALL;                                                                                                       \
  }
__HEDDLE_SPECIAL1(erfinv, __heddle_erfinv(x))
__HEDDLE_SPECIAL1(erfcinv, __heddle_erfcinv(x))
__HEDDLE_SPECIAL1(erfcx, __heddle_erfcx(x))
__HEDDLE_SPECIAL1(normcdf, __heddle_normcdf(x))
__HEDDLE_SPECIAL1(normcdfinv, __heddle_erfcinv(2 * x) * decltype(x)(-1.41421356237309504880))
__HEDDLE_SPECIAL1(j0, __heddle_j(0, x))
__HEDDLE_SPECIAL1(j1, __heddle_j(1, x))
__HEDDLE_SPECIAL1(y0, __heddle_y(0, x))
__HEDDLE_SPECIAL1(y1, __heddle_y(1, x))
__HEDDLE_SPECIAL1(cyl_bessel_i0, __heddle_i(0, x))
__HEDDLE_SPECIAL1(cyl_bessel_i1, __heddle_i(1, x))
#define __HEDDLE_SPECIAL(TYPE, SUFFIX)                                                                                 \
  __heddle_fn TYPE __nv_jn##SUFFIX(int n, TYPE x) {                                                                    \
    return __heddle_jn(n, x);                                                                                          \
  }                                                                                                                    \
  __heddle_fn TYPE __nv_yn##SUFFIX(int n, TYPE x) {                                                                    \
    return __heddle_yn(n, x);                                                                                          \
  }                                                                                                                    \
  __heddle_fn TYPE __nv_norm##SUFFIX(int n, const TYPE *x) {                                                           \
    return __heddle_norm(n, x);                                                                                        \
  }                                                                                                                    \
  __heddle_fn TYPE __nv_rnorm##SUFFIX(int n, const TYPE *x) {                                                          \
    return 1 / __heddle_norm(n, x);                                                                                    \
  }                                                                                                                    \
  __heddle_fn TYPE __nv_norm3d##SUFFIX(TYPE a, TYPE b, TYPE c) {                                                       \
    const TYPE x[] = {a, b, c};                                                                                        \
    return __heddle_norm(3, x);                                                                                        \
  }                                                                                                                    \
  __heddle_fn TYPE __nv_norm4d##SUFFIX(TYPE a, TYPE b, TYPE c, TYPE d) {                                               \
    const TYPE x[] = {a, b, c, d};                                                                                     \
    return __heddle_norm(4, x);                                                                                        \
  }                                                                                                                    \
  __heddle_fn TYPE __nv_rnorm3d##SUFFIX(TYPE a, TYPE b, TYPE c) {                                                      \
    return 1 / __nv_norm3d##SUFFIX(a, b, c);                                                                           \
  }                                                                                                                    \
  __heddle_fn TYPE __nv_rnorm4d##SUFFIX(TYPE a, TYPE b, TYPE c, TYPE d) {                                              \
    return 1 / __nv_norm4d##SUFFIX(a, b, c, d);                                                                        \
  }                                                                                                                    \
  __heddle_fn TYPE __nv_rhypot##SUFFIX(TYPE a, TYPE b) {                                                               \
    return 1 / __nv_hypot##SUFFIX(a, b);                                                                               \
  }
__HEDDLE_SPECIAL(float, f)
__HEDDLE_SPECIAL(double, )

#endif
