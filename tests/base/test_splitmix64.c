/* SPDX-License-Identifier: Apache-2.0
 *
 * The random numbers are those of splitmix64 as it was published, and neighbouring seeds have nothing in common.
 */

#include "tests/test.h"
#include "base/splitmix64.h"

/* The first numbers of seeds 0 and 1234567, as other programs of the same name give them. */
static void test_published(void **state) {
  (void)state;
  static const uint64_t of_0[] = {UINT64_C(0xe220a8397b1dcdaf), UINT64_C(0x6e789e6aa1b965f4),
                                  UINT64_C(0x06c45d188009454f)};
  static const uint64_t of_1234567[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                        UINT64_C(9817491932198370423)};
  uint64_t a = 0, b = 1234567;
  for (unsigned k = 0; k < 3; k++) {
    assert_true(splitmix64(&a) == of_0[k]);
    assert_true(splitmix64(&b) == of_1234567[k]);
  }
}

/* Numbers of seeds that lie side by side differ in about half of their bits, everywhere in the word. */
static void test_neighbours(void **state) {
  enum { SEEDS = 1000 };
  unsigned differ[64] = {0};
  (void)state;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    uint64_t one = seed, next = seed + 1;
    const uint64_t first = splitmix64(&one), x = first ^ splitmix64(&next);
    for (unsigned bit = 0; bit < 64; bit++) differ[bit] += (unsigned)(x >> bit & 1);
  }
  for (unsigned bit = 0; bit < 64; bit++) assert_in_range(differ[bit], SEEDS * 4 / 10, SEEDS * 6 / 10);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_published), cmocka_unit_test(test_neighbours)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
