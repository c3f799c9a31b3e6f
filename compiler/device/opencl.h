/* SPDX-License-Identifier: Apache-2.0
 * Declarations for OpenCL C programs beside clang's opencl-c.h and libclc: functions that libclc lacks for this
 * machine, or has in a form that the back end cannot take. `heddle cc` includes it by itself. */
#ifndef HEDDLE_OPENCL_H
#define HEDDLE_OPENCL_H

#pragma OPENCL EXTENSION cl_clang_storage_class_specifiers : enable
/* A copy in every place where it is called, and no other; nodebug: it is of the line that calls it. (OpenCL C 1.1 has
 * no static functions.) */
#define __heddle_fn extern inline __attribute__((overloadable, always_inline, gnu_inline, nodebug))

/* ---- where a work item is ---- */

/* A launch does not say how many dimensions it was given: the last one in which there is more than one work item. */
__heddle_fn uint __heddle_get_work_dim(void) {
  return get_global_size(2) > 1 ? 3 : get_global_size(1) > 1 ? 2 : 1;
}
#ifdef __HEDDLE_OPENCL__ /* libheddle-opencl: the launch does say, in %envreg0 to 3 */
#define __HEDDLE_ENVIRONMENT(I)                                                                                        \
  __heddle_fn uint __heddle_environment##I(void) {                                                                     \
    uint word;                                                                                                         \
    __asm__("mov.u32 %0, %%envreg" #I ";" : "=r"(word));                                                               \
    return word;                                                                                                       \
  }
__HEDDLE_ENVIRONMENT(0)
__HEDDLE_ENVIRONMENT(1)
__HEDDLE_ENVIRONMENT(2)
__HEDDLE_ENVIRONMENT(3)
__heddle_fn size_t __heddle_get_global_offset(uint dim) {
  return dim == 0   ? __heddle_environment1()
         : dim == 1 ? __heddle_environment2()
         : dim == 2 ? __heddle_environment3()
                    : 0;
}
__heddle_fn size_t __heddle_get_global_id(uint dim) {
  return get_global_id(dim) + __heddle_get_global_offset(dim);
}
#define get_work_dim() __heddle_environment0()
#define get_global_offset(dim) __heddle_get_global_offset(dim)
#define get_global_id(dim) __heddle_get_global_id(dim)
#undef __opencl_c_images
#undef __IMAGE_SUPPORT__
#else
#define get_work_dim() __heddle_get_work_dim()
#define get_global_offset(dim) ((void)(dim), (size_t)0)
#endif

/* Value of a dimension that is none. */
#define __HEDDLE_SIZE(NAME)                                                                                            \
  __heddle_fn size_t __heddle_##NAME(uint dim) {                                                                       \
    return dim < 3 ? NAME(dim) : 1;                                                                                    \
  }
__HEDDLE_SIZE(get_global_size)
__HEDDLE_SIZE(get_local_size)
__HEDDLE_SIZE(get_num_groups)
#define get_global_size(dim) __heddle_get_global_size(dim)
#define get_local_size(dim) __heddle_get_local_size(dim)
#define get_num_groups(dim) __heddle_get_num_groups(dim)

/* ---- barriers: clang 14 moves loads of static local memory over libclc's, but nothing over this ---- */

__heddle_fn __attribute__((convergent)) void __heddle_barrier(void) {
  __asm__ volatile("bar.sync 0;" ::: "memory");
}
#define barrier(flags) ((void)(flags), __heddle_barrier())
#define work_group_barrier(...) __heddle_barrier()

/* ---- OpenCL C 2.0 and 3.0 ---- */

#if __OPENCL_C_VERSION__ >= 200
#define get_enqueued_local_size(dim) get_local_size(dim)
__heddle_fn size_t __heddle_local_linear_id(void) {
  return get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
}
__heddle_fn size_t __heddle_place(uint dim) {
  return get_global_id(dim) - get_global_offset(dim);
}
__heddle_fn size_t __heddle_global_linear_id(void) {
  return __heddle_place(0) + get_global_size(0) * (__heddle_place(1) + get_global_size(1) * __heddle_place(2));
}
#define get_local_linear_id() __heddle_local_linear_id()
#define get_global_linear_id() __heddle_global_linear_id()

#define __HEDDLE_CTZ(TYPE)                                                                                             \
  __heddle_fn TYPE __heddle_ctz(TYPE x) {                                                                              \
    return popcount((TYPE)(~x & (x - (TYPE)1)));                                                                       \
  }
#define __HEDDLE_CTZS(TYPE)                                                                                            \
  __HEDDLE_CTZ(TYPE)                                                                                                   \
  __HEDDLE_CTZ(TYPE##2)                                                                                                \
  __HEDDLE_CTZ(TYPE##3) __HEDDLE_CTZ(TYPE##4) __HEDDLE_CTZ(TYPE##8) __HEDDLE_CTZ(TYPE##16)
__HEDDLE_CTZS(char)
__HEDDLE_CTZS(uchar)
__HEDDLE_CTZS(short)
__HEDDLE_CTZS(ushort)
__HEDDLE_CTZS(int)
__HEDDLE_CTZS(uint)
__HEDDLE_CTZS(long)
__HEDDLE_CTZS(ulong)
#define ctz(x) __heddle_ctz(x)
#include "opencl_atomic.h"
/* opencl-c.h wants images in 3.0, and says in 2.0 that everything is there. */
#undef __opencl_c_images
#undef __opencl_c_read_write_images
#undef __opencl_c_pipes
#undef __opencl_c_device_enqueue
#undef __opencl_c_work_group_collective_functions
#undef __opencl_c_atomic_scope_all_devices
#undef __IMAGE_SUPPORT__
#endif

/* A function of x for vectors of numbers, or for one number, too. */
#define __HEDDLE_VECTORS(TYPE, NAME)                                                                                   \
  __heddle_fn TYPE##2 __heddle_##NAME(TYPE##2 v) {                                                                     \
    return (TYPE##2)(__heddle_##NAME(v.x), __heddle_##NAME(v.y));                                                      \
  }                                                                                                                    \
  __heddle_fn TYPE##3 __heddle_##NAME(TYPE##3 v) {                                                                     \
    return (TYPE##3)(__heddle_##NAME(v.xy), __heddle_##NAME(v.z));                                                     \
  }                                                                                                                    \
  __heddle_fn TYPE##4 __heddle_##NAME(TYPE##4 v) {                                                                     \
    return (TYPE##4)(__heddle_##NAME(v.lo), __heddle_##NAME(v.hi));                                                    \
  }                                                                                                                    \
  __heddle_fn TYPE##8 __heddle_##NAME(TYPE##8 v) {                                                                     \
    return (TYPE##8)(__heddle_##NAME(v.lo), __heddle_##NAME(v.hi));                                                    \
  }                                                                                                                    \
  __heddle_fn TYPE##16 __heddle_##NAME(TYPE##16 v) {                                                                   \
    return (TYPE##16)(__heddle_##NAME(v.lo), __heddle_##NAME(v.hi));                                                   \
  }
#define __HEDDLE_EACH(TYPE, NAME, EXPRESSION)                                                                          \
  __heddle_fn TYPE __heddle_##NAME(TYPE x) {                                                                           \
    return EXPRESSION;                                                                                                 \
  }                                                                                                                    \
  __HEDDLE_VECTORS(TYPE, NAME)
#include "opencl_math.h"

/* ---- native functions: the special function unit, as it is ---- */

__HEDDLE_EACH(float, native_sin, __nvvm_sin_approx_f(x))
__HEDDLE_EACH(float, native_cos, __nvvm_cos_approx_f(x))
__HEDDLE_EACH(float, native_tan, __nvvm_sin_approx_f(x) / __nvvm_cos_approx_f(x))
__HEDDLE_EACH(float, native_exp2, __nvvm_ex2_approx_f(x))
__HEDDLE_EACH(float, native_exp, __nvvm_ex2_approx_f(x * 1.44269504f))
__HEDDLE_EACH(float, native_exp10, __nvvm_ex2_approx_f(x * 3.32192809f))
__HEDDLE_EACH(float, native_log2, __nvvm_lg2_approx_f(x))
__HEDDLE_EACH(float, native_log, __nvvm_lg2_approx_f(x) * 0.693147182f)
__HEDDLE_EACH(float, native_log10, __nvvm_lg2_approx_f(x) * 0.301029987f)
#define native_powr(x, y) __heddle_native_exp2((y)*__heddle_native_log2(x))
#define native_sin(x) __heddle_native_sin(x)
#define native_cos(x) __heddle_native_cos(x)
#define native_tan(x) __heddle_native_tan(x)
#define native_exp2(x) __heddle_native_exp2(x)
#define native_exp(x) __heddle_native_exp(x)
#define native_exp10(x) __heddle_native_exp10(x)
#define native_log2(x) __heddle_native_log2(x)
#define native_log(x) __heddle_native_log(x)
#define native_log10(x) __heddle_native_log10(x)

/* ---- arithmetic ---- */

#define mad_hi(a, b, c) (mul_hi(a, b) + (c))

/* libclc's subtracts signed numbers, as if that could not overflow. */
#define __HEDDLE_ABS_DIFF(TYPE, N)                                                                                     \
  __heddle_fn u##TYPE##N abs_diff(TYPE##N x, TYPE##N y) {                                                              \
    const u##TYPE##N a = as_u##TYPE##N(x), b = as_u##TYPE##N(y);                                                       \
    return x > y ? a - b : b - a;                                                                                      \
  }
#define __HEDDLE_ABS_DIFFS(N) __HEDDLE_ABS_DIFF(int, N) __HEDDLE_ABS_DIFF(long, N)
__HEDDLE_ABS_DIFFS()
__HEDDLE_ABS_DIFFS(2)
__HEDDLE_ABS_DIFFS(3)
__HEDDLE_ABS_DIFFS(4)
__HEDDLE_ABS_DIFFS(8)
__HEDDLE_ABS_DIFFS(16)

#ifdef cl_khr_fp64
#define __HEDDLE_SMOOTHSTEP(N)                                                                                         \
  __heddle_fn double##N smoothstep(double from, double to, double##N x) {                                              \
    return smoothstep((double##N)from, (double##N)to, x);                                                              \
  }
__HEDDLE_SMOOTHSTEP(2)
__HEDDLE_SMOOTHSTEP(3)
__HEDDLE_SMOOTHSTEP(4)
__HEDDLE_SMOOTHSTEP(8)
__HEDDLE_SMOOTHSTEP(16)
#endif

/* ---- copies of vectors of three, which are in memory as vectors of four ---- */

#define __HEDDLE_THREE(TYPE)                                                                                           \
  __heddle_fn event_t async_work_group_copy(local TYPE##3 * to, const global TYPE##3 * from, size_t n, event_t e) {    \
    return async_work_group_copy((local TYPE##4 *)to, (const global TYPE##4 *)from, n, e);                             \
  }                                                                                                                    \
  __heddle_fn event_t async_work_group_copy(global TYPE##3 * to, const local TYPE##3 * from, size_t n, event_t e) {    \
    return async_work_group_copy((global TYPE##4 *)to, (const local TYPE##4 *)from, n, e);                             \
  }                                                                                                                    \
  __heddle_fn event_t async_work_group_strided_copy(local TYPE##3 * to, const global TYPE##3 * from, size_t n,         \
                                                    size_t stride, event_t e) {                                        \
    return async_work_group_strided_copy((local TYPE##4 *)to, (const global TYPE##4 *)from, n, stride, e);             \
  }                                                                                                                    \
  __heddle_fn event_t async_work_group_strided_copy(global TYPE##3 * to, const local TYPE##3 * from, size_t n,         \
                                                    size_t stride, event_t e) {                                        \
    return async_work_group_strided_copy((global TYPE##4 *)to, (const local TYPE##4 *)from, n, stride, e);             \
  }                                                                                                                    \
  __heddle_fn void prefetch(const global TYPE##3 * from, size_t n) {}
__HEDDLE_THREE(char)
__HEDDLE_THREE(uchar)
__HEDDLE_THREE(short)
__HEDDLE_THREE(ushort)
__HEDDLE_THREE(int)
__HEDDLE_THREE(uint)
__HEDDLE_THREE(long)
__HEDDLE_THREE(ulong)
__HEDDLE_THREE(float)
#ifdef cl_khr_fp64
__HEDDLE_THREE(double)
#endif

/* ---- atomic operations of 64 bits ---- */

#define __HEDDLE_ATOM2(NAME, SPACE, WHERE, TYPE, HOW)                                                                  \
  __heddle_fn TYPE NAME(volatile SPACE TYPE *at, TYPE v) {                                                             \
    TYPE r;                                                                                                            \
    __asm__ volatile("atom." WHERE HOW " %0, [%1], %2;" : "=l"(r) : "l"(at), "l"(v) : "memory");                       \
    return r;                                                                                                          \
  }
#define __HEDDLE_ATOMS(SPACE, WHERE, TYPE, SIGN)                                                                       \
  __HEDDLE_ATOM2(atom_add, SPACE, WHERE, TYPE, ".add.u64")                                                             \
  __HEDDLE_ATOM2(atom_xchg, SPACE, WHERE, TYPE, ".exch.b64")                                                           \
  __HEDDLE_ATOM2(atom_min, SPACE, WHERE, TYPE, ".min." SIGN)                                                           \
  __HEDDLE_ATOM2(atom_max, SPACE, WHERE, TYPE, ".max." SIGN)                                                           \
  __HEDDLE_ATOM2(atom_and, SPACE, WHERE, TYPE, ".and.b64")                                                             \
  __HEDDLE_ATOM2(atom_or, SPACE, WHERE, TYPE, ".or.b64")                                                               \
  __HEDDLE_ATOM2(atom_xor, SPACE, WHERE, TYPE, ".xor.b64")                                                             \
  __heddle_fn TYPE atom_sub(volatile SPACE TYPE *at, TYPE v) {                                                         \
    return atom_add(at, (TYPE)(0 - v));                                                                                \
  }                                                                                                                    \
  __heddle_fn TYPE atom_inc(volatile SPACE TYPE *at) {                                                                 \
    return atom_add(at, (TYPE)1);                                                                                      \
  }                                                                                                                    \
  __heddle_fn TYPE atom_dec(volatile SPACE TYPE *at) {                                                                 \
    return atom_add(at, (TYPE)-1);                                                                                     \
  }                                                                                                                    \
  __heddle_fn TYPE atom_cmpxchg(volatile SPACE TYPE *at, TYPE compare, TYPE v) {                                       \
    TYPE r;                                                                                                            \
    __asm__ volatile("atom." WHERE ".cas.b64 %0, [%1], %2, %3;" : "=l"(r) : "l"(at), "l"(compare), "l"(v) : "memory"); \
    return r;                                                                                                          \
  }
__HEDDLE_ATOMS(global, "global", long, "s64")
__HEDDLE_ATOMS(global, "global", ulong, "u64")
__HEDDLE_ATOMS(local, "shared", long, "s64")
__HEDDLE_ATOMS(local, "shared", ulong, "u64")

/* ---- halves: libclc has none of their functions for this machine; those of floats, rounded ---- */

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define __HEDDLE_HALF_EACH(MACRO, ...)                                                                                 \
  MACRO(2, __VA_ARGS__) MACRO(3, __VA_ARGS__) MACRO(4, __VA_ARGS__) MACRO(8, __VA_ARGS__) MACRO(16, __VA_ARGS__)
#define __HEDDLE_WIDE(N, x) __builtin_convertvector(x, float##N)
#define __HEDDLE_HALF1_OF(N, NAME)                                                                                     \
  __heddle_fn half##N NAME(half##N x) {                                                                                \
    return __builtin_convertvector(NAME(__HEDDLE_WIDE(N, x)), half##N);                                                \
  }
#define __HEDDLE_HALF2_OF(N, NAME)                                                                                     \
  __heddle_fn half##N NAME(half##N x, half##N y) {                                                                     \
    return __builtin_convertvector(NAME(__HEDDLE_WIDE(N, x), __HEDDLE_WIDE(N, y)), half##N);                           \
  }
#define __HEDDLE_HALF3_OF(N, NAME)                                                                                     \
  __heddle_fn half##N NAME(half##N x, half##N y, half##N z) {                                                          \
    return __builtin_convertvector(NAME(__HEDDLE_WIDE(N, x), __HEDDLE_WIDE(N, y), __HEDDLE_WIDE(N, z)), half##N);      \
  }
#define __HEDDLE_HALF_BY(N, NAME)                                                                                      \
  __heddle_fn half##N NAME(half##N x, half y) {                                                                        \
    return NAME(x, (half##N)y);                                                                                        \
  }
#define __HEDDLE_HALF1(NAME)                                                                                           \
  __heddle_fn half NAME(half x) {                                                                                      \
    return (half)NAME((float)x);                                                                                       \
  }                                                                                                                    \
  __HEDDLE_HALF_EACH(__HEDDLE_HALF1_OF, NAME)
#define __HEDDLE_HALF2(NAME)                                                                                           \
  __heddle_fn half NAME(half x, half y) {                                                                              \
    return (half)NAME((float)x, (float)y);                                                                             \
  }                                                                                                                    \
  __HEDDLE_HALF_EACH(__HEDDLE_HALF2_OF, NAME)
#define __HEDDLE_HALF3(NAME)                                                                                           \
  __heddle_fn half NAME(half x, half y, half z) {                                                                      \
    return (half)NAME((float)x, (float)y, (float)z);                                                                   \
  }                                                                                                                    \
  __HEDDLE_HALF_EACH(__HEDDLE_HALF3_OF, NAME)
__HEDDLE_HALF1(fabs)
__HEDDLE_HALF1(floor)
__HEDDLE_HALF1(ceil)
__HEDDLE_HALF1(trunc)
__HEDDLE_HALF1(round)
__HEDDLE_HALF1(rint)
__HEDDLE_HALF1(sqrt)
__HEDDLE_HALF1(rsqrt)
__HEDDLE_HALF1(exp)
__HEDDLE_HALF1(exp2)
__HEDDLE_HALF1(log)
__HEDDLE_HALF1(log2)
__HEDDLE_HALF1(sin)
__HEDDLE_HALF1(cos)
__HEDDLE_HALF1(tan)
__HEDDLE_HALF2(fmin)
__HEDDLE_HALF2(fmax)
__HEDDLE_HALF2(min)
__HEDDLE_HALF2(max)
__HEDDLE_HALF2(pow)
__HEDDLE_HALF_EACH(__HEDDLE_HALF_BY, fmin)
__HEDDLE_HALF_EACH(__HEDDLE_HALF_BY, fmax)
__HEDDLE_HALF_EACH(__HEDDLE_HALF_BY, min)
__HEDDLE_HALF_EACH(__HEDDLE_HALF_BY, max)
__HEDDLE_HALF3(clamp)
__HEDDLE_HALF3(mad)
__HEDDLE_HALF3(mix)

#define __HEDDLE_HALVES(N, SPACE)                                                                                      \
  __heddle_fn half##N vload##N(size_t at, const SPACE half *p) {                                                       \
    return as_half##N(vload##N(at, (const SPACE ushort *)p));                                                          \
  }
#define __HEDDLE_HALVES_TO(N, SPACE)                                                                                   \
  __heddle_fn void vstore##N(half##N v, size_t at, SPACE half *p) {                                                    \
    vstore##N(as_ushort##N(v), at, (SPACE ushort *)p);                                                                 \
  }
#define __HEDDLE_SHUFFLES(N, M)                                                                                        \
  __heddle_fn half##N shuffle(half##M v, ushort##N mask) {                                                             \
    return as_half##N(shuffle(as_ushort##M(v), mask));                                                                 \
  }                                                                                                                    \
  __heddle_fn half##N shuffle2(half##M v, half##M w, ushort##N mask) {                                                 \
    return as_half##N(shuffle2(as_ushort##M(v), as_ushort##M(w), mask));                                               \
  }
#define __HEDDLE_HALF_VECTOR(N)                                                                                        \
  __HEDDLE_HALVES(N, global)                                                                                           \
  __HEDDLE_HALVES(N, local)                                                                                            \
  __HEDDLE_HALVES(N, constant)                                                                                         \
  __HEDDLE_HALVES(N, private) __HEDDLE_HALVES_TO(N, global) __HEDDLE_HALVES_TO(N, local) __HEDDLE_HALVES_TO(N, private)
__HEDDLE_HALF_VECTOR(2)
__HEDDLE_HALF_VECTOR(3)
__HEDDLE_HALF_VECTOR(4)
__HEDDLE_HALF_VECTOR(8)
__HEDDLE_HALF_VECTOR(16)
#define __HEDDLE_SHUFFLED(N)                                                                                           \
  __HEDDLE_SHUFFLES(N, 2) __HEDDLE_SHUFFLES(N, 4) __HEDDLE_SHUFFLES(N, 8) __HEDDLE_SHUFFLES(N, 16)
__HEDDLE_SHUFFLED(2)
__HEDDLE_SHUFFLED(4)
__HEDDLE_SHUFFLED(8)
__HEDDLE_SHUFFLED(16)
#pragma OPENCL EXTENSION cl_khr_fp16 : disable

/* ---- clang 19 reads 16 bytes at once, wherever they begin ---- */

#if __clang_major__ > 14
#define __HEDDLE_SPLIT(TYPE, SPACE)                                                                                    \
  __heddle_fn TYPE##16 __heddle_vload16(size_t at, const SPACE TYPE *p) {                                              \
    return (TYPE##16)(vload8(2 * at, p), vload8(2 * at + 1, p));                                                       \
  }
#define __HEDDLE_SPLITS(TYPE)                                                                                          \
  __HEDDLE_SPLIT(TYPE, global) __HEDDLE_SPLIT(TYPE, local) __HEDDLE_SPLIT(TYPE, constant) __HEDDLE_SPLIT(TYPE, private)
__HEDDLE_SPLITS(char)
__HEDDLE_SPLITS(uchar)
__HEDDLE_SPLITS(short)
__HEDDLE_SPLITS(ushort)
__HEDDLE_SPLITS(int)
__HEDDLE_SPLITS(uint)
__HEDDLE_SPLITS(long)
__HEDDLE_SPLITS(ulong)
__HEDDLE_SPLITS(float)
#ifdef cl_khr_fp64
__HEDDLE_SPLITS(double)
#endif
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__HEDDLE_SPLITS(half)
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#define vload16(at, p) __heddle_vload16(at, p)
#endif
#pragma OPENCL EXTENSION cl_clang_storage_class_specifiers : disable

#endif
