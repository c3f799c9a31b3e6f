/* SPDX-License-Identifier: Apache-2.0
 *
 * Short words, rule by rule of isa/doc/13-short-words.md, over a table of this test's own: the library's source is
 * compiled here once more with it, and with places of two. Bit numbers are those of the page.
 */
#include <string.h>

#include <heddle/isa_tables.h>
#include "tests/test.h"
#include "base/splitmix64.h"

#undef ISA_STEP
#define ISA_STEP 8u
#define isa_short_rows own_rows
#define isa_short_codes own_codes
#define isa_short_row_count own_row_count
#define isa_short_code_count own_code_count
#define isa_short_code_mask own_code_mask
#define heddle_isa_lengthen own_lengthen
#define heddle_isa_shorten own_shorten
#define heddle_isa_fetch own_fetch
#define heddle_isa_replace own_replace
#define heddle_isa_before own_before
struct heddle_isa_word own_lengthen(uint64_t word);
bool own_shorten(struct heddle_isa_word w, uint64_t *word);
bool own_fetch(const uint8_t *code, uint32_t pc, struct heddle_isa_word *w, uint32_t *bytes);
bool own_replace(uint8_t *code, uint32_t pc, struct heddle_isa_word w);
uint32_t own_before(const uint8_t *code, uint32_t pc);
#include "isa/lib/isa_short.c"

/* One row of each kind; bits that no kind fills: of the opcode, and some above operand c. */
const struct short_row own_rows[] = {{{0x0123, UINT64_C(0x5500)}, SHORT_NONE},
                                     {{0x0124, UINT64_C(0x0a00)}, SHORT_INT},
                                     {{0x0125, UINT64_C(0x0b00)}, SHORT_HIGH},
                                     {{0x0126, UINT64_C(0x0c00)}, SHORT_OFFSET},
                                     {{0x0127, UINT64_C(0x8000)}, SHORT_CONST}};
const unsigned own_row_count = sizeof own_rows / sizeof *own_rows;
/* Control codes 0x1 and 0x1ffff in bits 125:105. */
const struct heddle_isa_word own_codes[] = {{0, UINT64_C(1) << 41}, {0, UINT64_C(0x1ffff) << 41}};
const unsigned own_code_count = 2;
const struct heddle_isa_word own_code_mask = {0, UINT64_C(0x1fffff) << 41};

#define BIT63 (UINT64_C(1) << 63)
#define ROW(n) ((uint64_t)(n) << 55)
#define CODE(n) ((uint64_t)(n) << 48)

static void expect_word(uint64_t s, uint64_t hi, uint64_t lo) {
  const struct heddle_isa_word w = own_lengthen(s);
  if (w.hi != hi || w.lo != lo)
    fail_msg("0x%016llx: 0x%016llx%016llx, not 0x%016llx%016llx", (unsigned long long)s, (unsigned long long)w.hi,
             (unsigned long long)w.lo, (unsigned long long)hi, (unsigned long long)lo);
}

/* Registers d a b c and the guard, each alone, then together. */
static void test_registers(void **state) {
  (void)state;
  const uint64_t code = UINT64_C(1) << 41;
  expect_word(BIT63 | ROW(0), 0x5500 | code, 0x0123);
  expect_word(BIT63 | ROW(0) | 0xff, 0x5500 | code, 0xff0123);
  expect_word(BIT63 | ROW(0) | 0xffu << 8, 0x5500 | code, UINT64_C(0xff000123));
  expect_word(BIT63 | ROW(0) | UINT64_C(0xff) << 16, 0x5500 | code, UINT64_C(0xff00000123));
  expect_word(BIT63 | ROW(0) | UINT64_C(0xff) << 24, 0x55ff | code, 0x0123);
  expect_word(BIT63 | ROW(0) | UINT64_C(0xf) << 44, 0x5500 | code, 0xf123);
  expect_word(BIT63 | ROW(0) | UINT64_C(9) << 44 | 0x12345678, 0x5512 | code, UINT64_C(0x3456789123));
}

static void test_control_code(void **state) {
  (void)state;
  expect_word(BIT63 | ROW(0) | CODE(1), 0x5500 | UINT64_C(0x1ffff) << 41, 0x0123);
  expect_word(BIT63 | ROW(0) | CODE(2), 0x5500, 0x0123); /* a row that is not there is 0 */
  expect_word(BIT63 | ROW(0) | CODE(127), 0x5500, 0x0123);
}

static void test_numbers(void **state) {
  (void)state;
  const uint64_t code = UINT64_C(1) << 41, upper = UINT64_C(1) << 32, lower = UINT64_C(1) << 16;
  expect_word(BIT63 | ROW(1) | upper * 0x7ff | lower * 0xff, 0x0a00 | code, UINT64_C(0x0007ffff00000124));
  expect_word(BIT63 | ROW(1) | upper * 0x800, 0x0a00 | code, UINT64_C(0xfff8000000000124));
  expect_word(BIT63 | ROW(2) | upper * 0xabc | lower * 0xde, 0x0b00 | code, UINT64_C(0xabcde00000000125));
  expect_word(BIT63 | ROW(3) | upper * 0x7ff | lower * 0x12, 0x0c00 | code, UINT64_C(0x0007ff1200000126));
  expect_word(BIT63 | ROW(3) | upper * 0x801 | lower * 0x12, 0x0c00 | code, UINT64_C(0xfff8011200000126));
  expect_word(BIT63 | ROW(4) | upper * 0x03f | lower * 0xff, 0x8000 | code, UINT64_C(0x003fff0000000127));
  expect_word(BIT63 | ROW(4) | upper * 0x7c0, 0x8000 | code, UINT64_C(0x07c0000000000127));
}

/* Bits that a kind has no place for mean nothing. */
static void test_idle_bits(void **state) {
  (void)state;
  const uint64_t code = UINT64_C(1) << 41, upper = UINT64_C(1) << 32;
  expect_word(BIT63 | ROW(0) | upper * 0xfff, 0x5500 | code, 0x0123);
  expect_word(BIT63 | ROW(4) | upper * 0x800, 0x8000 | code, 0x0127);
}

static void test_no_instruction(void **state) {
  (void)state;
  expect_word(BIT63 | ROW(5) | 0xff, 0, 0); /* whatever else it says */
  expect_word(BIT63 | ROW(255) | CODE(1), 0, 0);
  expect_word(ROW(1) | CODE(1) | UINT64_C(0xffffffff), 0, 0);
}

/* What lengthens shortens again, to a word that says the same. */
static void test_round_trips(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (unsigned i = 0; i < 200000; i++) {
    const unsigned row = (unsigned)(splitmix64(&seed) % own_row_count), c = (unsigned)(splitmix64(&seed) % 2);
    const uint64_t s = BIT63 | ROW(row) | CODE(c) | (splitmix64(&seed) & ((UINT64_C(1) << 48) - 1));
    uint64_t again = 0;
    assert_true(own_shorten(own_lengthen(s), &again));
    const struct heddle_isa_word x = own_lengthen(s), y = own_lengthen(again);
    assert_true(x.hi == y.hi && x.lo == y.lo);
  }
}

static void test_words_without(void **state) {
  (void)state;
  const uint64_t code = UINT64_C(1) << 41;
  static const struct heddle_isa_word w[] = {
      {0x0123, 0x5500},                                           /* control code 0 is not in the table */
      {0x0123, 0x5500 | UINT64_C(3) << 41},                       /* nor is 3 */
      {0x0129, 0x5500 | UINT64_C(1) << 41},                       /* a bit more than the row has */
      {0x0123, 0x5400 | UINT64_C(1) << 41},                       /* one less */
      {UINT64_C(0x0008000000000124), 0x0a00 | UINT64_C(1) << 41}, /* 2^19 */
      {UINT64_C(0xfff7ffff00000124), 0x0a00 | UINT64_C(1) << 41}, /* -2^19 - 1 */
      {UINT64_C(0x0000080000000125), 0x0b00 | UINT64_C(1) << 41}, /* high: bit 43 */
      {UINT64_C(0x0008000000000126), 0x0c00 | UINT64_C(1) << 41}, /* 2^11 */
      {UINT64_C(0x0000008000000127), 0x8000 | UINT64_C(1) << 41}, /* 2 bytes */
      {0, 0}};
  uint64_t s;
  for (unsigned i = 0; i < sizeof w / sizeof *w; i++)
    if (own_shorten(w[i], &s)) fail_msg("word %u shortens to 0x%016llx", i, (unsigned long long)s);
  assert_true(own_shorten((struct heddle_isa_word){0x0123, 0x5500 | code}, &s));
  assert_true(s == (BIT63 | ROW(0)));
}

/* ---- places */

static void put(uint8_t *at, uint64_t lo, uint64_t hi) {
  heddle_isa_word_store(at, (struct heddle_isa_word){lo, hi});
}

/* A long word, a pair, a pair whose first is none, a long word. */
static void fill(uint8_t code[64]) {
  put(code, 0x1111, 0x2222);
  put(code + 16, BIT63 | ROW(0) | 1, BIT63 | ROW(0) | 2);
  put(code + 32, ROW(0) | 3, BIT63 | ROW(0) | 4);
  put(code + 48, 0x3333, UINT64_C(0x4444));
}

static void test_fetch(void **state) {
  (void)state;
  static const struct {
    uint32_t pc;
    uint64_t lo;
    uint32_t bytes;
    bool begins;
  } t[] = {{0, 0x1111, 16, true}, {8, 0x1111, 8, false},   {16, 0x010123, 8, true}, {24, 0x020123, 8, true},
           {32, 0, 8, true},      {40, 0x040123, 8, true}, {48, 0x3333, 16, true},  {56, 0x3333, 8, false}};
  uint8_t code[64];
  fill(code);
  for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
    struct heddle_isa_word w;
    uint32_t bytes;
    assert_int_equal(own_fetch(code, t[i].pc, &w, &bytes), t[i].begins);
    assert_int_equal(bytes, t[i].bytes);
    assert_true(w.lo == t[i].lo);
  }
}

static void test_before(void **state) {
  (void)state;
  static const uint32_t t[][2] = {{16, 0}, {24, 16}, {32, 24}, {40, 32}, {48, 40}, {64, 48}};
  uint8_t code[64];
  fill(code);
  for (unsigned i = 0; i < sizeof t / sizeof *t; i++) assert_int_equal(own_before(code, t[i][0]), t[i][1]);
}

static void test_replace(void **state) {
  (void)state;
  const struct heddle_isa_word is = own_lengthen(BIT63 | ROW(3) | 9), none = {0x7777, 0};
  uint8_t code[64];
  struct heddle_isa_word w;
  uint32_t bytes;
  fill(code);
  assert_true(own_replace(code, 24, is) && own_fetch(code, 24, &w, &bytes) && w.lo == is.lo && w.hi == is.hi);
  assert_true(own_fetch(code, 16, &w, &bytes) && w.lo == 0x010123 && bytes == 8); /* the other one stays */
  assert_false(own_replace(code, 16, none));
  assert_true(own_fetch(code, 16, &w, &bytes) && w.lo == 0x010123);
  assert_true(own_replace(code, 0, none) && own_fetch(code, 0, &w, &bytes) && w.lo == 0x7777);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_registers),     cmocka_unit_test(test_control_code),   cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_idle_bits),     cmocka_unit_test(test_no_instruction), cmocka_unit_test(test_round_trips),
      cmocka_unit_test(test_words_without), cmocka_unit_test(test_fetch),          cmocka_unit_test(test_before),
      cmocka_unit_test(test_replace),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
