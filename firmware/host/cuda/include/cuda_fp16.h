/* SPDX-License-Identifier: Apache-2.0
 * Half precision: IEEE-754's binary16, of host and device. */
#ifndef HEDDLE_CUDA_FP16_H
#define HEDDLE_CUDA_FP16_H

#include "cuda_halves_math.h"

__HEDDLE_MAKE unsigned short __heddle_half_of_float(float v) {
#ifdef __CUDA_ARCH__
  unsigned short r;
  __asm__("cvt.rn.f16.f32 %0, %1;" : "=h"(r) : "f"(v));
  return r;
#else
  return __heddle_narrow(v, 10);
#endif
}
__HEDDLE_MAKE unsigned short __heddle_half_of_double(double v) {
#ifdef __CUDA_ARCH__
  unsigned short r;
  __asm__("cvt.rn.f16.f64 %0, %1;" : "=h"(r) : "d"(v));
  return r;
#else
  return __heddle_narrow(v, 10);
#endif
}
__HEDDLE_MAKE float __heddle_half_float(unsigned short v) {
#ifdef __CUDA_ARCH__
  float r;
  __asm__("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(v));
  return r;
#else
  return (float)__heddle_widen(v, 10);
#endif
}

__HEDDLE_HALF_TYPE(__half, __half2, __heddle_half_of_float, __heddle_half_of_double, __heddle_half_float)
__HEDDLE_HALVES(__half, __half2, half, half2, "f16")
typedef __half half;
typedef __half2 half2;

#endif
