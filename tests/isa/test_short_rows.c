/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of this encoding: what they lengthen to shortens again, random words of each row among them.
 */

#include <heddle/isa_tables.h>
#include "tests/test.h"
#include "base/splitmix64.h"

#define ROWS 256u
#define BIT63 (UINT64_C(1) << 63)

static bool is_zero(struct heddle_isa_word w) {
  return w.lo == 0 && w.hi == 0;
}

static void expect_same(uint64_t s) {
  const struct heddle_isa_word w = heddle_isa_lengthen(s);
  uint64_t again = 0;
  if (!heddle_isa_shorten(w, &again)) fail_msg("0x%016llx lengthens to what has no short form", (unsigned long long)s);
  const struct heddle_isa_word x = heddle_isa_lengthen(again);
  if (x.lo != w.lo || x.hi != w.hi)
    fail_msg("0x%016llx and 0x%016llx differ", (unsigned long long)s, (unsigned long long)again);
}

static void test_each_row(void **state) {
  (void)state;
  uint64_t seed = 3;
  unsigned rows = 0;
  for (unsigned row = 0; row < ROWS; row++) {
    const uint64_t s = BIT63 | (uint64_t)row << 55;
    if (is_zero(heddle_isa_lengthen(s | 1))) continue; /* d is 1: a row that is there gives it */
    rows++;
    for (unsigned i = 0; i < 2000; i++) {
      /* Control codes that are there: the first row alone is sure to be. */
      const uint64_t low = splitmix64(&seed) & ((UINT64_C(1) << 48) - 1);
      expect_same(s | low);
    }
  }
  assert_true(rows > 0);
}

/* Whatever a short word says: of a legal long one the short form says the same. */
static void test_any_word(void **state) {
  (void)state;
  uint64_t seed = 5;
  unsigned legal = 0;
  for (unsigned i = 0; i < 1000000; i++) {
    struct heddle_isa_dec d;
    const uint64_t s = splitmix64(&seed) | BIT63;
    if (!heddle_isa_decode(heddle_isa_lengthen(s), &d)) continue;
    legal++;
    expect_same(s);
  }
  assert_true(legal > 0);
}

/* Without bit 63 it is none, whatever else it says. */
static void test_none(void **state) {
  (void)state;
  uint64_t seed = 9;
  for (unsigned i = 0; i < 100000; i++) assert_true(is_zero(heddle_isa_lengthen(splitmix64(&seed) & ~BIT63)));
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_row),
      cmocka_unit_test(test_any_word),
      cmocka_unit_test(test_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
