/* SPDX-License-Identifier: Apache-2.0
 * Complex numbers of host and device. Products and quotients have the textbook's terms; a quotient uses Smith's
 * method. */
#ifndef HEDDLE_THRUST_COMPLEX_H
#define HEDDLE_THRUST_COMPLEX_H

#include <cmath>
#include <complex>
#include <sstream>

#include <cuda_runtime.h>

namespace thrust {

template <class T> struct alignas(2 * sizeof(T)) complex {
  typedef T value_type;
  T heddle_real, heddle_imag;
  complex() = default;
  __HEDDLE_BOTH constexpr complex(const T &r, const T &i = T()) : heddle_real(r), heddle_imag(i) {}
  template <class U>
  __HEDDLE_BOTH constexpr complex(const complex<U> &o) : heddle_real((T)o.real()), heddle_imag((T)o.imag()) {}
  complex(const std::complex<T> &o) : heddle_real(o.real()), heddle_imag(o.imag()) {}
  operator std::complex<T>() const { return std::complex<T>(heddle_real, heddle_imag); }
  __HEDDLE_BOTH constexpr T real() const { return heddle_real; }
  __HEDDLE_BOTH constexpr T imag() const { return heddle_imag; }
  __HEDDLE_BOTH void real(T v) { heddle_real = v; }
  __HEDDLE_BOTH void imag(T v) { heddle_imag = v; }
  __HEDDLE_BOTH complex &operator=(const T &v) {
    heddle_real = v;
    heddle_imag = T();
    return *this;
  }
  template <class U> __HEDDLE_BOTH complex &operator+=(const U &o) { return *this = *this + o; }
  template <class U> __HEDDLE_BOTH complex &operator-=(const U &o) { return *this = *this - o; }
  template <class U> __HEDDLE_BOTH complex &operator*=(const U &o) { return *this = *this * o; }
  template <class U> __HEDDLE_BOTH complex &operator/=(const U &o) { return *this = *this / o; }
};

template <class T> __HEDDLE_BOTH constexpr complex<T> heddle_divide(const complex<T> &a, const complex<T> &b) {
  const T c = b.real(), d = b.imag();
  if ((c < 0 ? -c : c) >= (d < 0 ? -d : d)) {
    const T r = d / c, by = c + d * r;
    return complex<T>((a.real() + a.imag() * r) / by, (a.imag() - a.real() * r) / by);
  }
  const T r = c / d, by = c * r + d;
  return complex<T>((a.real() * r + a.imag()) / by, (a.imag() * r - a.real()) / by);
}
/* Operators of two complex numbers, and of one with a number; types may be mixed, as those of their parts are. */
#define __HEDDLE_COMPLEX(OPERATOR, BOTH, RIGHT, LEFT)                                                                  \
  template <class T, class U>                                                                                          \
  __HEDDLE_BOTH constexpr auto operator OPERATOR(const complex<T> &x, const complex<U> &y) {                           \
    typedef std::common_type_t<T, U> R;                                                                                \
    const complex<R> a(x), b(y);                                                                                       \
    return BOTH;                                                                                                       \
  }                                                                                                                    \
  template <class T, class U, std::enable_if_t<std::is_arithmetic<U>::value, int> = 0>                                 \
  __HEDDLE_BOTH constexpr auto operator OPERATOR(const complex<T> &x, const U &y) {                                    \
    typedef std::common_type_t<T, U> R;                                                                                \
    const complex<R> a(x);                                                                                             \
    const R b = (R)y;                                                                                                  \
    return RIGHT;                                                                                                      \
  }                                                                                                                    \
  template <class T, class U, std::enable_if_t<std::is_arithmetic<U>::value, int> = 0>                                 \
  __HEDDLE_BOTH constexpr auto operator OPERATOR(const U &x, const complex<T> &y) {                                    \
    typedef std::common_type_t<T, U> R;                                                                                \
    const complex<R> b(y);                                                                                             \
    const R a = (R)x;                                                                                                  \
    return LEFT;                                                                                                       \
  }
__HEDDLE_COMPLEX(+, complex<R>(a.real() + b.real(), a.imag() + b.imag()), complex<R>(a.real() + b, a.imag()),
                 complex<R>(a + b.real(), b.imag()))
__HEDDLE_COMPLEX(-, complex<R>(a.real() - b.real(), a.imag() - b.imag()), complex<R>(a.real() - b, a.imag()),
                 complex<R>(a - b.real(), -b.imag()))
__HEDDLE_COMPLEX(*, complex<R>(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()),
                 complex<R>(a.real() * b, a.imag() * b), complex<R>(a *b.real(), a *b.imag()))
__HEDDLE_COMPLEX(/, heddle_divide(a, b), complex<R>(a.real() / b, a.imag() / b), heddle_divide(complex<R>(a), b))
__HEDDLE_COMPLEX(==, a.real() == b.real() && a.imag() == b.imag(), a.real() == b && a.imag() == R(),
                 a == b.real() && b.imag() == R())
__HEDDLE_COMPLEX(!=, !(a == b), !(a == b), !(a == b))

template <class T> __HEDDLE_BOTH constexpr complex<T> operator+(const complex<T> &z) {
  return z;
}
template <class T> __HEDDLE_BOTH constexpr complex<T> operator-(const complex<T> &z) {
  return complex<T>(-z.real(), -z.imag());
}
template <class T> __HEDDLE_BOTH constexpr complex<T> conj(const complex<T> &z) {
  return complex<T>(z.real(), -z.imag());
}
template <class T> __HEDDLE_BOTH constexpr T norm(const complex<T> &z) {
  return z.real() * z.real() + z.imag() * z.imag();
}
template <class T> __HEDDLE_BOTH T abs(const complex<T> &z) {
  return std::hypot(z.real(), z.imag());
}
template <class T> __HEDDLE_BOTH T arg(const complex<T> &z) {
  return std::atan2(z.imag(), z.real());
}
template <class T> __HEDDLE_BOTH complex<T> polar(const T &radius, const T &angle = T()) {
  return complex<T>(radius * std::cos(angle), radius * std::sin(angle));
}
template <class T> __HEDDLE_BOTH complex<T> exp(const complex<T> &z) {
  return thrust::polar(std::exp(z.real()), z.imag());
}
template <class T> __HEDDLE_BOTH complex<T> log(const complex<T> &z) {
  return complex<T>(std::log(thrust::abs(z)), thrust::arg(z));
}
template <class T> __HEDDLE_BOTH complex<T> log10(const complex<T> &z) {
  return thrust::log(z) * (T)0.43429448190325182765;
}
/* With a real part that is not negative: nothing is cancelled. */
template <class T> __HEDDLE_BOTH complex<T> sqrt(const complex<T> &z) {
  const T x = std::fabs(z.real()), r = std::sqrt((T)0.5 * (x + thrust::abs(z)));
  if (r == 0) return complex<T>(0, z.imag());
  const T other = std::fabs(z.imag()) / (2 * r);
  return z.real() >= 0 ? complex<T>(r, std::copysign(other, z.imag())) : complex<T>(other, std::copysign(r, z.imag()));
}
template <class T, class U> __HEDDLE_BOTH auto pow(const complex<T> &z, const U &e) {
  return thrust::exp(thrust::log(z) * e);
}
template <class T> __HEDDLE_BOTH complex<T> sinh(const complex<T> &z) {
  return complex<T>(std::sinh(z.real()) * std::cos(z.imag()), std::cosh(z.real()) * std::sin(z.imag()));
}
template <class T> __HEDDLE_BOTH complex<T> cosh(const complex<T> &z) {
  return complex<T>(std::cosh(z.real()) * std::cos(z.imag()), std::sinh(z.real()) * std::sin(z.imag()));
}
template <class T> __HEDDLE_BOTH complex<T> sin(const complex<T> &z) {
  return complex<T>(std::sin(z.real()) * std::cosh(z.imag()), std::cos(z.real()) * std::sinh(z.imag()));
}
template <class T> __HEDDLE_BOTH complex<T> cos(const complex<T> &z) {
  return complex<T>(std::cos(z.real()) * std::cosh(z.imag()), -(std::sin(z.real()) * std::sinh(z.imag())));
}
template <class T> __HEDDLE_BOTH complex<T> tan(const complex<T> &z) {
  return thrust::sin(z) / thrust::cos(z);
}
template <class T> __HEDDLE_BOTH complex<T> tanh(const complex<T> &z) {
  return thrust::sinh(z) / thrust::cosh(z);
}
template <class T, class Stream> Stream &operator<<(Stream &out, const complex<T> &z) {
  out << '(' << z.real() << ',' << z.imag() << ')';
  return out;
}

} // namespace thrust

#endif
