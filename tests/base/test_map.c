/* SPDX-License-Identifier: Apache-2.0
 *
 * Maps beside lists that are searched from end to end. */
#include <stdlib.h>

#include "tests/test.h"
#include "base/map.h"
#include "base/splitmix64.h"

enum { MANY = 3000 };

static void test_pairs(void **state) {
  struct map m = {0};
  static uint64_t key[MANY][2];
  uint64_t random = 1;
  (void)state;
  assert_null(map_find(&m, 0, 0));
  for (uint64_t k = 0; k < MANY; k++) { /* few first numbers, few second: it is the pair that counts */
    key[k][0] = splitmix64(&random) % 64;
    key[k][1] = k % 2 ? splitmix64(&random) % 64 : UINT64_MAX - splitmix64(&random) % 64;
    uint64_t before = 0;
    while (before < k && (key[before][0] != key[k][0] || key[before][1] != key[k][1])) before++;
    const size_t used = m.used;
    uint64_t *was = map_find(&m, key[k][0], key[k][1]), *at;
    if (before < k)
      assert_int_equal(*was, before);
    else
      assert_null(was);
    at = map_at(&m, key[k][0], key[k][1], k);
    assert_non_null(at);
    assert_int_equal(*at, before);
    assert_int_equal(m.used, used + (before == k));
    assert_true(2 * m.used <= m.room);
  }
  *map_at(&m, key[0][0], key[0][1], 1) = 77;
  assert_int_equal(*map_find(&m, key[0][0], key[0][1]), 77);
  free(m.slot);
}

/* In memory of the caller's. */
static void test_moves(void **state) {
  static struct map_slot memory[3][256];
  struct map m = {0};
  unsigned at = 0;
  (void)state;
  for (uint64_t k = 0; k < 128; k++) {
    if (map_is_full(&m)) {
      map_move(&m, memory[at], (size_t)64 << at);
      at++;
    }
    assert_int_equal(*map_at(&m, k << 40, 0, k), k);
  }
  assert_int_equal(at, 3);
  assert_ptr_equal(m.slot, memory[2]);
  for (uint64_t k = 0; k < 128; k++) assert_int_equal(*map_find(&m, k << 40, 0), k);
}

/* Of few hashes, some of one slot: found from the last to the first, as they stand. */
static void test_stack(void **state) {
  static uint64_t hash[MANY];
  struct map_stack s;
  uint64_t random = 2;
  uint32_t n = 0, pushed = 0;
  void *memory = malloc(map_stack_bytes(MANY));
  (void)state;
  assert_non_null(memory);
  map_stack_begin(&s, MANY, memory);
  while (n < MANY) {
    const uint64_t high = splitmix64(&random) % 8 << 12, h = high | splitmix64(&random) % 3;
    uint32_t want = n;
    for (uint32_t at = map_stack_last(&s, h); at != MAP_NONE; at = map_stack_before(&s, at)) {
      do want--;
      while (hash[want] != h);
      assert_int_equal(at, want);
    }
    while (want > 0) assert_true(hash[--want] != h);
    assert_int_equal(s.count, n);
    hash[n++] = h;
    map_stack_push(&s, h);
    if (++pushed % 100 == 0 && pushed < 20000) map_stack_cut(&s, n -= (uint32_t)(splitmix64(&random) % 90));
  }
  free(memory);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs), cmocka_unit_test(test_moves),
                                     cmocka_unit_test(test_stack)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
