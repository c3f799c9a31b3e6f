/* SPDX-License-Identifier: Apache-2.0
 * Atomic operations on shared and global memory: what was there before is the result. */
#ifndef HEDDLE_CUDA_ATOMIC_H
#define HEDDLE_CUDA_ATOMIC_H

#define __HEDDLE_ATOMIC(NAME, TYPE, HOW, REG)                                                                          \
  __heddle_fn TYPE NAME(TYPE *at, TYPE v) {                                                                            \
    TYPE r;                                                                                                            \
    __asm__ volatile("atom." HOW " %0, [%1], %2;" : "=" REG(r) : "l"(at), REG(v) : "memory");                          \
    return r;                                                                                                          \
  }
#define __HEDDLE_CAS(TYPE, HOW, REG)                                                                                   \
  __heddle_fn TYPE atomicCAS(TYPE *at, TYPE compare, TYPE v) {                                                         \
    TYPE r;                                                                                                            \
    __asm__ volatile("atom.cas." HOW " %0, [%1], %2, %3;" : "=" REG(r) : "l"(at), REG(compare), REG(v) : "memory");    \
    return r;                                                                                                          \
  }
__HEDDLE_ATOMIC(atomicAdd, int, "add.s32", "r")
__HEDDLE_ATOMIC(atomicMin, int, "min.s32", "r")
__HEDDLE_ATOMIC(atomicMax, int, "max.s32", "r")
__HEDDLE_ATOMIC(atomicAnd, int, "and.b32", "r")
__HEDDLE_ATOMIC(atomicOr, int, "or.b32", "r")
__HEDDLE_ATOMIC(atomicXor, int, "xor.b32", "r")
__HEDDLE_ATOMIC(atomicExch, int, "exch.b32", "r")
__HEDDLE_CAS(int, "b32", "r")
__heddle_fn int atomicSub(int *at, int v) {
  return atomicAdd(at, (int)(0 - v));
}
__HEDDLE_ATOMIC(atomicAdd, unsigned, "add.u32", "r")
__HEDDLE_ATOMIC(atomicMin, unsigned, "min.u32", "r")
__HEDDLE_ATOMIC(atomicMax, unsigned, "max.u32", "r")
__HEDDLE_ATOMIC(atomicAnd, unsigned, "and.b32", "r")
__HEDDLE_ATOMIC(atomicOr, unsigned, "or.b32", "r")
__HEDDLE_ATOMIC(atomicXor, unsigned, "xor.b32", "r")
__HEDDLE_ATOMIC(atomicExch, unsigned, "exch.b32", "r")
__HEDDLE_CAS(unsigned, "b32", "r")
__heddle_fn unsigned atomicSub(unsigned *at, unsigned v) {
  return atomicAdd(at, (unsigned)(0 - v));
}
__HEDDLE_ATOMIC(atomicAdd, long long, "add.u64", "l")
__HEDDLE_ATOMIC(atomicMin, long long, "min.s64", "l")
__HEDDLE_ATOMIC(atomicMax, long long, "max.s64", "l")
__HEDDLE_ATOMIC(atomicAnd, long long, "and.b64", "l")
__HEDDLE_ATOMIC(atomicOr, long long, "or.b64", "l")
__HEDDLE_ATOMIC(atomicXor, long long, "xor.b64", "l")
__HEDDLE_ATOMIC(atomicExch, long long, "exch.b64", "l")
__HEDDLE_CAS(long long, "b64", "l")
__heddle_fn long long atomicSub(long long *at, long long v) {
  return atomicAdd(at, (long long)(0 - v));
}
__HEDDLE_ATOMIC(atomicAdd, unsigned long long, "add.u64", "l")
__HEDDLE_ATOMIC(atomicMin, unsigned long long, "min.u64", "l")
__HEDDLE_ATOMIC(atomicMax, unsigned long long, "max.u64", "l")
__HEDDLE_ATOMIC(atomicAnd, unsigned long long, "and.b64", "l")
__HEDDLE_ATOMIC(atomicOr, unsigned long long, "or.b64", "l")
__HEDDLE_ATOMIC(atomicXor, unsigned long long, "xor.b64", "l")
__HEDDLE_ATOMIC(atomicExch, unsigned long long, "exch.b64", "l")
__HEDDLE_CAS(unsigned long long, "b64", "l")
__heddle_fn unsigned long long atomicSub(unsigned long long *at, unsigned long long v) {
  return atomicAdd(at, (unsigned long long)(0 - v));
}
__HEDDLE_ATOMIC(atomicInc, unsigned, "inc.u32", "r")
__HEDDLE_ATOMIC(atomicDec, unsigned, "dec.u32", "r")
__HEDDLE_ATOMIC(atomicAdd, float, "add.f32", "f")
__HEDDLE_ATOMIC(atomicAdd, double, "add.f64", "d")
__heddle_fn float atomicExch(float *at, float v) {
  return __builtin_bit_cast(float, atomicExch((unsigned *)at, __builtin_bit_cast(unsigned, v)));
}

#define __HEDDLE_SCOPE(NAME, TYPE)                                                                                     \
  __heddle_fn TYPE NAME##_block(TYPE *at, TYPE v) {                                                                    \
    return NAME(at, v);                                                                                                \
  }                                                                                                                    \
  __heddle_fn TYPE NAME##_system(TYPE *at, TYPE v) {                                                                   \
    return NAME(at, v);                                                                                                \
  }
__HEDDLE_SCOPE(atomicAdd, int)
__HEDDLE_SCOPE(atomicAdd, unsigned)
__HEDDLE_SCOPE(atomicMin, int)
__HEDDLE_SCOPE(atomicMin, unsigned)
__HEDDLE_SCOPE(atomicMax, int)
__HEDDLE_SCOPE(atomicMax, unsigned)
__HEDDLE_SCOPE(atomicExch, int)
__HEDDLE_SCOPE(atomicExch, unsigned)

#endif
