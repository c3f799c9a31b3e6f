/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands as the parser sees them: names, addresses, vectors, pairs, lists of calls.
 */
#include "tests/test.h"
#include "tests/compiler/parsed.h"

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

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_name_kinds), cmocka_unit_test(test_name_forms), cmocka_unit_test(test_addresses),
      cmocka_unit_test(test_vectors),    cmocka_unit_test(test_calls),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
