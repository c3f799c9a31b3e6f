/* SPDX-License-Identifier: Apache-2.0
 * Complex numbers in C's style: float2 and double2 by other names, of host and device. */
#ifndef HEDDLE_CUCOMPLEX_H
#define HEDDLE_CUCOMPLEX_H

#include <math.h>

#include "cuda_vectors.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* Quotients and absolute values are scaled, so that only a result that is too large overflows. */
#define __HEDDLE_COMPLEX(C, T, S, MAKE, FABS, SQRT)                                                                    \
  __HEDDLE_MAKE C make_##MAKE(T re, T im) {                                                                            \
    return {re, im};                                                                                                   \
  }                                                                                                                    \
  __HEDDLE_MAKE T cuCreal##S(C a) {                                                                                    \
    return a.x;                                                                                                        \
  }                                                                                                                    \
  __HEDDLE_MAKE T cuCimag##S(C a) {                                                                                    \
    return a.y;                                                                                                        \
  }                                                                                                                    \
  __HEDDLE_MAKE C cuConj##S(C a) {                                                                                     \
    return {a.x, -a.y};                                                                                                \
  }                                                                                                                    \
  __HEDDLE_MAKE C cuCadd##S(C a, C b) {                                                                                \
    return {a.x + b.x, a.y + b.y};                                                                                     \
  }                                                                                                                    \
  __HEDDLE_MAKE C cuCsub##S(C a, C b) {                                                                                \
    return {a.x - b.x, a.y - b.y};                                                                                     \
  }                                                                                                                    \
  __HEDDLE_MAKE C cuCmul##S(C a, C b) {                                                                                \
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                                             \
  }                                                                                                                    \
  __HEDDLE_MAKE C cuCfma##S(C a, C b, C c) {                                                                           \
    return cuCadd##S(cuCmul##S(a, b), c);                                                                              \
  }                                                                                                                    \
  __HEDDLE_MAKE C cuCdiv##S(C a, C b) {                                                                                \
    const T scale = 1 / (FABS(b.x) + FABS(b.y));                                                                       \
    const T ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale, over = 1 / (bx * bx + by * by);    \
    return {(ax * bx + ay * by) * over, (ay * bx - ax * by) * over};                                                   \
  }                                                                                                                    \
  __HEDDLE_MAKE T cuCabs##S(C a) {                                                                                     \
    const T x = FABS(a.x), y = FABS(a.y), most = x > y ? x : y, least = x > y ? y : x, part = least / most;            \
    return most == 0 || part != part ? most + least : most * SQRT(1 + part * part);                                    \
  }
__HEDDLE_COMPLEX(cuFloatComplex, float, f, cuFloatComplex, fabsf, sqrtf)
__HEDDLE_COMPLEX(cuDoubleComplex, double, , cuDoubleComplex, fabs, sqrt)

__HEDDLE_MAKE cuComplex make_cuComplex(float re, float im) {
  return {re, im};
}
__HEDDLE_MAKE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) {
  return {a.x, a.y};
}
__HEDDLE_MAKE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return {(float)a.x, (float)a.y};
}

#endif
