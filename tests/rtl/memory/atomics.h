// SPDX-License-Identifier: Apache-2.0
// Atomics on 32-bit integers, as isa/doc/04-memory.md has them: what a word v becomes.
#pragma once
#include <algorithm>
#include <cstdint>

#include "heddle/isa.h"

constexpr unsigned COMPARE_SWAP = 63; // atom_pkg::COMPARE_SWAP
constexpr unsigned ATOMICS[] = {ISA_AOP_ADD, ISA_AOP_MIN, ISA_AOP_MIN_S32, ISA_AOP_MAX, ISA_AOP_MAX_S32, ISA_AOP_INC,
                                ISA_AOP_DEC, ISA_AOP_AND, ISA_AOP_OR,      ISA_AOP_XOR, ISA_AOP_EXCH,    COMPARE_SWAP};
constexpr unsigned ATOMIC_KINDS = sizeof ATOMICS / sizeof *ATOMICS, ATOMIC_KINDS_SHARED = ATOMIC_KINDS - 1;

inline uint32_t atomic_result(unsigned op, uint32_t v, uint32_t b, uint32_t c) {
  const int32_t sv = static_cast<int32_t>(v), sb = static_cast<int32_t>(b);
  switch (op) {
  case ISA_AOP_MIN:
    return std::min(v, b);
  case ISA_AOP_MIN_S32:
    return static_cast<uint32_t>(std::min(sv, sb));
  case ISA_AOP_MAX:
    return std::max(v, b);
  case ISA_AOP_MAX_S32:
    return static_cast<uint32_t>(std::max(sv, sb));
  case ISA_AOP_INC:
    return v >= b ? 0 : v + 1;
  case ISA_AOP_DEC:
    return v == 0 || v > b ? b : v - 1;
  case ISA_AOP_AND:
    return v & b;
  case ISA_AOP_OR:
    return v | b;
  case ISA_AOP_XOR:
    return v ^ b;
  case ISA_AOP_EXCH:
    return b;
  case COMPARE_SWAP:
    return v == b ? c : v;
  default:
    return v + b;
  }
}

// An operand that meets v, its neighbours, and the ends of the range; v is what memory holds about now.
template <class R> uint32_t atomic_operand(R &rnd, uint32_t v) {
  switch (rnd.below(4)) {
  case 0:
    return v + rnd.below(3) - 1;
  case 1:
    return rnd.below(2) ? 0 : 0x80000000u - rnd.below(2);
  default:
    return rnd.u32();
  }
}
