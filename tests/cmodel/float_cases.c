/* SPDX-License-Identifier: Apache-2.0
 *
 * The values worth trying of float_ref.h.
 */
#include "tests/cmodel/float_ref.h"
#include "tests/cmodel/rows.h"

#define BOTH16(u) (u), (u) | 0x8000u
#define BOTH32(u) (u), (u) | 0x80000000u
#define BOTH64(u) UINT64_C(u), UINT64_C(u) | UINT64_C(1) << 63

static const uint64_t edges16[] = {BOTH16(0x0000u), BOTH16(0x0001u), BOTH16(0x0002u), BOTH16(0x0200u), BOTH16(0x03feu),
                                   BOTH16(0x03ffu), BOTH16(0x0400u), BOTH16(0x0401u), BOTH16(0x07ffu), BOTH16(0x0800u),
                                   BOTH16(0x1400u), BOTH16(0x1bffu), BOTH16(0x1fe0u), BOTH16(0x2010u), BOTH16(0x37ffu),
                                   BOTH16(0x3800u), BOTH16(0x3801u), BOTH16(0x3bffu), BOTH16(0x3c00u), BOTH16(0x3c01u),
                                   BOTH16(0x3e00u), BOTH16(0x4100u), BOTH16(0x57f0u), BOTH16(0x5bffu), BOTH16(0x63ffu),
                                   BOTH16(0x6800u), BOTH16(0x77ffu), BOTH16(0x7800u), BOTH16(0x7bfeu), BOTH16(0x7bffu),
                                   BOTH16(0x7c00u), BOTH16(0x7c01u), BOTH16(0x7d23u), BOTH16(0x7e00u), BOTH16(0x7fffu)};

static const uint64_t edges32[] = {
    BOTH32(0x00000000u), BOTH32(0x00000001u), BOTH32(0x00400000u), BOTH32(0x007fffffu), BOTH32(0x00800000u),
    BOTH32(0x00800001u), BOTH32(0x33000000u), BOTH32(0x33000001u), BOTH32(0x33800000u), BOTH32(0x33c00000u),
    BOTH32(0x387fc000u), BOTH32(0x387fdfffu), BOTH32(0x387fe000u), BOTH32(0x387fefffu), BOTH32(0x387ff000u),
    BOTH32(0x387fffffu), BOTH32(0x38800000u), BOTH32(0x3effffffu), BOTH32(0x3f000000u), BOTH32(0x3f000001u),
    BOTH32(0x3f7fffffu), BOTH32(0x3f800000u), BOTH32(0x3f800001u), BOTH32(0x3f801000u), BOTH32(0x3f801001u),
    BOTH32(0x3f803000u), BOTH32(0x3fc00000u), BOTH32(0x40200000u), BOTH32(0x42fe0000u), BOTH32(0x42feffffu),
    BOTH32(0x42ff0000u), BOTH32(0x43000000u), BOTH32(0x437f7fffu), BOTH32(0x437f8000u), BOTH32(0x43800000u),
    BOTH32(0x46fffe00u), BOTH32(0x46ffff00u), BOTH32(0x477fe000u), BOTH32(0x477fefffu), BOTH32(0x477ff000u),
    BOTH32(0x477fff00u), BOTH32(0x47800000u), BOTH32(0x4affffffu), BOTH32(0x4b000001u), BOTH32(0x4effffffu),
    BOTH32(0x4f000000u), BOTH32(0x4f7fffffu), BOTH32(0x4f800000u), BOTH32(0x5effffffu), BOTH32(0x5f000000u),
    BOTH32(0x5f7fffffu), BOTH32(0x5f800000u), BOTH32(0x7f7fffffu), BOTH32(0x7f800000u), BOTH32(0x7f800001u),
    BOTH32(0x7fa12345u), BOTH32(0x7fc00000u), BOTH32(0x7fffffffu)};

static const uint64_t edges64[] = {
    BOTH64(0x0000000000000000), BOTH64(0x0000000000000001), BOTH64(0x0000000000000002), BOTH64(0x0008000000000000),
    BOTH64(0x000fffffffffffff), BOTH64(0x0010000000000000), BOTH64(0x0010000000000001), BOTH64(0x001fffffffffffff),
    BOTH64(0x0350000000000000), BOTH64(0x0360000000000001), BOTH64(0x1ff0000000000000), BOTH64(0x1fffffffffffffff),
    BOTH64(0x3690000000000000), BOTH64(0x3690000000000001), BOTH64(0x36a0000000000000), BOTH64(0x380fffffc0000000),
    BOTH64(0x380fffffe0000000), BOTH64(0x380fffffe0000001), BOTH64(0x380fffffefffffff), BOTH64(0x380ffffff0000000),
    BOTH64(0x3810000000000000), BOTH64(0x3ca0000000000000), BOTH64(0x3ca0000000000001), BOTH64(0x3e60000000000000),
    BOTH64(0x3e60000000000001), BOTH64(0x3f0ff7ffffffffff), BOTH64(0x3f0ffe0000000000), BOTH64(0x3f10000000000000),
    BOTH64(0x3fdfffffffffffff), BOTH64(0x3fe0000000000000), BOTH64(0x3fe0000000000001), BOTH64(0x3fefffffffffffff),
    BOTH64(0x3ff0000000000000), BOTH64(0x3ff0000000000001), BOTH64(0x3ff8000000000000), BOTH64(0x4004000000000000),
    BOTH64(0x405fc00000000000), BOTH64(0x405fe00000000000), BOTH64(0x4060000000000000), BOTH64(0x406ff00000000000),
    BOTH64(0x40dfffe000000000), BOTH64(0x40effc0000000000), BOTH64(0x40effdffffffffff), BOTH64(0x40effe0000000000),
    BOTH64(0x40effff000000000), BOTH64(0x41dfffffffc00000), BOTH64(0x41dfffffffe00000), BOTH64(0x41e0000000000000),
    BOTH64(0x41e0000000100000), BOTH64(0x41efffffffe00000), BOTH64(0x41effffffff00000), BOTH64(0x41f0000000000000),
    BOTH64(0x432fffffffffffff), BOTH64(0x4330000000000001), BOTH64(0x433fffffffffffff), BOTH64(0x43dfffffffffffff),
    BOTH64(0x43e0000000000000), BOTH64(0x43e0000000000001), BOTH64(0x43efffffffffffff), BOTH64(0x43f0000000000000),
    BOTH64(0x47efffffe0000000), BOTH64(0x47efffffefffffff), BOTH64(0x47effffff0000000), BOTH64(0x47f0000000000000),
    BOTH64(0x5ff0000000000000), BOTH64(0x6000000000000001), BOTH64(0x7fe0000000000000), BOTH64(0x7feffffffffffffe),
    BOTH64(0x7fefffffffffffff), BOTH64(0x7ff0000000000000), BOTH64(0x7ff0000000000001), BOTH64(0x7ff4000012345678),
    BOTH64(0x7ff8000000000000), BOTH64(0x7ffabcdef1234567), BOTH64(0x7fffffffffffffff)};

const uint64_t *ref_edges(enum ref_format f, unsigned *n) {
  static const struct {
    const uint64_t *edge;
    size_t n;
  } all[3] = {{edges16, sizeof edges16 / 8}, {edges32, sizeof edges32 / 8}, {edges64, sizeof edges64 / 8}};
  *n = (unsigned)all[f].n;
  return all[f].edge;
}

/* Fractions with long runs of ones or zeros, where rounding goes far. */
static uint64_t fraction(enum ref_format f, uint64_t *s) {
  const unsigned places = ref_info[f].digits - 1, k = rnd32(s) % places;
  const uint64_t ones = (UINT64_C(1) << places) - 1;
  switch (rnd32(s) % 4) {
  case 0:
    return splitmix64(s) >> 3 & ones;
  case 1:
    return (ones << k) & ones;
  case 2:
    return ones >> k;
  default:
    return (UINT64_C(1) << k) ^ (rnd32(s) >> 9 & 1u);
  }
}

/* The exponent field e, pulled into the range of finite numbers. */
static uint64_t number(enum ref_format f, uint64_t *s, int e) {
  const struct ref_info *r = &ref_info[f];
  const int top = (int)(r->inf >> (r->digits - 1)) - 1;
  const uint64_t field = (uint64_t)(e < 0 ? 0 : (e > top ? top : e));
  const uint64_t sign = (rnd32(s) >> 7 & 1u) != 0 ? r->sign : 0;
  return sign | field << (r->digits - 1) | fraction(f, s);
}

static uint64_t any_bits(enum ref_format f, uint64_t *s) {
  return splitmix64(s) >> (64 - ref_info[f].bits);
}

static int exponent(enum ref_format f, uint64_t *s) {
  return (int)(rnd32(s) % (uint32_t)(ref_info[f].inf >> (ref_info[f].digits - 1)));
}

uint64_t ref_random(enum ref_format f, uint64_t *s) {
  const int middle = 1 - ref_info[f].least; /* exponent field of 1.0 */
  switch (rnd32(s) % 4) {
  case 0:
    return any_bits(f, s);
  case 1:
    return number(f, s, exponent(f, s));
  default:
    return number(f, s, middle + (int)(rnd32(s) % 100) - 30); /* about the integers, and the smaller formats */
  }
}

/* The product of two numbers in a format, or near it. */
static uint64_t product_near(enum ref_format f, uint64_t u, uint64_t v, uint64_t *s) {
  mpfr_t x, y;
  ref_init(x, f);
  ref_init(y, f);
  ref_set(x, f, u);
  ref_set(y, f, v);
  const int t = mpfr_mul(x, x, y, MPFR_RNDN);
  const uint64_t p = ref_bits(x, t, f, MPFR_RNDN, false);
  mpfr_clear(x);
  mpfr_clear(y);
  return (p ^ ref_info[f].sign) + rnd32(s) % 3 - 1;
}

void ref_random3(enum ref_format f, uint64_t *s, uint64_t v[3]) {
  const int middle = 1 - ref_info[f].least, digits = (int)ref_info[f].digits, near = 3 * digits;
  const int ea = exponent(f, s), eb = exponent(f, s);
  const uint64_t mask = ~UINT64_C(0) >> (64 - ref_info[f].bits);
  const unsigned kind = rnd32(s) % 9;
  v[0] = number(f, s, ea);
  v[1] = number(f, s, ea + (int)(rnd32(s) % (unsigned)near) - near / 2);
  v[2] = number(f, s, ea + (int)(rnd32(s) % (unsigned)near) - near / 2);
  if (kind < 4) { /* c near the product */
    v[1] = number(f, s, eb);
    v[2] = number(f, s, ea + eb - middle + (int)(rnd32(s) % (unsigned)(2 * near)) - near);
  } else if (kind == 4) { /* a + b cancels but for the last places */
    v[1] = ((v[0] ^ ref_info[f].sign) + rnd32(s) % 9 - 4) & mask;
  } else if (kind == 5) { /* c is the product, nearly: what is left is its rounding error */
    v[1] = number(f, s, middle + (int)(rnd32(s) % 5) - 2);
    v[2] = product_near(f, v[0], v[1], s) & mask;
  } else if (kind == 6) {
    for (unsigned k = 0; k < 3; k++) v[k] = any_bits(f, s);
  } else if (kind == 7) { /* the product about the least numbers */
    v[1] = number(f, s, middle - ea + (int)(rnd32(s) % (unsigned)(3 * digits)) - 2 * digits);
    v[2] = number(f, s, (int)(rnd32(s) % (unsigned)digits));
  } else {
    unsigned n;
    const uint64_t *edge = ref_edges(f, &n);
    const uint64_t number_at = edge[rnd32(s) % n];
    v[rnd32(s) % 3] = number_at;
  }
}

bool ref_case(enum ref_format f, unsigned operands, unsigned long n, unsigned long random, uint64_t *seed,
              uint64_t v[3]) {
  unsigned k, edges;
  const uint64_t *edge = ref_edges(f, &edges);
  unsigned long all = 1;
  for (k = 0; k < operands; k++) all *= edges;
  if (n >= all) {
    ref_random3(f, seed, v);
    if (operands == 1) v[0] = ref_random(f, seed);
    return n < all + random;
  }
  for (k = 0; k < operands; k++, n /= edges) v[k] = edge[n % edges];
  return true;
}
