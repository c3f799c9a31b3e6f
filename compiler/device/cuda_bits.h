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
#define __HEDDLE_TO_INT(FROM, FT, NAME, TYPE, PT, F, FR, RR)                                                           \
  __HEDDLE_PTX1(__##FROM##2##NAME##_rn, TYPE, FT, "cvt.rni." PT F, RR, FR)                                             \
  __HEDDLE_PTX1(__##FROM##2##NAME##_rz, TYPE, FT, "cvt.rzi." PT F, RR, FR)                                             \
  __HEDDLE_PTX1(__##FROM##2##NAME##_ru, TYPE, FT, "cvt.rpi." PT F, RR, FR)                                             \
  __HEDDLE_PTX1(__##FROM##2##NAME##_rd, TYPE, FT, "cvt.rmi." PT F, RR, FR)
#define __HEDDLE_TO_INTS(FROM, F, FR)                                                                                  \
  __HEDDLE_TO_INT(FROM, FROM, int, int, "s32", F, FR, "r")                                                             \
  __HEDDLE_TO_INT(FROM, FROM, uint, unsigned, "u32", F, FR, "r")                                                       \
  __HEDDLE_TO_INT(FROM, FROM, ll, long long, "s64", F, FR, "l")                                                        \
  __HEDDLE_TO_INT(FROM, FROM, ull, unsigned long long, "u64", F, FR, "l")
__HEDDLE_TO_INTS(float, ".f32", "f")
__HEDDLE_TO_INTS(double, ".f64", "d")
#define __HEDDLE_TO_FLOAT(NAME, FT, TO, T, PT, FR, RR)                                                                 \
  __HEDDLE_PTX1(__##NAME##2##TO##_rn, T, FT, "cvt.rn." PT, RR, FR)                                                     \
  __HEDDLE_PTX1(__##NAME##2##TO##_rz, T, FT, "cvt.rz." PT, RR, FR)                                                     \
  __HEDDLE_PTX1(__##NAME##2##TO##_ru, T, FT, "cvt.rp." PT, RR, FR)                                                     \
  __HEDDLE_PTX1(__##NAME##2##TO##_rd, T, FT, "cvt.rm." PT, RR, FR)
__HEDDLE_TO_FLOAT(int, int, float, float, "f32.s32", "r", "f")
__HEDDLE_TO_FLOAT(uint, unsigned, float, float, "f32.u32", "r", "f")
__HEDDLE_TO_FLOAT(ll, long long, float, float, "f32.s64", "l", "f")
__HEDDLE_TO_FLOAT(ull, unsigned long long, float, float, "f32.u64", "l", "f")
__HEDDLE_TO_FLOAT(ll, long long, double, double, "f64.s64", "l", "d")
__HEDDLE_TO_FLOAT(ull, unsigned long long, double, double, "f64.u64", "l", "d")
__HEDDLE_TO_FLOAT(double, double, float, float, "f32.f64", "d", "f")
__HEDDLE_PTX1(__int2double_rn, double, int, "cvt.rn.f64.s32", "d", "r")
__HEDDLE_PTX1(__uint2double_rn, double, unsigned, "cvt.rn.f64.u32", "d", "r")

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
__HEDDLE_PTX3(__dp2a_lo, int, int, "dp2a.lo.s32.s32")
__HEDDLE_PTX3(__dp2a_lo, unsigned, unsigned, "dp2a.lo.u32.u32")
__HEDDLE_PTX3(__dp2a_hi, int, int, "dp2a.hi.s32.s32")
__HEDDLE_PTX3(__dp2a_hi, unsigned, unsigned, "dp2a.hi.u32.u32")

/* Where the OFFSET-th one of MASK is, from BASE upwards; downwards if OFFSET is negative; ~0: there are not so many. */
__heddle_fn unsigned __fns(unsigned mask, unsigned base, int offset) {
  if (offset == 0) return mask >> base & 1 ? base : 0xffffffffu;
  const int step = offset < 0 ? -1 : 1;
  int left = offset < 0 ? -offset : offset;
  for (int k = (int)base; k >= 0 && k < 32; k += step)
    if ((mask >> k & 1) && --left == 0) return (unsigned)k;
  return 0xffffffffu;
}

/* ---- which memory a generic address is of ---- */

#define __HEDDLE_SPACE(NAME, HOW)                                                                                      \
  __heddle_fn unsigned NAME(const void *at) {                                                                          \
    unsigned r;                                                                                                        \
    __asm__("{ .reg .pred q; isspacep." HOW " q, %1; selp.u32 %0, 1, 0, q; }" : "=r"(r) : "l"(at));                    \
    return r;                                                                                                          \
  }
__HEDDLE_SPACE(__isGlobal, "global")
__HEDDLE_SPACE(__isShared, "shared")
__HEDDLE_SPACE(__isLocal, "local")
__HEDDLE_SPACE(__isConstant, "const")
#define __HEDDLE_TO_SPACE(NAME, HOW)                                                                                   \
  __heddle_fn size_t NAME(const void *at) {                                                                            \
    size_t r;                                                                                                          \
    __asm__("cvta.to." HOW ".u64 %0, %1;" : "=l"(r) : "l"(at));                                                        \
    return r;                                                                                                          \
  }
__HEDDLE_TO_SPACE(__cvta_generic_to_shared, "shared")
__HEDDLE_TO_SPACE(__cvta_generic_to_global, "global")
__HEDDLE_TO_SPACE(__cvta_generic_to_local, "local")

#endif
