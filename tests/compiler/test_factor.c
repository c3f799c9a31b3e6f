/* SPDX-License-Identifier: Apache-2.0
 *
 * Addresses of arrays that the host gave: by IMAD.WIDE with a constant addend where the machine has it and it pays, by
 * LEA where not. Which of them is counted in the program, and what they load is compared with plain C.
 */
#include <stdio.h>
#include <string.h>

#include "tests/compiler/select/select_run.h"
#include "tests/test.h"

#include <heddle/isa_tables.h>

#define AT UINT64_C(0x7f00000000)
enum { WORDS = 256, RESULT = 128 }; /* results: a word a thread */

/* %r0 is the thread, %r1 to be stored. */
#define HEAD                                                                                                           \
  ".version 8.0\n.target sm_90\n.address_size 64\n.global .align 4 .b32 own[4];\n"                                     \
  ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {\n"                                  \
  ".reg .b32 %r<16>; .reg .b64 %d<16>; .reg .pred %p<4>;\n"                                                            \
  "mov.u32 %r0, %tid.x; ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b]; ld.param.u64 %d3, [c]; ld.param.u32 %r9, [n];\n"
#define TAIL "ret; }"

struct counted {
  unsigned addends, lea; /* IMAD.WIDE with a constant addend; LEA.HI.X */
  unsigned only_model;
};

static struct counted count(const struct heddle_program *p) {
  struct counted n = {0};
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_dec d;
    assert_true(heddle_isa_decode(heddle_program_word(p, pc), &d));
    n.addends += d.op == ISA_OP_IMAD_WIDE && d.src[2].kind == ISA_CONST;
    n.lea += d.op == ISA_OP_LEA_HI_X;
    n.only_model += heddle_isa_encoding_info((enum heddle_isa_enc)d.enc)->only_model;
  }
  return n;
}

/* a, b, c begin at words 0, 32 and 128 of memory; n is 5. */
static void launch(const struct heddle_program *p, uint32_t memory[WORDS]) {
  const uint64_t at[3] = {AT, AT + 4 * 32, AT + 4 * RESULT};
  uint8_t param[32] = {0};
  for (unsigned k = 0; k < 3; k++) memcpy(param + 8 * k, &at[k], 8);
  param[24] = 5;
  for (uint32_t k = 0; k < WORDS; k++) memory[k] = k * k + 7;
  const struct select_job job = {.base = AT,
                                 .global = (uint8_t *)memory,
                                 .bytes = WORDS * 4,
                                 .blocks = 1,
                                 .threads = 32,
                                 .param = param,
                                 .param_bytes = sizeof param};
  const char *wrong = select_launch(p, &job);
  if (wrong) fail_msg("%s", wrong);
}

static uint32_t was(uint32_t word) {
  return word * word + 7;
}

/* For the whole machine, and for the RTL. */
static struct counted runs(const char *body, uint32_t (*is)(uint32_t thread)) {
  struct counted n[2];
  for (unsigned rtl = 0; rtl < 2; rtl++) {
    struct heddle_program *p = rtl ? select_compile(body, 1, body) : select_compile_whole(body, 1, body);
    uint32_t memory[WORDS];
    n[rtl] = count(p);
    launch(p, memory);
    for (uint32_t t = 0; t < 32; t++) {
      const uint32_t found = memory[RESULT + t];
      if (found != is(t)) fail_msg("%s\nthread %u: %u, not %u", body, t, found, is(t));
    }
    heddle_program_free(p);
  }
  assert_int_equal(n[1].only_model, 0); /* what the RTL lacks, it is not given */
  return n[0];
}

static uint32_t sum(uint32_t t) {
  return was(t) + was(32 + t);
}

static void three_arrays(void **state) {
  (void)state;
  const struct counted n = runs(HEAD "mul.wide.u32 %d4, %r0, 4; add.s64 %d5, %d1, %d4; add.s64 %d6, %d2, %d4;"
                                     "add.s64 %d7, %d3, %d4; ld.global.b32 %r1, [%d5]; ld.global.b32 %r2, [%d6];"
                                     "add.u32 %r1, %r1, %r2; st.global.b32 [%d7], %r1;" TAIL,
                                sum);
  assert_int_equal(n.addends, 3);
  assert_int_equal(n.lea, 0);
}

/* A size_t index cut to 32 bits, as OpenCL C has it. */
static void masked_index(void **state) {
  (void)state;
  const struct counted n = runs(HEAD "cvt.u64.u32 %d8, %r0; and.b64 %d8, %d8, 0xffffffff; shl.b64 %d4, %d8, 2;"
                                     "add.s64 %d5, %d1, %d4; add.s64 %d6, %d2, %d4; add.s64 %d7, %d3, %d4;"
                                     "ld.global.b32 %r1, [%d5]; ld.global.b32 %r2, [%d6];"
                                     "add.u32 %r1, %r1, %r2; st.global.b32 [%d7], %r1;" TAIL,
                                sum);
  assert_int_equal(n.addends, 3);
  assert_int_equal(n.lea, 0);
}

static uint32_t seven(uint32_t t) {
  (void)t;
  return 7;
}

/* LEA and LEA.HI.X are as many as MOV and IMAD.WIDE, and want no register. */
static void one_array(void **state) {
  (void)state;
  const struct counted n = runs(HEAD "mad.wide.u32 %d4, %r0, 4, %d3; st.global.b32 [%d4], 7;" TAIL, seven);
  assert_int_equal(n.addends, 0);
  assert_int_equal(n.lea, 1);
}

static uint32_t backward(uint32_t t) {
  return was(31 - t) + was(31 - t);
}

/* A negative index, from the base behind; 24 is no power of two, so that one use is enough. */
static void other_factors(void **state) {
  (void)state;
  struct counted n = runs(HEAD "sub.s32 %r3, -1, %r0; mad.wide.s32 %d4, %r3, 4, %d2; ld.global.b32 %r1, [%d4];"
                               "add.u32 %r1, %r1, %r1; mad.wide.u32 %d5, %r0, 4, %d3; st.global.b32 [%d5], %r1;" TAIL,
                          backward);
  assert_int_equal(n.addends, 2);
  n = runs(HEAD "mad.wide.u32 %d4, %r0, 12, %d2; st.global.b32 [%d4], 7; ld.global.b32 %r1, [%d4];"
                "mad.wide.u32 %d5, %r0, 4, %d3; st.global.b32 [%d5], %r1;" TAIL,
           seven);
  assert_int_equal(n.addends, 1);
  assert_int_equal(n.lea, 1);
}

/* Constants are fetched for each instruction: two indices of one array share a register pair. */
static void one_base_twice(void **state) {
  (void)state;
  const struct counted n =
      runs(HEAD "add.u32 %r3, %r0, 32; mad.wide.u32 %d4, %r0, 4, %d1; mad.wide.u32 %d5, %r3, 4, %d1;"
                "ld.global.b32 %r1, [%d4]; ld.global.b32 %r2, [%d5]; add.u32 %r1, %r1, %r2;"
                "mad.wide.u32 %d6, %r0, 4, %d3; st.global.b32 [%d6], %r1;" TAIL,
           sum);
  assert_int_equal(n.addends, 0);
  assert_int_equal(n.lea, 1);
}

static uint32_t squares(uint32_t t) {
  uint32_t s = 0;
  for (uint32_t k = 0; k < 5; k++) s += was((t ^ k) & 31);
  return s;
}

/* In a loop one is worth the register (a fence keeps the loop from being unrolled). */
static void in_a_loop(void **state) {
  (void)state;
  const struct counted n =
      runs(HEAD "mov.u32 %r1, 0; mov.u32 %r2, 0;\n"
                "AGAIN: xor.b32 %r3, %r0, %r2; and.b32 %r3, %r3, 31; mad.wide.u32 %d4, %r3, 4, %d1;"
                "ld.global.b32 %r4, [%d4]; add.u32 %r1, %r1, %r4; membar.cta; add.u32 %r2, %r2, 1;"
                "setp.lt.u32 %p1, %r2, %r9; @%p1 bra AGAIN;"
                "shl.b32 %r5, %r0, 2; cvt.u64.u32 %d5, %r5; add.s64 %d5, %d3, %d5;"
                "st.global.b32 [%d5], %r1;" TAIL,
           squares);
  assert_int_equal(n.addends, 1);
}

/* A base that was loaded is no constant. */
static void loaded_base(void **state) {
  (void)state;
  struct heddle_program *p =
      select_compile_whole(HEAD "ld.global.u64 %d4, [%d1]; mad.wide.u32 %d5, %r0, 4, %d4; st.global.b32 [%d5], 1;"
                                "ld.global.u64 %d6, [%d2]; mad.wide.u32 %d7, %r0, 4, %d6; st.global.b32 [%d7], 1;" TAIL,
                           1, "loaded");
  assert_int_equal(count(p).addends, 0);
  heddle_program_free(p);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(three_arrays),   cmocka_unit_test(masked_index),
                                     cmocka_unit_test(one_array),      cmocka_unit_test(other_factors),
                                     cmocka_unit_test(one_base_twice), cmocka_unit_test(in_a_loop),
                                     cmocka_unit_test(loaded_base)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
