/* SPDX-License-Identifier: Apache-2.0
 *
 * The `stack` unit: WARPSYNC, JMP, KILL, the hints, and BPT; the rows of
 * isa/doc/03-divergence.md that test_diverge.c leaves out.
 */
#include <stdio.h>

#include "tests/test.h"
#include "tests/cmodel/assembly.h"
#include "tests/cmodel/step.h"

#define LOW 0xffu /* lanes below 8 */
#define HIGH 0xffffff00u

static void begin(struct machine *x, const char *text) {
  machine_init(x);
  machine_text(x, text);
  machine_lockstep(x);
}

/* ---- W ---- */

static void warpsync(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "@!PT WARPSYNC 0x0 ;\n@P0 BRA 0x60 ;\n" /* 0x20 */
                                  "NOP ;\nNOP ;\n"                        /* 0x40 */
                                  "WARPSYNC 0xffffffff ;\nEXIT ;\n");     /* 0x60 */
  steps(&x, 4);
  step(&x, 0x60, LOW);
  expect_hash(waiting(0, 0x40, HIGH));
  step(&x, 0x40, HIGH);
  expect_hash(member_w(~0u) ^ parked_w(0x60, LOW));
  steps(&x, 1);
  step(&x, 0x60, HIGH);
  step(&x, 0x70, ~0u);
  expect_hash(0); /* no members are left behind */
  assert_true(e.warp_ended);
  machine_free(&x);
}

/* Under a guard; members that exit are not waited for; the mask comes from the lowest executing lane. */
static void warpsync_and_exit(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "MOV R1, 0x80000001 ;\n@P0 MOV R1, 0xffff ;\n"
                                  "@P0 WARPSYNC R1 ;\n"            /* 0x40 */
                                  "@!P0 EXIT ;\nNOP ;\nEXIT ;\n"); /* 0x50 */
  steps(&x, 4);
  step(&x, 0x40, ~0u);
  assert_int_equal(e.exec, LOW);
  step(&x, 0x50, HIGH);
  expect_hash(member_w(0xffff) ^ parked_w(0x40, LOW));
  step(&x, 0x50, LOW);
  expect_hash(exited(HIGH));
  machine_free(&x);
}

static void warpsync_misuse(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "@P0 WARPSYNC 0x7f ;\n");
  steps(&x, 2);
  after_operand(&x, HEDDLE_TRAP_DIVERGENCE, 0x20, 0x80);
  machine_free(&x);

  static const char *const text[] = {"WARPSYNC 0xfffffeff", "WARPSYNC 0xfffffffe", "WARPSYNC 0xffffffff"};
  static const uint32_t lanes[] = {0x100, HIGH, HIGH}; /* a stranger; another mask; another place */
  for (unsigned i = 0; i < 3; i++) {
    char all[256];
    (void)snprintf(all, sizeof all, TEXT_LANES_BELOW(0x8) "@P0 WARPSYNC 0xffffffff ;\n%s ;\nEXIT ;\n", text[i]);
    begin(&x, all);
    steps(&x, 3);
    after_operand(&x, HEDDLE_TRAP_DIVERGENCE, 0x30, lanes[i]);
    assert_int_equal(heddle_model_trap(x.model)->seq, 3);
    machine_free(&x);
  }
}

static void warpsync_deadlock(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "BSSY B0, 0x50 ;\n@P0 BRA 0x50 ;\n" /* 0x20 */
                                  "BSYNC B0 ;\n"
                                  "WARPSYNC 0xffffffff ;\nEXIT ;\n"); /* 0x50 */
  steps(&x, 4);
  step(&x, 0x50, LOW);
  step(&x, 0x40, HIGH);
  assert_true(e.traps);
  expect_trap(&x, HEDDLE_TRAP_DEADLOCK, 0x40, ~0u, 0);
  machine_free(&x);
}

/* Everybody is there at once, while other lanes go on: a path of its own. */
static void full_at_once(void **state) {
  (void)state;
  static const char *const text[] = {"@P0 BSSY B2, 0x40 ;\n@P0 BSYNC B2 ;\n", "NOP ;\n@P0 WARPSYNC 0xff ;\n"};
  for (unsigned i = 0; i < 2; i++) {
    for (unsigned its = 0; its < 2; its++) {
      struct machine x;
      char all[256];
      (void)snprintf(all, sizeof all, TEXT_LANES_BELOW(0x8) "%sNOP ;\nEXIT ;\n", text[i]);
      machine_init_as(&x, its != 0 ? HEDDLE_ITS : HEDDLE_STACK);
      machine_text(&x, all);
      machine_lockstep(&x);
      steps(&x, 4);
      step(&x, 0x40, HIGH);
      expect_hash(waiting(0, 0x40, LOW));
      step(&x, 0x50, HIGH);
      step(&x, 0x40, LOW);
      machine_free(&x);
    }
  }
}

/* ---- the others ---- */

static void jmp(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "@P0 JMP 0x50 ;\nNOP ;\nJMP 0x60 ;\nNOP ;\nEXIT ;\n");
  steps(&x, 3);
  step(&x, 0x50, LOW);
  expect_hash(waiting(0, 0x30, HIGH));
  step(&x, 0x60, LOW);
  step(&x, 0x30, HIGH);
  step(&x, 0x40, HIGH);
  step(&x, 0x60, HIGH);
  machine_free(&x);

  machine_init(&x);
  machine_text(&x, TEXT_LANES_BELOW(0x8) "JMP 0x0 ;\nJMP 0x0 ;\n");
  const struct heddle_isa_word odd = WORD(ISA_ENC_JMP_JM, ISA_F_ABS32, 0x14);
  machine_patch(&x, 0x20, word_guard(odd, 7, true)); /* nobody: no trap */
  machine_patch(&x, 0x30, word_guard(odd, 0, true));
  machine_lockstep(&x);
  steps(&x, 3);
  precise(&x, HEDDLE_TRAP_BAD_PC, 0x30, HIGH, 0x14);
  machine_free(&x);

  begin(&x, "JMP 0x1000 ;\n"); /* outside: only when it issues there */
  steps(&x, 1);
  precise(&x, HEDDLE_TRAP_BAD_PC, 0x1000, ~0u, 0x1000);
  machine_free(&x);
}

static void kill(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "BSSY B0, 0x60 ;\n@P0 BRA 0x60 ;\n@!PT KILL ;\nKILL ;\nBSYNC B0 ;\nKILL ;\n");
  steps(&x, 4);
  step(&x, 0x60, LOW);
  step(&x, 0x40, HIGH);
  step(&x, 0x50, HIGH);
  step(&x, 0x70, LOW);
  expect_hash(exited(HIGH) ^ member(0, HIGH));
  assert_true(e.warp_ended);
  EXPECT(&x, HEDDLE_OK, heddle_block_end(x.model, 0));
  machine_free(&x);
}

/* YIELD does not release anybody here, nor do the hints change paths. */
static void hints(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "BSSY B0, 0x60 ;\n@P0 BRA 0x60 ;\n"
                                  "YIELD ;\nNANOSLEEP R0 ;\n" /* 0x40 */
                                  "BSYNC B0 ;\nDEPBAR.LE SB5, 0x3 ;\nEXIT ;\n");
  steps(&x, 4);
  step(&x, 0x60, LOW);
  step(&x, 0x40, HIGH);
  step(&x, 0x50, HIGH);
  step(&x, 0x60, HIGH);
  expect_hash(member(0, ~0u) ^ parked(0, 0x60, LOW));
  step(&x, 0x70, ~0u);
  step(&x, 0x80, ~0u);
  machine_free(&x);

  begin(&x, "NANOSLEEP R9 ;\n");
  EXPECT(&x, HEDDLE_UNDEFINED, heddle_warp_issue(x.model, 0, &e));
  machine_free(&x);
}

static void illegal_counter(void **state) {
  (void)state;
  for (unsigned n = 6; n < 8; n++) {
    struct machine x;
    machine_init(&x);
    machine_emit(&x, word_guard(WORD(ISA_ENC_DEPBAR_LE_P, ISA_F_SBN, n), 7, true));
    machine_lockstep(&x);
    precise(&x, HEDDLE_TRAP_ILLEGAL, 0, ~0u, 0);
    machine_free(&x);
  }
}

static void breakpoint(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "@!PT BPT.TRAP ;\n@P0 BPT.TRAP ;\nEXIT ;\n");
  steps(&x, 3);
  precise(&x, HEDDLE_TRAP_BREAKPOINT, 0x30, LOW, 0);
  assert_int_equal(heddle_model_trap(x.model)->seq, 3);
  machine_free(&x);

  machine_init(&x);
  machine_text(&x, "BPT.TRAP ;\n");
  EXPECT(&x, HEDDLE_TRAPPED, machine_run(&x));
  expect_trap(&x, HEDDLE_TRAP_BREAKPOINT, 0, ~0u, 0);
  machine_free(&x);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(full_at_once),
      cmocka_unit_test(warpsync),
      cmocka_unit_test(warpsync_and_exit),
      cmocka_unit_test(warpsync_misuse),
      cmocka_unit_test(warpsync_deadlock),
      cmocka_unit_test(jmp),
      cmocka_unit_test(kill),
      cmocka_unit_test(hints),
      cmocka_unit_test(illegal_counter),
      cmocka_unit_test(breakpoint),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
