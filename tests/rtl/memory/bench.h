// SPDX-License-Identifier: Apache-2.0
// Shared by the benches of the memory folder: random numbers, checks, access to packed ports.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "tests/rtl/random.h"

// Counts checks; prints the first failures.
struct Checks {
  uint64_t done = 0, failed = 0, cycle = 0;
  bool quiet = false;
  bool that(bool ok, const char *what, uint64_t a = 0, uint64_t b = 0) {
    done++;
    if (!ok && failed++ < 12 && !quiet)
      std::printf("cycle %llu: failed: %s (%llx, %llx)\n", static_cast<unsigned long long>(cycle), what,
                  static_cast<unsigned long long>(a), static_cast<unsigned long long>(b));
    return ok;
  }
};

// Bytes of a port, whatever type Verilator gave it (little-endian hosts).
template <class P> uint8_t *bytes(P &port) {
  return reinterpret_cast<uint8_t *>(&port);
}
template <class P> const uint8_t *bytes(const P &port) {
  return reinterpret_cast<const uint8_t *>(&port);
}

inline void put_bits(uint8_t *p, unsigned lsb, unsigned width, uint64_t value) {
  for (unsigned i = 0; i < width; i++) {
    unsigned bit = lsb + i;
    uint8_t m = static_cast<uint8_t>(1u << (bit % 8));
    p[bit / 8] = static_cast<uint8_t>(((value >> i) & 1) ? p[bit / 8] | m : p[bit / 8] & ~m);
  }
}

inline uint32_t word(const uint8_t *p, unsigned i) {
  uint32_t v;
  std::memcpy(&v, p + 4 * i, 4);
  return v;
}
inline void set_word(uint8_t *p, unsigned i, uint32_t v) {
  std::memcpy(p + 4 * i, &v, 4);
}
