/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parser refuses: each with its words, line and column; and where it goes on.
 */
#include "tests/test.h"
#include "tests/compiler/parse/parsed.h"

struct wrong {
  const char *text;
  unsigned line, column;
  const char *message;
};

static void expect_wrong(const struct wrong *w, const char *before, const char *after, unsigned line) {
  struct parsed p;
  char all[4096];
  snprintf(all, sizeof all, "%s%s%s", before, w->text, after);
  assert_null(parsed_text(&p, all));
  const struct heddle_message *m = &p.message[0];
  if (strcmp(m->text, w->message) != 0 || m->line != w->line + line || m->column != w->column)
    fail_msg("%s\nsays %u:%u: %s\nnot  %u:%u: %s", w->text, m->line - line, m->column, m->text, w->line, w->column,
             w->message);
  if (p.messages != 1)
    fail_msg("%s\nsays also %u:%u: %s", w->text, p.message[1].line, p.message[1].column, p.message[1].text);
  parsed_free(&p);
}

static void test_statements(void **state) {
  (void)state;
  static const struct wrong cases[] = {
      {"add.s32 %r1, %r2 %r3;", 1, 18, "expected ';' or ',' behind the operand, found '%r3'"},
      {"add.s32 %r1, ;", 1, 14, "expected a constant, found ';'"},
      {"%r1 = 5;", 1, 1, "expected an instruction, found '%r1'"},
      {"Add.s32 a;", 1, 1, "expected an instruction, found 'Add'"},
      {"@ ret;", 1, 6, "expected an instruction, found ';'"},
      {"@!5 ret;", 1, 3, "expected a predicate, found '5'"},
      {"@%p1;", 1, 5, "expected an instruction, found ';'"},
      {"5;", 1, 1, "expected an instruction, found '5'"},
      {"a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q r;", 1, 32, "an opcode of more than 16 words is not supported"},
      {"x 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17;", 1, 42, "more than 16 operands are not supported"},
      {"tex.2d.v4.f32.s32 {a,b,c,d}, [t, {x,y}];", 1, 32,
       "texture and tensor operands [a, {...}] are not supported: ld.global reads arrays, cp.async copies them"},
      {"ld.u32 a, b[2];", 1, 12, "an index a[i] is not supported; write [a+bytes]"},
      {"ld.u32 a, [b+1.5];", 1, 13, "expected an integer"},
      {"ld.u32 a, [b;", 1, 13, "expected ']' behind the address, found ';'"},
      {"ld.u32 a, [];", 1, 12, "expected a constant, found ']'"},
      {"ld.u32 a, [_];", 1, 12, "_ is no address"},
      {"ld.u32 a, [b+%r1];", 1, 14, "expected a constant, found '%r1'"},
      {"mov.b64 {a, b, c;", 1, 17, "expected '}' behind the vector, found ';'"},
      {"mov.b64 {a, [b]}, c;", 1, 13, "expected a constant, found '['"},
      {"mov.b64 {a, {b, c}}, d; ret;", 1, 13, "expected a constant, found '{'"},
      {"mov.b64 {1,2,3,4,5,6,7,8,9}, d;", 1, 26, "a vector of more than 8 elements is not supported"},
      {"mov.b64 {}, d;", 1, 10, "expected a constant, found '}'"},
      {"x -_;", 1, 3, "_ has no sign"},
      {"x a|5;", 1, 5, "expected a register, found '5'"},
      {"x a|WARP_SZ;", 1, 5, "expected a register, found 'WARP_SZ'"},
      {"call (a, b, f;", 1, 14, "expected ')' behind the list, found ';'"},
      {"call ((a)), f;", 1, 8, "expected a constant, found 'a'"},
      {".branchtargets a, b;", 1, 1, "'.branchtargets' needs a label before it"},
      {".callprototype _;", 1, 1, "'.callprototype' needs a label before it"},
      {"t: .calltargets f, 5;", 1, 20, "expected a name, found '5'"},
      {"t: .branchtargets;", 1, 18, "expected a name, found ';'"},
      {"t: .callprototype (.param .b32 _) 5;", 1, 35, "expected the function's name, found '5'"},
      {"t: .callprototype _ (.param .b32 _) .abi_preserve 8;", 1, 37,
       "directive '.abi_preserve' is not supported here"},
      {".section .debug_info { }", 1, 1, "directive '.section' is not supported here"},
      {".align 4;", 1, 1, "directive '.align' is not supported here"},
      {".sreg .b32 a;", 1, 1, "directive '.sreg' is not supported here"},
      {".loc 1 2;", 1, 9, "expected file, line or column, found ';'"},
      {".loc 1 2 3, inlined_in 4;", 1, 13, "expected function_name or inlined_at, found 'inlined_in'"},
      {".loc 1 2 3, function_name 4;", 1, 27, "expected a label of .debug_str, found '4'"},
      {".file \"a\";", 1, 7, "expected a file number, found a string"},
      {".file 1 a;", 1, 9, "expected the name of the file, found 'a'"},
      {".pragma nounroll;", 1, 9, "expected a string, found 'nounroll'"},
      {".pragma \"nounroll\"", 2, 1, "expected ';' behind the pragma, found '}'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    expect_wrong(&cases[i], KERNEL, "\n}\n.global .u32 behind;", 1);
}

static void test_declarations(void **state) {
  (void)state;
  static const struct wrong cases[] = {
      {".global x;", 1, 9, "expected a type, found 'x'"},
      {".global .u32;", 1, 13, "expected a name, found ';'"},
      {".global .u32 .f32 x;", 1, 14, "a second type"},
      {".global .v2 .v4 .u32 x;", 1, 13, "a second vector size"},
      {".global .bf16 x;", 1, 9, "'.bf16' is not supported in a declaration of this space"},
      {".global .b128 x;", 1, 1, ".b128 is for registers only"},
      {".global .texref t;", 1, 9, "'.texref' is not supported in a declaration of this space"},
      {".global .attribute(.managed) .u32 x;", 1, 9, "'.attribute' is not supported in a declaration of this space"},
      {".global .u64 .ptr x;", 1, 14, "'.ptr' is not supported in a declaration of this space"},
      {".global .v4 .u64 x;", 1, 1, "a vector has at most 16 bytes"},
      {".global .pred p;", 1, 1, "predicates are scalar registers only"},
      {".global .align 3 .u32 x;", 1, 16, "an alignment must be a power of two"},
      {".global .align 0 .u32 x;", 1, 16, "an alignment must be a power of two"},
      {".global .align 131072 .u32 x;", 1, 16, "an alignment is too large: at most 65536"},
      {".global .align x .u32 x;", 1, 16, "expected an alignment, found 'x'"},
      {".const[2] .u32 x;", 1, 7, "expected a type, found '['"},
      {".global .u32 x[2;", 1, 17, "expected ']' behind the dimension, found ';'"},
      {".global .u32 x[1.5];", 1, 16, "expected an integer"},
      {".global .u32 x[];", 1, 14, "an array without a size needs .extern or values"},
      {".shared .u32 x[];", 1, 14, "an array without a size needs .extern or values"},
      {".global .u32 x[2][];", 1, 19, "expected a constant, found ']'"},
      {".global .u32 x[1][1][1][1][1][1][1][1][1];", 1, 40, "more than 8 dimensions are not supported"},
      {".global .u32 x[-1];", 1, 15, "this array is too large"},
      {".global .u32 x[4294967296][4294967296];", 1, 15, "this array is too large"},
      {".global .u8 x[0][4294967296][4294967296] = {{}};", 1, 14, "this array is too large"},
      {".global .u32 x y;", 1, 16, "expected ';' behind the declaration, found 'y'"},
      {".global .u32 x<4>;", 1, 15, "expected ';' behind the declaration, found '<'"},
      {".shared .u32 x = 5;", 1, 16, "only .global and .const variables have values"},
      {".extern .global .u32 x = 5;", 1, 24, "an external variable has no values"},
      {".global .f16 x = 0;", 1, 16, "values of .f16 and .f16x2 variables are not supported"},
      {".global .u32 x = 1.5;", 1, 18, "a floating-point constant in a variable of another type"},
      {".global .u32 x = 0f3F800000;", 1, 18, "a single-precision constant in a variable of another type"},
      {".global .f64 x = 0f3F800000;", 1, 18, "a single-precision constant in a variable of another type"},
      {".global .f32 x = 1;", 1, 18, "expected a floating-point constant"},
      {".global .f32 x = 1e39;", 1, 18, "this number does not fit a float"},
      {".global .u32 x = y;", 1, 18, "an address needs a .b64, .u64 or .s64 variable"},
      {".global .f64 x = y;", 1, 18, "an address needs a .b64, .u64 or .s64 variable"},
      {".global .u64 x = generic(5);", 1, 26, "expected a variable, found '5'"},
      {".global .u64 x = generic(y;", 1, 27, "expected ')' behind the variable, found ';'"},
      {".global .u64 x = y + z;", 1, 22, "expected a constant, found 'z'"},
      {".global .u8 x[] = {0xff(y)};", 1, 20, "masked addresses, 0xff(x), are not supported"},
      {".global .u8 x[2] = 5;", 1, 20, "expected '{' and values, found '5'"},
      {".global .u8 x = {5};", 1, 17, "expected a constant, found '{'"},
      {".global .u8 x[2] = {1, 2, 3};", 1, 27, "more values than elements"},
      {".global .u8 x[2] = {1, {2}};", 1, 24, "this brace does not fit the dimensions"},
      {".global .u8 x[2][2] = {1, {2}};", 1, 27, "this brace does not fit the dimensions"},
      {".global .u8 x[][0] = {{}};", 1, 23, "this brace does not fit the dimensions"},
      {".global .u8 x[2] = {1 2};", 1, 23, "expected '}' behind the values, found '2'"},
      {".global .u8 x[16777217] = {1};", 1, 27, "more than 16777216 bytes of values are not supported"},
      {".global .u8 x[][8388608] = {{}, {}, {1}};", 1, 38, "more than 16777216 bytes of values are not supported"},
      {".global .u8 x[][1073741824] = {{}, {}, {}};", 1, 36, "more than 16777216 bytes of values are not supported"},
      {".local .u32 x;", 1, 1, "'.local' belongs into a function"},
      {".reg .u32 x;", 1, 1, "'.reg' belongs into a function"},
      {".visible .param .u32 x;", 1, 10, "'.param' belongs into a function"},
      {".tex .u32 x;", 1, 1, "directive '.tex' is not supported here"},
      {".alias a b;", 1, 10, "expected ',' between two functions, found 'b'"},
      {".visible x;", 1, 10, "expected .entry, .func or a variable, found 'x'"},
      {"add.s32 a, b, c;", 1, 1, "expected a directive, found 'add'"},
      {"}", 1, 1, "expected a directive, found '}'"},
      {".file 1 \"a\", b\n;", 1, 14, "expected time or size of the file, found 'b'"},
      {".section 5 ;", 1, 10, "expected the name of a section, found '5'"},
      {".section .debug_info ;", 1, 22, "expected '{' behind the section, found ';'"},
      {".pragma \"x\" .global .u32 x;", 1, 13, "expected ';' behind the pragma, found '.global'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    expect_wrong(&cases[i], HEAD "\n", "\n.global .u32 behind;", 1);
}

static void test_registers(void **state) {
  (void)state;
  static const struct wrong cases[] = {
      {".reg .b32 %r<x>;", 1, 14, "expected a number of registers, found 'x'"},
      {".reg .b32 %r<5;", 1, 15, "expected '>' behind the number of registers, found ';'"},
      {".reg .b32 %r<4294967296>;", 1, 14, "a number of registers is too large: at most 4294967295"},
      {".reg .b32 %r<262145>;", 1, 11, "more than 262144 registers in a function"},
      {".reg .b32 %r<4294967295>;", 1, 11, "more than 262144 registers in a function"},
      {".reg .b32 a[5];", 1, 12, "registers have no arrays"},
      {".reg .b32 a = 5;", 1, 13, "only .global and .const variables have values"},
      {".reg .v2 .pred a;", 1, 1, "predicates are scalar registers only"},
      {".param .u64 .ptr a;", 1, 13, "'.ptr' is not supported in a declaration of this space"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) expect_wrong(&cases[i], KERNEL, "\n}\n", 1);
}

static void test_functions(void **state) {
  (void)state;
  static const struct wrong cases[] = {
      {".entry { ret; }", 1, 8, "expected the kernel's name, found '{'"},
      {".func 5 { ret; }", 1, 7, "expected the function's name, found '5'"},
      {".entry (.param .u32 r) k { ret; }", 1, 8, "a kernel has no results"},
      {".entry k(.global .u32 x) { ret; }", 1, 10, "expected a parameter, .param or .reg, found '.global'"},
      {".entry k(.param .u32) { ret; }", 1, 21, "expected a name, found ')'"},
      {".entry k(.param .u32 x[]) { ret; }", 1, 22, "an array without a size needs .extern or values"},
      {".entry k(.param .u64 .ptr .reg x) { ret; }", 1, 27, "nothing points there"},
      {".entry k(.param .u64 .ptr .align 5 x) { ret; }", 1, 34, "an alignment must be a power of two"},
      {".entry k(.param .u32 x .param .u32 y) { ret; }", 1, 24, "expected ')' behind the parameters, found '.param'"},
      {".entry k(.param .u32 x = 5) { ret; }", 1, 24, "only .global and .const variables have values"},
      {".func f(.reg .u32 x<2>) { ret; }", 1, 19, "a parameter is one register"},
      {".func f(.reg .u32 x<0>) { ret; }", 1, 19, "a parameter is one register"},
      {".entry k() .maxntid 0 { ret; }", 1, 21, "this number must not be 0"},
      {".entry k() .maxntid 1,1,1,1 { ret; }", 1, 26, "expected '{' or ';' behind the header, found ','"},
      {".entry k() .maxnreg x { ret; }", 1, 21, "expected a number, found 'x'"},
      {".entry k() .reqntid 4294967296 { ret; }", 1, 21, "a number is too large: at most 2147483647"},
      {".entry k() .reqnctapercluster 2 { ret; }", 1, 12, "clusters of more than one block are not supported"},
      {".func f() .maxntid 2 { ret; }", 1, 11, "directive '.maxntid' is not supported here"},
      {".func .attribute(.unified(1,2)) f() { ret; }", 1, 7, "expected the function's name, found '.attribute'"},
      {".entry k() ret;", 1, 12, "expected '{' or ';' behind the header, found 'ret'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    expect_wrong(&cases[i], HEAD "\n", "\n.global .u32 behind;", 1);
}

static void test_heads(void **state) {
  (void)state;
  static const struct wrong cases[] = {
      {"", 1, 1, "a module begins with .version"},
      {".entry k() { ret; }", 1, 1, "a module begins with .version"},
      {"  .visible .entry k() { ret; }", 1, 3, "a module begins with .version"},
      {".version 7.0\n.global .u32 x; .global .u32 y;", 2, 1, ".target is missing"},
      {".version 7.0 .target sm_70\n.entry k() { ret; }", 2, 1, ".address_size 64 is missing; 32 is not supported"},
      {".version 7.0 .target sm_70 .address_size 32;\n.address_size 64", 1, 42,
       "only an address size of 64 is supported"},
      {".version 7.0 .target sm_70 .address_size 128;\n.address_size 64", 1, 42,
       "an address size is too large: at most 64"},
      {".version 1.4;" HEAD, 1, 10, "PTX 1.4 is not supported; 6.0 to 8.0 are"},
      {".version 7;" HEAD, 1, 10, "expected a version such as 7.0, found '7'"},
      {".version 10.0;" HEAD, 1, 10, "expected a version such as 7.0, found '10.0'"},
      {".version 7.0 .target compute_70; .target sm_70 .address_size 64", 1, 22,
       "target 'compute_70' is not supported"},
      {".version 7.0 .target sm_70, map_f64_to_f32; .address_size 64", 1, 29,
       "target 'map_f64_to_f32' is not supported"},
      {".version 7.0 .target debug; .target sm_70 .address_size 64", 1, 22, "a target such as sm_70 is missing"},
      {".version 7.0 .target 5; .target sm_70 .address_size 64", 1, 22, "expected a target such as sm_70, found '5'"},
      {HEAD ".entry k() { ret;", 1, sizeof HEAD + 17, "expected '}', found the end of the text"},
      {HEAD ".entry k() { { { ret;", 1, sizeof HEAD + 21, "expected '}', found the end of the text"},
      {HEAD ".entry k() { add.s32", 1, sizeof HEAD + 20, "expected a constant, found the end of the text"},
      {HEAD ".entry k() { mov {a", 1, sizeof HEAD + 19, "expected '}' behind the vector, found the end of the text"},
      {HEAD ".section .x { {", 1, sizeof HEAD + 9, "this section has no end"},
      {HEAD "/*", 1, sizeof HEAD, "this comment has no end"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) expect_wrong(&cases[i], "", "", 0);
}

/* Each bad statement is told once, and none that is good. */
static void test_goes_on(void **state) {
  (void)state;
  static const unsigned lines[] = {3, 5, 6, 7, 9, 12, 15, 17};
  struct parsed p;
  assert_null(parsed_text(&p, HEAD "\n.entry k() {\nadd.s32 %r1 %r2;\nret;\nmov.b64 {a, b, [c]}, d;\n.reg .b33 "
                                   "x;\nmov.u32 a, 1/0; ret;\n{\nbad 1 2;\nret;\n}\n"
                                   "@ ret;\nret;\n}\n.global .u8 a[1] = {1, 2};\n.global .u32 fine;\n.func f(.param "
                                   ".bad x) { a b c; { d e f; } }\n.func g() { ret; }\n"));
  assert_int_equal(p.messages, sizeof lines / sizeof lines[0]);
  for (size_t i = 0; i < p.messages; i++) assert_int_equal(p.message[i].line, lines[i]);
  parsed_free(&p);
}

static void test_stops_after_twenty(void **state) {
  (void)state;
  struct parsed p;
  char text[8192];
  size_t n = (size_t)sprintf(text, KERNEL);
  for (unsigned i = 0; i < 100; i++) n += (size_t)sprintf(text + n, "bad 1 2;\n");
  assert_null(parsed_text(&p, text));
  assert_int_equal(p.messages, 21);
  assert_int_equal(p.message[19].line, 21);
  assert_string_equal(p.message[20].text, "20 errors; there may be more");
  parsed_free(&p);
}

static void test_deep_blocks(void **state) {
  (void)state;
  struct parsed p;
  static char text[300000];
  size_t n = (size_t)sprintf(text, KERNEL);
  for (unsigned i = 0; i < 64; i++) text[n++] = '{';
  for (unsigned i = 0; i < 65; i++) text[n++] = '}';
  text[n] = '\0';
  assert_non_null(parsed_fine(&p, text));
  parsed_free(&p);
  n = (size_t)sprintf(text, KERNEL);
  memset(text + n, '{', 200000);
  assert_null(parsed_text(&p, text));
  assert_int_equal(p.messages, 1);
  assert_string_equal(p.message[0].text, "nested more than 64 deep");
  assert_int_equal(p.message[0].column, 65);
  parsed_free(&p);
}

static void test_memory(void **state) {
  (void)state;
  struct parsed p;
  static char text[1 << 20];
  size_t n = (size_t)sprintf(text, KERNEL);
  while (n < sizeof text - 8) n += (size_t)sprintf(text + n, "ret;");
  strcpy(text + n, "}");
  assert_null(parsed_bytes(&p, text, strlen(text), 8 << 20));
  assert_true(p.gave_up);
  assert_int_equal(p.messages, 1);
  assert_string_equal(p.message[0].text, "out of memory: the program needs more than 8 MiB");
  parsed_free(&p);
}

static void test_too_long(void **state) {
  (void)state;
  struct parsed p;
  assert_null(parsed_bytes(&p, "", (64 << 20) + 1, 1 << 20)); /* the text is not looked at */
  assert_string_equal(p.message[0].text, "more than 64 MiB of text");
  parsed_free(&p);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_statements),         cmocka_unit_test(test_declarations), cmocka_unit_test(test_registers),
      cmocka_unit_test(test_functions),          cmocka_unit_test(test_heads),        cmocka_unit_test(test_goes_on),
      cmocka_unit_test(test_stops_after_twenty), cmocka_unit_test(test_deep_blocks),  cmocka_unit_test(test_memory),
      cmocka_unit_test(test_too_long),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
