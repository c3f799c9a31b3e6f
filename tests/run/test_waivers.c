/* SPDX-License-Identifier: Apache-2.0
 * Files of waivers: what is taken, each thing that is refused with its line, and for which failures they are. */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "run/job/waivers.h"

#define CARRY "s1:writeback.value:IADD3/RIR:R"

static struct waivers *parse(const char *text, size_t size, struct heddle_message *m) {
  return waivers_parse(text, size, "known.txt", "2026-11-24", m);
}

static void test_taken(void **state) {
  static const char text[] = "# known\n\n \t\n  # more\r\n"
                             "\ts1:hung:-:-\t2026-11-24  the last day \t\r\n"
                             "s1:device:-:AXI:_ 2026-11-24 x"; /* never read: five parts */
  struct heddle_message m;
  (void)state;
  struct waivers *w = parse(text, strlen(text), &m);
  assert_null(w);
  assert_int_equal(m.line, 6);
  w = parse(text, (size_t)(strstr(text, "s1:device") - text), &m);
  assert_non_null(w);
  assert_int_equal(w->waivers, 1);
  assert_string_equal(w->waiver[0].signature, "s1:hung:-:-");
  assert_string_equal(w->waiver[0].until, "2026-11-24");
  assert_string_equal(w->waiver[0].reason, "the last day");
  assert_int_equal(w->waiver[0].line, 5);
  assert_false(w->waiver[0].expired);
  waivers_free(w);
}

static void test_matches(void **state) {
  static const char text[] =
      CARRY " 2027-01-31 the carry\ns1:hung:-:- 2026-11-23 a day ago\ns1:device:-:- 2027-01-01 r\n";
  struct heddle_message m;
  (void)state;
  struct waivers *w = parse(text, strlen(text), &m);
  assert_non_null(w);
  assert_ptr_equal(waivers_match(w, CARRY), &w->waiver[0]);
  assert_ptr_equal(waivers_match(w, CARRY), &w->waiver[0]);
  assert_null(waivers_match(w, CARRY "R"));
  assert_null(waivers_match(w, "s1:writeback.value:IADD3/RIR:"));
  assert_null(waivers_match(w, "s1:hung:-:-")); /* it has expired */
  assert_null(waivers_match(NULL, CARRY));
  assert_int_equal(w->waiver[0].matches, 2);
  json_t *j = waivers_json(w);
  assert_int_equal(json_array_size(json_object_get(j, "expired")), 1);
  assert_string_equal(json_string_value(json_array_get(json_object_get(j, "expired"), 0)), "s1:hung:-:-");
  assert_int_equal(json_array_size(json_object_get(j, "unused")), 1);
  assert_string_equal(json_string_value(json_array_get(json_object_get(j, "unused"), 0)), "s1:device:-:-");
  json_decref(j);
  waivers_free(w);
}

/* Each refusal, in line 2. */
static const struct {
  const char *line, *says;
} bad[] = {
    {"s1:hung:-", "'s1:hung:-' is no signature"},
    {"s1:hung:-:-:- 2027-01-01 r", "is no signature"},
    {"s1:hu ng:-:- 2027-01-01 r", "is no signature"},
    {"s1:hu!ng:-:- 2027-01-01 r", "is no signature"},
    {"s1::-:- 2027-01-01 r", "is no signature"},
    {"writeback.value 2027-01-01 r", "is no signature"},
    {"s2:hung:-:- 2027-01-01 r", "is of another version; signatures begin with s1 here"},
    {"s11:hung:-:- 2027-01-01 r", "is of another version"},
    {"s1:trap:-:misaligned 2027-01-01 r", "what a program does wrong by itself is nobody's to waive"},
    {"s1:refused:-:- 2027-01-01 r", "is nobody's to waive"},
    {"s1:hung:-:-", "expected the last day on which the waiver holds, YYYY-MM-DD"},
    {"s1:hung:-:- soon r", "expected the last day"},
    {"s1:hung:-:- 2027-1-1 r", "expected the last day"},
    {"s1:hung:-:- 2027-01-011 r", "expected the last day"},
    {"s1:hung:-:- 2027-00-01 r", "there is no day 2027-00-01"},
    {"s1:hung:-:- 2027-13-01 r", "there is no day 2027-13-01"},
    {"s1:hung:-:- 2027-04-31 r", "there is no day 2027-04-31"},
    {"s1:hung:-:- 2027-02-29 r", "there is no day 2027-02-29"},
    {"s1:hung:-:- 2100-02-29 r", "there is no day 2100-02-29"},
    {"s1:hung:-:- 2027-01-00 r", "there is no day 2027-01-00"},
    {"s1:hung:-:- 2027-01-01", "a waiver has a reason"},
    {"s1:hung:-:- 2027-01-01  \t ", "a waiver has a reason"},
    {CARRY " 2027-01-01 again", "this signature is waived in line 1 already"},
    {"s1:hung:-:- 2027-01-01 caf\xc3\xa9", "byte 0xc3: not printable ASCII"},
    {"s1:hung:-:- 2027-01-01 \x1b[31m", "byte 0x1b: not printable ASCII"},
};

static void expect_refused(const char *text, size_t size, unsigned line, const char *says) {
  struct heddle_message m;
  assert_null(parse(text, size, &m));
  assert_string_equal(m.file, "known.txt");
  assert_int_equal(m.line, line);
  if (strstr(m.text, says) == NULL) fail_msg("expected '%s', got '%s'", says, m.text);
}

static void test_refused(void **state) {
  char text[600];
  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const int n = snprintf(text, sizeof text, "%s 2027-01-31 the carry\n%s\n", CARRY, bad[i].line);
    expect_refused(text, (size_t)n, 2, bad[i].says);
  }
  expect_refused("\n\0\n", 3, 2, "byte 0x00: not printable ASCII");
}

/* Leap days are days. */
static void test_leap_days(void **state) {
  static const char text[] = "s1:hung:-:- 2028-02-29 r\ns1:device:-:- 2400-02-29 r\n";
  struct heddle_message m;
  (void)state;
  struct waivers *w = parse(text, strlen(text), &m);
  assert_non_null(w);
  assert_int_equal(w->waivers, 2);
  waivers_free(w);
}

/* What is at a bound is taken, what is one beyond it is not. */
static void test_bounds(void **state) {
  char text[1024], *many = malloc(WAIVERS_MAX * 40 + 80);
  struct heddle_message m;
  size_t n = (size_t)snprintf(text, sizeof text, "s1:hung:-:- 2027-01-01 ");
  (void)state;
  memset(text + n, 'r', WAIVER_REASON + 1);
  struct waivers *w = parse(text, n + WAIVER_REASON, &m);
  assert_non_null(w);
  assert_int_equal(strlen(w->waiver[0].reason), WAIVER_REASON);
  waivers_free(w);
  expect_refused(text, n + WAIVER_REASON + 1, 1, "a reason has at most 200 characters");
  memset(text, ' ', sizeof text);
  expect_refused(text, sizeof text, 1, "a line has at most ");
  assert_non_null(many);
  n = 0;
  for (unsigned i = 0; i < WAIVERS_MAX; i++) n += (size_t)snprintf(many + n, 40, "s1:k%u:-:- 2027-01-01 r\n", i);
  w = parse(many, n, &m);
  assert_non_null(w);
  assert_int_equal(w->waivers, WAIVERS_MAX);
  waivers_free(w);
  n += (size_t)snprintf(many + n, 40, "s1:more:-:- 2027-01-01 r\n");
  expect_refused(many, n, WAIVERS_MAX + 1, "more than 1000 waivers");
  free(many);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_taken), cmocka_unit_test(test_matches),
                                     cmocka_unit_test(test_refused), cmocka_unit_test(test_leap_days),
                                     cmocka_unit_test(test_bounds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
