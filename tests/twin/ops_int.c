/* SPDX-License-Identifier: Apache-2.0
 * The twin's integers: unsigned arithmetic throughout, so that nothing overflows. */
#include "tests/twin/ops.h"

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

static bool relation(bool less, bool equal, uint64_t m) {
  if (m & M_eq) return equal;
  if (m & M_ne) return !equal;
  if (m & (M_lt | M_lo)) return less;
  if (m & (M_le | M_ls)) return less || equal;
  if (m & (M_gt | M_hi)) return !less && !equal;
  return !less;
}

/* W holds every product; I has the sign that T says. */
#define INTEGER(T, U, I, W, BITS)                                                                                      \
  U add_##T(U a, U b) {                                                                                                \
    return (U)((uint64_t)a + b);                                                                                       \
  }                                                                                                                    \
  U sub_##T(U a, U b) {                                                                                                \
    return (U)((uint64_t)a - b);                                                                                       \
  }                                                                                                                    \
  U mul_lo_##T(U a, U b) {                                                                                             \
    return (U)((uint64_t)a * b);                                                                                       \
  }                                                                                                                    \
  U mul_hi_##T(U a, U b) {                                                                                             \
    return (U)(((W)(I)a * (W)(I)b) >> BITS);                                                                           \
  }                                                                                                                    \
  U mad_lo_##T(U a, U b, U c) {                                                                                        \
    return (U)((uint64_t)a * b + c);                                                                                   \
  }                                                                                                                    \
  U mad_hi_##T(U a, U b, U c) {                                                                                        \
    return add_##T(mul_hi_##T(a, b), c);                                                                               \
  }                                                                                                                    \
  U div_##T(U a, U b) {                                                                                                \
    return (U)((W)(I)a / (W)(I)b);                                                                                     \
  }                                                                                                                    \
  U rem_##T(U a, U b) {                                                                                                \
    return (U)((W)(I)a % (W)(I)b);                                                                                     \
  }                                                                                                                    \
  U abs_##T(U a) {                                                                                                     \
    return (I)a < (I)1 ? (U)(0 - (uint64_t)a) : a;                                                                     \
  }                                                                                                                    \
  U neg_##T(U a) {                                                                                                     \
    return (U)(0 - (uint64_t)a);                                                                                       \
  }                                                                                                                    \
  U min_##T(U a, U b) {                                                                                                \
    return (I)a < (I)b ? a : b;                                                                                        \
  }                                                                                                                    \
  U max_##T(U a, U b) {                                                                                                \
    return (I)a > (I)b ? a : b;                                                                                        \
  }                                                                                                                    \
  U sad_##T(U a, U b, U c) {                                                                                           \
    return (U)((uint64_t)c + (uint64_t)max_##T(a, b) - (uint64_t)min_##T(a, b));                                       \
  }                                                                                                                    \
  U shl_##T(U a, uint32_t n) {                                                                                         \
    return n < BITS ? (U)((uint64_t)a << n) : 0;                                                                       \
  }                                                                                                                    \
  U shr_##T(U a, uint32_t n) {                                                                                         \
    return (U)((W)(I)a >> (n < BITS ? n : BITS));                                                                      \
  }                                                                                                                    \
  bool cmp_##T(U a, U b, uint64_t m) {                                                                                 \
    return relation((I)a < (I)b, a == b, m);                                                                           \
  }
INTEGER(u16, uint16_t, uint16_t, uint64_t, 16)
INTEGER(s16, uint16_t, int16_t, int64_t, 16)
INTEGER(u32, uint32_t, uint32_t, uint64_t, 32)
INTEGER(s32, uint32_t, int32_t, int64_t, 32)
INTEGER(u64, uint64_t, uint64_t, u128, 64)
INTEGER(s64, uint64_t, int64_t, s128, 64)

uint32_t mul_wide_u16(uint16_t a, uint16_t b) {
  return (uint32_t)a * b;
}
uint32_t mul_wide_s16(uint16_t a, uint16_t b) {
  return (uint32_t)((int16_t)a * (int16_t)b);
}
uint64_t mul_wide_u32(uint32_t a, uint32_t b) {
  return (uint64_t)a * b;
}
uint64_t mul_wide_s32(uint32_t a, uint32_t b) {
  return (uint64_t)((int64_t)(int32_t)a * (int32_t)b);
}

static uint32_t clamp_s32(int64_t v) {
  return (uint32_t)(v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : v);
}
uint32_t add_sat_s32(uint32_t a, uint32_t b) {
  return clamp_s32((int64_t)(int32_t)a + (int32_t)b);
}
uint32_t sub_sat_s32(uint32_t a, uint32_t b) {
  return clamp_s32((int64_t)(int32_t)a - (int32_t)b);
}
uint32_t mad_hi_sat_s32(uint32_t a, uint32_t b, uint32_t c) {
  return clamp_s32((int64_t)(int32_t)mul_hi_s32(a, b) + (int32_t)c);
}

/* The low 24 bits count, with their own sign. */
static int64_t low24(uint32_t a, bool is_signed) {
  int64_t v = a & 0xffffff;
  return is_signed && (v & 0x800000) ? v - 0x1000000 : v;
}
static uint64_t product24(uint32_t a, uint32_t b, bool is_signed) {
  return (uint64_t)(low24(a, is_signed) * low24(b, is_signed));
}
uint32_t mul24_lo_u32(uint32_t a, uint32_t b) {
  return (uint32_t)product24(a, b, false);
}
uint32_t mul24_lo_s32(uint32_t a, uint32_t b) {
  return (uint32_t)product24(a, b, true);
}
uint32_t mul24_hi_u32(uint32_t a, uint32_t b) {
  return (uint32_t)(product24(a, b, false) >> 16);
}
uint32_t mul24_hi_s32(uint32_t a, uint32_t b) {
  return (uint32_t)(product24(a, b, true) >> 16);
}
uint32_t mad24_hi_sat_s32(uint32_t a, uint32_t b, uint32_t c) {
  return add_sat_s32(mul24_hi_s32(a, b), c);
}

uint64_t add_carry(uint64_t a, uint64_t b, unsigned bits, bool *cf) {
  u128 sum = (u128)a + b + *cf;
  *cf = (bool)(sum >> bits & 1);
  return bits == 64 ? (uint64_t)sum : (uint64_t)sum & UINT32_MAX;
}
uint64_t sub_borrow(uint64_t a, uint64_t b, unsigned bits, bool *cf) {
  u128 difference = (u128)a - b - *cf;
  *cf = (bool)(difference >> bits & 1);
  return bits == 64 ? (uint64_t)difference : (uint64_t)difference & UINT32_MAX;
}
