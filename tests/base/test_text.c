/* SPDX-License-Identifier: Apache-2.0
 *
 * Text piece by piece: it grows and stays whole; in a room it is cut at its end, and never behind it. */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "base/text.h"

static void test_grows(void **state) {
  struct text t = {.at = NULL};
  (void)state;
  for (unsigned i = 0; i < 1000; i++) assert_true(i % 2 ? text_put(&t, "odd,") : text_add(&t, "even,and more", 5));
  assert_int_equal(t.bytes, 500 * 9);
  assert_int_equal(strlen(t.at), t.bytes);
  for (unsigned i = 0; i < 500; i++) assert_memory_equal(t.at + 9 * i, "even,odd,", 9);
  assert_false(text_add(&t, "", SIZE_MAX / 2));
  assert_int_equal(t.bytes, 500 * 9);
  text_free(&t);
  assert_null(t.at);
  assert_true(text_put(&t, ""));
  assert_string_equal(t.at, "");
  text_free(&t);
}

static void test_room(void **state) {
  (void)state;
  for (size_t size = 0; size < 12; size++) {
    char buf[16];
    memset(buf, 'x', sizeof buf);
    struct text_room t = {buf, size, 0};
    text_print(&t, "%s", "abc");
    text_print(&t, "%u%s", 12345u, "");
    text_print(&t, "z");
    assert_int_equal(t.used, size == 0 ? 0 : size > 9 ? 9 : size - 1);
    assert_memory_equal(buf, "abc12345z", t.used);
    if (size > 0) assert_int_equal(buf[t.used], 0);
    for (size_t i = size; i < sizeof buf; i++) assert_int_equal(buf[i], 'x');
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_grows), cmocka_unit_test(test_room)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
