/* SPDX-License-Identifier: Apache-2.0
 * True values by MPFR, for tests of functions of numbers. */
#ifndef HEDDLE_TESTS_NUMBERS_H
#define HEDDLE_TESTS_NUMBERS_H

#include <mpfr.h>

#include <cmath>

constexpr mpfr_prec_t precision = 400;
constexpr mpfr_rnd_t RN = MPFR_RNDN;

struct number { /* of MPFR, as long as its scope lasts */
  mpfr_t v;
  number(double x = 0) {
    mpfr_init2(v, precision);
    mpfr_set_d(v, x, RN);
  }
  ~number() { mpfr_clear(v); }
  number(const number &) = delete;
  number &operator=(const number &) = delete;
  operator mpfr_ptr() { return v; }
};

/* In ulp of the true value, or in the absolute unit. */
template <class T> static double distance(mpfr_ptr exact, T got, bool absolute) {
  const int bits = sizeof(T) == 4 ? 24 : 53, least = sizeof(T) == 4 ? -149 : -1074;
  number off((double)got);
  if (!std::isfinite(got)) return INFINITY;
  mpfr_sub(off, off, exact, RN);
  long e = mpfr_zero_p(exact) ? least : (long)mpfr_get_exp(exact) - bits;
  if (e < least) e = least;
  mpfr_mul_2si(off, off, absolute ? bits : -e, RN);
  return fabs(mpfr_get_d(off, RN));
}

#endif
