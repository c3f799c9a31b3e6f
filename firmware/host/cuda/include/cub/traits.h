/* SPDX-License-Identifier: Apache-2.0
 * Numbers as the bits by which a radix sort orders them. */
#ifndef HEDDLE_CUB_TRAITS_H
#define HEDDLE_CUB_TRAITS_H

#include "thread.h"

namespace cub {

/* For an integer without a sign its own bits, with one the sign turned over, for a float all bits if it is negative. */
enum Category { NOT_A_NUMBER, SIGNED_INTEGER, UNSIGNED_INTEGER, FLOATING_POINT };
template <class Bits, Category What> struct heddle_traits {
  typedef Bits UnsignedBits;
  static constexpr Category CATEGORY = What;
  static constexpr Bits heddle_sign = (Bits)1 << (8 * sizeof(Bits) - 1);
  __host__ __device__ static Bits TwiddleIn(Bits key) {
    if (What == UNSIGNED_INTEGER) return key;
    return What == FLOATING_POINT && (key & heddle_sign) ? (Bits)~key : (Bits)(key ^ heddle_sign);
  }
  __host__ __device__ static Bits TwiddleOut(Bits key) {
    if (What == UNSIGNED_INTEGER) return key;
    return What == FLOATING_POINT && !(key & heddle_sign) ? (Bits)~key : (Bits)(key ^ heddle_sign);
  }
};
template <class T> struct Traits;
#define __HEDDLE_CUB_TRAITS(TYPE, BITS, WHAT)                                                                          \
  template <> struct Traits<TYPE> : heddle_traits<BITS, WHAT> {};
__HEDDLE_CUB_TRAITS(char, unsigned char, SIGNED_INTEGER)
__HEDDLE_CUB_TRAITS(signed char, unsigned char, SIGNED_INTEGER)
__HEDDLE_CUB_TRAITS(unsigned char, unsigned char, UNSIGNED_INTEGER)
__HEDDLE_CUB_TRAITS(short, unsigned short, SIGNED_INTEGER)
__HEDDLE_CUB_TRAITS(unsigned short, unsigned short, UNSIGNED_INTEGER)
__HEDDLE_CUB_TRAITS(int, unsigned, SIGNED_INTEGER)
__HEDDLE_CUB_TRAITS(unsigned, unsigned, UNSIGNED_INTEGER)
__HEDDLE_CUB_TRAITS(long, unsigned long, SIGNED_INTEGER)
__HEDDLE_CUB_TRAITS(unsigned long, unsigned long, UNSIGNED_INTEGER)
__HEDDLE_CUB_TRAITS(long long, unsigned long long, SIGNED_INTEGER)
__HEDDLE_CUB_TRAITS(unsigned long long, unsigned long long, UNSIGNED_INTEGER)
__HEDDLE_CUB_TRAITS(float, unsigned, FLOATING_POINT)
__HEDDLE_CUB_TRAITS(double, unsigned long long, FLOATING_POINT)

} // namespace cub

#endif
