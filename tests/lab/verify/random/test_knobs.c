/* SPDX-License-Identifier: Apache-2.0
 * Knobs: the built-in file names each once, text gives numbers within limits or a message with its place. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "lab/verify/random/knobs.h"
#include "base/splitmix64.h"

static bool take(struct random_knobs *k, const char *text, char err[300]) {
  err[0] = '\0';
  return random_knobs_read(k, text, strlen(text), "my.knobs", err, 300);
}

/* At the start of a line, with '=' behind it. */
static unsigned times_named(const char *text, const char *name) {
  unsigned n = 0;
  for (const char *at = text; (at = strstr(at, name)) != NULL; at++) {
    const char *behind = at + strlen(name);
    n += (at == text || at[-1] == '\n') && behind[strspn(behind, " ")] == '=';
  }
  return n;
}

static void default_names_all(void **state) {
  (void)state;
  for (unsigned i = 0; i < KNOBS; i++) {
    const char *name = random_knob_name((enum knob)i);
    if (times_named(random_knobs_default_text(), name) != 1) fail_msg("default.knobs does not name %s once", name);
  }
  struct random_knobs k;
  char err[300];
  memset(&k, 0, sizeof k);
  assert_true(take(&k, random_knobs_default_text(), err));
}

static void settings(void **state) {
  (void)state;
  struct random_knobs k;
  char err[300];
  random_knobs_default(&k);
  const struct random_knobs before = k;
  assert_true(take(&k, "# nothing\n\n  node.if = 7 # seven\r\n\tgrid.blocks=2..5\nlaunches = 3", err));
  assert_int_equal(k.value[KNOB_NODE_IF].low, 7);
  assert_int_equal(k.value[KNOB_NODE_IF].high, 7);
  assert_int_equal(k.value[KNOB_GRID_BLOCKS].low, 2);
  assert_int_equal(k.value[KNOB_GRID_BLOCKS].high, 5);
  assert_int_equal(k.value[KNOB_LAUNCHES].low, 3);
  assert_int_equal(k.value[KNOB_LAUNCHES].high, 3);
  assert_int_equal(k.value[KNOB_NODE_LOOP].low, before.value[KNOB_NODE_LOOP].low);
  assert_true(random_knobs_set(&k, "operand.edge=100", err, sizeof err));
  assert_int_equal(k.value[KNOB_OPERAND_EDGE].high, 100);
}

static void mistakes(void **state) {
  (void)state;
  static const struct {
    const char *text, *said;
  } wrong[] = {
      {"node.if = 7\nnode.iff = 1\n", "my.knobs:2:1: error: there is no knob"},
      {"node.if 7", "my.knobs:1:9: error: expected '='"},
      {"node.if =", "my.knobs:1:10: error: expected a number"},
      {"node.if = -1", "my.knobs:1:11: error: expected a number"},
      {"node.if = 1001", "my.knobs:1:11: error: node.if is from 0 to 1000, not '1001'"},
      {"node.if = 99999999999999999999999", "node.if is from 0 to 1000"},
      {"node.if = 1..2", "my.knobs:1:12: error: one number, no range"},
      {"grid.blocks = 5..2", "the range ends before it starts"},
      {"grid.blocks = 0..2", "grid.blocks is from 1 to 64, not '0'"},
      {"grid.blocks = 1..", "my.knobs:1:18: error: expected a number"},
      {"node.if = 7 8", "my.knobs:1:13: error: expected the end of the line"},
      {"= 7", "my.knobs:1:1: error: expected the name"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct random_knobs k;
    char err[300];
    random_knobs_default(&k);
    const struct random_knobs before = k;
    assert_false(take(&k, wrong[i].text, err));
    if (!strstr(err, wrong[i].said)) fail_msg("'%s' says: %s", wrong[i].text, err);
    assert_memory_equal(&k, &before, sizeof k);
    assert_false(random_knobs_set(&k, "node.if=7\nnode.loop=8", err, sizeof err));
    assert_memory_equal(&k, &before, sizeof k);
  }
}

/* Whatever the bytes, in the end each knob is within what default.knobs could say, and messages can be printed. */
static void hostile(void **state) {
  (void)state;
  static const char some[] = "node.if=grid.blocks = 12..9 #\n\t\r\0\xff\x80zz";
  uint64_t rng = 7;
  for (unsigned round = 0; round < 20000; round++) {
    char text[64], err[40] = "";
    const size_t size = splitmix64(&rng) % sizeof text;
    for (size_t i = 0; i < size; i++) text[i] = some[(splitmix64(&rng) >> 20) % (sizeof some - 1)];
    struct random_knobs k;
    random_knobs_default(&k);
    const struct random_knobs before = k;
    if (random_knobs_read(&k, text, size, "f", err, sizeof err)) {
      assert_true(k.value[KNOB_NODE_IF].high <= KNOB_WEIGHT_MAX);
      assert_true(k.value[KNOB_GRID_BLOCKS].low >= 1 &&
                  k.value[KNOB_GRID_BLOCKS].low <= k.value[KNOB_GRID_BLOCKS].high);
    } else {
      assert_memory_equal(&k, &before, sizeof k);
      assert_true(strlen(err) > 0 && strlen(err) < sizeof err);
      for (const char *c = err; *c; c++) assert_true(*c >= ' ' && *c <= '~');
    }
  }
  static char large[KNOB_TEXT_MAX + 1];
  struct random_knobs k;
  char err[100];
  memset(large, '\n', sizeof large);
  random_knobs_default(&k);
  assert_true(random_knobs_read(&k, large, KNOB_TEXT_MAX, "f", err, sizeof err));
  assert_false(random_knobs_read(&k, large, sizeof large, "f", err, sizeof err));
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(default_names_all), cmocka_unit_test(settings),
                                     cmocka_unit_test(mistakes), cmocka_unit_test(hostile)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
