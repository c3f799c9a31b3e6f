/* SPDX-License-Identifier: Apache-2.0
 *
 * What the writer of cosim/kit/trace refuses, with its words. usage: refusals LAUNCH-FILE
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "cosim/kit/trace/heddle_trace.h"

static const char *launch_file;

static void open_it(struct heddle_tracefile *t) {
  assert_true(heddle_tracefile_open(t, fopen(launch_file, "rb"), tmpfile()));
  assert_true(heddle_tracefile_begin(t));
}

/* Whatever comes afterwards, the first fault is told. */
static void expect_wrong(struct heddle_tracefile *t, const char *why) {
  assert_false(heddle_tracefile_close(t));
  assert_non_null(t->wrong);
  if (strcmp(t->wrong, why) != 0) fail_msg("'%s', not '%s'", t->wrong, why);
}

static void files(void **state) {
  (void)state;
  struct heddle_tracefile t;
  assert_false(heddle_tracefile_open(&t, NULL, tmpfile()));
  expect_wrong(&t, "no launch file");
  assert_false(heddle_tracefile_open(&t, fopen(launch_file, "rb"), NULL));
  expect_wrong(&t, "no file for the trace");
  assert_false(heddle_tracefile_open(&t, tmpfile(), tmpfile()));
  expect_wrong(&t, "the launch file ends too soon");
  assert_false(heddle_tracefile_open(&t, fopen("/proc/self/exe", "rb"), tmpfile()));
  expect_wrong(&t, "the launch file is no trace");
  assert_true(heddle_tracefile_open(&t, fopen(launch_file, "rb"), fopen("/dev/full", "wb")));
  (void)heddle_tracefile_begin(&t); /* the stream's buffer may still take it */
  expect_wrong(&t, "the trace cannot be written");
}

static void places(void **state) {
  (void)state;
  struct heddle_tracefile t;
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_BLOCK_END, .cycle = 9};
  static uint8_t memory[2 * HEDDLE_TRACE_PIECE];
  open_it(&t);
  assert_false(heddle_tracefile_record(&t, &r));
  expect_wrong(&t, "a record outside of a launch");
  open_it(&t);
  assert_true(heddle_tracefile_launch(&t));
  assert_true(heddle_tracefile_record(&t, &r));
  r.cycle = 8;
  assert_false(heddle_tracefile_record(&t, &r));
  expect_wrong(&t, "a record of a cycle before that of the last one");
  open_it(&t);
  assert_true(heddle_tracefile_launch(&t));
  assert_false(heddle_tracefile_memory(&t, 1, memory, 16));
  expect_wrong(&t, "memory that is elsewhere");
  open_it(&t);
  assert_true(heddle_tracefile_launch(&t));
  assert_false(heddle_tracefile_memory(&t, 0, memory, t.memory_bytes + 1));
  expect_wrong(&t, "memory that is elsewhere");
  open_it(&t);
  assert_true(heddle_tracefile_launch(&t));
  expect_wrong(&t, "a launch has not been ended");
  open_it(&t);
  assert_false(heddle_tracefile_end(&t, 0));
  expect_wrong(&t, "an end in the wrong place");
}

static void kinds(void **state) {
  (void)state;
  struct heddle_tracefile t;
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_PREDICATE};
  const struct heddle_record_hidden p0 = HEDDLE_RECORD_HIDDEN_P0;
  assert_true(heddle_tracefile_open(&t, fopen(launch_file, "rb"), tmpfile()));
  t.core.hidden = p0;
  assert_true(heddle_tracefile_begin(&t) && heddle_tracefile_launch(&t));
  assert_false(heddle_tracefile_record(&t, &r));
  expect_wrong(&t, "a record of a kind that is not known, or said not to be shown");
  open_it(&t);
  r.kind = HEDDLE_RECORD_KINDS;
  assert_true(heddle_tracefile_launch(&t));
  assert_false(heddle_tracefile_record(&t, &r));
  expect_wrong(&t, "a record of a kind that is not known, or said not to be shown");
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  launch_file = argv[1];
  const struct CMUnitTest tests[] = {cmocka_unit_test(files), cmocka_unit_test(places), cmocka_unit_test(kinds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
