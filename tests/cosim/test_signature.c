/* SPDX-License-Identifier: Apache-2.0
 *
 * Signatures: what they keep of a difference, what they leave out, and which texts are some.
 */
#include <string.h>

#include <heddle/asm.h>
#include "tests/test.h"
#include "cosim/checker/report.h"

/* The first word of a program of one instruction. */
static struct heddle_isa_word assembled(const char *instruction) {
  char text[200];
  snprintf(text, sizeof text, ".kernel k\n%s\nEXIT ;\n.end\n", instruction);
  const struct heddle_asm_options o = {.size = sizeof o};
  struct heddle_program *p;
  assert_int_equal(heddle_assemble(text, strlen(text), "k", &o, &p), HEDDLE_SUCCESS);
  const struct heddle_isa_word w = heddle_program_word(p, 0);
  heddle_program_free(p);
  return w;
}

static void expect(const struct heddle_checker_difference *d, const char *want) {
  struct signature s;
  char text[SIGNATURE_BYTES];
  signature_of(d, &s);
  assert_string_equal(signature_text(&s, text), want);
  assert_int_equal(signature_check(text, strlen(text)), SIGNATURE_OK);
}

static struct heddle_checker_difference of(enum heddle_checker_kind kind, const char *subject, const char *note) {
  struct heddle_checker_difference d = {.kind = kind};
  snprintf(d.subject, sizeof d.subject, "%s", subject);
  snprintf(d.note, sizeof d.note, "%s", note);
  return d;
}

/* Registers, immediates, guards and reuse flags are the program's; the format is the bug's. */
static void test_instructions(void **state) {
  static const char *const same[] = {"IADD3 R1, R0, 0xffff, RZ ;", "@!P2 IADD3 R30, R4, 0x1, R9 ;",
                                     "IADD3 R1, -R7.reuse, 0x0, R2 ;"};
  (void)state;
  struct heddle_checker_difference d = of(HEDDLE_CHECKER_WRITEBACK_VALUE, "R1", "");
  d.has_warp = true;
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    d.word = assembled(same[i]);
    expect(&d, "s1:writeback.value:IADD3/RIR:R");
  }
  d.word = assembled("IADD3 R1, R0, R2, RZ ;");
  expect(&d, "s1:writeback.value:IADD3/RRR:R");
  d.word = (struct heddle_isa_word){~UINT64_C(0), ~UINT64_C(0)};
  expect(&d, "s1:writeback.value:illegal:R");
  d.word = (struct heddle_isa_word){0, 0};
  expect(&d, "s1:writeback.value:-:R");
  d.has_warp = false;
  d.word = assembled(same[0]);
  expect(&d, "s1:writeback.value:-:R");
}

/* The class of what differs; where, when, in which lanes and how much is the run's. */
static void test_subjects(void **state) {
  static const struct {
    const char *subject, *what;
  } word[] = {{"R12", "R"},
              {"UR3", "UR"},
              {"P0", "P"},
              {"UP6", "UP"},
              {"byte 0x10c0", "byte"},
              {"operand a.0 = R2", "operand_a"},
              {"operand b.1 = RZ", "operand_b"},
              {"shared byte 0xff", "shared_byte"},
              {"constant bank 3, byte 0x12", "constant_bank_byte"},
              {"word of local memory", "word_of_local_memory"},
              {"", "-"},
              {"0x12 7", "-"}};
  (void)state;
  for (size_t i = 0; i < sizeof word / sizeof *word; i++) {
    struct heddle_checker_difference d = of(HEDDLE_CHECKER_MEMORY_FINAL, word[i].subject, "x");
    char want[100];
    snprintf(want, sizeof want, "s1:memory.final:-:%s", word[i].what);
    expect(&d, want);
    d.cycle = 77, d.slot = 3, d.gen = 2, d.seq = 9, d.pc = 0x40, d.lanes = 5, d.ctaid[0] = 8, d.warp_in_block = 1;
    d.expected[0] = 1, d.got[2] = 2, d.expected_value = 3;
    expect(&d, want);
  }
}

static void test_traps(void **state) {
  (void)state;
  struct heddle_checker_difference d =
      of(HEDDLE_CHECKER_TRAP_MISMATCH, "trap", "misaligned at pc 0x10; the model: none");
  expect(&d, "s1:trap.mismatch:-:misaligned");
  d = of(HEDDLE_CHECKER_TRAP_MISSING, "trap", "nothing of any cause");
  expect(&d, "s1:trap.missing:-:trap");
  d = of(HEDDLE_CHECKER_ISSUE_PC, "pc", "misaligned is not asked for here");
  expect(&d, "s1:issue.pc:-:pc");
}

/* Words of others are made to fit. */
static void test_words(void **state) {
  char text[SIGNATURE_BYTES];
  const struct signature a = {.kind = "device", .what = "AXI: two words\n\"x\""}, b = {.kind = "device"};
  (void)state;
  assert_string_equal(signature_text(&a, text), "s1:device:-:AXI__two_words__x_");
  assert_true(signature_equal(&a, &a));
  assert_false(signature_equal(&a, &b));
  struct signature full;
  memset(&full, 'x', sizeof full);
  full.kind[sizeof full.kind - 1] = full.op[sizeof full.op - 1] = full.what[sizeof full.what - 1] = '\0';
  (void)signature_text(&full, text);
  assert_int_equal(signature_check(text, strlen(text)), SIGNATURE_OK);
}

static void test_texts(void **state) {
  static const struct {
    const char *text;
    enum signature_form form;
  } t[] = {{"s1:a:-:-", SIGNATURE_OK},
           {"s1:a.b:X.Y/RIR:c_d-e#", SIGNATURE_OK},
           {"s2:a:-:-", SIGNATURE_OTHER_VERSION},
           {"s01:a:-:-", SIGNATURE_OTHER_VERSION},
           {"s10:whatever", SIGNATURE_OTHER_VERSION},
           {"", SIGNATURE_MALFORMED},
           {"s", SIGNATURE_MALFORMED},
           {"s1", SIGNATURE_MALFORMED},
           {"s1:", SIGNATURE_MALFORMED},
           {"x1:a:-:-", SIGNATURE_MALFORMED},
           {"s1:a:-", SIGNATURE_MALFORMED},
           {"s1:a:-:", SIGNATURE_MALFORMED},
           {"s1:a:-:-:-", SIGNATURE_MALFORMED},
           {"s1::-:-", SIGNATURE_MALFORMED},
           {"s1:a::-", SIGNATURE_MALFORMED},
           {"s1:a:-:b c", SIGNATURE_MALFORMED},
           {"s12345:a:-:-", SIGNATURE_MALFORMED},
           {"s1:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa:-:-", SIGNATURE_MALFORMED}};
  (void)state;
  for (size_t i = 0; i < sizeof t / sizeof *t; i++)
    if (signature_check(t[i].text, strlen(t[i].text)) != t[i].form) fail_msg("'%s'", t[i].text);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_instructions), cmocka_unit_test(test_subjects),
                                     cmocka_unit_test(test_traps), cmocka_unit_test(test_words),
                                     cmocka_unit_test(test_texts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
