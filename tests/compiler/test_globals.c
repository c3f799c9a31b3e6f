/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables of a module: .global ones, and loads of .const through pointers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/ptx.h>
#include "tests/compiler/ptx_run.h"
#include "tests/compiler/lower/lowered.h"
#include "tests/compiler/select/select_run.h"
#include "tests/test.h"

/* .global variables of a module: where they lie in the program, what is refused, and what kernels make of them on the
 * model, in every way that there is of compiling them. */

#define MODULE ".version 8.0\n.target sm_80\n.address_size 64\n"
#define STORES(body)                                                                                                   \
  ".visible .entry k(.param .u64 out, .param .u32 n) {\n.reg .b64 %d<12>; .reg .b32 %r<16>; .reg .f32 %f<4>;\n"        \
  "ld.param.u64 %d1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.s64 %d1, %d1, %d2;\n" body              \
  "st.global.u32 [%d1], %r2; ret; }\n"
#define MANY "100"
enum { LANES = 32 };

static void expect(const char *text, uint32_t (*of)(uint32_t lane)) {
  uint32_t want[LANES];
  for (uint32_t i = 0; i < LANES; i++) want[i] = of(i);
  calls_expect(text, "k", LANES, want, LANES);
}

static uint32_t table_word(uint32_t lane) {
  static const uint32_t table[4] = {11, 22, 33, 44};
  return table[lane % 4];
}

static void initial_values_are_there(void **state) {
  (void)state;
  expect(MODULE ".global .align 4 .u32 table[4] = {11, 22, 33, 44};\n" STORES(
             "and.b32 %r3, %r1, 3; mul.wide.u32 %d3, %r3, 4; mov.u64 %d4, table; add.s64 %d4, %d4, %d3;"
             "ld.global.u32 %r2, [%d4];"),
         table_word);
  expect(MODULE ".global .align 4 .b8 table[16] = {11, 0, 0, 0, 22, 0, 0, 0, 33, 0, 0, 0, 44};\n" STORES(
             "and.b32 %r3, %r1, 3; mul.wide.u32 %d3, %r3, 4; mov.u64 %d4, table; cvta.global.u64 %d4, %d4;"
             "add.s64 %d4, %d4, %d3; cvta.to.global.u64 %d4, %d4; ld.global.nc.u32 %r2, [%d4];"),
         table_word);
  expect(MODULE ".visible .global .align 4 .u32 table[4] = {11, 22, 33, 44};\n" STORES(
             "and.b32 %r3, %r1, 3; mul.wide.u32 %d3, %r3, 4; mov.u64 %d4, table; cvta.global.u64 %d4, %d4;"
             "add.s64 %d4, %d4, %d3; ld.u32 %r2, [%d4];"),
         table_word);
}

static uint32_t zero_and_more(uint32_t lane) {
  return lane + 7;
}

static void others_are_zero_and_can_be_written(void **state) {
  (void)state;
  expect(MODULE ".common .global .align 4 .u32 room[" MANY "]; .weak .global .align 16 .v4 .u32 four;\n" STORES(
             "mov.u64 %d3, room+200; add.s64 %d3, %d3, %d2; ld.global.u32 %r3, [%d3]; add.u32 %r3, %r3, %r1;"
             "st.global.u32 [%d3], %r3; ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [four]; add.u32 %r3, %r4, 7;"
             "add.u32 %r3, %r3, %r7; ld.volatile.global.u32 %r2, [%d3]; add.u32 %r2, %r2, %r3;"),
         zero_and_more);
}

/* 32 threads count 10, 11, ... in some order: each the highest once, so the sum over all is known to the last. */
static void atomics_work(void **state) {
  (void)state;
  static const char text[] = MODULE
      ".global .align 4 .u32 counter = 10; .global .align 8 .u64 wide = 0x100000000; .global .u32 most;\n" STORES(
          "atom.global.add.u32 %r2, [counter], 1; mov.u64 %d3, wide; cvta.global.u64 %d3, %d3;"
          "atom.add.u64 %d4, [%d3], 1; red.global.max.u32 [most], %r1; bar.sync 0; ld.global.u64 %d4, [wide];"
          "shr.u64 %d5, %d4, 32; cvt.u32.u64 %r3, %d4; cvt.u32.u64 %r4, %d5; ld.global.u32 %r5, [most];"
          "shl.b32 %r3, %r3, 8; add.u32 %r2, %r2, %r3; shl.b32 %r4, %r4, 16; add.u32 %r2, %r2, %r4;"
          "shl.b32 %r5, %r5, 24; add.u32 %r2, %r2, %r5;");
  for (unsigned k = 0; k < calls_ways_count; k++) {
    uint32_t got[LANES], seen = 0;
    enum heddle_cause cause;
    assert_int_equal(calls_run(text, strlen(text), &calls_ways[k], "k", LANES, got, sizeof got, 0, &cause),
                     HEDDLE_SUCCESS);
    for (unsigned i = 0; i < LANES; i++) {
      assert_int_equal(got[i] >> 8, 31 << 16 | 1 << 8 | LANES);
      seen |= UINT32_C(1) << ((got[i] & 0xff) - 10);
    }
    assert_int_equal(seen, UINT32_MAX);
  }
}

static uint32_t by_pointer(uint32_t lane) {
  return (lane % 2 ? 'e' : 200) + 300;
}

static void initialisers_hold_addresses(void **state) {
  (void)state;
  expect(MODULE ".global .align 8 .u64 pointer[3] = {number, generic(text) + 1, later + 4};\n"
                ".global .align 4 .u32 number = 200; .global .align 1 .b8 text[5] = {116, 101, 120, 116, 0};\n"
                ".global .align 4 .u32 later[2] = {1, 300};\n" STORES(
                    "and.b32 %r3, %r1, 1; mul.wide.u32 %d3, %r3, 8; mov.u64 %d4, pointer; add.s64 %d3, %d3, %d4;"
                    "ld.global.u64 %d5, [%d3]; ld.u8 %r2, [%d5]; ld.global.u64 %d6, [pointer+16];"
                    "ld.global.u32 %r4, [%d6]; add.u32 %r2, %r2, %r4;"),
         by_pointer);
}

static uint32_t by_function(uint32_t lane) {
  return lane % 2 ? lane * 3 + 7 : lane + 5 + 7;
}

/* Of functions, and of constants in bank 3. */
static void initialisers_hold_other_addresses(void **state) {
  (void)state;
  expect(MODULE ".global .align 8 .u64 what[3] = {plus, times, seven};\n.const .align 4 .u32 other = 1;\n"
                ".const .align 4 .u32 seven = 7;\n"
                ".func (.param .b32 r) plus(.param .b32 a) { .reg .b32 %r<2>; ld.param.u32 %r1, [a];"
                "add.u32 %r1, %r1, 5; st.param.b32 [r], %r1; ret; }\n"
                ".func (.param .b32 r) times(.param .b32 a) { .reg .b32 %r<2>; ld.param.u32 %r1, [a];"
                "mul.lo.u32 %r1, %r1, 3; st.param.b32 [r], %r1; ret; }\n" STORES(
                    "and.b32 %r3, %r1, 1; mul.wide.u32 %d3, %r3, 8; mov.u64 %d4, what; add.s64 %d3, %d3, %d4;"
                    "ld.global.u64 %d5, [%d3]; { .param .b32 a; .param .b32 r; st.param.b32 [a], %r1;\n"
                    "p: .callprototype (.param .b32 _) _ (.param .b32 _);\n call (r), %d5, (a), p;"
                    "ld.param.b32 %r2, [r]; } ld.global.u64 %d6, [what+16]; cvt.u32.u64 %r4, %d6;"
                    "ld.const.u32 %r5, [%r4]; add.u32 %r2, %r2, %r5;"),
         by_function);
}

static uint32_t from_function(uint32_t lane) {
  return 40 + lane;
}

static void functions_see_them(void **state) {
  (void)state;
  expect(MODULE
         ".global .align 4 .u32 base = 40;\n"
         ".func (.param .b32 r) of(.param .b32 a) { .reg .b32 %r<3>; ld.param.u32 %r1, [a];"
         "ld.global.u32 %r2, [base]; add.u32 %r1, %r1, %r2; st.param.b32 [r], %r1; ret; }\n" STORES(
             "{ .param .b32 a; .param .b32 r; st.param.b32 [a], %r1; call (r), of, (a); ld.param.b32 %r2, [r]; }"),
         from_function);
}

/* Those with values first, in order; whole rows of 16 bytes by 16; names of all. */
static void places_in_the_program(void **state) {
  (void)state;
  static const char text[] =
      MODULE ".global .align 4 .u32 zero; .global .align 1 .b8 one = 1; .extern .global .u32 elsewhere;\n"
             ".global .align 1 .b8 row[16] = {2}; .global .align 8 .u64 to = zero + 4; .global .b8 nothing[0];\n"
             ".entry k() { ret; }";
  static const struct heddle_global want[] = {
      {"zero", 40, 4}, {"one", 0, 1}, {"row", 16, 16}, {"to", 32, 8}, {"nothing", 44, 0}};
  struct calls_message m = {0};
  struct heddle_program *p = calls_compile(text, strlen(text), &calls_ways[0], &m, NULL, NULL);
  if (!p) fail_msg("%s", m.first.text);
  static const uint8_t initial[40] = {1, [16] = 2, [32] = 44};
  assert_int_equal(p->global_bytes, 44);
  assert_int_equal(p->global_initial, sizeof initial);
  assert_memory_equal(p->global, initial, sizeof initial);
  assert_int_equal(p->addresses, 1);
  assert_int_equal(p->address[0], 32);
  assert_int_equal(p->variables, sizeof want / sizeof *want);
  for (unsigned i = 0; i < p->variables; i++) {
    assert_string_equal(p->variable[i].name, want[i].name);
    assert_int_equal(p->variable[i].offset, want[i].offset);
    assert_int_equal(p->variable[i].size, want[i].size);
  }
  heddle_program_free(p);
}

/* A generic load of a variable's address is a global one: the RTL has no others. */
static void generic_addresses_of_them_are_known(void **state) {
  (void)state;
  static const char text[] = MODULE ".global .align 4 .u32 table[" MANY "];\n" STORES(
      "mov.u64 %d3, table; cvta.global.u64 %d3, %d3; mad.wide.u32 %d4, %r1, 4, %d3; ld.u32 %r2, [%d4+16];"
      "add.s64 %d5, %d3, %d2; st.u32 [%d5], %r2; atom.add.u32 %r2, [%d5], 1;");
  struct calls_message m = {0};
  struct heddle_program *p = calls_compile(text, strlen(text), &calls_ways[0], &m, NULL, NULL);
  if (!p) fail_msg("%s", m.first.text);
  unsigned memory = 0;
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_dec d;
    assert_true(heddle_isa_decode(heddle_program_word(p, pc), &d));
    assert_true(d.op != ISA_OP_LD_E && d.op != ISA_OP_ST_E && d.op != ISA_OP_ATOM_E);
    memory += d.op == ISA_OP_LDG_E || d.op == ISA_OP_STG_E || d.op == ISA_OP_ATOMG_E;
  }
  assert_int_equal(memory, 4);
  heddle_program_free(p);
}

static void what_cannot_be_is_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *words;
    unsigned line, column;
  } t[] = {
      {MODULE ".shared .u32 s;\n.global .u64 g = s;\n.entry k() { ret; }",
       "the initialiser of 'g' may hold addresses of .global and .const variables, not that of s", 5, 14},
      {MODULE ".global .u64 g[2] = {1, nowhere};\n.entry k() { ret; }", "not that of nowhere", 4, 14},
      {MODULE ".extern .global .u32 e;\n.global .u64 g = e;\n.entry k() { ret; }", "not that of e", 5, 14},
      {MODULE ".global .u32 g;\n.const .u64 c = g;\n.entry k() { ret; }",
       "may hold addresses of .const variables alone", 5, 13},
      {MODULE ".global .u64 g = k;\n.entry k() { ret; }", "not that of k", 4, 14},
  };
  for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
    struct calls_message m = {0};
    struct heddle_program *p = calls_compile(t[i].text, strlen(t[i].text), &calls_ways[0], &m, NULL, NULL);
    if (p) fail_msg("taken instead of '%s'", t[i].words);
    if (!strstr(m.first.text, t[i].words)) fail_msg("'%s' does not contain '%s'", m.first.text, t[i].words);
    assert_int_equal(m.first.line, t[i].line);
    assert_int_equal(m.first.column, t[i].column);
  }
}

/* As many as there may be are named in bounded time; one more is refused, and so is a name that is too long. */
static void names_are_bounded(void **state) {
  (void)state;
  enum { MOST = HEDDLE_GLOBALS_MAX };
  char *text = malloc(MOST * 32 + 2 * HEDDLE_SYMBOL_MAX), *at = text + sprintf(text, MODULE ".entry k() { ret; }\n");
  struct calls_message m = {0};
  for (unsigned i = 0; i < MOST; i++) at += sprintf(at, ".global .u8 g%u;\n", i);
  struct heddle_program *p = calls_compile(text, (size_t)(at - text), &calls_ways[0], &m, NULL, NULL);
  if (!p) fail_msg("%s", m.first.text);
  assert_int_equal(p->variables, MOST);
  heddle_program_free(p);
  at += sprintf(at, ".global .u8 more;\n");
  assert_null(calls_compile(text, (size_t)(at - text), &calls_ways[0], &m, NULL, NULL));
  assert_non_null(strstr(m.first.text, "more than 16384 .global variables"));
  at = text + sprintf(text, MODULE ".entry k() { ret; }\n.global .u8 ");
  memset(at, 'n', HEDDLE_SYMBOL_MAX + 1);
  at += HEDDLE_SYMBOL_MAX + 1;
  at += sprintf(at, ";\n");
  m.count = 0;
  assert_null(calls_compile(text, (size_t)(at - text), &calls_ways[0], &m, NULL, NULL));
  assert_non_null(strstr(m.first.text, "a name of more than 4352 characters"));
  free(text);
}

/* ld.const through pointers of the host, of .const variables, of both. */

#define BASE UINT64_C(0x7f40000000)

#define TABLE HEAD ".const .align 4 .b32 table[4] = {5, 6, 7, 8}; "
#define ENTRY                                                                                                          \
  ".entry k(.param .u64 out, .param .u64 in, .param .u64 at) {\n"                                                      \
  ".reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %d<12>; mov.u32 %r1, %tid.x; ld.param.u64 %d1, [out];"                 \
  "ld.param.u64 %d2, [in]; ld.param.u64 %d3, [at]; mul.wide.u32 %d4, %r1, 4; add.s64 %d5, %d1, %d4;"
#define LEAVE " st.global.b32 [%d5], %r2; ret; }"

static void check_with(const char *text, const uint32_t want[4], bool no_inline) {
  for (unsigned level = 0; level < 2; level++) {
    const struct heddle_ptx_options o = {
        .size = sizeof o, .level = level, .stall = {4, 12, 4, 6, 6, 12}, .check = true, .no_inline = no_inline};
    struct heddle_program *p;
    if (heddle_ptx_compile(text, strlen(text), "test.ptx", &o, &p, NULL, NULL) != HEDDLE_SUCCESS)
      fail_msg("refused: %s", text);
    uint32_t memory[8] = {0, 0, 0, 0, 100, 101, 102, 103};
    const uint64_t param[3] = {BASE, BASE + 16, 1};
    const struct select_job job = {.base = BASE,
                                   .global = (uint8_t *)memory,
                                   .bytes = sizeof memory,
                                   .blocks = 1,
                                   .threads = 4,
                                   .param = (const uint8_t *)param,
                                   .param_bytes = sizeof param};
    const char *bad = select_launch(p, &job);
    if (bad) fail_msg("%s: %s", text, bad);
    for (unsigned k = 0; k < 4; k++)
      if (memory[k] != want[k]) fail_msg("%s: thread %u: %u instead of %u", text, k, memory[k], want[k]);
    heddle_program_free(p);
  }
}

static void check(const char *text, const uint32_t want[4]) {
  check_with(text, want, false);
}

static void pointer_of_the_host(void **state) {
  (void)state;
  static const uint32_t want[4] = {100, 101, 102, 103}, loop[4] = {103, 103, 103, 103};
  check(HEAD ENTRY "add.s64 %d6, %d2, %d4; ld.const.u32 %r2, [%d6];" LEAVE, want);
  check(TABLE ENTRY "add.s64 %d6, %d2, %d4; ld.const.u32 %r2, [%d6];" LEAVE, want);
  check(HEAD ENTRY "mov.u64 %d6, %d2; add.s64 %d7, %d2, 12; go: ld.const.u32 %r2, [%d6]; setp.lt.u64 %p1, %d6, %d7;"
                   "add.s64 %d6, %d6, 4; @%p1 bra go;" LEAVE,
        loop);
}

static void variables(void **state) {
  (void)state;
  static const uint32_t want[4] = {5, 6, 7, 8}, second[4] = {6, 6, 6, 6};
  check(TABLE ENTRY "mov.u64 %d6, table; add.s64 %d6, %d6, %d4; ld.const.u32 %r2, [%d6];" LEAVE, want);
  /* an index that the host gave */
  check(TABLE ENTRY "mov.u64 %d6, table; shl.b64 %d7, %d3, 2; add.s64 %d6, %d7, %d6; ld.const.u32 %r2, [%d6];" LEAVE,
        second);
  /* chosen by what the host gave */
  check(TABLE ENTRY "setp.gt.u64 %p1, %d3, 0; mov.u64 %d6, table; add.s64 %d7, %d6, 4; selp.b64 %d6, %d7, %d6, %p1;"
                    "ld.const.u32 %r2, [%d6];" LEAVE,
        second);
}

/* A pointer that a function gets is what its caller hands over. */
static void handed_on(void **state) {
  (void)state;
  static const uint32_t want[4] = {105, 107, 109, 111};
#define GET                                                                                                            \
  ".func (.param .b32 v) get(.param .b64 p) { .reg .b64 %d<2>; .reg .b32 %r<2>; ld.param.u64 %d1, [p];"                \
  "ld.const.u32 %r1, [%d1]; st.param.b32 [v], %r1; ret; } "
#define CALL(result, pointer)                                                                                          \
  "{ .param .b64 a; .param .b32 b; st.param.b64 [a], " pointer "; call.uni (b), get, (a); ld.param.b32 " result ", "   \
  "[b]; } "
  check(TABLE GET ENTRY "add.s64 %d6, %d2, %d4; mov.u64 %d7, table; add.s64 %d7, %d7, %d4;" CALL("%r3", "%d6")
            CALL("%r4", "%d7") "add.s32 %r2, %r3, %r4;" LEAVE,
        want);
  /* not inlined */
  static const uint32_t host[4] = {100, 101, 102, 103}, own[4] = {5, 6, 7, 8};
  check_with(HEAD GET ENTRY "add.s64 %d6, %d2, %d4;" CALL("%r2", "%d6") LEAVE, host, true);
  check_with(TABLE GET ENTRY "mov.u64 %d7, table; add.s64 %d7, %d7, %d4;" CALL("%r2", "%d7") LEAVE, own, true);
}

/* Only the address itself tells; threads may differ. */
static void asked_at_run_time(void **state) {
  (void)state;
  static const uint32_t host[4] = {100, 101, 102, 103}, own[4] = {5, 6, 7, 8}, mixed[4] = {5, 6, 102, 103};
  static const uint32_t half[4] = {0, 0, 102, 103};
  check(TABLE ENTRY "setp.gt.u64 %p1, %d3, 0; mov.u64 %d6, table; selp.b64 %d6, %d2, %d6, %p1;"
                    "add.s64 %d6, %d6, %d4; ld.const.u32 %r2, [%d6];" LEAVE,
        host);
  check(TABLE ENTRY "setp.gt.u32 %p1, %r1, 1; mov.u64 %d6, table; selp.b64 %d6, %d2, %d6, %p1;"
                    "add.s64 %d6, %d6, %d4; ld.const.u32 %r2, [%d6];" LEAVE,
        mixed);
  check(TABLE ENTRY "setp.gt.u32 %p1, %r1, 1; mov.u64 %d6, table; selp.b64 %d6, %d2, %d6, %p1; mov.u32 %r2, 0;"
                    "add.s64 %d6, %d6, %d4; setp.lt.u32 %p2, %r1, 2; @!%p2 ld.const.u32 %r2, [%d6];" LEAVE,
        half);
  /* kept in memory, as clang -O0 does */
#define KEEP(pointer)                                                                                                  \
  ".local .align 8 .b64 kept; st.local.u64 [kept], " pointer "; ld.local.u64 %d6, [kept]; add.s64 %d6, %d6, %d4;"      \
  "ld.const.u32 %r2, [%d6];"
  check(TABLE ENTRY KEEP("%d2") LEAVE, host);
  check(TABLE ENTRY "mov.u64 %d7, table;" KEEP("%d7") LEAVE, own);
  check(HEAD ENTRY KEEP("%d2") LEAVE, host);
  check_with(TABLE GET ENTRY "add.s64 %d6, %d2, %d4;" CALL("%r2", "%d6") LEAVE, host, true);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(initial_values_are_there),
                                     cmocka_unit_test(others_are_zero_and_can_be_written),
                                     cmocka_unit_test(atomics_work),
                                     cmocka_unit_test(initialisers_hold_addresses),
                                     cmocka_unit_test(initialisers_hold_other_addresses),
                                     cmocka_unit_test(functions_see_them),
                                     cmocka_unit_test(places_in_the_program),
                                     cmocka_unit_test(generic_addresses_of_them_are_known),
                                     cmocka_unit_test(what_cannot_be_is_refused),
                                     cmocka_unit_test(names_are_bounded),
                                     cmocka_unit_test(pointer_of_the_host),
                                     cmocka_unit_test(variables),
                                     cmocka_unit_test(handed_on),
                                     cmocka_unit_test(asked_at_run_time)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
