/* SPDX-License-Identifier: Apache-2.0
 *
 * The `stack` unit: BMOV, and what happens to parked lanes whose barrier is
 * moved away. (Under `its`: test_its.c.)
 */
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
  EXPECT(&x, HEDDLE_UNDEFINED, heddle_warp_issue(x.model, 0, &e)); /* R1 */
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
  EXPECT(&x, HEDDLE_UNDEFINED, heddle_warp_issue(x.model, 0, &e)); /* R5 of lanes 8 ... */
  expect_hash(0);
  machine_free(&x);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(callee),      cmocka_unit_test(bmov_of_parked), cmocka_unit_test(bmov_deadlock),
      cmocka_unit_test(bmov_misuse), cmocka_unit_test(bmov_get),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
