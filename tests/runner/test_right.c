/* SPDX-License-Identifier: Apache-2.0
 *
 * It passes, and gets the arguments that stand behind its name.
 */
#include <string.h>

#include "tests/test.h"

static char **given;

static void arguments(void **state) {
  (void)state;
  if (given[1] == NULL) return; /* one of all */
  assert_string_equal(given[0], "right");
  assert_string_equal(given[1], "one");
  assert_string_equal(given[2], "two");
  assert_null(given[3]);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(arguments)};
  given = argv;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
