/* SPDX-License-Identifier: Apache-2.0
 *
 * A unit test in C: what cmocka wants, in its order, and what stands for main. The program of an area runs many of them
 * by name (tests/runner/runner.c), so each has a name of its own, which the build gives (cmake/HeddleTest.cmake).
 *
 *   int TEST_MAIN(int argc, char **argv) {
 *     const struct CMUnitTest tests[] = {cmocka_unit_test(adds)};
 *     return cmocka_run_group_tests(tests, NULL, NULL);
 *   }
 */
#ifndef HEDDLE_TESTS_TEST_H
#define HEDDLE_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifndef TEST_FUNCTION
#define TEST_FUNCTION main
#endif
#define TEST_MAIN(argc, argv) TEST_FUNCTION(__attribute__((unused)) argc, __attribute__((unused)) argv)

/* A row of the table that the build makes for a program; the last one has no name. */
typedef int test_main(int argc, char **argv); /* 0: passed */
struct test_unit {
  const char *name;
  test_main *run;
};
extern const struct test_unit test_units[];

#endif
