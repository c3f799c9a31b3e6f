/* SPDX-License-Identifier: Apache-2.0
 *
 * Constant expressions as operands: values by the rules of the PTX manual (integers of 64 bits, unsigned as soon as one
 * side is; % unsigned; >> by the kind of its left side; doubles apart from integers).
 */
#include "tests/test.h"
#include "tests/compiler/parsed.h"

#include <inttypes.h>

static uint64_t value_of(const char *text, enum ptx_operand_kind kind) {
  struct parsed p;
  char body[512];
  snprintf(body, sizeof body, "mov.b64 %%rd1, %s;", text);
  const struct ptx_statement *s = parsed_body(&p, body);
  assert_int_equal(s->operands, 2);
  if (s->operand[1].kind != kind) fail_msg("%s: kind %d", text, s->operand[1].kind);
  const uint64_t bits = s->operand[1].bits;
  parsed_free(&p);
  return bits;
}

static void test_integers(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint64_t bits;
  } cases[] = {
      {"1 + 2 * 3", 7},
      {"(1 + 2) * 3", 9},
      {"-4", (uint64_t)-4},
      {"- - 4", 4},
      {"+-+4", (uint64_t)-4},
      {"~0", UINT64_MAX},
      {"!5", 0},
      {"!!5", 1},
      {"7 - 2 - 1", 4},
      {"100 / 7 / 2", 7},
      {"-7 / 2", (uint64_t)-3},
      {"-7U / 2", (UINT64_MAX - 6) / 2},
      {"7 % 4", 3},
      {"-1 % 10", UINT64_MAX % 10},
      {"1 << 4", 16},
      {"1 << 63", UINT64_C(1) << 63},
      {"1 << 64", 0},
      {"3 << -1", 0},
      {"-8 >> 1", (uint64_t)-4},
      {"-8 >> 100", UINT64_MAX},
      {"-8U >> 1", (UINT64_MAX - 7) / 2},
      {"8 >> 64", 0},
      {"-1 >> 0", UINT64_MAX},
      {"1 < 2", 1},
      {"-1 < 1", 1},
      {"-1 < 1U", 0},
      {"-1 > 1U", 1},
      {"2 <= 2", 1},
      {"2 >= 3", 0},
      {"-5 >= -6", 1},
      {"3 == 3", 1},
      {"3 != 3", 0},
      {"-1 == 18446744073709551615", 1},
      {"6 & 3", 2},
      {"6 | 3", 7},
      {"6 ^ 3", 5},
      {"1 | 2 ^ 3 & 2", 1 | (2 ^ (3 & 2))},
      {"2 && 3", 1},
      {"2 && 0", 0},
      {"0 || 4", 1},
      {"0 || 0", 0},
      {"1 || 0 && 0", 1},
      {"1 == 1 & 3", 1},
      {"1 + 1 << 2", 8},
      {"2 < 1 << 2", 1},
      {"1 ? 2 : 3", 2},
      {"0 ? 2 : 3", 3},
      {"0 ? 1 : 0 ? 2 : 4", 4},
      {"1 ? 0 ? 5 : 6 : 7", 6},
      {"(1 ? -8 : 1U) >> 1", (UINT64_MAX - 7) / 2},
      {"(.u64) -8 >> 1", (UINT64_MAX - 7) / 2},
      {"(.s64) 0xfffffffffffffff8 >> 1", (uint64_t)-4},
      {"(.s64)(.u64)-2 / 2", (uint64_t)-1},
      {"~8 >> 60", 15},
      {"(-8 | 0) >> 1", (uint64_t)-4},
      {"(-8 | 0U) >> 1", (UINT64_MAX - 7) / 2},
      {"(5U < 6) - 2 >> 63", UINT64_MAX},
      {"WARP_SZ", 32},
      {"WARP_SZ - 1", 31},
      {"-WARP_SZ + 4", (uint64_t)-28},
      {"!WARP_SZ", 0},
      {"(WARP_SZ) * 2", 64},
      {"(-9223372036854775807 - 1) / -1", UINT64_C(1) << 63},
      {"-9223372036854775808", UINT64_C(1) << 63},
      {"9223372036854775807 + 1", UINT64_C(1) << 63},
      {"4294967296 * 4294967296", 0},
      {"0x10 + 010 + 0b10", 26},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const uint64_t bits = value_of(cases[i].text, PTX_OP_INT);
    if (bits != cases[i].bits) fail_msg("%s: 0x%" PRIx64 ", not 0x%" PRIx64, cases[i].text, bits, cases[i].bits);
  }
}

static void test_doubles(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double value;
  } cases[] = {
      {"1.5", 1.5},
      {"-1.5", -1.5},
      {"+1.5", 1.5},
      {"1.0 + 0.5", 1.5},
      {"1.0 - 0.25 - 0.25", 0.5},
      {"3.0 * -2.0", -6},
      {"1.0 / 8.0", 0.125},
      {"(1.0 + 1.0) * 4.0", 8},
      {"1 ? 2.5 : 3.5", 2.5},
      {"1.0 > 2.0 ? 2.5 : 3.5", 3.5},
      {"0d4000000000000000 * 1.25", 2.5},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const uint64_t bits = value_of(cases[i].text, PTX_OP_F64);
    if (memcmp(&bits, &cases[i].value, sizeof bits) != 0) fail_msg("%s", cases[i].text);
  }
  assert_int_equal(value_of("-0.0", PTX_OP_F64), UINT64_C(1) << 63);
  assert_int_equal(value_of("(0f3F800000)", PTX_OP_F32), 0x3f800000);
}

static void test_doubles_compared(void **state) {
  (void)state;
  assert_int_equal(value_of("1.0 < 2.0", PTX_OP_INT), 1);
  assert_int_equal(value_of("1.0 > 2.0", PTX_OP_INT), 0);
  assert_int_equal(value_of("2.0 <= 2.0", PTX_OP_INT), 1);
  assert_int_equal(value_of("1.0 >= 2.0", PTX_OP_INT), 0);
  assert_int_equal(value_of("0.0 == -0.0", PTX_OP_INT), 1);
  assert_int_equal(value_of("0.5 != 0.5", PTX_OP_INT), 0);
}

static void test_refused(void **state) {
  (void)state;
  static const struct {
    const char *text;
    unsigned column; /* of the expression's own text */
    const char *message;
  } cases[] = {
      {"1 / 0", 1, "division by zero"},
      {"4 + 1 % 0", 5, "division by zero"},
      {"1.0 / 0.0", 1, "division by zero"},
      {"1 + 1.0", 1, "an integer and a floating-point constant in one expression"},
      {"1 ? 1 : 1.0", 5, "an integer and a floating-point constant in one expression"},
      {"1.0 ? 1 : 2", 1, "the condition of ?: must be an integer"},
      {"-0f3F800000", 2, "a 0f constant must stand alone, not in an expression"},
      {"1 + 0f3F800000", 5, "a 0f constant must stand alone, not in an expression"},
      {"1.0 << 2.0", 1, "this operator is for integers"},
      {"1.0 && 2.0", 1, "this operator is for integers"},
      {"~1.0", 2, "this operator is for integers"},
      {"!1.0", 2, "this operator is for integers"},
      {"(.u64) 1.0", 8, "only integers can be cast"},
      {"(.f64) 1", 2, "expected a cast, (.s64) or (.u64), found '.f64'"},
      {"(.s64 1", 7, "expected ')' behind the cast, found '1'"},
      {"(1", 3, "expected ')' behind the expression, found ';'"},
      {"1 ? 2", 6, "expected ':' of ?:, found ';'"},
      {"1 +", 4, "expected a constant, found ';'"},
      {"1 + sym", 5, "expected a constant, found 'sym'"},
      {"*", 1, "expected a constant, found '*'"},
      {"\"text\"", 1, "expected a constant, found a string"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct parsed p;
    char text[256];
    snprintf(text, sizeof text, KERNEL "mov.b64 a,%s;\n}", cases[i].text);
    assert_null(parsed_text(&p, text));
    assert_string_equal(p.message[0].text, cases[i].message);
    assert_int_equal(p.message[0].line, 2);
    assert_int_equal(p.message[0].column, 10 + cases[i].column);
    assert_int_equal(p.messages, 1);
    parsed_free(&p);
  }
}

/* Deep nesting is refused, in every form of it, and what is flat may be as long as it likes. */
static void test_depth(void **state) {
  (void)state;
  static const char *const forms[] = {"(", "-", "~", "!", "(.u64)", "1?", "1?2:"};
  enum { LONG = 100000 };
  char *text = malloc(LONG * 8 + 200);
  struct parsed p;
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    size_t n = (size_t)sprintf(text, KERNEL "mov.b64 a, ");
    for (unsigned k = 0; k < LONG; k++, n += strlen(forms[i])) memcpy(text + n, forms[i], strlen(forms[i]));
    memcpy(text + n, "1;}", 4);
    assert_null(parsed_text(&p, text));
    assert_string_equal(p.message[0].text, "nested more than 64 deep");
    assert_int_equal(p.messages, 1);
    parsed_free(&p);
  }
  size_t n = (size_t)sprintf(text, KERNEL "mov.b64 a, 0");
  for (unsigned k = 0; k < LONG; k++, n += 2) memcpy(text + n, "+1", 2);
  memcpy(text + n, ";}", 3);
  assert_non_null(parsed_text(&p, text));
  assert_int_equal(p.module->functions->body->statements->operand[1].bits, LONG);
  parsed_free(&p);
  free(text);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_integers), cmocka_unit_test(test_doubles), cmocka_unit_test(test_doubles_compared),
      cmocka_unit_test(test_refused),  cmocka_unit_test(test_depth),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
