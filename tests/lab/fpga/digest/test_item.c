/* SPDX-License-Identifier: Apache-2.0
 *
 * The arithmetic of digests against the page's own words, computed another way: products as polynomials of 64 bits,
 * divided at the end.
 */

#include <heddle/digest.h>
#include "tests/test.h"
#include "base/splitmix64.h"

/* x^32 + x^26 + x^23 + x^22 + x^16 + x^12 + x^11 + x^10 + x^8 + x^7 + x^5 + x^4 + x^2 + x + 1 */
static uint64_t modulus(void) {
  static const unsigned powers[] = {32, 26, 23, 22, 16, 12, 11, 10, 8, 7, 5, 4, 2, 1, 0};
  uint64_t p = 0;
  for (size_t i = 0; i < sizeof powers / sizeof powers[0]; i++) p |= UINT64_C(1) << powers[i];
  return p;
}

static uint32_t remainder_of(uint64_t v) {
  for (unsigned i = 64; i-- > 32;)
    if ((v >> i & 1u) != 0) v ^= modulus() << (i - 32);
  return (uint32_t)v;
}

static uint32_t times(uint32_t a, uint32_t b) {
  uint64_t v = 0;
  for (unsigned i = 0; i < 32; i++)
    if ((b >> i & 1u) != 0) v ^= (uint64_t)a << i;
  return remainder_of(v);
}

/* By the page: r = d0 + x^8 d1 + x^16 d2 + ..., term by term. */
static uint32_t by_the_page(uint32_t seq, unsigned kind, unsigned place, unsigned beat, const uint32_t *d, unsigned n) {
  uint32_t r = 0, power = 1;
  for (unsigned i = 0; i < n; i++) {
    r ^= times(power, d[i]);
    power = times(power, 1u << 8);
  }
  const uint64_t t = (seq % 65536u) * UINT64_C(65536) + kind * 16384u + place * 32u + beat;
  const uint64_t whole = UINT64_C(1) << 32, inner = 60133u * (t / 65536u) % whole;
  const uint64_t u = (40503u * (t % 65536u) + inner % 65536u * 65536u + inner / 65536u + UINT64_C(0x9e3779b9)) % whole;
  const uint64_t p = u % 65536u * (u / 65536u);
  const uint64_t g = (p + (u * 2048u % whole + u / (whole / 2048u))) % whole ^ (p % 65536u * 65536u + p / 65536u) ^ u;
  return times(g == 0 ? 1 : (uint32_t)g, r);
}

static void random_items(void **state) {
  uint64_t rng = 1;
  (void)state;
  for (unsigned i = 0; i < 20000; i++) {
    uint32_t d[33];
    const unsigned n = 1 + (unsigned)(splitmix64(&rng) % 33);
    for (unsigned k = 0; k < n; k++) d[k] = (uint32_t)splitmix64(&rng);
    const uint32_t seq = (uint32_t)splitmix64(&rng);
    const unsigned kind = (unsigned)(splitmix64(&rng) % 4), place = (unsigned)(splitmix64(&rng) % 256),
                   beat = (unsigned)(splitmix64(&rng) % 32);
    assert_int_equal(heddle_digest_item(seq, (enum heddle_digest_kind)kind, place, beat, d, n),
                     by_the_page(seq, kind, place, beat, d, n));
  }
}

/* A row in two parts is the row. */
static void parts(void **state) {
  uint64_t rng = 2;
  (void)state;
  for (unsigned i = 0; i < 1000; i++) {
    uint32_t whole[5], one[5], two[5];
    const uint32_t mask = (uint32_t)splitmix64(&rng) & 15u, half = (uint32_t)splitmix64(&rng) & mask;
    for (unsigned k = 0; k < 4; k++) {
      const uint32_t v = (uint32_t)splitmix64(&rng);
      whole[k] = (mask >> k & 1u) != 0 ? v : 0;
      one[k] = (half >> k & 1u) != 0 ? v : 0;
      two[k] = ((mask & ~half) >> k & 1u) != 0 ? v : 0;
    }
    whole[4] = mask;
    one[4] = half;
    two[4] = mask & ~half;
    assert_int_equal(heddle_digest_item(i, HEDDLE_DIGEST_WRITE, 9, 3, whole, 5),
                     heddle_digest_item(i, HEDDLE_DIGEST_WRITE, 9, 3, one, 5) ^
                         heddle_digest_item(i, HEDDLE_DIGEST_WRITE, 9, 3, two, 5));
  }
}

/* A single wrong bit changes a digest, wherever it is; so does the same error twice, in two beats or instructions. */
static void errors(void **state) {
  (void)state;
  for (unsigned bit = 0; bit < 33 * 32; bit++) {
    uint32_t d[33] = {0};
    d[bit / 32] = UINT32_C(1) << bit % 32;
    const uint32_t here = heddle_digest_item(7, HEDDLE_DIGEST_WRITE, 4, 0, d, 33);
    assert_int_not_equal(here, 0);
    for (unsigned beat = 1; beat < 32; beat++)
      assert_int_not_equal(here, heddle_digest_item(7, HEDDLE_DIGEST_WRITE, 4, beat, d, 33));
    for (uint32_t seq = 8; seq < 8 + HEDDLE_DIGEST_WINDOW; seq++)
      assert_int_not_equal(here, heddle_digest_item(seq, HEDDLE_DIGEST_WRITE, 4, 0, d, 33));
  }
}

/* The same error in all lanes of all beats of several instructions next to each other: a digest that is right by chance
 * is one of 2^32. */
static void many_errors(void **state) {
  (void)state;
  for (uint32_t seq = 0; seq < 4000; seq++)
    for (unsigned place = 0; place < 32; place += 5) {
      uint32_t sum = 0;
      const uint32_t d[5] = {1, 1, 1, 1, 0};
      for (uint32_t n = 0; n < 8; n++) {
        for (unsigned beat = 0; beat < 8; beat++)
          sum ^= heddle_digest_item(seq + n, HEDDLE_DIGEST_WRITE, place, beat, d, 5);
        if (sum == 0) fail_msg("seq %u to %u, register %u: cancels", seq, seq + n, place);
      }
    }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_items), cmocka_unit_test(parts), cmocka_unit_test(errors),
                                     cmocka_unit_test(many_errors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
