/* SPDX-License-Identifier: Apache-2.0
 * Integers as bits: counting, turning, multiplying; numbers as the bits that they are; conversions by rounding. */
#ifndef HEDDLE_CUDA_BITS_H
#define HEDDLE_CUDA_BITS_H

#define __HEDDLE_INT1(NAME, RESULT, TYPE, EXPRESSION)                                                                  \
  __heddle_fn RESULT NAME(TYPE x) {                                                                                    \
    return EXPRESSION;                                                                                                 \
  }
__HEDDLE_INT1(__popc, int, unsigned, __builtin_popcount(x))
__HEDDLE_INT1(__popcll, int, unsigned long long, __builtin_popcountll(x))
__HEDDLE_INT1(__clz, int, int, x ? __builtin_clz((unsigned)x) : 32)
__HEDDLE_INT1(__clzll, int, long long, x ? __builtin_clzll((unsigned long long)x) : 64)
__HEDDLE_INT1(__ffs, int, int, __builtin_ffs(x))
__HEDDLE_INT1(__ffsll, int, long long, __builtin_ffsll(x))
__HEDDLE_INT1(__brev, unsigned, unsigned, __builtin_bitreverse32(x))
__HEDDLE_INT1(__brevll, unsigned long long, unsigned long long, __builtin_bitreverse64(x))
__HEDDLE_INT1(__float_as_int, int, float, __builtin_bit_cast(int, x))
__HEDDLE_INT1(__float_as_uint, unsigned, float, __builtin_bit_cast(unsigned, x))
__HEDDLE_INT1(__int_as_float, float, int, __builtin_bit_cast(float, x))
__HEDDLE_INT1(__uint_as_float, float, unsigned, __builtin_bit_cast(float, x))
__HEDDLE_INT1(__double_as_longlong, long long, double, __builtin_bit_cast(long long, x))
__HEDDLE_INT1(__longlong_as_double, double, long long, __builtin_bit_cast(double, x))
__HEDDLE_INT1(__double2hiint, int, double, (int)(__builtin_bit_cast(unsigned long long, x) >> 32))
__HEDDLE_INT1(__double2loint, int, double, (int)__builtin_bit_cast(unsigned long long, x))
__heddle_fn double __hiloint2double(int high, int low) {
  return __builtin_bit_cast(double, (unsigned long long)(unsigned)high << 32 | (unsigned)low);
}

#define __HEDDLE_PTX1(NAME, RESULT, TYPE, HOW, RR, RT)                                                                 \
  __heddle_fn RESULT NAME(TYPE x) {                                                                                    \
    RESULT r;                                                                                                          \
    __asm__(HOW " %0, %1;" : "=" RR(r) : RT(x));                                                                       \
    return r;                                                                                                          \
  }
#define __HEDDLE_ROUND(NAME, RESULT, TYPE, HOW, RR, RT)                                                                \
  __HEDDLE_PTX1(NAME##_rn, RESULT, TYPE, HOW("n"), RR, RT)                                                             \
  __HEDDLE_PTX1(NAME##_rz, RESULT, TYPE, HOW("z"), RR, RT)                                                             \
  __HEDDLE_PTX1(NAME##_ru, RESULT, TYPE, HOW("p"), RR, RT)                                                             \
  __HEDDLE_PTX1(NAME##_rd, RESULT, TYPE, HOW("m"), RR, RT)
#define __HEDDLE_F2I(M) "cvt.r" M "i.s32.f32"
#define __HEDDLE_F2U(M) "cvt.r" M "i.u32.f32"
#define __HEDDLE_F2L(M) "cvt.r" M "i.s64.f32"
#define __HEDDLE_I2F(M) "cvt.r" M ".f32.s32"
#define __HEDDLE_U2F(M) "cvt.r" M ".f32.u32"
#define __HEDDLE_D2F(M) "cvt.r" M ".f32.f64"
#define __HEDDLE_D2I(M) "cvt.r" M "i.s32.f64"
__HEDDLE_ROUND(__float2int, int, float, __HEDDLE_F2I, "r", "f")
__HEDDLE_ROUND(__float2uint, unsigned, float, __HEDDLE_F2U, "r", "f")
__HEDDLE_ROUND(__float2ll, long long, float, __HEDDLE_F2L, "l", "f")
__HEDDLE_ROUND(__int2float, float, int, __HEDDLE_I2F, "f", "r")
__HEDDLE_ROUND(__uint2float, float, unsigned, __HEDDLE_U2F, "f", "r")
__HEDDLE_ROUND(__double2float, float, double, __HEDDLE_D2F, "f", "d")
__HEDDLE_ROUND(__double2int, int, double, __HEDDLE_D2I, "r", "d")

__heddle_fn int __mulhi(int a, int b) {
  return (int)((long long)a * b >> 32);
}
__heddle_fn unsigned __umulhi(unsigned a, unsigned b) {
  return (unsigned)((unsigned long long)a * b >> 32);
}
__heddle_fn long long __mul64hi(long long a, long long b) {
  return (long long)((__int128)a * b >> 64);
}
__heddle_fn unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
__heddle_fn int __mul24(int a, int b) {
  return (a << 8 >> 8) * (b << 8 >> 8);
}
__heddle_fn unsigned __umul24(unsigned a, unsigned b) {
  return (a & 0xffffff) * (b & 0xffffff);
}
__heddle_fn unsigned __sad(int a, int b, unsigned c) {
  return (a < b ? (unsigned)b - (unsigned)a : (unsigned)a - (unsigned)b) + c;
}
__heddle_fn unsigned __usad(unsigned a, unsigned b, unsigned c) {
  return (a < b ? b - a : a - b) + c;
}
__heddle_fn int __hadd(int a, int b) {
  return (a & b) + ((a ^ b) >> 1);
}
__heddle_fn int __rhadd(int a, int b) {
  return (a | b) - ((a ^ b) >> 1);
}
__heddle_fn unsigned __uhadd(unsigned a, unsigned b) {
  return (a & b) + ((a ^ b) >> 1);
}
__heddle_fn unsigned __urhadd(unsigned a, unsigned b) {
  return (a | b) - ((a ^ b) >> 1);
}

#define __HEDDLE_PTX3(NAME, TYPE, TYPEC, HOW)                                                                          \
  __heddle_fn TYPEC NAME(TYPE a, TYPE b, TYPEC c) {                                                                    \
    TYPEC r;                                                                                                           \
    __asm__(HOW " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));                                                \
    return r;                                                                                                          \
  }
__HEDDLE_PTX3(__byte_perm, unsigned, unsigned, "prmt.b32")
__HEDDLE_PTX3(__funnelshift_l, unsigned, unsigned, "shf.l.wrap.b32")
__HEDDLE_PTX3(__funnelshift_r, unsigned, unsigned, "shf.r.wrap.b32")
__HEDDLE_PTX3(__funnelshift_lc, unsigned, unsigned, "shf.l.clamp.b32")
__HEDDLE_PTX3(__funnelshift_rc, unsigned, unsigned, "shf.r.clamp.b32")
__HEDDLE_PTX3(__dp4a, int, int, "dp4a.s32.s32")
__HEDDLE_PTX3(__dp4a, unsigned, unsigned, "dp4a.u32.u32")

#endif
