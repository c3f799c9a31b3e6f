/* SPDX-License-Identifier: Apache-2.0
 * Atomics of OpenCL C 2.0 and 3.0, for opencl.h. Each is a relaxed operation of PTX in the scope that the program
 * writes, with fences of that scope for the order: before a release, behind an acquire. Clang 14 has only calls for
 * its builtins here, and the back ends of both have no order. A sub-group's scope and a work item's are the block's. */
#ifndef HEDDLE_OPENCL_ATOMIC_H
#define HEDDLE_OPENCL_ATOMIC_H

/* One instruction, with the scope between the two parts of its text; operands follow. */
#define __HEDDLE_SCOPED(HEAD, TAIL, ...)                                                                               \
  if (scope == __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES)                                                                  \
    __asm__ volatile(HEAD ".sys" TAIL ";" __VA_ARGS__);                                                                \
  else if (scope == __OPENCL_MEMORY_SCOPE_DEVICE)                                                                      \
    __asm__ volatile(HEAD ".gpu" TAIL ";" __VA_ARGS__);                                                                \
  else                                                                                                                 \
    __asm__ volatile(HEAD ".cta" TAIL ";" __VA_ARGS__)

__heddle_fn void __heddle_fence(int order, int scope) {
  if (order == __ATOMIC_SEQ_CST) {
    __HEDDLE_SCOPED("fence.sc", "", ::: "memory");
  } else if (order != __ATOMIC_RELAXED) {
    __HEDDLE_SCOPED("fence.acq_rel", "", ::: "memory");
  }
}
__heddle_fn void __heddle_before(int order, int scope) {
  if (order >= __ATOMIC_RELEASE) __heddle_fence(order, scope);
}
__heddle_fn void __heddle_behind(int order, int scope) {
  if (order != __ATOMIC_RELEASE && order != __ATOMIC_RELAXED) __heddle_fence(__ATOMIC_ACQUIRE, scope);
}

#define __HEDDLE_RMW(NAME, HOW, SPACE, WHERE, TYPE, REG)                                                               \
  __heddle_fn TYPE __heddle_atomic_##NAME(volatile SPACE atomic_##TYPE *at, TYPE v, int order, int scope) {            \
    TYPE r;                                                                                                            \
    __heddle_before(order, scope);                                                                                     \
    __HEDDLE_SCOPED("atom.relaxed", WHERE HOW " %0, [%1], %2", : "=" REG(r) : "l"(at), REG(v) : "memory");             \
    __heddle_behind(order, scope);                                                                                     \
    return r;                                                                                                          \
  }
/* On an integer; BITS, SIGNED, UNSIGNED: names of its type for bits, for an order, for sums. */
#define __HEDDLE_OF_INTEGER(SPACE, WHERE, TYPE, BITS, SIGNED, UNSIGNED, REG)                                           \
  __HEDDLE_RMW(add, ".add." UNSIGNED, SPACE, WHERE, TYPE, REG)                                                         \
  __HEDDLE_RMW(and, ".and." BITS, SPACE, WHERE, TYPE, REG)                                                             \
  __HEDDLE_RMW(or, ".or." BITS, SPACE, WHERE, TYPE, REG)                                                               \
  __HEDDLE_RMW(xor, ".xor." BITS, SPACE, WHERE, TYPE, REG)                                                             \
  __HEDDLE_RMW(min, ".min." SIGNED, SPACE, WHERE, TYPE, REG)                                                           \
  __HEDDLE_RMW(max, ".max." SIGNED, SPACE, WHERE, TYPE, REG)                                                           \
  __HEDDLE_RMW(exchange, ".exch." BITS, SPACE, WHERE, TYPE, REG)                                                       \
  __heddle_fn TYPE __heddle_atomic_sub(volatile SPACE atomic_##TYPE *at, TYPE v, int order, int scope) {               \
    return __heddle_atomic_add(at, (TYPE)(0 - (ulong)v), order, scope);                                                \
  }                                                                                                                    \
  __heddle_fn TYPE __heddle_atomic_cas(volatile SPACE atomic_##TYPE *at, TYPE want, TYPE v, int order, int otherwise,  \
                                       int scope) {                                                                    \
    TYPE r;                                                                                                            \
    __heddle_before(order, scope);                                                                                     \
    __HEDDLE_SCOPED("atom.relaxed", WHERE ".cas." BITS " %0, [%1], %2, %3",                                            \
                    : "=" REG(r)                                                                                       \
                    : "l"(at), REG(want), REG(v)                                                                       \
                    : "memory");                                                                                       \
    __heddle_behind(r == want ? order : otherwise, scope);                                                             \
    return r;                                                                                                          \
  }                                                                                                                    \
  __heddle_fn TYPE __heddle_atomic_load(const volatile SPACE atomic_##TYPE *at, int order, int scope) {                \
    TYPE r;                                                                                                            \
    if (order == __ATOMIC_SEQ_CST) __heddle_fence(order, scope);                                                       \
    __HEDDLE_SCOPED("ld.relaxed", WHERE "." UNSIGNED " %0, [%1]", : "=" REG(r) : "l"(at) : "memory");                  \
    __heddle_behind(order, scope);                                                                                     \
    return r;                                                                                                          \
  }                                                                                                                    \
  __heddle_fn void __heddle_atomic_store(volatile SPACE atomic_##TYPE *at, TYPE v, int order, int scope) {             \
    __heddle_before(order, scope);                                                                                     \
    __HEDDLE_SCOPED("st.relaxed", WHERE "." UNSIGNED " [%0], %1", : : "l"(at), REG(v) : "memory");                     \
  }
/* On a number, by its bits: it is loaded, stored and exchanged. */
#define __HEDDLE_OF_NUMBER(SPACE, TYPE, BITS)                                                                          \
  __heddle_fn TYPE __heddle_atomic_exchange(volatile SPACE atomic_##TYPE *at, TYPE v, int order, int scope) {          \
    return as_##TYPE(__heddle_atomic_exchange((volatile SPACE atomic_##BITS *)at, as_##BITS(v), order, scope));        \
  }                                                                                                                    \
  __heddle_fn TYPE __heddle_atomic_cas(volatile SPACE atomic_##TYPE *at, TYPE want, TYPE v, int order, int otherwise,  \
                                       int scope) {                                                                    \
    return as_##TYPE(__heddle_atomic_cas((volatile SPACE atomic_##BITS *)at, as_##BITS(want), as_##BITS(v), order,     \
                                         otherwise, scope));                                                           \
  }                                                                                                                    \
  __heddle_fn TYPE __heddle_atomic_load(const volatile SPACE atomic_##TYPE *at, int order, int scope) {                \
    return as_##TYPE(__heddle_atomic_load((const volatile SPACE atomic_##BITS *)at, order, scope));                    \
  }                                                                                                                    \
  __heddle_fn void __heddle_atomic_store(volatile SPACE atomic_##TYPE *at, TYPE v, int order, int scope) {             \
    __heddle_atomic_store((volatile SPACE atomic_##BITS *)at, as_##BITS(v), order, scope);                             \
  }
#ifdef cl_khr_fp64
#define __HEDDLE_OF_DOUBLE(SPACE) __HEDDLE_OF_NUMBER(SPACE, double, ulong)
#else
#define __HEDDLE_OF_DOUBLE(SPACE)
#endif
#define __HEDDLE_ATOMICS_IN(SPACE, WHERE)                                                                              \
  __HEDDLE_OF_INTEGER(SPACE, WHERE, int, "b32", "s32", "u32", "r")                                                     \
  __HEDDLE_OF_INTEGER(SPACE, WHERE, uint, "b32", "u32", "u32", "r")                                                    \
  __HEDDLE_OF_INTEGER(SPACE, WHERE, long, "b64", "s64", "u64", "l")                                                    \
  __HEDDLE_OF_INTEGER(SPACE, WHERE, ulong, "b64", "u64", "u64", "l")                                                   \
  __HEDDLE_OF_NUMBER(SPACE, float, uint)                                                                               \
  __HEDDLE_OF_DOUBLE(SPACE)
__HEDDLE_ATOMICS_IN(global, ".global")
__HEDDLE_ATOMICS_IN(local, ".shared")
#if __OPENCL_C_VERSION__ == 200
__HEDDLE_ATOMICS_IN(generic, "")
#endif

/* Old and wanted value: bits, as the operation compares them. */
#define __HEDDLE_SAME(TYPE, BITS)                                                                                      \
  __heddle_fn bool __heddle_same(TYPE a, TYPE b) {                                                                     \
    return as_##BITS(a) == as_##BITS(b);                                                                               \
  }
__HEDDLE_SAME(int, uint)
__HEDDLE_SAME(uint, uint)
__HEDDLE_SAME(long, ulong)
__HEDDLE_SAME(ulong, ulong)
__HEDDLE_SAME(float, uint)
#ifdef cl_khr_fp64
__HEDDLE_SAME(double, ulong)
#endif

/* ---- by the names that programs have: order, and scope unless it is the device's */

#define __HEDDLE_SC __ATOMIC_SEQ_CST, __OPENCL_MEMORY_SCOPE_DEVICE
#define __HEDDLE_ORDER_SCOPE(order, scope, ...) order, scope
#define __HEDDLE_ORDERS_SCOPE(order, otherwise, scope, ...) order, otherwise, scope
#define __HEDDLE_ORDER(...) __HEDDLE_ORDER_SCOPE(__VA_ARGS__, __OPENCL_MEMORY_SCOPE_DEVICE, )
#define __HEDDLE_ORDERS(...) __HEDDLE_ORDERS_SCOPE(__VA_ARGS__, __OPENCL_MEMORY_SCOPE_DEVICE, )
#define __HEDDLE_CAS(AT, EXPECTED, V, ...)                                                                             \
  ({                                                                                                                   \
    __typeof__((EXPECTED) + 0) __heddle_expected = (EXPECTED);                                                         \
    const __typeof__(*__heddle_expected + 0) __heddle_want = *__heddle_expected,                                       \
                                             __heddle_was = __heddle_atomic_cas(AT, __heddle_want, V, __VA_ARGS__);    \
    const bool __heddle_well = __heddle_same(__heddle_was, __heddle_want);                                             \
    if (!__heddle_well) *__heddle_expected = __heddle_was;                                                             \
    __heddle_well;                                                                                                     \
  })
#define atomic_work_item_fence(flags, ...) ((void)(flags), __heddle_fence(__HEDDLE_ORDER(__VA_ARGS__)))
#define atomic_init(at, v) __heddle_atomic_store(at, v, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_WORK_GROUP)
#define atomic_load(at) __heddle_atomic_load(at, __HEDDLE_SC)
#define atomic_load_explicit(at, ...) __heddle_atomic_load(at, __HEDDLE_ORDER(__VA_ARGS__))
#define atomic_store(at, v) __heddle_atomic_store(at, v, __HEDDLE_SC)
#define atomic_store_explicit(at, v, ...) __heddle_atomic_store(at, v, __HEDDLE_ORDER(__VA_ARGS__))
#define atomic_exchange(at, v) __heddle_atomic_exchange(at, v, __HEDDLE_SC)
#define atomic_exchange_explicit(at, v, ...) __heddle_atomic_exchange(at, v, __HEDDLE_ORDER(__VA_ARGS__))
#define atomic_compare_exchange_strong(at, expected, v) __HEDDLE_CAS(at, expected, v, __ATOMIC_SEQ_CST, __HEDDLE_SC)
#define atomic_compare_exchange_weak(at, expected, v) __HEDDLE_CAS(at, expected, v, __ATOMIC_SEQ_CST, __HEDDLE_SC)
#define atomic_compare_exchange_strong_explicit(at, expected, v, ...)                                                  \
  __HEDDLE_CAS(at, expected, v, __HEDDLE_ORDERS(__VA_ARGS__))
#define atomic_compare_exchange_weak_explicit(at, expected, v, ...)                                                    \
  __HEDDLE_CAS(at, expected, v, __HEDDLE_ORDERS(__VA_ARGS__))
#define atomic_fetch_add(at, v) __heddle_atomic_add(at, v, __HEDDLE_SC)
#define atomic_fetch_sub(at, v) __heddle_atomic_sub(at, v, __HEDDLE_SC)
#define atomic_fetch_or(at, v) __heddle_atomic_or(at, v, __HEDDLE_SC)
#define atomic_fetch_xor(at, v) __heddle_atomic_xor(at, v, __HEDDLE_SC)
#define atomic_fetch_and(at, v) __heddle_atomic_and(at, v, __HEDDLE_SC)
#define atomic_fetch_min(at, v) __heddle_atomic_min(at, v, __HEDDLE_SC)
#define atomic_fetch_max(at, v) __heddle_atomic_max(at, v, __HEDDLE_SC)
#define atomic_fetch_add_explicit(at, v, ...) __heddle_atomic_add(at, v, __HEDDLE_ORDER(__VA_ARGS__))
#define atomic_fetch_sub_explicit(at, v, ...) __heddle_atomic_sub(at, v, __HEDDLE_ORDER(__VA_ARGS__))
#define atomic_fetch_or_explicit(at, v, ...) __heddle_atomic_or(at, v, __HEDDLE_ORDER(__VA_ARGS__))
#define atomic_fetch_xor_explicit(at, v, ...) __heddle_atomic_xor(at, v, __HEDDLE_ORDER(__VA_ARGS__))
#define atomic_fetch_and_explicit(at, v, ...) __heddle_atomic_and(at, v, __HEDDLE_ORDER(__VA_ARGS__))
#define atomic_fetch_min_explicit(at, v, ...) __heddle_atomic_min(at, v, __HEDDLE_ORDER(__VA_ARGS__))
#define atomic_fetch_max_explicit(at, v, ...) __heddle_atomic_max(at, v, __HEDDLE_ORDER(__VA_ARGS__))
#define atomic_flag_test_and_set(at) (__heddle_atomic_exchange(at, 1, __HEDDLE_SC) != 0)
#define atomic_flag_test_and_set_explicit(at, ...) (__heddle_atomic_exchange(at, 1, __HEDDLE_ORDER(__VA_ARGS__)) != 0)
#define atomic_flag_clear(at) __heddle_atomic_store(at, 0, __HEDDLE_SC)
#define atomic_flag_clear_explicit(at, ...) __heddle_atomic_store(at, 0, __HEDDLE_ORDER(__VA_ARGS__))

#endif
