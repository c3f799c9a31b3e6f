/* SPDX-License-Identifier: Apache-2.0
 *
 * Tokens one by one, their positions, and what the lexer tells of text that is none.
 */
#include "tests/test.h"
#include "tests/compiler/parse/parsed.h"
#include "compiler/parse/parse.h"

struct lexed {
  struct parsed told;
  struct ptx_lexer lex;
  struct ptx_token t;
};

static void start_bytes(struct lexed *x, const char *text, size_t size) {
  memset(x, 0, sizeof *x);
  ptx_diag_init(&x->told.diag, "lex.ptx", parsed_take, &x->told);
  ptx_lex_init(&x->lex, &x->told.diag, text, size);
}

static void start(struct lexed *x, const char *text) {
  start_bytes(x, text, strlen(text));
}

static struct ptx_token *next(struct lexed *x) {
  ptx_lex(&x->lex, &x->t);
  return &x->t;
}

static void expect(struct lexed *x, enum ptx_token_kind kind, const char *text) {
  next(x);
  assert_int_equal(x->t.kind, kind);
  assert_int_equal(x->t.length, strlen(text));
  assert_memory_equal(x->t.text, text, x->t.length);
}

static void expect_message(const struct lexed *x, unsigned i, unsigned line, unsigned column, const char *text) {
  assert_true(i < x->told.messages);
  assert_string_equal(x->told.message[i].text, text);
  assert_int_equal(x->told.message[i].line, line);
  assert_int_equal(x->told.message[i].column, column);
  assert_string_equal(x->told.message[i].file, "lex.ptx");
}

static void test_names_and_words(void **state) {
  (void)state;
  struct lexed x;
  start(&x, "ld.global.v4.f32 %f1 histogram_$_h $L__BB0_1 _ _a %tid.x .shared::cta .L2::128B.b8 a$");
  expect(&x, PTX_T_NAME, "ld");
  assert_false(x.t.glued);
  expect(&x, PTX_T_WORD, "global");
  assert_true(x.t.glued);
  expect(&x, PTX_T_WORD, "v4");
  expect(&x, PTX_T_WORD, "f32");
  expect(&x, PTX_T_NAME, "%f1");
  assert_false(x.t.glued);
  expect(&x, PTX_T_NAME, "histogram_$_h");
  expect(&x, PTX_T_NAME, "$L__BB0_1");
  expect(&x, PTX_T_NAME, "_");
  expect(&x, PTX_T_NAME, "_a");
  expect(&x, PTX_T_NAME, "%tid");
  expect(&x, PTX_T_WORD, "x");
  assert_true(x.t.glued);
  expect(&x, PTX_T_WORD, "shared::cta");
  assert_false(x.t.glued);
  expect(&x, PTX_T_WORD, "L2::128B");
  expect(&x, PTX_T_WORD, "b8");
  expect(&x, PTX_T_NAME, "a$");
  expect(&x, PTX_T_END, "");
  expect(&x, PTX_T_END, "");
  assert_int_equal(x.told.messages, 0);
}

static void test_integers(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint64_t bits;
    bool is_unsigned;
  } cases[] = {
      {"0", 0, false},
      {"7", 7, false},
      {"42U", 42, true},
      {"0x1aF", 0x1af, false},
      {"0XffU", 255, true},
      {"017", 15, false},
      {"0777U", 511, true},
      {"0b101", 5, false},
      {"0B11U", 3, true},
      {"9223372036854775807", INT64_MAX, false},
      {"9223372036854775808", UINT64_C(1) << 63, true},
      {"18446744073709551615", UINT64_MAX, true},
      {"0xffffffffffffffff", UINT64_MAX, true},
      {"01777777777777777777777", UINT64_MAX, true},
      {"00", 0, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct lexed x;
    start(&x, cases[i].text);
    expect(&x, PTX_T_INT, cases[i].text);
    assert_int_equal(x.t.bits, cases[i].bits);
    assert_int_equal(x.t.is_unsigned, cases[i].is_unsigned);
    expect(&x, PTX_T_END, "");
    assert_int_equal(x.told.messages, 0);
  }
}

/* Bits of IEEE numbers, worked out by hand. */
static void test_floats(void **state) {
  (void)state;
  static const struct {
    const char *text;
    enum ptx_token_kind kind;
    uint64_t bits;
  } cases[] = {
      {"0f3F800000", PTX_T_F32, 0x3f800000},
      {"0Fff7fffff", PTX_T_F32, 0xff7fffff},
      {"0d3FF0000000000000", PTX_T_F64, UINT64_C(0x3ff0000000000000)},
      {"0D8000000000000000", PTX_T_F64, UINT64_C(1) << 63},
      {"1.5", PTX_T_F64, UINT64_C(0x3ff8000000000000)},
      {".5", PTX_T_F64, UINT64_C(0x3fe0000000000000)},
      {"2.", PTX_T_F64, UINT64_C(0x4000000000000000)},
      {"1e1", PTX_T_F64, UINT64_C(0x4024000000000000)},
      {"25E-2", PTX_T_F64, UINT64_C(0x3fd0000000000000)},
      {"0.1", PTX_T_F64, UINT64_C(0x3fb999999999999a)},
      {"1.0e+3", PTX_T_F64, UINT64_C(0x408f400000000000)},
      {"4.9e-324", PTX_T_F64, 1},
      {"0e0", PTX_T_F64, 0},
      {"1e-400", PTX_T_F64, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct lexed x;
    start(&x, cases[i].text);
    expect(&x, cases[i].kind, cases[i].text);
    assert_int_equal(x.t.bits, cases[i].bits);
    expect(&x, PTX_T_END, "");
    assert_int_equal(x.told.messages, 0);
  }
}

static void test_punctuation(void **state) {
  (void)state;
  static const char text[] = "(){}[],;:@!|&^~+-*/ %<> =? << >> <= >= == != && || -<<=";
  static const unsigned expected[] = {'(',
                                      ')',
                                      '{',
                                      '}',
                                      '[',
                                      ']',
                                      ',',
                                      ';',
                                      ':',
                                      '@',
                                      '!',
                                      '|',
                                      '&',
                                      '^',
                                      '~',
                                      '+',
                                      '-',
                                      '*',
                                      '/',
                                      '%',
                                      '<',
                                      '>',
                                      '=',
                                      '?',
                                      PTX_TWO('<', '<'),
                                      PTX_TWO('>', '>'),
                                      PTX_TWO('<', '='),
                                      PTX_TWO('>', '='),
                                      PTX_TWO('=', '='),
                                      PTX_TWO('!', '='),
                                      PTX_TWO('&', '&'),
                                      PTX_TWO('|', '|'),
                                      '-',
                                      PTX_TWO('<', '<'),
                                      '='};
  struct lexed x;
  start(&x, text);
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
    assert_int_equal(next(&x)->kind, PTX_T_PUNCT);
    assert_int_equal(x.t.punct, expected[i]);
  }
  expect(&x, PTX_T_END, "");
}

static void test_strings(void **state) {
  (void)state;
  struct lexed x;
  start(&x, "\"nounroll\" \"a\\\"b\" \"\"");
  expect(&x, PTX_T_STRING, "nounroll");
  expect(&x, PTX_T_STRING, "a\\\"b");
  expect(&x, PTX_T_STRING, "");
  expect(&x, PTX_T_END, "");
  assert_int_equal(x.told.messages, 0);
}

static void test_blanks_and_positions(void **state) {
  (void)state;
  struct lexed x;
  start(&x, "a // b ; /* c\n\t/* d\n * e **/ f\r\n\v\f g/**/h\n");
  expect(&x, PTX_T_NAME, "a");
  assert_int_equal(x.t.pos.line, 1);
  assert_int_equal(x.t.pos.column, 1);
  expect(&x, PTX_T_NAME, "f");
  assert_int_equal(x.t.pos.line, 3);
  assert_int_equal(x.t.pos.column, 10);
  expect(&x, PTX_T_NAME, "g");
  assert_int_equal(x.t.pos.line, 4);
  assert_int_equal(x.t.pos.column, 4);
  expect(&x, PTX_T_NAME, "h");
  assert_false(x.t.glued);
  expect(&x, PTX_T_END, "");
  assert_int_equal(x.t.pos.line, 5);
  assert_int_equal(x.t.pos.column, 1);
}

/* A point and a digit are part of an opcode behind a word, else a number. */
static void test_points(void **state) {
  (void)state;
  struct lexed x;
  start(&x, "tex.1d r, .5 6.3");
  expect(&x, PTX_T_NAME, "tex");
  expect(&x, PTX_T_WORD, "1d");
  expect(&x, PTX_T_NAME, "r");
  assert_int_equal(next(&x)->punct, ',');
  expect(&x, PTX_T_F64, ".5");
  expect(&x, PTX_T_F64, "6.3");
  expect(&x, PTX_T_END, "");
}

static void test_errors(void **state) {
  (void)state;
  static const struct {
    const char *text;
    unsigned line, column;
    const char *message;
  } cases[] = {
      {" 0x", 1, 2, "0x needs hexadecimal digits: 0x"},
      {"0b2", 1, 1, "0b needs binary digits: 0b2"},
      {"0f3F80000", 1, 1, "0f needs 8 hexadecimal digits: 0f3F80000"},
      {"0f3F8000000", 1, 1, "0f needs 8 hexadecimal digits: 0f3F8000000"},
      {"0d3FF000000000000", 1, 1, "0d needs 16 hexadecimal digits: 0d3FF000000000000"},
      {"18446744073709551616", 1, 1, "this number does not fit 64 bits: 18446744073709551616"},
      {"0x10000000000000000", 1, 1, "this number does not fit 64 bits: 0x10000000000000000"},
      {"089", 1, 1, "this number is malformed: 089"},
      {"12x", 1, 1, "this number is malformed: 12x"},
      {"1.5f", 1, 1, "this number is malformed: 1.5f"},
      {"3Ux", 1, 1, "this number is malformed: 3Ux"},
      {"1e999", 1, 1, "this number does not fit a double: 1e999"},
      {"a\n \\", 2, 2, "unexpected character '\\'"},
      {"'c'", 1, 1, "unexpected character '''"},
      {"$ ", 1, 1, "unexpected character '$'"},
      {". ", 1, 1, "unexpected character '.'"},
      {"\x1b[0m", 1, 1, "unexpected byte 0x1b"},
      {"\xc3\xa4\xc3\xb6", 1, 1, "unexpected byte 0xc3"},
      {"\n  /* no", 2, 3, "this comment has no end"},
      {" \"no\n", 1, 2, "this string has no end"},
      {"\"no\\", 1, 1, "this string has no end"},
      {"#line 1\na", 1, 1, "lines for a preprocessor (#...) are not supported"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct lexed x;
    start(&x, cases[i].text);
    while (next(&x)->kind != PTX_T_END) {}
    expect_message(&x, 0, cases[i].line, cases[i].column, cases[i].message);
  }
}

/* A malformed number stays a number, so that the parser does not stumble over it too. */
static void test_goes_on(void **state) {
  (void)state;
  struct lexed x;
  start(&x, "0x;12q,\x01\x02"
            "a");
  expect(&x, PTX_T_INT, "0x");
  assert_int_equal(next(&x)->punct, ';');
  expect(&x, PTX_T_INT, "12q");
  assert_int_equal(x.t.bits, 0);
  assert_int_equal(next(&x)->punct, ',');
  expect(&x, PTX_T_NAME, "a");
  assert_int_equal(x.told.messages, 3);
}

static void test_long_number(void **state) {
  (void)state;
  char text[600];
  struct lexed x;
  memset(text, '1', sizeof text);
  text[0] = '0';
  text[1] = '.';
  start_bytes(&x, text, 400);
  assert_int_equal(next(&x)->kind, PTX_T_F64);
  assert_int_equal(x.told.messages, 0);
  start_bytes(&x, text, 401);
  assert_int_equal(next(&x)->kind, PTX_T_F64);
  expect_message(&x, 0, 1, 1, "this number is too long: 0.11111111111111111111111111111111111111");
}

/* NUL bytes are bytes like others; the text has no end but its size. */
static void test_bytes(void **state) {
  (void)state;
  struct lexed x;
  start_bytes(&x, "a\0b", 3);
  expect(&x, PTX_T_NAME, "a");
  expect(&x, PTX_T_NAME, "b");
  expect(&x, PTX_T_END, "");
  expect_message(&x, 0, 1, 2, "unexpected byte 0x00");
  start_bytes(&x, "0", 1);
  expect(&x, PTX_T_INT, "0");
  start_bytes(&x, "0x1", 2);
  next(&x);
  expect_message(&x, 0, 1, 1, "0x needs hexadecimal digits: 0x");
  start_bytes(&x, "", 0);
  expect(&x, PTX_T_END, "");
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names_and_words), cmocka_unit_test(test_integers),
      cmocka_unit_test(test_floats),          cmocka_unit_test(test_punctuation),
      cmocka_unit_test(test_strings),         cmocka_unit_test(test_blanks_and_positions),
      cmocka_unit_test(test_points),          cmocka_unit_test(test_errors),
      cmocka_unit_test(test_goes_on),         cmocka_unit_test(test_long_number),
      cmocka_unit_test(test_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
