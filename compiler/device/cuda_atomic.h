/* SPDX-License-Identifier: Apache-2.0
 * Atomic operations on shared and global memory: what was there before is the result. Each in three scopes: of the
 * device, of a block (_block), and with the host (_system), which is the device's here. */
#ifndef HEDDLE_CUDA_ATOMIC_H
#define HEDDLE_CUDA_ATOMIC_H

#define __HEDDLE_ATOMIC_IN(NAME, TYPE, SCOPE, HOW, REG)                                                                \
  __heddle_fn TYPE NAME(TYPE *at, TYPE v) {                                                                            \
    TYPE r;                                                                                                            \
    __asm__ volatile("atom" SCOPE "." HOW " %0, [%1], %2;" : "=" REG(r) : "l"(at), REG(v) : "memory");                 \
    return r;                                                                                                          \
  }
#define __HEDDLE_CAS_IN(NAME, TYPE, SCOPE, HOW, REG)                                                                   \
  __heddle_fn TYPE NAME(TYPE *at, TYPE compare, TYPE v) {                                                              \
    TYPE r;                                                                                                            \
    __asm__ volatile("atom" SCOPE ".cas." HOW " %0, [%1], %2, %3;"                                                     \
                     : "=" REG(r)                                                                                      \
                     : "l"(at), REG(compare), REG(v)                                                                   \
                     : "memory");                                                                                      \
    return r;                                                                                                          \
  }
#define __HEDDLE_SCOPES(HOW_IN, NAME, TYPE, HOW, REG)                                                                  \
  HOW_IN(NAME, TYPE, "", HOW, REG)                                                                                     \
  HOW_IN(NAME##_block, TYPE, ".cta", HOW, REG)                                                                         \
  HOW_IN(NAME##_system, TYPE, ".sys", HOW, REG)
#define __HEDDLE_ATOMIC(NAME, TYPE, HOW, REG) __HEDDLE_SCOPES(__HEDDLE_ATOMIC_IN, NAME, TYPE, HOW, REG)

/* By what another operation gives, in each scope. */
#define __HEDDLE_ATOMIC_BY(NAME, TYPE, RESULT)                                                                         \
  __heddle_fn TYPE NAME(TYPE *at, TYPE v) {                                                                            \
    return RESULT;                                                                                                     \
  }
#define __HEDDLE_ATOMICS(TYPE, SIGNED, UNSIGNED, BITS, REG)                                                            \
  __HEDDLE_ATOMIC(atomicAdd, TYPE, "add." UNSIGNED, REG)                                                               \
  __HEDDLE_ATOMIC(atomicMin, TYPE, "min." SIGNED, REG)                                                                 \
  __HEDDLE_ATOMIC(atomicMax, TYPE, "max." SIGNED, REG)                                                                 \
  __HEDDLE_ATOMIC(atomicAnd, TYPE, "and." BITS, REG)                                                                   \
  __HEDDLE_ATOMIC(atomicOr, TYPE, "or." BITS, REG)                                                                     \
  __HEDDLE_ATOMIC(atomicXor, TYPE, "xor." BITS, REG)                                                                   \
  __HEDDLE_ATOMIC(atomicExch, TYPE, "exch." BITS, REG)                                                                 \
  __HEDDLE_SCOPES(__HEDDLE_CAS_IN, atomicCAS, TYPE, BITS, REG)                                                         \
  __HEDDLE_ATOMIC_BY(atomicSub, TYPE, atomicAdd(at, (TYPE)(0 - (unsigned long long)v)))                                \
  __HEDDLE_ATOMIC_BY(atomicSub_block, TYPE, atomicAdd_block(at, (TYPE)(0 - (unsigned long long)v)))                    \
  __HEDDLE_ATOMIC_BY(atomicSub_system, TYPE, atomicAdd_system(at, (TYPE)(0 - (unsigned long long)v)))
__HEDDLE_ATOMICS(int, "s32", "u32", "b32", "r")
__HEDDLE_ATOMICS(unsigned, "u32", "u32", "b32", "r")
__HEDDLE_ATOMICS(long long, "s64", "u64", "b64", "l")
__HEDDLE_ATOMICS(unsigned long long, "u64", "u64", "b64", "l")
__HEDDLE_ATOMIC(atomicInc, unsigned, "inc.u32", "r")
__HEDDLE_ATOMIC(atomicDec, unsigned, "dec.u32", "r")
__HEDDLE_ATOMIC(atomicAdd, float, "add.f32", "f")
__HEDDLE_ATOMIC(atomicAdd, double, "add.f64", "d")
#define __HEDDLE_EXCHANGE(NAME, TYPE, BITS)                                                                            \
  __HEDDLE_ATOMIC_BY(NAME, TYPE, __builtin_bit_cast(TYPE, NAME((BITS *)at, __builtin_bit_cast(BITS, v))))
__HEDDLE_EXCHANGE(atomicExch, float, unsigned)
__HEDDLE_EXCHANGE(atomicExch_block, float, unsigned)
__HEDDLE_EXCHANGE(atomicExch_system, float, unsigned)

/* Half of a word, by the whole of it. */
__heddle_fn unsigned short atomicCAS(unsigned short *at, unsigned short compare, unsigned short v) {
  unsigned *const word = (unsigned *)((unsigned long long)at & ~3ULL);
  const unsigned shift = ((unsigned long long)at & 2) * 8;
  unsigned was = *(volatile unsigned *)word;
  for (;;) {
    if ((unsigned short)(was >> shift) != compare) return (unsigned short)(was >> shift);
    const unsigned seen = atomicCAS(word, was, (was & ~(0xffffu << shift)) | (unsigned)v << shift);
    if (seen == was) return compare;
    was = seen;
  }
}

#endif
