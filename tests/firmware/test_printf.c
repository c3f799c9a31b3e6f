/* SPDX-License-Identifier: Apache-2.0
 * What a program printed, as text: every conversion, and what no program should have left. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"

#include <heddle/printf.h>

enum { FIRST = 0x10000 };

static uint8_t memory[10000], konst[8192];
static char out[20000];
static size_t used;

static bool read(void *ctx, uint64_t addr, void *to, size_t bytes) {
  (void)ctx;
  if (addr < FIRST || addr - FIRST > sizeof memory || bytes > sizeof memory - (addr - FIRST)) return false;
  memcpy(to, memory + (addr - FIRST), bytes);
  return true;
}

static void put(void *ctx, const char *text, size_t bytes) {
  (void)ctx;
  assert_true(used + bytes < sizeof out);
  memcpy(out + used, text, bytes);
  used += bytes;
  out[used] = '\0';
}

static struct heddle_printf_totals text_of(const void *variable, size_t bytes) {
  const struct heddle_program p = {.konst = konst, .const_bytes = sizeof konst};
  const struct heddle_printf h = {.size = sizeof h, .program = &p, .read = read, .put = put};
  used = 0;
  out[0] = '\0';
  uint8_t *exact = malloc(bytes + 1); /* a byte behind it is seen by a sanitizer */
  assert_non_null(exact);
  memcpy(exact, variable, bytes);
  const struct heddle_printf_totals t = heddle_printf_text(&h, exact, bytes);
  free(exact);
  return t;
}

struct buffer {
  uint32_t asked, lost;
  uint64_t none;
  uint32_t bytes, zero;
  uint64_t format;
  uint8_t argument[64];
};

/* One message of that format in constants. */
static void expect(const char *format, const void *argument, size_t bytes, const char *want) {
  struct buffer b = {.bytes = 16 + 64, .format = 0};
  memset(konst, 0, sizeof konst);
  memcpy(konst, format, strlen(format) + 1);
  memcpy(b.argument, argument, bytes);
  assert_int_equal(text_of(&b, sizeof b).messages, 1);
  assert_string_equal(out, want);
}

static void conversions(void **state) {
  (void)state;
  const int32_t i[4] = {-5, 42, 3, 100000};
  const double d[2] = {1.5, -0.25};
  const uint64_t u[2] = {UINT64_MAX, FIRST + 8};
  const float v[4] = {1, 2, 3, 4};
  const uint16_t h[4] = {0x3c00, 0xc000, 0x7c00, 0x7e00};
  memset(memory, 0, sizeof memory);
  memcpy(memory + 8, "string", 7);
  expect("%d %i %5d|%-3d|%%", i, sizeof i, "-5 42     3|100000|%");
  expect("%u %x %#X %o", i, sizeof i, "4294967291 2a 0X3 303240");
  expect("%hd %hhd %hhu %hu", i, sizeof i, "-5 42 3 34464");
  expect("%c%c", (int32_t[]){'a', 'b'}, 8, "ab");
  expect("%f %.1e", d, sizeof d, "1.500000 -2.5e-01");
  expect("%08.3f|%+g", d, sizeof d, "0001.500|-0.25");
  expect("%lu %s.", u, sizeof u, "18446744073709551615 string.");
  expect("%lld %10.3s.", u, sizeof u, "-1        str.");
  expect("%p %zx", u, sizeof u, "0xffffffffffffffff 10008");
  expect("%d %lu", (uint32_t[]){7, 99, 8, 0}, 16, "7 8"); /* the gap in front of 64 bits */
  expect("%v4hlf", v, sizeof v, "1.000000,2.000000,3.000000,4.000000");
  expect("%v3f|%v2d", (uint32_t[]){0x3f800000, 0, 0, 77, 5, 6}, 24, "1.000000,0.000000,0.000000|5,6");
  expect("%.0v4hf", h, sizeof h, "1,-2,inf,nan");
  expect("%v4hhd %v2hu", (int8_t[]){1, -2, 3, -4, 5, 0, 6, 0}, 8, "1,-2,3,-4 5,6");
  expect("%*d|%-*.*f", (uint32_t[]){4, 7, 6, 1, 0, 0x3ff80000}, 24, "   7|1.5   ");
  expect("%", i, 4, "%");
  expect("50% !%q %v0d %d", i, 4, "50% !%q %v0d -5"); /* what is none stands as it is */
  expect("%n%d", i, 4, "%n-5");
  expect("%ld %ld %ld %ld %ld %ld %ld %ld %ld", i, 0, "0 0 0 0 0 0 0 0 (no argument)");
}

static void what_cannot_be_read(void **state) {
  (void)state;
  expect("%s", (uint64_t[]){0}, 8, "(null)");
  expect("%s", (uint64_t[]){12345678}, 8, "(a string that the host cannot read)");
  struct buffer b = {.bytes = 80, .format = 99999999, .lost = 7};
  struct heddle_printf_totals t = text_of(&b, sizeof b);
  assert_int_equal(t.messages, 1);
  assert_int_equal(t.lost, 7);
  assert_string_equal(out, "(a format that the host cannot read)\n");
  memset(konst, 'x', sizeof konst); /* no end */
  b.format = 0;
  (void)text_of(&b, sizeof b);
  assert_string_equal(out, "(a format that the host cannot read)\n");
  expect("%999999999999.99999999999d", (int32_t[]){1}, 4, out);
  assert_int_equal(used, 4095);
  expect("%.600f", (double[]){1e308}, 8, out);
  assert_int_equal(used, 309 + 1 + 600);
}

/* Strings and formats have no length that is too long. */
static void long_texts(void **state) {
  (void)state;
  static const size_t lengths[] = {4094, 4095, 4096, 4097, 8191, 8192, 9000};
  char format[6000], want[sizeof memory + 8];
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    const size_t n = lengths[i];
    for (size_t k = 0; k < n; k++) memory[k] = (uint8_t)('a' + k % 26);
    memory[n] = '\0';
    (void)snprintf(want, sizeof want, "%s|", (const char *)memory);
    expect("%s|", (uint64_t[]){FIRST}, 8, want);
    expect("%7s|", (uint64_t[]){FIRST}, 8, want);
    (void)snprintf(want, sizeof want, "%.4000s|", (const char *)memory);
    expect("%.4000s|", (uint64_t[]){FIRST}, 8, want);
  }
  memset(memory, 'x', sizeof memory); /* no end */
  expect("%s", (uint64_t[]){FIRST + sizeof memory - 100}, 8, "(a string that the host cannot read)");
  memset(format, 'f', sizeof format);
  memcpy(format + sizeof format - 4, " %d", 4);
  (void)snprintf(want, sizeof want, "%.*s 77", (int)sizeof format - 4, format);
  expect(format, (int32_t[]){77}, 4, want);
}

static void sizes_that_are_wrong(void **state) {
  (void)state;
  static const uint32_t sizes[] = {0, 8, 15, 17, 88, 0x80000000u, 0xfffffff8u};
  memset(konst, 0, sizeof konst);
  konst[0] = 'x';
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const struct buffer b = {.bytes = sizes[k]};
    assert_int_equal(text_of(&b, sizeof b).messages, 0);
  }
  const struct buffer b = {.bytes = 16};
  for (size_t n = 0; n < 32; n++) assert_int_equal(text_of(&b, n).messages, 0);
  assert_int_equal(text_of(&b, 32).messages, 1);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(conversions), cmocka_unit_test(what_cannot_be_read),
                                     cmocka_unit_test(long_texts), cmocka_unit_test(sizes_that_are_wrong)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
