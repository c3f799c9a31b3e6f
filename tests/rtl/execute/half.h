// SPDX-License-Identifier: Apache-2.0
// binary16 and MPFR: exact values of patterns, patterns of rounded values.
#pragma once
#include <mpfr.h>

#include <cmath>
#include <cstdint>

// The value of a pattern that is no NaN.
inline double half_value(uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double size = exponent == 31  ? HUGE_VAL
                      : exponent == 0 ? std::ldexp(fraction, -24)
                                      : std::ldexp(1024 + fraction, exponent - 25);
  return bits >> 15 ? -size : size;
}
inline bool half_nan(uint16_t bits) {
  return (bits & 0x7fff) > 0x7c00;
}

// The pattern of a value that binary16 has.
inline uint16_t half_bits(double x) {
  const uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  x = std::fabs(x);
  if (std::isnan(x)) return 0x7fff;
  if (std::isinf(x)) return sign | 0x7c00;
  if (x < std::ldexp(1.0, -14)) return static_cast<uint16_t>(sign | static_cast<unsigned>(std::ldexp(x, 24)));
  int exponent;
  const double m = std::frexp(x, &exponent); // 0.5 to 1
  return static_cast<uint16_t>(sign | (static_cast<unsigned>(exponent + 14) << 10) |
                               (static_cast<unsigned>(std::ldexp(m, 11)) & 1023));
}

// x, which has 11 bits and was rounded with ternary value t, brought into the range of binary16.
inline uint16_t half_rounded(mpfr_t x, int t, mpfr_rnd_t rnd) {
  const mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
  mpfr_set_emin(-23);
  mpfr_set_emax(16);
  t = mpfr_check_range(x, t, rnd);
  (void)mpfr_subnormalize(x, t, rnd);
  const double d = mpfr_get_d(x, MPFR_RNDN);
  mpfr_set_emin(emin);
  mpfr_set_emax(emax);
  return half_bits(d);
}
