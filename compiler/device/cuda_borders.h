/* SPDX-License-Identifier: Apache-2.0
 * The functions of borders.h and trig.h by the names that clang's headers call. */
#ifndef HEDDLE_CUDA_BORDERS_H
#define HEDDLE_CUDA_BORDERS_H

#define __heddle_outer __device__
#define __heddle_own
#pragma push_macro("T")
#pragma push_macro("LETTER")
#undef T
#undef LETTER
#define T float
#define LETTER "f"
#include "borders.h"
#include "trig.h"
#undef T
#undef LETTER
#define T double
#define LETTER "d"
#include "borders.h"
#include "trig.h"
#pragma pop_macro("T")
#pragma pop_macro("LETTER")

#define __HEDDLE_BORDER_ONE(TYPE, SUFFIX, NAME)                                                                        \
  __heddle_fn TYPE __nv_##NAME##SUFFIX(TYPE x) {                                                                       \
    return __heddle_##NAME(x);                                                                                         \
  }
#define __HEDDLE_BORDER1(NAME) __HEDDLE_BORDER_ONE(float, f, NAME) __HEDDLE_BORDER_ONE(double, , NAME)
#define __HEDDLE_BORDER_TWO(TYPE, SUFFIX, NAME, MORE, CALL)                                                            \
  __heddle_fn TYPE __nv_##NAME##SUFFIX(TYPE x, MORE) {                                                                 \
    return CALL;                                                                                                       \
  }
#define __HEDDLE_BORDERS2(TYPE, SUFFIX)                                                                                \
  __HEDDLE_BORDER_TWO(TYPE, SUFFIX, fmod, TYPE y, __heddle_fmod(x, y))                                                 \
  __HEDDLE_BORDER_TWO(TYPE, SUFFIX, remainder, TYPE y, __heddle_remainder(x, y))                                       \
  __HEDDLE_BORDER_TWO(TYPE, SUFFIX, nextafter, TYPE y, __heddle_nextafter(x, y))                                       \
  __HEDDLE_BORDER_TWO(TYPE, SUFFIX, ldexp, int n, __heddle_ldexp(x, n))                                                \
  __HEDDLE_BORDER_TWO(TYPE, SUFFIX, scalbn, int n, __heddle_ldexp(x, n))                                               \
  __heddle_fn TYPE __nv_remquo##SUFFIX(TYPE x, TYPE y, int *quotient) {                                                \
    return __heddle_remquo(x, y, quotient);                                                                            \
  }                                                                                                                    \
  __heddle_fn void __nv_sincos##SUFFIX(TYPE x, TYPE *s, TYPE *c) {                                                     \
    __heddle_sincos(x, s, c);                                                                                          \
  }                                                                                                                    \
  /* C leaves to each library what it is of a NaN. */                                                                  \
  __heddle_fn int __nv_ilogb##SUFFIX(TYPE x) {                                                                         \
    return x == x ? __heddle_clc_ilogb(x) : INT_MIN;                                                                   \
  }
__HEDDLE_BORDER1(exp)
__HEDDLE_BORDER1(exp2)
__HEDDLE_BORDER1(expm1)
__HEDDLE_BORDER1(atan)
__HEDDLE_BORDER1(erf)
__HEDDLE_BORDER1(erfc)
__HEDDLE_BORDER1(sinpi)
__HEDDLE_BORDER1(cospi)
__HEDDLE_BORDER1(lgamma)
__HEDDLE_BORDER1(sin)
__HEDDLE_BORDER1(cos)
__HEDDLE_BORDER1(tan)
__HEDDLE_BORDER1(tgamma)
__HEDDLE_BORDERS2(float, f)
__HEDDLE_BORDERS2(double, )

#endif
