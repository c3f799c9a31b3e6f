/* SPDX-License-Identifier: Apache-2.0
 *
 * The arithmetic of digests: elements of GF(2^32), bit i the coefficient of x^i.
 */
#include <heddle/digest.h>

/* Without x^32. */
#define POLYNOMIAL UINT32_C(0x04c11db7)

static uint32_t times_x(uint32_t v) {
  return v << 1 ^ ((v >> 31) != 0 ? POLYNOMIAL : 0);
}

static uint32_t times_x8(uint32_t v) {
  for (unsigned i = 0; i < 8; i++) v = times_x(v);
  return v;
}

static uint32_t field_product(uint32_t a, uint32_t b) {
  uint32_t sum = 0;
  for (; b != 0; b >>= 1, a = times_x(a))
    if ((b & 1u) != 0) sum ^= a;
  return sum;
}

static uint32_t turned(uint32_t v, unsigned by) {
  return v << by | v >> (32 - by);
}

/* Another for each item, and far from a linear function of its name: errors of several items do not cancel. */
static uint32_t factor(uint32_t seq, enum heddle_digest_kind kind, unsigned place, unsigned beat) {
  const uint32_t low = (uint32_t)kind << 14 | place << 5 | beat, high = seq & 0xffffu;
  const uint32_t u = 40503u * low + turned(60133u * high, 16) + UINT32_C(0x9e3779b9);
  const uint32_t p = (u & 0xffffu) * (u >> 16);
  const uint32_t g = (p + turned(u, 11)) ^ turned(p, 16) ^ u;
  return g != 0 ? g : 1;
}

uint32_t heddle_digest_item(uint32_t seq, enum heddle_digest_kind kind, unsigned place, unsigned beat,
                            const uint32_t *d, unsigned n) {
  uint32_t r = 0;
  for (unsigned i = n; i-- > 0;) r = times_x8(r) ^ d[i];
  return r != 0 ? field_product(factor(seq, kind, place, beat), r) : 0;
}
