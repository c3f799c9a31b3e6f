// SPDX-License-Identifier: Apache-2.0
// Atomics as isa/doc/04-memory.md has them: what v becomes. Numbers of 32 bits in the low word.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include <heddle/isa.h>

constexpr unsigned COMPARE_SWAP = 63; // atom_pkg::COMPARE_SWAP
// FATOM=0: of a machine that adds no floats.
#ifndef FATOM
#define FATOM 1
#endif
// The last one has no operation of its own in RED, nor EXCH.
constexpr unsigned ATOMICS[] = {
#if FATOM
    ISA_AOP_ADD_F32, ISA_AOP_ADD_F64, ISA_AOP_ADD_F16X2,
#endif
    ISA_AOP_ADD,     ISA_AOP_ADD_64,  ISA_AOP_MIN,       ISA_AOP_MIN_S32, ISA_AOP_MIN_U64, ISA_AOP_MIN_S64,
    ISA_AOP_MAX,     ISA_AOP_MAX_S32, ISA_AOP_MAX_U64,   ISA_AOP_MAX_S64, ISA_AOP_INC,     ISA_AOP_DEC,
    ISA_AOP_AND,     ISA_AOP_AND_64,  ISA_AOP_OR,        ISA_AOP_OR_64,   ISA_AOP_XOR,     ISA_AOP_XOR_64,
    ISA_AOP_EXCH,    ISA_AOP_EXCH_64, COMPARE_SWAP};
constexpr unsigned ATOMIC_KINDS = sizeof ATOMICS / sizeof *ATOMICS;

inline bool atomic_is_wide(unsigned op) {
  switch (op) {
  case ISA_AOP_ADD_64:
  case ISA_AOP_ADD_F64:
  case ISA_AOP_MIN_U64:
  case ISA_AOP_MIN_S64:
  case ISA_AOP_MAX_U64:
  case ISA_AOP_MAX_S64:
  case ISA_AOP_AND_64:
  case ISA_AOP_OR_64:
  case ISA_AOP_XOR_64:
  case ISA_AOP_EXCH_64:
    return true;
  default:
    return false;
  }
}

template <class F, class U> inline F as_float(U bits) {
  F f;
  static_assert(sizeof f == sizeof bits, "a float of these bits");
  std::memcpy(&f, &bits, sizeof f);
  return f;
}

template <class U, class F> inline U as_bits(F f) {
  U u;
  static_assert(sizeof f == sizeof u, "the bits of this float");
  std::memcpy(&u, &f, sizeof u);
  return u;
}

inline double half_value(uint32_t h) {
  int e = static_cast<int>(h >> 10 & 31);
  double m = std::ldexp(static_cast<double>((h & 1023) + (e ? 1024u : 0u)), (e ? e : 1) - 25);
  return h & 0x8000 ? -m : m;
}

// The sum of two halves is exact in a double: rounded once, here.
inline uint32_t half_sum(uint32_t a, uint32_t b) {
  bool a_nan = (a & 0x7fff) > 0x7c00, b_nan = (b & 0x7fff) > 0x7c00, a_inf = (a & 0x7fff) == 0x7c00,
       b_inf = (b & 0x7fff) == 0x7c00;
  if (a_nan || b_nan || (a_inf && b_inf && a != b)) return 0x7fff;
  if (a_inf) return a;
  if (b_inf) return b;
  double x = half_value(a) + half_value(b);
  uint32_t sign = std::signbit(x) ? 0x8000 : 0;
  x = std::fabs(x);
  if (x == 0) return sign;
  int e = std::max(std::ilogb(x), -14);
  double steps = std::nearbyint(std::ldexp(x, 10 - e)); // to nearest even
  if (steps == 2048) steps = 1024, e++;
  if (e > 15) return sign | 0x7c00;
  return sign | (steps < 1024 ? static_cast<uint32_t>(steps)
                              : static_cast<uint32_t>(e + 15) << 10 | (static_cast<uint32_t>(steps) - 1024));
}

inline uint64_t float_result(unsigned op, uint64_t v, uint64_t b) {
  if (op == ISA_AOP_ADD_F16X2)
    return half_sum(v & 0xffff, b & 0xffff) | uint64_t(half_sum(v >> 16 & 0xffff, b >> 16 & 0xffff)) << 16;
  if (op == ISA_AOP_ADD_F32) {
    float s = as_float<float>(static_cast<uint32_t>(v)) + as_float<float>(static_cast<uint32_t>(b));
    return std::isnan(s) ? 0x7fffffffu : as_bits<uint32_t>(s);
  }
  double x = as_float<double>(v), y = as_float<double>(b);
  if (std::isnan(y)) return b | 1ull << 51;
  if (std::isnan(x)) return v | 1ull << 51;
  double s = x + y;
  return std::isnan(s) ? 0xfff8000000000000ull : as_bits<uint64_t>(s);
}

template <class U, class S> inline U integer_result(unsigned op, U v, U b, U c) {
  const S sv = static_cast<S>(v), sb = static_cast<S>(b);
  switch (op) {
  case ISA_AOP_MIN:
  case ISA_AOP_MIN_U64:
    return std::min(v, b);
  case ISA_AOP_MIN_S32:
  case ISA_AOP_MIN_S64:
    return static_cast<U>(std::min(sv, sb));
  case ISA_AOP_MAX:
  case ISA_AOP_MAX_U64:
    return std::max(v, b);
  case ISA_AOP_MAX_S32:
  case ISA_AOP_MAX_S64:
    return static_cast<U>(std::max(sv, sb));
  case ISA_AOP_INC:
    return v >= b ? 0 : v + 1;
  case ISA_AOP_DEC:
    return v == 0 || v > b ? b : v - 1;
  case ISA_AOP_AND:
  case ISA_AOP_AND_64:
    return v & b;
  case ISA_AOP_OR:
  case ISA_AOP_OR_64:
    return v | b;
  case ISA_AOP_XOR:
  case ISA_AOP_XOR_64:
    return v ^ b;
  case ISA_AOP_EXCH:
  case ISA_AOP_EXCH_64:
    return b;
  case COMPARE_SWAP:
    return v == b ? c : v;
  default:
    return v + b;
  }
}

inline uint64_t atomic_result(unsigned op, bool wide, uint64_t v, uint64_t b, uint64_t c) {
  if (op == ISA_AOP_ADD_F32 || op == ISA_AOP_ADD_F64 || op == ISA_AOP_ADD_F16X2) return float_result(op, v, b);
  return wide ? integer_result<uint64_t, int64_t>(op, v, b, c)
              : integer_result<uint32_t, int32_t>(op, static_cast<uint32_t>(v), static_cast<uint32_t>(b),
                                                  static_cast<uint32_t>(c));
}

// An operand that meets v, its neighbours, and the ends of the range; v is what memory holds about now.
template <class R> uint64_t atomic_operand(R &rnd, uint64_t v) {
  switch (rnd.below(5)) {
  case 0:
    return v + rnd.below(3) - 1;
  case 1:
    return rnd.below(2) ? 0 : 0x8000000080000000u - rnd.below(2);
  case 2:
    return v ^ 0x8000000080008000u;
  default:
    return uint64_t(rnd.u32()) << 32 | rnd.u32();
  }
}
