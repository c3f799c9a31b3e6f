/* SPDX-License-Identifier: Apache-2.0
 * Which file is the device of a name. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <heddle/device.h>
#include "tests/test.h"

static char folder[] = "/tmp/heddle-device-XXXXXX";

static void at(char *path, size_t bytes, const char *name) {
  snprintf(path, bytes, "%s/verilator_%s.so", folder, name);
}

static void make(const char *name) {
  char path[128];
  at(path, sizeof path, name);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fclose(f);
}

/* The device `name` is the file `is`, and none if that is NULL. */
static void expect(const char *name, const char *is) {
  char path[4096], wanted[128];
  assert_int_equal(heddle_dut_path(folder, "verilator", name, path, sizeof path), is != NULL);
  if (is == NULL) return;
  at(wanted, sizeof wanted, is);
  assert_string_equal(path, wanted);
}

static void test_planted_serves_as_plain(void **state) {
  (void)state;
  assert_non_null(mkdtemp(folder));
  expect("any", NULL);
  make("any_faults");
  expect("any", "any_faults");
  expect("any_faults", "any_faults");
  expect("any_wave", NULL); /* which has what it lacks */
  make("any");
  expect("any", "any");
  expect("any_faults", "any_faults");
  for (unsigned i = 0; i < 2; i++) {
    char path[128];
    at(path, sizeof path, i == 0 ? "any" : "any_faults");
    assert_int_equal(unlink(path), 0);
  }
  assert_int_equal(rmdir(folder), 0);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_planted_serves_as_plain)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
