// SPDX-License-Identifier: Apache-2.0
// Random numbers of the benches: one generator (base/splitmix64.h), one set of draws.
#pragma once
#include <cstdint>

#include "base/splitmix64.h"

struct Random {
  uint64_t state;
  uint64_t next() { return splitmix64(&state); }
  uint32_t u32() { return static_cast<uint32_t>(next() >> 32); }
  // 0 to n - 1
  uint32_t below(uint32_t n) { return static_cast<uint32_t>((next() >> 32) * n >> 32); }
  bool one_in(uint32_t n) { return below(n) == 0; }
  bool percent(uint32_t p) { return below(100) < p; }
  bool permille(uint32_t p) { return below(1000) < p; }
};
