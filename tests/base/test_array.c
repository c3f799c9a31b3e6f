/* SPDX-License-Identifier: Apache-2.0
 *
 * Growing arrays: elements stay, room at least doubles, what does not fit is refused and changes nothing.
 */
#include <stdlib.h>

#include "tests/test.h"
#include "base/array.h"

static void test_one_by_one(void **state) {
  (void)state;
  enum { MANY = 10000 };
  uint32_t *list = NULL;
  size_t room = 0, moves = 0;
  for (uint32_t k = 0; k < MANY; k++) {
    const size_t before = room;
    assert_true(array_room(&list, &room, k + 1, sizeof *list));
    assert_true(room > k && (room == before || room >= 2 * before));
    moves += room != before;
    list[k] = k * k;
  }
  for (uint32_t k = 0; k < MANY; k++) assert_int_equal(list[k], k * k);
  assert_true(moves < 15); /* log2(MANY) */
  free(list);
}

static void test_many_at_once(void **state) {
  (void)state;
  uint8_t *list = NULL;
  size_t room = 0;
  assert_true(array_room(&list, &room, 0, 1));
  assert_null(list);
  assert_true(array_room(&list, &room, 1000, 1));
  assert_int_equal(room, 1000);
  list[999] = 7;
  assert_true(array_room(&list, &room, 1001, 1));
  assert_int_equal(room, 2000);
  assert_int_equal(list[999], 7);
  free(list);
}

static void test_refuses(void **state) {
  (void)state;
  uint64_t *list = NULL;
  size_t room = 0;
  assert_true(array_room(&list, &room, 3, sizeof *list));
  uint64_t *const was = list;
  const size_t had = room;
  list[2] = 5;
  assert_false(array_room(&list, &room, SIZE_MAX / sizeof *list + 1, sizeof *list)); /* no size_t has so many bytes */
  assert_false(array_room(&list, &room, SIZE_MAX, sizeof *list));
  assert_ptr_equal(list, was);
  assert_int_equal(room, had);
  assert_int_equal(list[2], 5);
  free(list);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_by_one), cmocka_unit_test(test_many_at_once),
                                     cmocka_unit_test(test_refuses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
