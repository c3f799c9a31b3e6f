/* SPDX-License-Identifier: Apache-2.0
 *
 * Exclusions: a reason each, of bins that exist; one that was hit is reported, and so is what cannot be.
 */

#include "tests/test.h"
#include "lab/verify/coverage/cov.h"
#include "lab/verify/coverage/internal.h"
#include "tests/lab/verify/coverage/scratch.h"

static struct cov_exclusions *read_text(const struct cov *c, const char *text, char err[256]) {
  scratch_write("x", text, strlen(text));
  return cov_exclusions_read(scratch("x"), c, err, 256);
}

static void test_lines(void **state) {
  (void)state;
  char err[256];
  struct cov *c = cov_new(heddle_config_find("tiny"));
  struct cov_exclusions *x =
      read_text(c, "# nothing\n\ntrap bus_error * # no errors\nshared store ? 1 # as said\n", err);
  if (x == NULL) fail_msg("%s", err);
  uint32_t bin = 0;
  assert_true(cov_bin_find(c, G_TRAP, "bus_error load", &bin));
  assert_string_equal(cov_excluded(x, G_TRAP, bin), "no errors");
  assert_true(cov_bin_find(c, G_TRAP, "illegal_instruction load", &bin));
  assert_null(cov_excluded(x, G_TRAP, bin));
  assert_true(cov_bin_find(c, G_SHARED, "store 4 1", &bin));
  assert_string_equal(cov_excluded(x, G_SHARED, bin), "as said");
  assert_true(cov_bin_find(c, G_SHARED, "store 16 1", &bin));
  assert_null(cov_excluded(x, G_SHARED, bin));
  assert_int_equal(cov_sum(c, x, G_TRAP).excluded, FLIGHTS);
  assert_int_equal(cov_sum(c, x, G_TRAP).asked + FLIGHTS, cov_sum(c, NULL, G_TRAP).asked);
  cov_exclusions_free(x);
  cov_free(c);
}

static void test_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *why;
  } bad[] = {
      {"trap bus_error *\n", "a reason is needed"},  {"trap bus_error * #\n", "a reason is needed"},
      {"trip bus_error * # why\n", "no such group"}, {"trap bus_error # why\n", "a value is needed"},
      {"trap a b c # why\n", "a value is needed"},   {"trap a b c d e f g # why\n", "a value is needed"},
      {"\n\nfoo # why\n", ":3: no such group"},
  };
  char err[256];
  struct cov *c = cov_new(heddle_config_find("tiny"));
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_null(read_text(c, bad[i].text, err));
    if (strstr(err, bad[i].why) == NULL) fail_msg("'%s' does not say '%s'", err, bad[i].why);
  }
  assert_null(cov_exclusions_read(scratch("absent"), c, err, sizeof err));
  cov_free(c);
}

static void test_stale(void **state) {
  (void)state;
  char err[256], text[512] = "";
  struct cov *c = cov_new(heddle_config_find("tiny"));
  struct cov_exclusions *x = read_text(c, "\ntrap bus_error * # no errors\n", err);
  uint32_t bin = 0;
  assert_non_null(x);
  assert_int_equal(cov_stale(c, x, NULL), 0);
  assert_true(cov_bin_find(c, G_TRAP, "bus_error load", &bin));
  bin_add(&c->group[G_TRAP], bin, 4);
  FILE *sink = fmemopen(text, sizeof text, "w");
  assert_int_equal(cov_stale(c, x, sink), 1);
  fclose(sink);
  assert_non_null(strstr(text, "trap bus_error load: hit 4 times"));
  assert_non_null(strstr(text, "x:2 excludes it: no errors"));
  assert_int_equal(cov_stale(c, NULL, NULL), 0);
  assert_true(cov_bin_find(c, G_ORDER, "load store instruction line", &bin)); /* impossible */
  bin_add(&c->group[G_ORDER], bin, 1);
  assert_int_equal(cov_stale(c, NULL, NULL), 1);
  cov_exclusions_free(x);
  cov_free(c);
}

/* The file of this tree: every line says something of some machine. */
static void test_own(void **state) {
  (void)state;
  char err[256];
  bool all = false;
  for (size_t i = 0; i < heddle_config_count(); i++) {
    struct cov *c = cov_new(heddle_config_at(i));
    struct cov_exclusions *x = cov_exclusions_read(EXCLUSIONS, c, err, sizeof err);
    if (x == NULL) fail_msg("%s", err);
    all = all || cov_exclusions_idle(x) == 0;
    cov_exclusions_free(x);
    cov_free(c);
  }
  assert_true(all);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_refused),
                                     cmocka_unit_test(test_stale), cmocka_unit_test(test_own)};
  return cmocka_run_group_tests(tests, scratch_make, scratch_drop);
}
