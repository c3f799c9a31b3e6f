/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations and values: sizes, alignments and bytes worked out by hand.
 */
#include "tests/test.h"
#include "tests/compiler/parse/parsed.h"

static const struct ptx_variable *declared(struct parsed *p, const char *text) {
  char all[4096];
  snprintf(all, sizeof all, HEAD "%s", text);
  return parsed_fine(p, all)->variables;
}

static void expect_shape(const struct ptx_variable *v, const char *name, enum ptx_type type, unsigned vector,
                         uint32_t align, uint64_t elements, uint64_t bytes) {
  assert_non_null(v);
  assert_string_equal(v->name, name);
  assert_int_equal(v->type, type);
  assert_int_equal(v->vector, vector);
  assert_int_equal(v->align, align);
  assert_int_equal(v->elements, elements);
  assert_int_equal(v->bytes, bytes);
}

static void expect_bytes(const struct ptx_variable *v, const char *hex) {
  assert_non_null(v->init);
  assert_int_equal(v->bytes, strlen(hex) / 2);
  for (size_t i = 0; i < v->bytes; i++) {
    unsigned byte;
    assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
    if (v->init[i] != byte) fail_msg("%s: byte %zu is %02x, not %02x", v->name, i, v->init[i], byte);
  }
}

static void test_types(void **state) {
  (void)state;
  static const struct {
    const char *word;
    enum ptx_type type;
    unsigned bytes;
  } types[] = {
      {"b8", PTX_B8, 1},   {"b16", PTX_B16, 2},   {"b32", PTX_B32, 4}, {"b64", PTX_B64, 8},     {"u8", PTX_U8, 1},
      {"u16", PTX_U16, 2}, {"u32", PTX_U32, 4},   {"u64", PTX_U64, 8}, {"s8", PTX_S8, 1},       {"s16", PTX_S16, 2},
      {"s32", PTX_S32, 4}, {"s64", PTX_S64, 8},   {"f16", PTX_F16, 2}, {"f16x2", PTX_F16X2, 4}, {"f32", PTX_F32, 4},
      {"f64", PTX_F64, 8}, {"pred", PTX_PRED, 0},
  };
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
    struct parsed p;
    char text[64];
    assert_int_equal(ptx_type_of_word(types[i].word), types[i].type);
    assert_string_equal(ptx_type_word(types[i].type), types[i].word);
    assert_int_equal(ptx_type_bytes(types[i].type), types[i].bytes);
    if (types[i].type == PTX_PRED) continue;
    snprintf(text, sizeof text, ".global .%s x;", types[i].word);
    expect_shape(declared(&p, text), "x", types[i].type, 1, types[i].bytes, 1, types[i].bytes);
    parsed_free(&p);
  }
  assert_int_equal(ptx_type_of_word("b33"), PTX_NO_TYPE);
  assert_int_equal(ptx_type_of_word(""), PTX_NO_TYPE);
  assert_int_equal(ptx_type_bytes(PTX_NO_TYPE), 0);
  assert_int_equal(ptx_space_of_word("shared"), PTX_SHARED);
  assert_int_equal(ptx_space_of_word("sreg"), PTX_SREG);
  assert_int_equal(ptx_space_of_word("heap"), PTX_GENERIC);
  assert_string_equal(ptx_space_word(PTX_CONST), "const");
}

static void test_shapes(void **state) {
  (void)state;
  struct parsed p;
  const struct ptx_variable *v = declared(&p, ".visible .global .align 16 .b8 a[12];\n.const .v4 .f32 b;\n.shared .v2 "
                                              ".u16 c[3], d;\n.weak .global .s32 e[2][3][4];\n"
                                              ".extern .shared .align 8 .b8 f[];\n.common .global .u64 g;\n.extern "
                                              ".global .f32 h[5];\n.global .b8 i[0];\n.global .u32 .align 8 j;\n");
  expect_shape(v, "a", PTX_B8, 1, 16, 12, 12);
  assert_true(v->array && !v->is_extern && v->space == PTX_GLOBAL && v->init == NULL);
  assert_int_equal(v->pos.line, 1);
  expect_shape(v = v->next, "b", PTX_F32, 4, 16, 1, 16);
  assert_true(!v->array && v->space == PTX_CONST);
  expect_shape(v = v->next, "c", PTX_U16, 2, 4, 3, 12);
  expect_shape(v = v->next, "d", PTX_U16, 2, 4, 1, 4);
  assert_true(!v->array && v->space == PTX_SHARED);
  expect_shape(v = v->next, "e", PTX_S32, 1, 4, 24, 96);
  expect_shape(v = v->next, "f", PTX_B8, 1, 8, 0, 0);
  assert_true(v->array && v->is_extern);
  expect_shape(v = v->next, "g", PTX_U64, 1, 8, 1, 8);
  expect_shape(v = v->next, "h", PTX_F32, 1, 4, 5, 20);
  assert_true(v->is_extern);
  expect_shape(v = v->next, "i", PTX_B8, 1, 1, 0, 0);
  expect_shape(v = v->next, "j", PTX_U32, 1, 8, 1, 4);
  assert_null(v->next);
  parsed_free(&p);
}

static void test_numbers(void **state) {
  (void)state;
  struct parsed p;
  const struct ptx_variable *v = declared(&p, ".global .u32 a = 5;\n.global .s16 b = -2;\n.const .u8 c = 255, d = "
                                              "-128;\n.global .b64 e = -1;\n.global .f32 f = 1.5;\n"
                                              ".global .f64 g = -2.0;\n.global .f32 h = 0f3F800001;\n.global .b32 i = "
                                              "0f40000000;\n.global .b64 j = 1.0;\n.global .u32 k = 1 << 8 | 2;\n"
                                              ".global .f32 l = 0.1;\n.global .u64 m = 0x8000000000000000;\n.global "
                                              ".b16 n = 0x3C00;\n.global .u32 o = WARP_SZ;\n");
  static const char *const bytes[] = {"05000000",
                                      "feff",
                                      "ff",
                                      "80",
                                      "ffffffffffffffff",
                                      "0000c03f",
                                      "00000000000000c0",
                                      "0100803f",
                                      "00000040",
                                      "000000000000f03f",
                                      "02010000",
                                      "cdcccc3d",
                                      "0000000000000080",
                                      "003c",
                                      "20000000"};
  for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++, v = v->next) expect_bytes(v, bytes[i]);
  assert_null(v);
  assert_int_equal(p.messages, 0);
  parsed_free(&p);
}

static void test_arrays(void **state) {
  (void)state;
  struct parsed p;
  const struct ptx_variable *v =
      declared(&p, ".const .b8 a[] = {1, 2, 3};\n.global .u16 b[4] = {1, 2};\n.global .u8 c[2][3] = {{1, 2}, "
                   "{3}};\n.global .u8 d[2][3] = {1, 2, 3, 4, 5, 6};\n"
                   ".global .u8 e[][2] = {{1}, {2, 3}, {4}};\n.global .u8 f[][2] = {1, 2, 3};\n.global .v2 .u8 g[2] = "
                   "{{1, 2}, {3}};\n.global .v4 .u8 h = {1, 2, 3};\n"
                   ".global .u8 i[2][2][2] = {{{1, 2}, 3}, {{4}, {5, 6}}};\n.global .u8 j[3] = {};\n.global .u8 "
                   "k[2][2] = {{}, {1}};\n.global .u8 l[2] = {1, 2,};\n"
                   ".global .u8 m[2][2] = {1, 2, {3, 4}};\n");
  static const char *const bytes[] = {
      "010203",   "0100020000000000", "010200030000", "010203040506", "010002030400", "01020300", "01020300",
      "01020300", "0102030004000506", "000000",       "00000100",     "0102",         "01020304"};
  for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++, v = v->next) expect_bytes(v, bytes[i]);
  assert_null(v);
  v = p.module->variables;
  expect_shape(v, "a", PTX_B8, 1, 1, 3, 3);
  expect_shape(v->next->next->next->next, "e", PTX_U8, 1, 1, 6, 6);
  parsed_free(&p);
}

static void expect_address(const struct ptx_variable *v, unsigned i, uint64_t at, const char *name, int64_t addend,
                           bool generic) {
  assert_true(i < v->init_addresses);
  assert_int_equal(v->init_address[i].at, at);
  assert_string_equal(v->init_address[i].name, name);
  assert_int_equal(v->init_address[i].addend, addend);
  assert_int_equal(v->init_address[i].generic, generic);
}

static void test_addresses(void **state) {
  (void)state;
  struct parsed p;
  const struct ptx_variable *v =
      declared(&p, ".global .u32 x;\n.global .u64 a = x;\n.global .b64 b = generic(x);\n.global .u64 c[6] = "
                   "{generic(x)+4, 0, x - 8, generic, f, generic(x)+-1};\n");
  v = v->next;
  assert_int_equal(v->init_addresses, 1);
  expect_address(v, 0, 0, "x", 0, false);
  expect_bytes(v, "0000000000000000");
  v = v->next;
  expect_address(v, 0, 0, "x", 0, true);
  v = v->next;
  assert_int_equal(v->init_addresses, 5);
  expect_address(v, 0, 0, "x", 4, true);
  expect_address(v, 1, 16, "x", -8, false);
  expect_address(v, 2, 24, "generic", 0, false);
  expect_address(v, 3, 32, "f", 0, false);
  expect_address(v, 4, 40, "x", -1, true);
  parsed_free(&p);
}

static void test_registers(void **state) {
  (void)state;
  struct parsed p;
  const struct ptx_statement *s = parsed_body(
      &p, ".reg .b32 %r<3>, a; .reg .pred %p<1>, q; .reg .v2 .f32 v; .reg .f16 %h<0>; .local .align 8 .b8 d[12]; ret;");
  static const char *const names[] = {"%r0", "%r1", "%r2", "a", "%p0", "q", "v", "d"};
  const struct ptx_variable *v = p.module->functions->body->variables;
  assert_string_equal(s->word[0], "ret");
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++, v = v->next) {
    assert_string_equal(v->name, names[i]);
    assert_int_equal(v->space, i == 7 ? PTX_LOCAL : PTX_REG);
    assert_int_equal(v->type, i < 4 ? PTX_B32 : i < 6 ? PTX_PRED : i == 6 ? PTX_F32 : PTX_B8);
  }
  assert_null(v);
  parsed_free(&p);
}

static void test_many_registers(void **state) {
  (void)state;
  struct parsed p;
  assert_non_null(parsed_text(&p, KERNEL ".reg .b32 %r<262144>; }"));
  const struct ptx_variable *v = p.module->functions->body->variables;
  unsigned n = 0;
  for (; v->next != NULL; v = v->next) n++;
  assert_int_equal(n, 262143);
  assert_string_equal(v->name, "%r262143");
  parsed_free(&p);
  assert_null(parsed_text(&p, KERNEL ".reg .b32 %r<262144>, x; }"));
  assert_string_equal(p.message[0].text, "more than 262144 registers in a function");
  parsed_free(&p);
}

static void test_cut_numbers_warn(void **state) {
  (void)state;
  struct parsed p;
  const struct ptx_variable *v =
      declared(&p, ".global .u8 a[4] = {256, -129, 255, -128};\n.global .u32 b = 0x100000001;\n.global .u32 c = ~0;");
  expect_bytes(v, "007fff80");
  expect_bytes(v->next, "01000000");
  expect_bytes(v->next->next, "ffffffff");
  assert_int_equal(p.messages, 3);
  assert_true(p.message[0].warning);
  assert_string_equal(p.message[0].text, "this number is cut to 8 bits");
  assert_int_equal(p.message[1].column, strlen(HEAD) + 26);
  assert_string_equal(p.message[2].text, "this number is cut to 32 bits");
  assert_int_equal(p.message[2].line, 2);
  parsed_free(&p);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_types),          cmocka_unit_test(test_shapes),           cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_arrays),         cmocka_unit_test(test_addresses),        cmocka_unit_test(test_registers),
      cmocka_unit_test(test_many_registers), cmocka_unit_test(test_cut_numbers_warn),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
