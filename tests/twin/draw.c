/* SPDX-License-Identifier: Apache-2.0
 * Random numbers, and values that lie at edges. */
#include "tests/twin/twin.h"

#include <string.h>

#include "base/splitmix64.h"

unsigned twin_below(struct twin *t, unsigned n) {
  return (unsigned)((splitmix64(&t->rng) >> 32) % n);
}
bool twin_chance(struct twin *t, unsigned percent) {
  return twin_below(t, 100) < percent;
}
unsigned twin_class(char letter) {
  return (unsigned)(strchr(twin_classes, letter) - twin_classes);
}

static uint64_t low(uint64_t v, unsigned bytes) {
  return bytes == 8 ? v : v & ((UINT64_C(1) << (8 * bytes)) - 1);
}

uint64_t twin_integer(uint64_t *rng, unsigned bytes) {
  uint64_t v = splitmix64(rng), most = UINT64_MAX >> (65 - 8 * bytes);
  const uint64_t edge[] = {0, 1, UINT64_MAX, most, most + 1, most - 1, 2, ~UINT64_C(1), 0x7fffffff, 0x80000000};
  switch (v % 8) {
  case 0:
  case 1:
    return low(edge[(v >> 8) % (sizeof edge / sizeof *edge)], bytes);
  case 2:
    return low(v >> 40 & 0x7f, bytes);
  case 3:
    return low(0 - (v >> 40 & 0xff), bytes);
  case 4:
    return low(UINT64_C(1) << (v >> 8) % 64, bytes);
  default:
    return low(v >> 3, bytes);
  }
}

/* sign, exponent field, fraction */
uint64_t twin_float(uint64_t *rng, unsigned bytes) {
  unsigned fraction = bytes == 2 ? 10 : bytes == 4 ? 23 : 52, width = 8 * bytes - 1 - fraction;
  uint64_t v = splitmix64(rng), all = (UINT64_C(1) << width) - 1, f = splitmix64(rng) & ((UINT64_C(1) << fraction) - 1);
  uint64_t sign = v >> 63 << (8 * bytes - 1), bias = all >> 1, e;
  switch (v % 16) {
  case 0: /* zero, or the smallest and largest subnormal numbers */
    e = 0;
    f = v & 64 ? 0 : v & 128 ? 1 : (UINT64_C(1) << fraction) - 1;
    break;
  case 1: /* infinity, quiet and signalling NaNs */
    e = all;
    f = v & 64 ? 0 : f;
    break;
  case 2: /* around one */
    e = bias - (v >> 8 & 1);
    f = v & 64 ? 0 : f;
    break;
  case 3:
    e = v >> 8 & 1;
    break;
  case 4: /* at the largest */
    e = all - 1 - (v >> 8 & 1);
    f = v & 64 ? (UINT64_C(1) << fraction) - 1 : f;
    break;
  case 5:
  case 6:
    e = (v >> 8) % all;
    break;
  case 7:
  case 8: /* whole and half numbers */
    e = bias + (v >> 8) % (fraction + 2);
    f &= UINT64_MAX << (fraction - ((v >> 20) % (fraction + 1)));
    break;
  default:
    e = bias - 6 + (v >> 8) % 13;
  }
  return sign | (e < all ? e : all) << fraction | f;
}
