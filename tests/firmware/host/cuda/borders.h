/* SPDX-License-Identifier: Apache-2.0
 * The functions of numbers that borders.cu judges: NAME, the device's expression, a statement of r's truth, ulp that
 * are granted (0.5: rounded once), as OpenCL's full profile has them. Those of one number, of two and of three. */
#ifndef HEDDLE_TESTS_BORDERS_H
#define HEDDLE_TESTS_BORDERS_H

#define FUNCTIONS(F1, F2, F3)                                                                                          \
  F1(sqrt, sqrt(x), mpfr_sqrt(r, X, RN), 0.5)                                                                          \
  F1(rsqrt, rsqrt(x), (mpfr_rec_sqrt(r, X, RN), mpfr_copysign(r, r, x == 0 ? X : r, RN)), 2)                           \
  F1(cbrt, cbrt(x), mpfr_cbrt(r, X, RN), 2)                                                                            \
  F1(exp, exp(x), mpfr_exp(r, X, RN), 3)                                                                               \
  F1(exp2, exp2(x), mpfr_exp2(r, X, RN), 3)                                                                            \
  F1(exp10, exp10(x), mpfr_exp10(r, X, RN), 3)                                                                         \
  F1(expm1, expm1(x), mpfr_expm1(r, X, RN), 3)                                                                         \
  F1(log, log(x), mpfr_log(r, X, RN), 3)                                                                               \
  F1(log2, log2(x), mpfr_log2(r, X, RN), 3)                                                                            \
  F1(log10, log10(x), mpfr_log10(r, X, RN), 3)                                                                         \
  F1(log1p, log1p(x), mpfr_log1p(r, X, RN), 2)                                                                         \
  F1(sin, sin(x), mpfr_sin(r, X, RN), 4)                                                                               \
  F1(cos, cos(x), mpfr_cos(r, X, RN), 4)                                                                               \
  F1(tan, tan(x), mpfr_tan(r, X, RN), 5)                                                                               \
  F1(sincos sine, sine_of(x), mpfr_sin(r, X, RN), 4)                                                                   \
  F1(sincos cosine, cosine_of(x), mpfr_cos(r, X, RN), 4)                                                               \
  F1(sinpi, sinpi(x), mpfr_sinpi(r, X, RN), 4)                                                                         \
  F1(cospi, cospi(x), mpfr_cospi(r, X, RN), 4)                                                                         \
  F1(asin, asin(x), mpfr_asin(r, X, RN), 4)                                                                            \
  F1(acos, acos(x), mpfr_acos(r, X, RN), 4)                                                                            \
  F1(atan, atan(x), mpfr_atan(r, X, RN), 5)                                                                            \
  F1(sinh, sinh(x), mpfr_sinh(r, X, RN), 4)                                                                            \
  F1(cosh, cosh(x), mpfr_cosh(r, X, RN), 4)                                                                            \
  F1(tanh, tanh(x), mpfr_tanh(r, X, RN), 5)                                                                            \
  F1(asinh, asinh(x), mpfr_asinh(r, X, RN), 4)                                                                         \
  F1(acosh, acosh(x), mpfr_acosh(r, X, RN), 4)                                                                         \
  F1(atanh, atanh(x), mpfr_atanh(r, X, RN), 5)                                                                         \
  F1(erf, erf(x), mpfr_erf(r, X, RN), 16)                                                                              \
  F1(erfc, erfc(x), mpfr_erfc(r, X, RN), 16)                                                                           \
  F1(tgamma, tgamma(x), mpfr_gamma(r, X, RN), 16)                                                                      \
  F1(lgamma, lgamma(x), (mpfr_lgamma(r, &sign, X, RN)), 16)                                                            \
  F1(logb, logb(x), logb_of(r, x), 0.5)                                                                                \
  F1(ilogb, exponent_of(x), logb_of(r, x), 0.5)                                                                        \
  F1(frexp, fraction_of(x), frexp_of(r, x, false), 0.5)                                                                \
  F1(frexp exponent, power_of(x), frexp_of(r, x, true), 0.5)                                                           \
  F1(modf, part_of(x), mpfr_frac(r, X, RN), 0.5)                                                                       \
  F1(modf whole, rounded_of(x), mpfr_trunc(r, X), 0.5)                                                                 \
  F1(fabs, fabs(x), mpfr_abs(r, X, RN), 0.5)                                                                           \
  F1(rint, rint(x), mpfr_rint(r, X, RN), 0.5)                                                                          \
  F1(round, round(x), mpfr_round(r, X), 0.5)                                                                           \
  F1(floor, floor(x), mpfr_floor(r, X), 0.5)                                                                           \
  F1(ceil, ceil(x), mpfr_ceil(r, X), 0.5)                                                                              \
  F1(trunc, trunc(x), mpfr_trunc(r, X), 0.5)                                                                           \
  F2(pow, pow(x, y), mpfr_pow(r, X, Y, RN), 16)                                                                        \
  F2(pown, pown(x, large(y)), mpfr_pow_si(r, X, large(y), RN), 16)                                                     \
  F2(atan2, atan2(x, y), mpfr_atan2(r, X, Y, RN), 6)                                                                   \
  F2(hypot, hypot(x, y), mpfr_hypot(r, X, Y, RN), 4)                                                                   \
  F2(fmod, fmod(x, y), mpfr_fmod(r, X, Y, RN), 0.5)                                                                    \
  F2(remainder, remainder(x, y), mpfr_remainder(r, X, Y, RN), 0.5)                                                     \
  F2(remquo, rest_of(x, y), mpfr_remainder(r, X, Y, RN), 0.5)                                                          \
  F2(remquo quotient, quotient_of(x, y), quotient(r, X, Y), 0.5)                                                       \
  F2(fdim, fdim(x, y), mpfr_dim(r, X, Y, RN), 0.5)                                                                     \
  F2(fmin, fmin(x, y) + 0, (mpfr_min(r, X, Y, RN), unsigned_zero(r)), 0.5)                                             \
  F2(fmax, fmax(x, y) + 0, (mpfr_max(r, X, Y, RN), unsigned_zero(r)), 0.5)                                             \
  F2(copysign, copysign(x, y), copysign_of(r, x, y), 0.5)                                                              \
  F2(nextafter, nextafter(x, y), nextafter_of<T>(r, (T)x, (T)y), 0.5)                                                  \
  F2(ldexp, ldexp(x, whole(y)), scaled(r, X, whole(y)), 0.5)                                                           \
  F2(ldexp far, ldexp(x, large(y)), scaled(r, X, large(y)), 0.5)                                                       \
  F2(mul, x *y, mpfr_mul(r, X, Y, RN), 0.5)                                                                            \
  F2(div, x / y, mpfr_div(r, X, Y, RN), 0.5)                                                                           \
  F3(fma, fma(x, y, z), fma_of(r, X, Y, Z), 0.5)
/* Functions that OpenCL C alone has. */
#define FUNCTIONS_OF_OPENCL(F1, F2, F3)                                                                                \
  F1(tanpi, tanpi(x), mpfr_tanpi(r, X, RN), 6)                                                                         \
  F1(asinpi, asinpi(x), mpfr_asinpi(r, X, RN), 5)                                                                      \
  F1(acospi, acospi(x), mpfr_acospi(r, X, RN), 5)                                                                      \
  F1(atanpi, atanpi(x), mpfr_atanpi(r, X, RN), 5)                                                                      \
  F1(fract, fract_of(x), fract<T>(r, (T)x), 0.5)                                                                       \
  F1(fract floor, floor_of(x), mpfr_floor(r, X), 0.5)                                                                  \
  F1(lgamma_r, lgamma_of(x), (mpfr_lgamma(r, &sign, X, RN)), 16)                                                       \
  F1(lgamma_r sign, sign_of(x), lgamma_sign<T>(r, X), 0.5)                                                             \
  F1(sign, sign(x), sign_of(r, x), 0.5)                                                                                \
  F1(degrees, degrees(x), half_turns(r, x, true), 2)                                                                   \
  F1(radians, radians(x), half_turns(r, x, false), 2)                                                                  \
  F2(powr, powr(x, y), powr_of(r, x, y), 16)                                                                           \
  F2(rootn, rootn(x, large(y)), rootn_of(r, X, large(y)), 16)                                                          \
  F2(atan2pi, atan2pi(x, y), mpfr_atan2pi(r, X, Y, RN), 6)                                                             \
  F2(maxmag, maxmag(x, y) + 0, of_magnitude(r, x, y, 1), 0.5)                                                          \
  F2(minmag, minmag(x, y) + 0, of_magnitude(r, x, y, -1), 0.5)                                                         \
  F3(mad, mad(x, y, z), fma_of(r, X, Y, Z), 0.5)

#endif
