/* SPDX-License-Identifier: Apache-2.0
 *
 * The model of the instruction cache over sequences that were worked out by hand.
 */
#include <string.h>

#include "tests/test.h"
#include "isa/measure/icache.h"

static void test_conflicts(void **state) {
  (void)state;
  const struct icache_config c = {.bytes = 128, .last = 1023}; /* two lines */
  struct icache_counts n = {0};
  struct icache *i = icache_new(&c);
  assert_non_null(i);
  const uint32_t at[] = {0, 16, 64, 128, 0, 64, 128};
  for (unsigned k = 0; k < 7; k++) icache_fetch(i, at[k], k, &n);
  assert_int_equal(n.lookups, 7);
  assert_int_equal(n.misses, 5); /* 16 and the second 64 hit: 0 and 128 share a place */
  assert_int_equal(n.refills, 5);
  icache_free(i);
}

static void test_sizes(void **state) {
  (void)state;
  static const uint32_t wrong[] = {0, 32, 96, 192};
  for (unsigned k = 0; k < 4; k++) {
    const struct icache_config c = {.bytes = wrong[k]};
    assert_null(icache_new(&c));
  }
}

/* Lines ahead, up to the code's last one. */
static void test_ahead(void **state) {
  (void)state;
  const struct icache_config c = {.bytes = 256, .ahead = 2, .last = 191}; /* three lines of code */
  struct icache_counts n = {0};
  struct icache *i = icache_new(&c);
  icache_fetch(i, 0, 0, &n);
  assert_int_equal(n.misses, 1);
  assert_int_equal(n.refills, 3);
  icache_fetch(i, 128, 1, &n);
  assert_int_equal(n.misses, 1);
  assert_int_equal(n.refills, 3);
  icache_free(i);
}

static const uint32_t eight[] = {0, 1, 2, 3, 4, 5, 6, 7}, at[] = {0, 16, 32, 48, 64, 80, 96, 112};
static const uint8_t bytes[] = {16, 16, 16, 16, 16, 16, 16, 16};
static const struct icache_code code = {at, bytes, 16};

/* Line 0 at 10, four instructions of two cycles, line 1 asked for at 18: there at 28, end at 36. */
static void test_time(void **state) {
  (void)state;
  const struct icache_config c = {.bytes = 128, .last = 127, .beats = 2, .latency = 10};
  const struct icache_stream s = {eight, 8};
  struct icache_counts n = {0};
  assert_true(icache_time(&c, &code, &s, 1, &n));
  assert_int_equal(n.lookups, 8);
  assert_int_equal(n.misses, 2);
  assert_int_equal(n.refills, 2);
  assert_int_equal(n.late, 0);
  assert_int_equal(n.cycles, 36);
  assert_int_equal(n.stalls, 20);
}

/* One line may be on its way. Line 1 is asked for ahead at 12, when the first instruction has gone: there at 22. */
static void test_time_ahead(void **state) {
  (void)state;
  const struct icache_config c = {.bytes = 128, .ahead = 1, .last = 127, .beats = 2, .latency = 10};
  const struct icache_stream s = {eight, 8};
  struct icache_counts n = {0};
  assert_true(icache_time(&c, &code, &s, 1, &n));
  assert_int_equal(n.misses, 1);
  assert_int_equal(n.late, 1);
  assert_int_equal(n.refills, 2);
  assert_int_equal(n.cycles, 30);
  assert_int_equal(n.stalls, 14);
}

/* Two warps in the same code: the second finds line 0 on its way, then both issue in turns; at 24 the first wants line
 * 1, at 26 the second: 34. Ends at 34 + 16. */
static void test_two_warps(void **state) {
  (void)state;
  const struct icache_config c = {.bytes = 128, .last = 127, .beats = 2, .latency = 10};
  const struct icache_stream s[] = {{eight, 8}, {eight, 8}};
  struct icache_counts n = {0};
  assert_true(icache_time(&c, &code, s, 2, &n));
  assert_int_equal(n.misses, 2);
  assert_int_equal(n.refills, 2);
  assert_int_equal(n.late, 2);
  assert_int_equal(n.cycles, 50);
  assert_int_equal(n.stalls, 10 + 8);
}

/* An instruction of 32 bytes is two: it takes two turns, and two lines where it crosses into the second. */
static void test_long(void **state) {
  (void)state;
  static const uint32_t one[] = {0}, from[] = {48};
  static const uint8_t two[] = {32};
  const struct icache_code wide = {from, two, 16};
  const struct icache_config c = {.bytes = 128, .last = 127, .beats = 2, .latency = 10};
  const struct icache_stream s = {one, 1};
  struct icache_counts n = {0};
  assert_true(icache_time(&c, &wide, &s, 1, &n));
  assert_int_equal(n.lookups, 2);
  assert_int_equal(n.refills, 2);
  assert_int_equal(n.cycles, 24); /* the second line waits for the first: 20, and two turns */
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_conflicts),  cmocka_unit_test(test_sizes),
                                     cmocka_unit_test(test_ahead),      cmocka_unit_test(test_time),
                                     cmocka_unit_test(test_time_ahead), cmocka_unit_test(test_two_warps),
                                     cmocka_unit_test(test_long)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
