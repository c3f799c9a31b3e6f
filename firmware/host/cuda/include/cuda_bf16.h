/* SPDX-License-Identifier: Apache-2.0
 * bfloat16: the upper half of a float, of host and device. */
#ifndef HEDDLE_CUDA_BF16_H
#define HEDDLE_CUDA_BF16_H

#include "cuda_halves_math.h"

__HEDDLE_MAKE unsigned short __heddle_bf16_of_float(float v) {
#ifdef __CUDA_ARCH__
  unsigned short r;
  __asm__("cvt.rn.bf16.f32 %0, %1;" : "=h"(r) : "f"(v));
  return r;
#else
  return __heddle_narrow(v, 7);
#endif
}
__HEDDLE_MAKE unsigned short __heddle_bf16_of_double(double v) {
#ifdef __CUDA_ARCH__
  unsigned short r;
  __asm__("cvt.rn.bf16.f64 %0, %1;" : "=h"(r) : "d"(v));
  return v != v ? 0x7fff : r;
#else
  return __heddle_narrow(v, 7);
#endif
}
__HEDDLE_MAKE float __heddle_bf16_float(unsigned short v) {
  const unsigned bits = (unsigned)v << 16;
  float r;
  __builtin_memcpy(&r, &bits, sizeof r);
  return r;
}

__HEDDLE_HALF_TYPE(__nv_bfloat16, __nv_bfloat162, __heddle_bf16_of_float, __heddle_bf16_of_double, __heddle_bf16_float)
__HEDDLE_HALVES(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162, "bf16")
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#endif
