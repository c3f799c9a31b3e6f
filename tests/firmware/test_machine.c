/* SPDX-License-Identifier: Apache-2.0
 * Machines, what they lack for a kernel, and who has it; the driver refuses before it launches. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <heddle/asm.h>
#include "tests/test.h"
#include "tests/firmware/driver_fixture.h"
#include <heddle/machine.h>

static const char text[] =
    ".kernel plain\n.regs 64\n.shared s 4096\n IADD3 R0, RZ, 0x1, RZ ;\n EXIT ;\n.end\n"
    ".kernel loops\n IADD3 R0, RZ, 0x1, RZ ;\n UMOV UR4, 0x1 ;\n MOV R0, UR4 ;\n MUFU.SIN R1, R0 ;\n EXIT ;\n.end\n"
    ".kernel joins\n MATCH.ANY R2, R3 ;\n EXIT ;\n.end\n"
    ".kernel sums\n ATOMG.E.ADD.F32 R6, [R2], R5 ;\n EXIT ;\n.end\n"
    ".kernel copies\n LDGSTS.E [R4], [R2] ;\n LDGDEPBAR ;\n EXIT ;\n.end\n";

static struct heddle_program *program;

static int make(void **state) {
  (void)state;
  struct heddle_asm_options o = {.size = sizeof o, .stall = {5, 6, 8, 6}, .long_words = true};
  return heddle_assemble(text, sizeof text - 1, "k.s", &o, &program) == HEDDLE_SUCCESS ? 0 : -1;
}

static int drop(void **state) {
  (void)state;
  heddle_program_free(program);
  return 0;
}

static unsigned lacks(const char *machine, const char *kernel, uint32_t threads, uint64_t shared, const char *words) {
  struct heddle_lack list[HEDDLE_LACKS_MAX];
  struct heddle_machine m = {.size = sizeof m};
  char said[600];
  const struct heddle_kernel *k = heddle_program_kernel(program, kernel);
  if (strcmp(machine, "") == 0)
    heddle_machine_whole(&m);
  else
    assert_true(heddle_machine_find(machine, &m));
  const unsigned n = heddle_machine_lacks(&m, program, k, threads, shared, list);
  if (words == NULL) {
    assert_int_equal(n, 0);
    return 0;
  }
  assert_true(n > 0);
  assert_string_equal(heddle_lack_text(&m, program, k, &list[0], said, sizeof said), words);
  return n;
}

static void units_that_lack_are_named_with_their_first_word(void **state) {
  (void)state;
  lacks("tiny", "plain", 32, 0, NULL);
  assert_int_equal(lacks("fpga", "loops", 32, 0,
                         "kernel loops needs unit uni, which fpga lacks: 2 instructions, the first at 0x0030 (k.s:9), "
                         "UMOV UR4, 0x1"),
                   1);
  assert_int_equal(lacks("tiny", "loops", 32, 0,
                         "kernel loops needs unit sfu, which tiny lacks: 1 instruction, at 0x0050 (k.s:11), MUFU.SIN "
                         "R1, R0"),
                   2);
  lacks("fpga_cover", "joins", 32, 0, NULL);
  lacks("sm", "loops", 32, 0, NULL);
  lacks("", "loops", 1024, 0, NULL);
  lacks("tiny", "sums", 32, 0,
        "kernel sums needs adders for atomics on floats (fatom), which tiny lacks: 1 instruction, at 0x0090 (k.s:19), "
        "ATOMG.E.ADD.F32 R6, [R2], R5");
  lacks("wide", "copies", 32, 0,
        "kernel copies needs asynchronous copies (async), which wide lacks: 2 instructions, the first at 0x00b0 "
        "(k.s:23), "
        "LDGSTS.E [R4], [R2]");
  lacks("sm", "copies", 32, 0, NULL);
  lacks("", "copies", 32, 0, NULL);
}

static void blocks_that_are_too_large_are_told(void **state) {
  (void)state;
  lacks("tiny", "plain", 128, 8192, NULL);
  lacks("tiny", "plain", 129, 0, "a block has 5 warps, tiny has room for 4");
  lacks("tiny", "plain", 128, 8193, "a block has 8193 bytes of shared memory (4097 of them dynamic), tiny has 8192");
  lacks("sm", "plain", 1024, 0, NULL);
  lacks("sm", "plain", 0, 0, NULL);
  struct heddle_kernel wide = *heddle_program_kernel(program, "plain");
  struct heddle_lack list[HEDDLE_LACKS_MAX];
  struct heddle_machine m = {.size = sizeof m};
  char said[200];
  wide.regs = 65;
  assert_true(heddle_machine_find("tiny", &m));
  assert_int_equal(heddle_machine_lacks(&m, program, &wide, 128, 0, list), 1);
  assert_string_equal(heddle_lack_text(&m, program, &wide, list, said, sizeof said),
                      "a block has 4 warps of 65 registers, tiny has 256 warp registers");
  /* Registers belong to partitions: 2,048 of sm are 512 for each quarter of the warps. */
  wide.regs = 255;
  assert_true(heddle_machine_find("sm", &m));
  assert_int_equal(heddle_machine_lacks(&m, program, &wide, 256, 0, list), 0);
  assert_int_equal(heddle_machine_lacks(&m, program, &wide, 257, 0, list), 1);
}

static bool not_sm(void *ctx, const char *name) {
  (void)ctx;
  return strcmp(name, "sm") != 0 && strcmp(name, "gpu") != 0;
}

static void those_who_can_are_named(void **state) {
  (void)state;
  char names[80], cut[4];
  const struct heddle_kernel *k = heddle_program_kernel(program, "loops");
  assert_int_equal(heddle_machines_for(program, k, 32, 0, NULL, NULL, names, sizeof names), 3);
  assert_string_equal(names, "duo, gpu, sm");
  assert_int_equal(heddle_machines_for(program, k, 32, 0, not_sm, NULL, names, sizeof names), 1);
  assert_string_equal(names, "duo");
  assert_int_equal(heddle_machines_for(program, k, 1024, 0, not_sm, NULL, names, sizeof names), 0);
  assert_string_equal(names, "");
  (void)heddle_machines_for(program, k, 32, 0, NULL, NULL, cut, sizeof cut);
  assert_string_equal(cut, "duo");
}

static void codes_are_made_for_latencies(void **state) {
  (void)state;
  struct heddle_machine m = {.size = sizeof m}, slow = {.size = sizeof slow};
  struct heddle_kernel k = {.stall = {0}};
  assert_false(heddle_machine_find("nosuch", &m));
  heddle_machine_whole(&m);
  assert_true(heddle_machine_covered(&m, &k)); /* it has no latencies */
  assert_true(heddle_machine_find("fpga", &m));
  assert_false(heddle_machine_covered(&m, &k));
  memcpy(k.stall, m.stall, sizeof k.stall);
  assert_true(heddle_machine_covered(&m, &k));
  heddle_machine_slowest(&slow);
  assert_false(heddle_machine_covered(&slow, &k));
  memcpy(k.stall, slow.stall, sizeof k.stall);
  assert_true(heddle_machine_covered(&m, &k));
}

/* An older one has fewer fields, and is taken; one without a size has nothing, and nothing is written into it. */
static void machines_have_a_release(void **state) {
  (void)state;
  const struct heddle_kernel *k = heddle_program_kernel(program, "plain");
  const uint32_t one[3] = {1, 1, 1};
  struct heddle_lack list[HEDDLE_LACKS_MAX];
  struct heddle_machine m = {.size = offsetof(struct heddle_machine, sms), .sms = 77};
  assert_true(heddle_machine_find("sm", &m));
  assert_int_equal(m.sms, 77);
  assert_int_equal(heddle_machine_lacks(&m, program, k, 32, 0, list), 0);
  assert_int_equal(heddle_machine_refuses(&m, one, one, k->regs, 0), HEDDLE_REFUSE_NONE);
  m.size = 0;
  assert_true(heddle_machine_lacks(&m, program, k, 32, 0, list) > 0);
  assert_int_not_equal(heddle_machine_refuses(&m, one, one, k->regs, 0), HEDDLE_REFUSE_NONE);
  assert_false(heddle_machine_covered(&m, k));
  heddle_machine_whole(&m);
  assert_string_equal(m.name, "sm");
}

/* On the model as tiny: nothing has run, and the next launch does. */
static void the_driver_refuses_in_the_same_words(void **state) {
  const struct fixture *f = *state;
  struct heddle_module *m;
  struct heddle_function *k;
  struct heddle_message msg;
  char path[] = "/tmp/heddle-test-XXXXXX";
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  (void)close(fd);
  assert_int_equal(heddle_program_save(program, path, &msg), HEDDLE_SUCCESS);
  OK(heddle_module_load(f->context, path, &m));
  (void)unlink(path);
  OK(heddle_module_function(m, "loops", &k));
  assert_int_equal(heddle_function_launch(k, ONE, ONE, 0, NULL), HEDDLE_ERROR_NOT_SUPPORTED);
  must_say(f, "kernel loops needs unit sfu, which tiny lacks: 1 instruction, at 0x0050 (k.s:11), MUFU.SIN R1, R0. "
              "It can run on: duo, gpu, sm");
  assert_int_equal(heddle_function_launch(k, ONE, ONE, 0, NULL), HEDDLE_ERROR_NOT_SUPPORTED); /* each time */
  OK(heddle_query(f->context));
  OK(heddle_module_function(m, "plain", &k));
  for (int i = 0; i < 2; i++) {
    OK(heddle_function_launch(k, ONE, ONE, 0, NULL));
    OK(heddle_synchronize(f->context, 100));
  }
  assert_int_equal(heddle_function_launch(k, ONE, SIZE(129, 1, 1), 0, NULL), HEDDLE_ERROR_LAUNCH_LIMITS);
}

/* What the words of the test above say, as data. */
static void the_driver_says_what_lacks(void **state) {
  const struct fixture *f = *state;
  struct heddle_module *m;
  struct heddle_function *loops, *plain;
  struct heddle_message msg;
  struct heddle_lack_info i;
  char path[] = "/tmp/heddle-test-XXXXXX";
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  (void)close(fd);
  assert_int_equal(heddle_program_save(program, path, &msg), HEDDLE_SUCCESS);
  OK(heddle_module_load(f->context, path, &m));
  (void)unlink(path);
  OK(heddle_module_function(m, "loops", &loops));
  OK(heddle_module_function(m, "plain", &plain));

  OK(heddle_function_lack(loops, ONE, 0, 0, &i));
  assert_int_equal(i.kind, HEDDLE_LACK_UNIT);
  assert_string_equal(i.unit, "sfu");
  assert_int_equal(i.pc, 0x50);
  assert_int_equal(i.words, 1);
  assert_string_equal(i.file, "k.s");
  assert_int_equal(i.line, 11);
  assert_string_equal(i.instruction, "MUFU.SIN R1, R0");
  assert_string_equal(i.configurations, "duo, gpu, sm");
  OK(heddle_function_lack(loops, ONE, 0, 1, &i));
  assert_string_equal(i.unit, "uni");
  assert_int_equal(i.pc, 0x30);
  assert_int_equal(i.words, 2);
  assert_int_equal(i.line, 9);
  assert_int_equal(heddle_function_lack(loops, ONE, 0, 2, &i), HEDDLE_ERROR_NOT_FOUND);

  assert_int_equal(heddle_function_lack(plain, SIZE(128, 1, 1), 4096, 0, &i), HEDDLE_ERROR_NOT_FOUND);
  OK(heddle_function_lack(plain, SIZE(129, 1, 1), 4097, 0, &i));
  assert_int_equal(i.kind, HEDDLE_LACK_WARPS);
  assert_null(i.unit);
  assert_null(i.file);
  assert_int_equal(i.pc, UINT32_MAX);
  assert_int_equal(i.wants, 5);
  assert_int_equal(i.has, 4);
  OK(heddle_function_lack(plain, SIZE(129, 1, 1), 4097, 2, &i));
  assert_int_equal(i.kind, HEDDLE_LACK_SHARED);
  assert_int_equal(i.wants, 8193);
  assert_int_equal(i.has, 8192);
  assert_int_equal(heddle_function_lack(plain, SIZE(0, 1, 1), 0, 0, &i), HEDDLE_ERROR_INVALID_VALUE);
  assert_int_equal(heddle_function_lack(plain, ONE, 0, 0, NULL), HEDDLE_ERROR_INVALID_VALUE);

  /* An older host knows less of it: nothing is written behind that. */
  memset(&i, 0xee, sizeof i);
  OK(heddle_function_lack_sized(loops, ONE, 0, 0, &i, offsetof(struct heddle_lack_info, file)));
  assert_int_equal(i.words, 1);
  assert_int_equal(i.line, 0xeeeeeeee);
}

static void the_model_alone_has_everything(void **state) {
  const struct fixture *f = *state;
  const struct heddle_device *d = f->device;
  uint64_t units = 0;
  OK(heddle_device_attribute(d, HEDDLE_ATTRIBUTE_UNITS, &units));
  assert_int_equal(units, 0x940007e7);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(units_that_lack_are_named_with_their_first_word),
                                     cmocka_unit_test(blocks_that_are_too_large_are_told),
                                     cmocka_unit_test(those_who_can_are_named),
                                     cmocka_unit_test(codes_are_made_for_latencies),
                                     cmocka_unit_test(machines_have_a_release),
                                     TINY(the_driver_refuses_in_the_same_words),
                                     TINY(the_driver_says_what_lacks),
                                     ROOMY(the_model_alone_has_everything)};
  return cmocka_run_group_tests(tests, make, drop);
}
