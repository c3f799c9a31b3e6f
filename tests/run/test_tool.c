/* SPDX-License-Identifier: Apache-2.0
 * What the subcommands share: numbers, files, options, results as JSON and JUnit, the GTKWave file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "tests/test.h"
#include "run/options/options.h"
#include "run/cases/suite_report.h"
#include "run/runner/conclude.h"
#include "run/command/tool.h"

/* A name for a temporary file; removed by the caller. */
static char *scratch(char path[64]) {
  strcpy(path, "/tmp/heddle_test_XXXXXX");
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  return path;
}

static char *text_of(const char *path) {
  size_t n = 0;
  uint8_t *bytes = tool_read_file(path, 1u << 20, &n);
  assert_non_null(bytes);
  char *text = malloc(n + 1);
  assert_non_null(text);
  memcpy(text, bytes, n);
  text[n] = '\0';
  free(bytes);
  return text;
}

static void numbers(void **state) {
  (void)state;
  uint64_t v = 0;
  assert_true(tool_number("123", 200, &v));
  assert_int_equal(v, 123);
  assert_true(tool_number("0x7b", 123, &v));
  assert_int_equal(v, 123);
  static const char *const bad[] = {"", "-1", "+1", " 1", "1 ", "1x", "201", "99999999999999999999"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(tool_number(bad[i], 200, &v));
  assert_int_equal(v, 123); /* left alone */
}

static void files(void **state) {
  (void)state;
  char path[64];
  scratch(path);
  uint8_t data[5000];
  for (size_t i = 0; i < sizeof data; i++) data[i] = (uint8_t)(i * 7);
  assert_true(tool_write_file(path, data, sizeof data));
  size_t n = 0;
  uint8_t *back = tool_read_file(path, sizeof data, &n);
  assert_non_null(back);
  assert_int_equal(n, sizeof data);
  assert_memory_equal(back, data, n);
  free(back);
  assert_null(tool_read_file(path, sizeof data - 1, &n)); /* larger than allowed */
  unlink(path);
  assert_null(tool_read_file(path, 10, &n));
  assert_false(tool_write_file("/nowhere/at/all", data, 1));
}

static void stall_counts(void **state) {
  (void)state;
  uint8_t all[8], one[8];
  assert_true(tool_stalls(NULL, all));
  assert_true(tool_stalls("fpga", one));
  assert_false(tool_stalls("no-such-machine", one));
  assert_true(tool_stalls("fpga", one));
  for (unsigned i = 0; i < 8; i++) assert_true(one[i] <= all[i]); /* a program made for all runs on each */
  assert_true(one[HEDDLE_STALL_ALU_REG] > 0);
  assert_int_equal(tool_fp64_latency("tiny"), 0); /* no such unit */
  assert_int_equal(tool_fp64_latency("no-such-machine"), 0);
  assert_true(tool_fp64_latency("sm") > 0 && tool_fp64_latency("sm") <= tool_fp64_latency(NULL));
}

static void every_command_has_help(void **state) {
  (void)state;
  for (size_t i = 0; tool_commands[i] != NULL; i++) {
    const struct tool_command *c = tool_commands[i];
    assert_ptr_equal(tool_find(c->name), c);
    if (!c->examples[0] || strncmp(c->examples[0], "heddle ", 7) != 0) fail_msg("%s has no example", c->name);
    assert_true(strlen(c->summary) > 0 && c->usage[0] && strlen(c->about) > 0);
  }
  assert_null(tool_find("no-such-command"));
}

static int take(struct run_options *o, int option, const char *value) {
  return run_options_take(o, "run", option, value);
}

static void run_options_are_read(void **state) {
  (void)state;
  struct run_options o;
  run_options_init(&o);
  assert_int_equal(take(&o, 256, "model"), TOOL_OK);
  assert_int_equal(take(&o, 257, "tiny"), TOOL_OK);
  assert_int_equal(take(&o, 258, "scoreboard"), TOOL_OK);
  assert_int_equal(take(&o, 260, "0x10"), TOOL_OK);
  assert_int_equal(run_options_finish(&o, "run"), TOOL_OK);
  assert_int_equal(o.on, ON_MODEL);
  assert_true(o.scoreboard);
  assert_int_equal(o.seed, 16);
  assert_string_equal(o.config->name, "tiny");
}

static void bad_run_options(void **state) {
  (void)state;
  struct run_options o;
  run_options_init(&o);
  assert_int_equal(take(&o, 256, "nowhere"), TOOL_USAGE);
  assert_int_equal(take(&o, 258, "hope"), TOOL_USAGE);
  assert_int_equal(take(&o, 259, "tree"), TOOL_USAGE);
  assert_int_equal(take(&o, 261, "-1"), TOOL_USAGE);
  assert_int_equal(take(&o, RUN_OPTION_SCHED, "fifo"), TOOL_USAGE);
  assert_int_equal(take(&o, 999, ""), TOOL_USAGE);
  assert_int_equal(take(&o, 257, "enormous"), TOOL_OK);
  assert_int_equal(run_options_finish(&o, "run"), TOOL_MISSING);
  run_options_init(&o);
  assert_int_equal(take(&o, 259, "its"), TOOL_OK);
  assert_int_equal(run_options_finish(&o, "run"), TOOL_OK); /* the device says whether it has the unit */
}

/* What is undefined must be known where it is not compared; hardware alone knows nothing of it. */
static void undefined_bits_are_the_model_s(void **state) {
  static const enum run_on on[] = {ON_MODEL, ON_LOCKSTEP, ON_RTL};
  static const int off[] = {TOOL_OK, TOOL_USAGE, TOOL_USAGE}, strict[] = {TOOL_OK, TOOL_OK, TOOL_USAGE};
  (void)state;
  for (unsigned i = 0; i < 3; i++) {
    struct run_options o;
    run_options_init(&o);
    o.on = on[i];
    assert_int_equal(run_options_finish(&o, "run"), TOOL_OK);
    assert_int_equal(take(&o, RUN_OPTION_UNDEFINED, "off"), TOOL_OK);
    assert_int_equal(run_options_finish(&o, "run"), off[i]);
    assert_int_equal(take(&o, RUN_OPTION_UNDEFINED, "strict"), TOOL_OK);
    assert_int_equal(run_options_finish(&o, "run"), strict[i]);
    assert_int_equal(take(&o, RUN_OPTION_UNDEFINED, "loose"), TOOL_USAGE);
  }
}

static void modes_as_text(void **state) {
  (void)state;
  char buf[64];
  struct run_options o;
  run_options_init(&o);
  assert_string_equal(run_modes_text(&o, buf), "");
  assert_int_equal(take(&o, RUN_OPTION_SCHED, "twolevel"), TOOL_OK);
  assert_string_equal(run_modes_text(&o, buf), " --sched twolevel");
  assert_int_equal(take(&o, RUN_OPTION_DIV, "its"), TOOL_OK);
  assert_string_equal(run_modes_text(&o, buf), " --div its --sched twolevel");
  assert_int_equal(take(&o, RUN_OPTION_SCHED, "default"), TOOL_OK);
  assert_string_equal(run_modes_text(&o, buf), " --div its");
  assert_int_equal(take(&o, RUN_OPTION_SCHED, "twolevel"), TOOL_OK);
  assert_int_equal(take(&o, RUN_OPTION_UNDEFINED, "strict"), TOOL_OK);
  assert_string_equal(run_modes_text(&o, buf), " --div its --sched twolevel --undefined strict");
}

static void results_as_json(void **state) {
  (void)state;
  char path[64];
  struct run_options o;
  run_options_init(&o);
  const struct run_result r = {
      .status = RUN_TRAP,
      .trap = {.cause = HEDDLE_TRAP_MISALIGNED, .ctaid = {1, 2, 3}, .pc = 0x40, .lanes = 5, .addr = 7},
      .retired = 99,
      .message = "a \"quoted\" word"};
  assert_true(result_write_json(scratch(path), &o, NULL, &r, NULL, TOOL_TRAPPED));
  json_t *j = json_load_file(path, 0, NULL);
  assert_non_null(j);
  json_t *result = json_object_get(j, "result"), *trap = json_object_get(result, "trap");
  assert_int_equal(json_integer_value(json_object_get(j, "version")), 2);
  assert_string_equal(json_string_value(json_object_get(j, "seed")), "1");
  assert_int_equal(json_integer_value(json_object_get(j, "exit")), TOOL_TRAPPED);
  assert_string_equal(json_string_value(json_object_get(trap, "cause")), "misaligned");
  assert_int_equal(json_integer_value(json_object_get(trap, "lanes")), 5);
  assert_int_equal(json_integer_value(json_array_get(json_object_get(trap, "block"), 2)), 3);
  assert_int_equal(json_integer_value(json_object_get(result, "warp_instructions")), 99);
  assert_string_equal(json_string_value(json_object_get(result, "message")), "a \"quoted\" word");
  json_decref(j);
  unlink(path);
  assert_false(result_write_json("/nowhere/at/all", &o, NULL, &r, NULL, 0));
}

static void results_as_junit(void **state) {
  (void)state;
  char path[64];
  const struct junit_case cases[] = {{.name = "a<b", .seconds = 0.5, .failure = NULL},
                                     {.name = "c", .seconds = 0, .failure = "x & \"y\""}};
  assert_true(result_write_junit(scratch(path), "suite", cases, 2));
  char *text = text_of(path);
  assert_non_null(strstr(text, "tests=\"2\" failures=\"1\""));
  assert_non_null(strstr(text, "name=\"a&lt;b\" time=\"0.500\"/>"));
  assert_non_null(strstr(text, "message=\"x &amp; &quot;y&quot;\""));
  free(text);
  unlink(path);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(numbers),
                                     cmocka_unit_test(files),
                                     cmocka_unit_test(stall_counts),
                                     cmocka_unit_test(every_command_has_help),
                                     cmocka_unit_test(run_options_are_read),
                                     cmocka_unit_test(bad_run_options),
                                     cmocka_unit_test(undefined_bits_are_the_model_s),
                                     cmocka_unit_test(modes_as_text),
                                     cmocka_unit_test(results_as_json),
                                     cmocka_unit_test(results_as_junit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
