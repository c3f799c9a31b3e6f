/* SPDX-License-Identifier: Apache-2.0
 * Faults in words: line, thread, space, the nearest buffer and by how much it is missed, advice. */
#include <stdio.h>
#include <string.h>

#include "tests/test.h"

#include <heddle/asm.h>
#include <heddle/explain.h>

static struct heddle_program *program;
static const struct heddle_fault_buffer buffers[] = {{"in", 0, 0x100000, 0x100100, false},
                                                     {"out", 2, 0x102000, 0x102010, true},
                                                     {"table", -1, 0x104000, 0x104004, true},
                                                     {NULL, -1, 0x106000, 0x107000, true}};

enum { STG, LDG_64, LDS, LD, ATOM, LDL, UNIFORM, BAD, CALLEE, COPY = CALLEE + 2 };

static int make(void **state) {
  (void)state;
  static const char text[] = ".kernel k\n STG.E [R2], R0 ;\n LDG.E.64 R4, [R2] ;\n LDS R4, [R4] ;\n LD.E R4, [R2] ;\n"
                             " ATOMG.E.ADD R4, [R2], R0 ;\n LDL R4, [R4] ;\n UMOV UR4, 0x1 ;\n .word 0x1fff ;\n.end\n"
                             ".func f\n STG.E [R2], R0 ;\n RET R20 ;\n LDGSTS.E.64 [R4], [R2] ;\n.end\n";
  const struct heddle_asm_options o = {.size = sizeof o, .stall = {5, 6, 8, 6}, .long_words = true};
  return heddle_assemble(text, sizeof text - 1, "t.s", &o, &program) == HEDDLE_SUCCESS ? 0 : -1;
}

static int drop(void **state) {
  (void)state;
  heddle_program_free(program);
  return 0;
}

static struct heddle_fault trap(const char *cause, unsigned insn, uint64_t address) {
  return (struct heddle_fault){.size = sizeof(struct heddle_fault),
                               .kind = HEDDLE_FAULT_TRAP,
                               .cause = cause,
                               .program = program,
                               .kernel = &program->kernel[0],
                               .block = {8, 4, 4},
                               .has_place = true,
                               .pc = insn * ISA_WORD_BYTES,
                               .ctaid = {1, 2, 3},
                               .warp = 2,
                               .lanes = 0xc00,
                               .has_address = true,
                               .address = address,
                               .shared_bytes = 64,
                               .local_bytes = 32,
                               .buffer = buffers,
                               .buffers = 4};
}

static void expect(struct heddle_fault f, const char *words) {
  struct heddle_explanation x = {.size = sizeof x};
  char text[2000];
  assert_int_equal(heddle_explain(&f, &x), HEDDLE_SUCCESS);
  const size_t size = heddle_explanation_text(&x, text, sizeof text);
  assert_int_equal(size, strlen(text));
  if (!strstr(text, words)) fail_msg("'%s' is not in\n%s", words, text);
  char small[20]; /* cut, and ended */
  const size_t cut = heddle_explanation_text(&x, small, sizeof small);
  assert_true(cut == strlen(small) && cut < sizeof small);
}

static void places_have_lines(void **state) {
  (void)state;
  const struct heddle_fault f = trap("out_of_range", STG, 0x102010);
  expect(f, "  in        kernel k\n  at        t.s:2: pc 0x0000: STG.E [R2], R0\n");
  expect(f, "block (1,2,3) warp 2 lanes 0x00000c00, first thread (2,1,2)\n"); /* 2 * 32 + 10 of 8 x 4 x 4 */
  expect(trap("out_of_range", CALLEE, 0), "kernel k, function f\n  at        t.s:12: ");
  expect(trap("bad_pc", 1000, 0), "at        pc 0x3e80\n");
}

static void the_nearest_buffer_is_named(void **state) {
  (void)state;
  expect(trap("out_of_range", STG, 0x102010), "store of 4 bytes, global memory, address 0x102010\n");
  expect(trap("out_of_range", STG, 0x102010), "argument 2 \"out\" (16 bytes at 0x102000): 4 bytes beyond its end\n");
  expect(trap("out_of_range", LDG_64, 0x10200c), "argument 2 \"out\" (16 bytes at 0x102000): 4 bytes beyond its end\n");
  expect(trap("out_of_range", LDG_64, 0x0ffff8),
         "argument 0 \"in\" (256 bytes at 0x100000): 8 bytes before its beginning");
  expect(trap("out_of_range", ATOM, 0x104008), "variable \"table\" (4 bytes at 0x104000): 8 bytes beyond its end\n");
  expect(trap("out_of_range", ATOM, 0x105fff), "a buffer (4096 bytes at 0x106000): 1 bytes before its beginning\n");
  expect(trap("write_protected", STG, 0x100010),
         "argument 0 \"in\" (256 bytes at 0x100000): byte 16 of it\n  because   the host gave");
}

/* Of C++: kernels as they are declared, parameters by their types. */
static void names_are_those_of_the_source(void **state) {
  (void)state;
  static const struct {
    const char *name, *text, *type[3];
  } all[] = {{"_Z5scalePfi", "scale(float*, int)", {"float*", "int", NULL}},
             {"_Z4fillIfEvPT_i4pair", "void fill<float>(float*, int, pair)", {"float*", "int", "pair"}},
             {"_Z1fPFviEj", "f(void (*)(int), unsigned int)", {"void (*)(int)", "unsigned int", NULL}},
             {"_Z1gv", "g()", {NULL, NULL, NULL}},
             {"scale", "scale", {NULL, NULL, NULL}},
             {"_Zbad", "_Zbad", {NULL, NULL, NULL}}};
  char text[80];
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    assert_string_equal(heddle_name_text(all[i].name, text, sizeof text), all[i].text);
    for (unsigned p = 0; p < 3; p++) {
      assert_int_equal(heddle_param_text(all[i].name, p, text, sizeof text), all[i].type[p] != NULL);
      if (all[i].type[p]) assert_string_equal(text, all[i].type[p]);
    }
  }
  assert_string_equal(heddle_name_text("_Z5scalePfi", text, 6), "scale");
}

static void spaces_are_told_apart(void **state) {
  (void)state;
  expect(trap("out_of_range", LDS, 64), "load of 4 bytes, shared memory, address 0x40\n");
  expect(trap("out_of_range", LDS, 64), "shared memory of the block (64 bytes): 4 bytes beyond its end\n");
  expect(trap("out_of_range", LDL, 30), "local memory of the thread (32 bytes): 2 bytes beyond its end\n");
  expect(trap("out_of_range", LD, UINT64_C(0x0100000000000044)), "shared memory, address 0x44\n");
  expect(trap("out_of_range", LD, UINT64_C(0x0200000000000044)), "local memory, address 0x44\n");
  expect(trap("out_of_range", LD, 0x104004), "variable \"table\"");
  expect(trap("out_of_range", COPY, 64), "copy of 8 bytes, shared memory, address 0x40\n");
  expect(trap("misaligned", COPY, 12), "copy of 8 bytes, shared memory, address 0xc\n");
  expect(trap("out_of_range", COPY, 0x0ffff8), "argument 0 \"in\" (256 bytes at 0x100000): 8 bytes before");
  struct heddle_fault f = trap("out_of_range", LDS, 0);
  f.shared_bytes = 0;
  expect(f, "the launch has no shared memory");
}

static void advice_is_given(void **state) {
  (void)state;
  expect(trap("out_of_range", STG, 0x10), "no buffer is below 0x10000: a null pointer?");
  expect(trap("misaligned", LDG_64, 0x100004), "the address must be a multiple of 8");
  expect(trap("illegal_instruction", BAD, 0), "the word is no instruction");
  struct heddle_fault f = trap("illegal_instruction", UNIFORM, 0);
  f.units = ~(UINT32_C(1) << ISA_UNIT_UNI);
  expect(f, "it needs unit uni, which this machine lacks");
}

/* What was never written, and where that began to matter. */
static void origins_are_named(void **state) {
  (void)state;
  struct heddle_fault f = trap("R4 (operand a)", LDL, 0);
  f.kind = HEDDLE_FAULT_UNDEFINED;
  f.has_address = false;
  expect(f, "R4 (operand a) is undefined, and what it does depends on it");
  f.origin = "R2";
  f.first_pc = LDG_64 * ISA_WORD_BYTES;
  expect(f, "from      R2 was never written, first read at t.s:3: pc 0x0010: LDG.E.64 R4, [R2]");
  f.origin = "shared byte 0x10";
  f.loaded = true;
  f.first_pc = LDS * ISA_WORD_BYTES;
  expect(f, "from      shared byte 0x10 was never written, loaded at t.s:4: pc 0x0020: LDS R4, [R4]");
  f.at_end = true;
  expect(f, "it stores a value never written, and the host reads it");
}

static void a_deadlock_says_who_waits(void **state) {
  (void)state;
  struct heddle_fault_wait wait[10] = {{.ctaid = {0, 1, 0}, .warp = 3, .pc = 0x20, .lanes = 0xff, .why = "barrier 1"}};
  struct heddle_fault f = {.size = sizeof f,
                           .kind = HEDDLE_FAULT_DEADLOCK,
                           .program = program,
                           .kernel = &program->kernel[0],
                           .wait = wait,
                           .waits = 10};
  expect(f, "  waits     block (0,1,0) warp 3 lanes 0x000000ff at t.s:4: pc 0x0020: LDS R4, [R4]: barrier 1\n");
  expect(f, "  waits     2 more\n");
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(places_have_lines),
      cmocka_unit_test(the_nearest_buffer_is_named),
      cmocka_unit_test(names_are_those_of_the_source),
      cmocka_unit_test(spaces_are_told_apart),
      cmocka_unit_test(advice_is_given),
      cmocka_unit_test(origins_are_named),
      cmocka_unit_test(a_deadlock_says_who_waits),
  };
  return cmocka_run_group_tests(tests, make, drop);
}
