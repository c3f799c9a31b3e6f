/* SPDX-License-Identifier: Apache-2.0
 *
 * It fails.
 */
#include <stdbool.h>

#include "tests/test.h"

static void fails(void **state) {
  (void)state;
  assert_true(false);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fails)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
