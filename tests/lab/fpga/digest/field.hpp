// SPDX-License-Identifier: Apache-2.0
//
// The summand of an item in its window, written from docs/digest-format.md alone: bit by bit, as the page has it.
#ifndef HEDDLE_TESTS_DIGEST_FIELD_HPP
#define HEDDLE_TESTS_DIGEST_FIELD_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

namespace digest {

// Multiplication by x modulo x^32 + x^26 + x^23 + ... + 1.
inline uint32_t times_x(uint32_t a) {
  static const unsigned terms[] = {26, 23, 22, 16, 12, 11, 10, 8, 7, 5, 4, 2, 1, 0};
  uint32_t low = 0;
  for (unsigned t : terms) low |= 1u << t;
  return (a >> 31 != 0) ? (a << 1) ^ low : a << 1;
}

inline uint32_t multiply(uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (; b != 0; b >>= 1, a = times_x(a))
    if (b & 1) product ^= a;
  return product;
}

inline uint32_t mix(const std::vector<uint32_t> &words) {
  uint32_t r = 0;
  for (std::size_t i = words.size(); i-- > 0;) {
    for (unsigned k = 0; k < 8; k++) r = times_x(r);
    r ^= words[i];
  }
  return r;
}

inline uint32_t place_number(uint32_t seq, unsigned kind, unsigned place, unsigned beat) {
  const uint32_t t = (seq & 0xffff) << 16 | kind << 14 | place << 5 | beat;
  const uint32_t high = 60133u * (t >> 16);
  const uint32_t u = 40503u * (t & 0xffff) + (high << 16 | high >> 16) + 0x9e3779b9u;
  const uint32_t p = (u & 0xffff) * (u >> 16);
  const uint32_t g = (p + (u << 11 | u >> 21)) ^ (p << 16 | p >> 16) ^ u;
  return g != 0 ? g : 1;
}

inline uint32_t item(const std::vector<uint32_t> &words, uint32_t seq, unsigned kind, unsigned place, unsigned beat) {
  return multiply(place_number(seq, kind, place, beat), mix(words));
}

} // namespace digest

#endif
