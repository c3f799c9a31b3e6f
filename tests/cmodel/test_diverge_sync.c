/* SPDX-License-Identifier: Apache-2.0
 *
 * The `stack` unit: WARPSYNC, JMP, KILL, BMOV, the hints, and BPT; the rows of isa/doc/03-divergence.md that
 * test_diverge.c leaves out.
 */
#include <stdio.h>
#include "tests/cmodel/machine.h"
#include "tests/cmodel/step.h"
#include "tests/test.h"

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
  EXPECT(&x, HEDDLE_SUCCESS, heddle_block_end(x.model, 0));
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
  EXPECT(&x, HEDDLE_ERROR_UNDEFINED, heddle_warp_issue(x.model, 0, &e));
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
  EXPECT(&x, HEDDLE_ERROR_TRAPPED, machine_run(&x));
  expect_trap(&x, HEDDLE_TRAP_BREAKPOINT, 0, ~0u, 0);
  machine_free(&x);
}

/* The `stack` unit: BMOV, and what happens to parked lanes whose barrier is
 * moved away. (Under `its`: test_its.c.) */

/* A callee saves the barrier of its caller, uses it for itself, and restores it; the caller's lanes that take the other
 * way come to it afterwards. */
static void callee(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "ISETP.LT.U32.AND P1, PT, R0, 0x4, PT ;\n"
                                  "BSSY B4, 0xd0 ;\n"
                                  "MOV R20, 0xc0 ;\nMOV R21, RZ ;\n"
                                  "@P0 CALL.REL 0x80 ;\n" /* 0x60 */
                                  "BRA 0xd0 ;\n"
                                  "BMOV.GET.CLEAR R16, B4 ;\n" /* 0x80: the callee */
                                  "BSSY B4, 0xa0 ;\n"
                                  "@P1 BRA 0xa0 ;\n"
                                  "BSYNC B4 ;\n"         /* 0xb0, patched below */
                                  "NOP ;\n"              /* 0xc0 */
                                  "BSYNC B4 ;\nEXIT ;\n" /* 0xd0 */
                                  "BMOV.SET B4, R16 ;\nRET R20 ;\n");
  machine_patch(&x, 0xa0, word_guard(bra(0xa0, 0xb0), 1, false)); /* both ways to the same BSYNC */
  machine_patch(&x, 0xc0, bra(0xc0, 0xf0));
  machine_patch(&x, 0x40, mov_imm(20, 0xd0)); /* where the callee returns to */
  machine_lockstep(&x);
  steps(&x, 7);
  step(&x, 0x80, LOW);
  assert_int_equal(e.rd_words, 1);
  assert_int_equal(e.exec, LOW);
  for (unsigned i = 0; i < 8; i++) assert_int_equal(e.rd_value[0][i], ~0u);
  step(&x, 0x90, LOW);
  expect_hash(waiting(0, 0x70, HIGH)); /* emptied */
  step(&x, 0xa0, LOW);
  step(&x, 0xb0, 0x0f);
  step(&x, 0xb0, 0xf0);
  step(&x, 0xc0, LOW);
  expect_hash(waiting(0, 0x70, HIGH));
  step(&x, 0xf0, LOW);
  step(&x, 0x100, LOW);
  expect_hash(waiting(0, 0x70, HIGH) ^ member(4, ~0u));
  step(&x, 0xd0, LOW);
  step(&x, 0x70, HIGH);
  step(&x, 0xd0, HIGH);
  step(&x, 0xe0, ~0u);
  expect_hash(0);
  machine_free(&x);
}

/* Lanes stay parked while their barrier is away; the members that are moved in may complete it. */
static void bmov_of_parked(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "BSSY B3, 0x80 ;\n@P0 BRA 0x80 ;\n" /* 0x20 */
                                  "BMOV.GET.CLEAR R5, B3 ;\n"         /* 0x40 */
                                  "@!PT BMOV.SET B3, 0xff ;\n"        /* 0x50 */
                                  "BMOV.SET B3, 0x3f ;\nEXIT ;\n"     /* 0x60 */
                                  "BSYNC B3 ;\nBMOV.SET B3, R1 ;\nEXIT ;\n" /* 0x80 */);
  steps(&x, 4);
  step(&x, 0x80, LOW);
  step(&x, 0x40, HIGH);
  step(&x, 0x50, HIGH);
  expect_hash(parked(3, 0x80, LOW));
  step(&x, 0x60, HIGH);
  expect_hash(parked(3, 0x80, LOW));
  step(&x, 0x70, HIGH); /* goes on; the released path waits */
  expect_hash(waiting(0, 0x90, 0x3f) ^ parked(3, 0x80, 0xc0));
  EXPECT(&x, HEDDLE_ERROR_UNDEFINED, heddle_warp_issue(x.model, 0, &e)); /* R1 */
  machine_free(&x);
}

/* Nobody brings the members back: the parked lanes wait for ever. */
static void bmov_deadlock(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "BSSY B3, 0x60 ;\n@P0 BRA 0x60 ;\n"
                                  "BMOV.GET.CLEAR R5, B3 ;\nEXIT ;\n" /* 0x40 */
                                  "BSYNC B3 ;\nEXIT ;\n");
  steps(&x, 6);
  step(&x, 0x50, HIGH);
  assert_true(e.traps);
  expect_trap(&x, HEDDLE_TRAP_DEADLOCK, 0x50, LOW, 0);
  machine_free(&x);
}

/* Another BSYNC on a barrier where lanes are parked elsewhere. */
static void bmov_misuse(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "BSSY B3, 0x60 ;\n@P0 BRA 0x80 ;\n"
                                  "BMOV.GET.CLEAR R5, B3 ;\nBSSY B3, 0x60 ;\nBSYNC B3 ;\nEXIT ;\n" /* 0x40 */
                                  "BSYNC B3 ;\nEXIT ;\n");
  steps(&x, 7);
  precise(&x, HEDDLE_TRAP_DIVERGENCE, 0x60, HIGH, 0);
  machine_free(&x);
}

/* Executing lanes only, each gets the whole mask; without .CLEAR the barrier stays. */
static void bmov_get(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "@!P0 BSSY B7, 0x40 ;\n@P0 BMOV.GET R5, B7 ;\n@!PT BMOV.GET.CLEAR R6, B7 ;\n"
                                  "BMOV.GET.CLEAR RZ, B7 ;\nLDS R7, [R5] ;\nEXIT ;\n");
  steps(&x, 4);
  assert_int_equal(e.exec, LOW);
  assert_int_equal(e.rd_value[0][7], HIGH);
  steps(&x, 1);
  expect_hash(member(7, HIGH));
  assert_int_equal(e.rd_words, 0);
  steps(&x, 1);
  expect_hash(member(7, HIGH));
  assert_int_equal(e.rd_words, 0);
  EXPECT(&x, HEDDLE_ERROR_UNDEFINED, heddle_warp_issue(x.model, 0, &e)); /* R5 of lanes 8 ... */
  expect_hash(0);
  machine_free(&x);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(full_at_once),
                                     cmocka_unit_test(warpsync),
                                     cmocka_unit_test(warpsync_and_exit),
                                     cmocka_unit_test(warpsync_misuse),
                                     cmocka_unit_test(warpsync_deadlock),
                                     cmocka_unit_test(jmp),
                                     cmocka_unit_test(kill),
                                     cmocka_unit_test(hints),
                                     cmocka_unit_test(illegal_counter),
                                     cmocka_unit_test(breakpoint),
                                     cmocka_unit_test(callee),
                                     cmocka_unit_test(bmov_of_parked),
                                     cmocka_unit_test(bmov_deadlock),
                                     cmocka_unit_test(bmov_misuse),
                                     cmocka_unit_test(bmov_get)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
