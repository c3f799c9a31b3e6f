/* SPDX-License-Identifier: Apache-2.0
 * Vectors of CUDA C, as aligned as there, and how they are made; of host and device. */
#ifndef HEDDLE_CUDA_VECTORS_H
#define HEDDLE_CUDA_VECTORS_H

/* A C++ file without kernels has neither side, and its compiler may be any. */
#ifdef __CUDA__
#define __HEDDLE_BOTH __host__ __device__
#define __HEDDLE_MAKE static inline __HEDDLE_BOTH __attribute__((always_inline, unused, nodebug))
#else
#define __HEDDLE_BOTH
#define __HEDDLE_MAKE static inline __attribute__((unused))
#endif

#define __HEDDLE_VECTORS(NAME, TYPE, A2, A4)                                                                           \
  struct NAME##1 {                                                                                                     \
    TYPE x;                                                                                                            \
  };                                                                                                                   \
  struct __attribute__((aligned(A2))) NAME##2 {                                                                        \
    TYPE x, y;                                                                                                         \
  };                                                                                                                   \
  struct NAME##3 {                                                                                                     \
    TYPE x, y, z;                                                                                                      \
  };                                                                                                                   \
  struct __attribute__((aligned(A4))) NAME##4 {                                                                        \
    TYPE x, y, z, w;                                                                                                   \
  };                                                                                                                   \
  __HEDDLE_MAKE NAME##1 make_##NAME##1(TYPE x) {                                                                       \
    return {x};                                                                                                        \
  }                                                                                                                    \
  __HEDDLE_MAKE NAME##2 make_##NAME##2(TYPE x, TYPE y) {                                                               \
    return {x, y};                                                                                                     \
  }                                                                                                                    \
  __HEDDLE_MAKE NAME##3 make_##NAME##3(TYPE x, TYPE y, TYPE z) {                                                       \
    return {x, y, z};                                                                                                  \
  }                                                                                                                    \
  __HEDDLE_MAKE NAME##4 make_##NAME##4(TYPE x, TYPE y, TYPE z, TYPE w) {                                               \
    return {x, y, z, w};                                                                                               \
  }
__HEDDLE_VECTORS(char, signed char, 2, 4)
__HEDDLE_VECTORS(uchar, unsigned char, 2, 4)
__HEDDLE_VECTORS(short, short, 4, 8)
__HEDDLE_VECTORS(ushort, unsigned short, 4, 8)
__HEDDLE_VECTORS(int, int, 8, 16)
__HEDDLE_VECTORS(uint, unsigned, 8, 16)
__HEDDLE_VECTORS(long, long, 16, 16)
__HEDDLE_VECTORS(ulong, unsigned long, 16, 16)
__HEDDLE_VECTORS(longlong, long long, 16, 16)
__HEDDLE_VECTORS(ulonglong, unsigned long long, 16, 16)
__HEDDLE_VECTORS(float, float, 8, 16)
__HEDDLE_VECTORS(double, double, 16, 16)

struct dim3 {
  unsigned x, y, z;
  __HEDDLE_BOTH constexpr dim3(unsigned nx = 1, unsigned ny = 1, unsigned nz = 1) : x(nx), y(ny), z(nz) {}
  __HEDDLE_BOTH constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __HEDDLE_BOTH operator uint3() const { return {x, y, z}; }
};

#ifdef __CUDA__
/* Conversions of clang's built-in variables. */
#define __HEDDLE_BUILTIN(NAME)                                                                                         \
  __device__ inline __cuda_builtin_##NAME##_t::operator dim3() const {                                                 \
    return dim3(x, y, z);                                                                                              \
  }                                                                                                                    \
  __device__ inline __cuda_builtin_##NAME##_t::operator uint3() const {                                                \
    return {x, y, z};                                                                                                  \
  }
__HEDDLE_BUILTIN(threadIdx)
__HEDDLE_BUILTIN(blockIdx)
__HEDDLE_BUILTIN(blockDim)
__HEDDLE_BUILTIN(gridDim)
#endif

#endif
