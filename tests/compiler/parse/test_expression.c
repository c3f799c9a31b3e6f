/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands as the parser sees them, and constant expressions.
 */
#include <inttypes.h>
#include "tests/compiler/parse/parsed.h"
#include "tests/test.h"

/* Operands as the parser sees them: names, addresses, vectors, pairs, lists of calls. */

static void expect_name(const struct ptx_operand *o, enum ptx_operand_kind kind, const char *name) {
  assert_int_equal(o->kind, kind);
  assert_string_equal(o->name, name);
}

static void test_name_kinds(void **state) {
  (void)state;
  static const struct {
    const char *text;
    enum ptx_operand_kind kind;
    const char *name;
  } cases[] = {
      {"%r1", PTX_OP_NAME, "%r1"},
      {"%tid.x", PTX_OP_SREG, "%tid.x"},
      {"%laneid", PTX_OP_SREG, "%laneid"},
      {"%pm3", PTX_OP_SREG, "%pm3"},
      {"%envreg31", PTX_OP_SREG, "%envreg31"},
      {"%clock64", PTX_OP_SREG, "%clock64"},
      {"%tid", PTX_OP_SREG, "%tid"},
      {"%tidy", PTX_OP_NAME, "%tidy"},
      {"%pm", PTX_OP_NAME, "%pm"},
      {"%pmx", PTX_OP_NAME, "%pmx"},
      {"%v.x", PTX_OP_NAME, "%v.x"},
      {"%r2.h0", PTX_OP_NAME, "%r2.h0"},
      {"tid", PTX_OP_NAME, "tid"},
      {"%dynamic_smem_size", PTX_OP_SREG, "%dynamic_smem_size"},
      {"%reserved_smem_offset_1", PTX_OP_SREG, "%reserved_smem_offset_1"},
      {"a.b.c", PTX_OP_NAME, "a.b.c"},
      {"table+0", PTX_OP_NAME, "table"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct parsed p;
    char text[64];
    snprintf(text, sizeof text, "mov.u32 %%r1, %s;", cases[i].text);
    const struct ptx_operand *o = &parsed_body(&p, text)->operand[1];
    expect_name(o, cases[i].kind, cases[i].name);
    assert_int_equal(o->bits, 0);
    assert_int_equal(o->pos.line, 2);
    assert_int_equal(o->pos.column, 14);
    parsed_free(&p);
  }
}

static void test_name_forms(void **state) {
  (void)state;
  struct parsed p;
  const struct ptx_operand *o = parsed_body(&p, "x -%r3, !%p, _, table+8, table - 8 + 2, a|b, _|%p, d|_;")->operand;
  expect_name(&o[0], PTX_OP_NAME, "%r3");
  assert_true(o[0].negate && !o[0].invert);
  expect_name(&o[1], PTX_OP_NAME, "%p");
  assert_true(o[1].invert && !o[1].negate);
  assert_int_equal(o[2].kind, PTX_OP_SINK);
  expect_name(&o[3], PTX_OP_SYMBOL, "table");
  assert_int_equal(o[3].bits, 8);
  expect_name(&o[4], PTX_OP_SYMBOL, "table");
  assert_int_equal(o[4].bits, (uint64_t)-6);
  for (unsigned i = 5; i < 8; i++) assert_true(o[i].kind == PTX_OP_PAIR && o[i].elements == 2);
  expect_name(&o[5].element[0], PTX_OP_NAME, "a");
  expect_name(&o[5].element[1], PTX_OP_NAME, "b");
  assert_int_equal(o[6].element[0].kind, PTX_OP_SINK);
  assert_int_equal(o[7].element[1].kind, PTX_OP_SINK);
  parsed_free(&p);
}

static void test_addresses(void **state) {
  (void)state;
  static const struct {
    const char *text;
    enum ptx_operand_kind base;
    const char *name; /* or of an integer */
    uint64_t value, offset;
  } cases[] = {
      {"[%rd1]", PTX_OP_NAME, "%rd1", 0, 0},
      {"[%rd1+16]", PTX_OP_NAME, "%rd1", 0, 16},
      {"[ %rd1 + -4 ]", PTX_OP_NAME, "%rd1", 0, (uint64_t)-4},
      {"[%rd1-4]", PTX_OP_NAME, "%rd1", 0, (uint64_t)-4},
      {"[sym]", PTX_OP_NAME, "sym", 0, 0},
      {"[sym+4*2+1]", PTX_OP_NAME, "sym", 0, 9},
      {"[256]", PTX_OP_INT, NULL, 256, 0},
      {"[0x10+4]", PTX_OP_INT, NULL, 20, 0},
      {"[-8]", PTX_OP_INT, NULL, (uint64_t)-8, 0},
      {"[%rd1+0]", PTX_OP_NAME, "%rd1", 0, 0},
      {"[%rd1-4+8]", PTX_OP_NAME, "%rd1", 0, 4},
      {"[%tid.x]", PTX_OP_SREG, "%tid.x", 0, 0},
      {"[WARP_SZ]", PTX_OP_INT, NULL, 32, 0},
      {"[a+WARP_SZ]", PTX_OP_NAME, "a", 0, 32},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct parsed p;
    char text[64];
    snprintf(text, sizeof text, "ld.u32 a, %s;", cases[i].text);
    const struct ptx_operand *o = &parsed_body(&p, text)->operand[1];
    assert_int_equal(o->kind, PTX_OP_ADDRESS);
    assert_int_equal(o->bits, cases[i].offset);
    assert_int_equal(o->elements, 1);
    assert_int_equal(o->element[0].kind, cases[i].base);
    if (cases[i].name != NULL) assert_string_equal(o->element[0].name, cases[i].name);
    assert_int_equal(o->element[0].bits, cases[i].value);
    parsed_free(&p);
  }
}

static void test_vectors(void **state) {
  (void)state;
  struct parsed p;
  const struct ptx_operand *o =
      parsed_body(&p, "mov.b64 {%r1, _, -3, 0f3F800000, -%r2, WARP_SZ, 1.0, !%p}, {a};")->operand;
  assert_true(o[0].kind == PTX_OP_VECTOR && o[0].elements == 8);
  expect_name(&o[0].element[0], PTX_OP_NAME, "%r1");
  assert_int_equal(o[0].element[1].kind, PTX_OP_SINK);
  assert_true(o[0].element[2].kind == PTX_OP_INT && o[0].element[2].bits == (uint64_t)-3);
  assert_true(o[0].element[3].kind == PTX_OP_F32 && o[0].element[3].bits == 0x3f800000);
  assert_true(o[0].element[4].negate);
  assert_true(o[0].element[5].kind == PTX_OP_INT && o[0].element[5].bits == 32);
  assert_int_equal(o[0].element[6].kind, PTX_OP_F64);
  assert_true(o[0].element[7].invert);
  assert_int_equal(o[0].element[3].pos.column, 22);
  assert_true(o[1].kind == PTX_OP_VECTOR && o[1].elements == 1);
  parsed_free(&p);
}

static void test_calls(void **state) {
  (void)state;
  struct parsed p;
  const struct ptx_statement *s = parsed_body(&p, "call f;\ncall.uni f, (a, 1, %f1);\ncall (r),\nLtmp8:\n f, "
                                                  "\n(\n);\ncall (r, s), %fp, (a), proto;\nmov.u32 a, (1+2);\n"
                                                  "call (r), f, (b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t);");
  assert_int_equal(s->operands, 1);
  expect_name(&s->operand[0], PTX_OP_NAME, "f");
  s = s->next;
  assert_true(s->operands == 2 && s->operand[1].kind == PTX_OP_LIST && s->operand[1].elements == 3);
  assert_int_equal(s->operand[1].element[1].kind, PTX_OP_INT);
  s = s->next;
  assert_true(s->operands == 3 && s->operand[0].kind == PTX_OP_LIST && s->operand[2].kind == PTX_OP_LIST &&
              s->operand[2].elements == 0);
  expect_name(&s->operand[0].element[0], PTX_OP_NAME, "r");
  expect_name(&s->operand[1], PTX_OP_NAME, "f");
  s = s->next;
  assert_true(s->operands == 4 && s->operand[0].elements == 2);
  expect_name(&s->operand[3], PTX_OP_NAME, "proto");
  s = s->next;
  assert_true(s->operand[1].kind == PTX_OP_INT && s->operand[1].bits == 3);
  s = s->next;
  assert_int_equal(s->operand[2].elements, 19);
  expect_name(&s->operand[2].element[18], PTX_OP_NAME, "t");
  parsed_free(&p);
}

/* Constant expressions as operands: values by the rules of the PTX manual (integers of 64 bits, unsigned as soon as one
 * side is; % unsigned; >> by the kind of its left side; doubles apart from integers). */

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
      {"-0f3F800000", 2, "a 0f constant must be alone, not in an expression"},
      {"1 + 0f3F800000", 5, "a 0f constant must be alone, not in an expression"},
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_name_kinds), cmocka_unit_test(test_name_forms),
                                     cmocka_unit_test(test_addresses),  cmocka_unit_test(test_vectors),
                                     cmocka_unit_test(test_calls),      cmocka_unit_test(test_integers),
                                     cmocka_unit_test(test_doubles),    cmocka_unit_test(test_doubles_compared),
                                     cmocka_unit_test(test_refused),    cmocka_unit_test(test_depth)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
