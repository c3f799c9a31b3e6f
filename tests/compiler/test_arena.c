/* SPDX-License-Identifier: Apache-2.0
 *
 * The arena: memory, names, and its end. And messages.
 */
#include "tests/test.h"
#include "tests/compiler/parse/parsed.h"

static void test_alloc(void **state) {
  (void)state;
  struct ptx_arena *a = ptx_arena_new(1 << 20);
  uint8_t *before = ptx_alloc(a, 3), *large = ptx_alloc(a, 100000), *behind = ptx_alloc(a, 16);
  assert_non_null(before);
  assert_ptr_equal(before + 16, behind); /* a large piece does not end the block */
  for (size_t i = 0; i < 100000; i++) assert_int_equal(large[i], 0);
  for (unsigned i = 0; i < 5000; i++) {
    uint8_t *p = ptx_alloc(a, 40);
    assert_int_equal((uintptr_t)p % 16, 0);
    for (unsigned k = 0; k < 40; k++) assert_int_equal(p[k], 0);
    memset(p, 0xff, 40);
  }
  assert_non_null(ptx_alloc(a, 0));
  assert_true(ptx_arena_taken(a) >= 300000 && ptx_arena_taken(a) <= 1 << 20);
  ptx_arena_free(a);
  ptx_arena_free(NULL);
}

static void test_intern(void **state) {
  (void)state;
  enum { MANY = 20000 };
  static const char *name[MANY];
  struct ptx_arena *a = ptx_arena_new(16 << 20);
  char text[32];
  for (unsigned i = 0; i < MANY; i++) {
    const int n = snprintf(text, sizeof text, "%%r%u", i);
    name[i] = ptx_intern(a, text, (size_t)n);
  }
  for (unsigned i = 0; i < MANY; i++) {
    const int n = snprintf(text, sizeof text, "%%r%u", i);
    assert_ptr_equal(name[i], ptx_intern(a, text, (size_t)n));
    assert_string_equal(name[i], text);
  }
  assert_ptr_equal(ptx_intern(a, "abcdefgh1", 8), ptx_intern(a, "abcdefgh", 8));
  assert_ptr_not_equal(ptx_intern(a, "abcdefgh1", 9), ptx_intern(a, "abcdefgh", 8));
  assert_string_equal(ptx_intern(a, "x", 0), "");
  ptx_arena_free(a);
}

static void expect_full(size_t bytes) {
  struct parsed p = {.arena = ptx_arena_new(4 << 20)};
  ptx_diag_init(&p.diag, "full.ptx", parsed_take, &p);
  ptx_arena_report(p.arena, &p.diag);
  if (setjmp(p.diag.exit) == 0) {
    for (unsigned i = 0; i < 1 << 24; i++) ptx_alloc(p.arena, bytes);
    fail();
  }
  assert_int_equal(p.messages, 1);
  assert_string_equal(p.message[0].text, "out of memory: the program needs more than 4 MiB");
  assert_true(ptx_arena_taken(p.arena) <= 4 << 20);
  ptx_arena_free(p.arena);
}

static void test_full(void **state) {
  (void)state;
  expect_full(1);
  expect_full(1000);
  expect_full(1 << 20);
  expect_full(5 << 20);
  expect_full(SIZE_MAX);
  expect_full(SIZE_MAX - 8);
}

static void test_names_fill(void **state) {
  (void)state;
  struct parsed p = {.arena = ptx_arena_new(1 << 20)};
  char text[32];
  ptx_diag_init(&p.diag, NULL, NULL, NULL);
  ptx_arena_report(p.arena, &p.diag);
  if (setjmp(p.diag.exit) == 0) {
    for (unsigned i = 0; i < 1 << 24; i++) ptx_intern(p.arena, text, (size_t)snprintf(text, sizeof text, "n%u", i));
    fail();
  }
  assert_int_equal(ptx_errors(&p.diag), 1);
  ptx_arena_free(p.arena);
}

static void test_messages(void **state) {
  (void)state;
  struct parsed p = {0};
  ptx_diag_init(&p.diag, "m.ptx", parsed_take, &p);
  ptx_warning(&p.diag, (struct ptx_pos){3, 4}, "careful: %d", 5);
  ptx_error(&p.diag, (struct ptx_pos){6, 7}, "wrong: %s", "x");
  assert_int_equal(p.messages, 2);
  assert_true(p.message[0].warning);
  assert_string_equal(p.message[0].text, "careful: 5");
  assert_false(p.message[1].warning);
  assert_string_equal(p.message[1].file, "m.ptx");
  assert_string_equal(p.message[1].text, "wrong: x");
  assert_int_equal(p.message[1].line, 6);
  assert_int_equal(p.message[1].column, 7);
  assert_int_equal(ptx_errors(&p.diag), 1);
}

static void test_at_most_twenty(void **state) {
  (void)state;
  struct parsed p = {0};
  ptx_diag_init(&p.diag, "m.ptx", parsed_take, &p);
  for (unsigned i = 1; i <= 30; i++) ptx_error(&p.diag, (struct ptx_pos){i, 1}, "error %u", i);
  assert_int_equal(ptx_errors(&p.diag), 30);
  assert_int_equal(p.messages, 21);
  assert_string_equal(p.message[19].text, "error 20");
  assert_string_equal(p.message[20].text, "20 errors; there may be more");
  if (setjmp(p.diag.exit) == 0) ptx_fatal(&p.diag, (struct ptx_pos){0}, "the end");
  assert_int_equal(p.messages, 22);
  assert_string_equal(p.message[21].text, "the end");
}

static void test_warnings_are_bounded(void **state) {
  (void)state;
  struct parsed p = {0};
  ptx_diag_init(&p.diag, "m.ptx", NULL, NULL);
  for (unsigned i = 0; i < 1000; i++) ptx_warning(&p.diag, (struct ptx_pos){1, 1}, "again");
  assert_int_equal(p.diag.warnings, 1000);
  assert_int_equal(ptx_errors(&p.diag), 0);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_alloc),
      cmocka_unit_test(test_intern),
      cmocka_unit_test(test_full),
      cmocka_unit_test(test_names_fill),
      cmocka_unit_test(test_messages),
      cmocka_unit_test(test_at_most_twenty),
      cmocka_unit_test(test_warnings_are_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
