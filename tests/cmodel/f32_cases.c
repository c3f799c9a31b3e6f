/* SPDX-License-Identifier: Apache-2.0 */
#include "f32_cases.h"

#include "tests/cmodel/rows.h"

#define BOTH(u) (u), ((u) | 0x80000000u)

const uint32_t f32_edges[] = {
    BOTH(0x00000000u), BOTH(0x00000001u), BOTH(0x00000002u), BOTH(0x00400000u), BOTH(0x007ffffeu), BOTH(0x007fffffu),
    BOTH(0x00800000u), BOTH(0x00800001u), BOTH(0x00ffffffu), BOTH(0x01000000u), BOTH(0x20000000u), BOTH(0x1fffffffu),
    BOTH(0x33800000u), BOTH(0x33800001u), BOTH(0x34000000u), BOTH(0x3effffffu), BOTH(0x3f000000u), BOTH(0x3f000001u),
    BOTH(0x3f7fffffu), BOTH(0x3f800000u), BOTH(0x3f800001u), BOTH(0x3fc00000u), BOTH(0x40200000u), BOTH(0x4affffffu),
    BOTH(0x4b000001u), BOTH(0x4effffffu), BOTH(0x4f000000u), BOTH(0x4f7fffffu), BOTH(0x4f800000u), BOTH(0x5f000001u),
    BOTH(0x7effffffu), BOTH(0x7f000000u), BOTH(0x7f7ffffeu), BOTH(0x7f7fffffu), BOTH(0x7f800000u), BOTH(0x7f800001u),
    BOTH(0x7fa12345u), BOTH(0x7fc00000u), BOTH(0x7fffffffu)};
const unsigned f32_edge_count = sizeof f32_edges / sizeof f32_edges[0];

/* Fractions with long runs of ones or zeros, where rounding goes far. */
static uint32_t fraction(uint64_t *s) {
  const uint32_t r = rnd32(s), k = rnd32(s) % 23;
  switch (rnd32(s) % 4) {
  case 0:
    return r & 0x7fffffu;
  case 1:
    return (0x7fffffu << k) & 0x7fffffu;
  case 2:
    return 0x7fffffu >> k;
  default:
    return (1u << k) ^ (r & 1u);
  }
}

static uint32_t clamp_exponent(int e) {
  return (uint32_t)(e < 0 ? 0 : (e > 254 ? 254 : e));
}

static uint32_t value(uint64_t *s, int e) {
  const uint32_t sign = rnd32(s) & 0x80000000u;
  return sign | clamp_exponent(e) << 23 | fraction(s);
}

void f32_random3(uint64_t *s, uint32_t v[3]) {
  const int ea = (int)(rnd32(s) % 255), spread = (int)(rnd32(s) % 61) - 30;
  const unsigned kind = rnd32(s) % 8;
  v[0] = value(s, ea);
  v[1] = value(s, ea + spread);
  v[2] = value(s, ea + (int)(rnd32(s) % 61) - 30);
  if (kind < 4) { /* c near the product */
    const int eb = (int)(rnd32(s) % 255);
    v[1] = value(s, eb);
    v[2] = value(s, ea + eb - 127 + (int)(rnd32(s) % 101) - 50);
  } else if (kind == 4) { /* a + b cancels but for the last places */
    v[1] = (v[0] ^ 0x80000000u) + rnd32(s) % 9 - 4;
  } else if (kind == 5) { /* c is the product, nearly: what is left is its rounding error */
    v[1] = value(s, 127 + (int)(rnd32(s) % 5) - 2);
    float x, y, p;
    __builtin_memcpy(&x, &v[0], 4);
    __builtin_memcpy(&y, &v[1], 4);
    p = -(x * y);
    __builtin_memcpy(&v[2], &p, 4);
    v[2] += rnd32(s) % 3 - 1;
  } else if (kind == 6) {
    for (unsigned k = 0; k < 3; k++) v[k] = rnd32(s);
  } else {
    const uint32_t edge = f32_edges[rnd32(s) % f32_edge_count];
    v[rnd32(s) % 3] = edge;
  }
}
