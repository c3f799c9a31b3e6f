/* SPDX-License-Identifier: Apache-2.0
 * Declarations for CUDA C programs: the usual names over clang's builtins, libclc and PTX. `heddle cc` includes it
 * by itself, and so does heddle-nvcc in both of its passes: for the host, functions of the device are read alone. */
#ifndef HEDDLE_CUDA_H
#define HEDDLE_CUDA_H

#define __CUDACC__ 1
#ifndef __HEDDLE__
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 11
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#endif

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
/* In global memory: there are no generic addresses of constant banks, and hosts find it by its name. */
#define __constant__ __attribute__((device))
#if defined(__HEDDLE__) || defined(__CUDA_ARCH__)
#define __managed__ __attribute__((device))
#else /* the host's twin: include/cuda_managed.h */
#define __managed__ __attribute__((device, section("heddle_managed")))
#endif
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
#define __forceinline__ __inline__ __attribute__((always_inline))
#if __clang_major__ < 15 && defined(__HEDDLE__) /* since then a keyword; as a macro it is in the way of <memory> */
#define __noinline__ __attribute__((noinline))
#endif
#define __align__(n) __attribute__((aligned(n)))
/* nodebug: what is inlined is of the line that calls it. */
#define __heddle_fn static __device__ __attribute__((always_inline, unused, nodebug))

/* Before <cmath>: what it would make of host and device has then a function of the device. */
#include <__clang_cuda_math_forward_declares.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

#include <__clang_cuda_builtin_vars.h>
#include "cuda_vectors.h"

extern "C" __device__ int printf(const char *, ...);
extern "C" __device__ int vprintf(const char *, const char *);

/* The C library's functions that nvcc has for kernels. */
#define __HEDDLE_MEMORY(NAME, TYPE)                                                                                    \
  __heddle_fn void *NAME(void *to, TYPE from, size_t bytes) {                                                          \
    return __builtin_##NAME(to, from, bytes);                                                                          \
  }                                                                                                                    \
  namespace std {                                                                                                      \
  using ::NAME;                                                                                                        \
  }
__HEDDLE_MEMORY(memcpy, const void *)
__HEDDLE_MEMORY(memmove, const void *)
__HEDDLE_MEMORY(memset, int)

/* The heap of kernels: the PTX compiler has the bodies, too. */
extern "C" {
__device__ void *malloc(size_t bytes);
__device__ void free(void *block);
}
#include <new>

/* assert of <assert.h>: as nvcc calls it; the PTX compiler has the body (compiler/library). */
extern "C" {
__device__ void __assertfail(const char *what, const char *file, unsigned line, const char *function, size_t bytes);
static inline __device__ __attribute__((unused)) void __assert_fail(const char *what, const char *file, unsigned line,
                                                                    const char *function) {
  __assertfail(what, file, line, function, 1);
}
}

/* ---- barriers and fences: clang 14 moves loads of static shared variables over its builtin, but over none of these
 * ---- */

__heddle_fn void __heddle_syncthreads() {
  __asm__ volatile("bar.sync 0;" ::: "memory");
}
#define __syncthreads() __heddle_syncthreads()
__heddle_fn int __syncthreads_count(int p) {
  int n;
  __asm__ volatile("{ .reg .pred q; setp.ne.s32 q, %1, 0; bar.red.popc.u32 %0, 0, q; }" : "=r"(n) : "r"(p) : "memory");
  return n;
}
__heddle_fn int __syncthreads_and(int p) {
  int n;
  __asm__ volatile("{ .reg .pred q; setp.ne.s32 q, %1, 0; bar.red.and.pred q, 0, q; selp.s32 %0, 1, 0, q; }"
                   : "=r"(n)
                   : "r"(p)
                   : "memory");
  return n;
}
__heddle_fn int __syncthreads_or(int p) {
  int n;
  __asm__ volatile("{ .reg .pred q; setp.ne.s32 q, %1, 0; bar.red.or.pred q, 0, q; selp.s32 %0, 1, 0, q; }"
                   : "=r"(n)
                   : "r"(p)
                   : "memory");
  return n;
}
__heddle_fn void __threadfence_block() {
  __asm__ volatile("membar.cta;" ::: "memory");
}
__heddle_fn void __threadfence() {
  __asm__ volatile("membar.gl;" ::: "memory");
}
__heddle_fn void __threadfence_system() {
  __asm__ volatile("membar.sys;" ::: "memory");
}
__heddle_fn void __nanosleep(unsigned ns) {
  __asm__ volatile("nanosleep.u32 %0;" ::"r"(ns));
}
__heddle_fn void __trap() {
  __asm__ volatile("trap;");
}
__heddle_fn void __brkpt() {
  __asm__ volatile("brkpt;");
}
__heddle_fn long long clock64() {
  long long t;
  __asm__ volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory");
  return t;
}
__heddle_fn int clock() {
  int t;
  __asm__ volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
  return t;
}

#include "cuda_warp.h"
#include "cuda_atomic.h"
#include "cuda_bits.h"
#include "cuda_simd.h"
#include "cuda_fast.h"
#include "cuda_math.h"

#endif
