/* SPDX-License-Identifier: Apache-2.0
 *
 * The `its` unit: its instructions as isa/doc/03-divergence.md words them, the
 * traps and the hash, each path chosen by the test.
 */
#include <stdio.h>

#include "tests/test.h"
#include "tests/cmodel/machine.h"
#include "tests/cmodel/step.h"

#define LOW 0xffu /* lanes below 8 */
#define HIGH 0xffffff00u

static void begin(struct machine *x, const char *text) {
  machine_init_as(x, HEDDLE_ITS);
  machine_text(x, text);
  machine_lockstep(x);
}

/* ---- branches ---- */

/* BRA, JMP and CALL.REL: both sides go on, in any order, and stay apart where they meet. */
static void branches(void **state) {
  (void)state;
  static const char *const name[] = {"BRA", "JMP", "CALL.REL"};
  for (unsigned i = 0; i < 3; i++) {
    struct machine x;
    char text[512];
    (void)snprintf(text, sizeof text,
                   TEXT_LANES_BELOW(0x8) "@P0 %s 0x50 ;\n" /* 0x20 */
                                         "NOP ;\nNOP ;\n"  /* 0x30 */
                                         "NOP ;\n"         /* 0x50 */
                                         "@!PT %s 0x20 ;\n"
                                         "%s 0x80 ;\nEXIT ;\n",
                   name[i], name[i], name[i]);
    begin(&x, text);
    steps(&x, 2);
    step(&x, 0x20, ~0u);
    expect_hash(0);
    assert_int_equal(e.exec, LOW);
    pick(&x, 0x30, HIGH);
    expect_hash(waiting(0, 0x50, LOW));
    pick(&x, 0x40, HIGH);
    pick(&x, 0x50, HIGH);
    expect_hash(waiting(0, 0x50, LOW));
    pick(&x, 0x50, LOW);
    expect_hash(waiting(8, 0x60, HIGH));
    pick(&x, 0x60, LOW); /* nobody: next */
    pick(&x, 0x60, HIGH);
    expect_hash(waiting(0, 0x70, LOW));
    pick(&x, 0x70, HIGH);
    pick(&x, 0x70, LOW);
    pick(&x, 0x80, LOW);
    expect_hash(waiting(8, 0x80, HIGH));
    assert_false(e.warp_ended);
    pick(&x, 0x80, HIGH);
    expect_hash(exited(LOW));
    assert_true(e.warp_ended);
    machine_free(&x);
  }
}

/* The lowest lane's target first; lanes with another one come to the branch again, as a path of their own. */
static void register_targets(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x18) "LOP3.LUT R1, R0, 0x3, RZ, 0xc0 ;\n" /* 0x20 */
                                   "IMAD R4, R1, 0x10, RZ ;\n"
                                   "MOV R5, RZ ;\n"
                                   "@P0 BRX R4+0x60 ;\n"                       /* 0x50 */
                                   "NOP ;\nEXIT ;\nEXIT ;\nEXIT ;\nEXIT ;\n"); /* 0x60 ... */
  steps(&x, 6);
  const uint32_t g = 0x00ffffffu, q = 0x11111111u & g;
  const uint64_t guarded = waiting(24, 0x60, ~g);
  pick(&x, 0x60, q);
  expect_hash(guarded ^ waiting(1, 0x50, g & ~q));
  pick(&x, 0x50, g & ~q);
  expect_hash(guarded ^ waiting(0, 0x70, q));
  pick(&x, 0x70, q << 1);
  expect_hash(guarded ^ waiting(0, 0x70, q) ^ waiting(2, 0x50, q << 2 | q << 3));
  pick(&x, 0x50, q << 2 | q << 3);
  pick(&x, 0x50, q << 3);
  expect_hash(guarded ^ waiting(0, 0x70, q) ^ waiting(2, 0x80, q << 2) ^ exited(q << 1));
  pick(&x, 0x90, q << 3);
  pick(&x, 0x80, q << 2);
  pick(&x, 0x70, q);
  pick(&x, 0x60, ~g);
  expect_hash(exited(g));
  pick(&x, 0x70, ~g);
  assert_true(e.warp_ended);
  machine_free(&x);
}

static void bad_targets(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "MOV R4, 0x40 ;\n@P0 MOV R4, 0x44 ;\nMOV R5, RZ ;\nRET R4 ;\n");
  steps(&x, 5);
  pick(&x, 0x50, ~0u);
  assert_true(e.traps); /* the operands are read: it has its record */
  expect_trap(&x, HEDDLE_TRAP_BAD_PC, 0x50, LOW, 0x44);
  machine_free(&x);

  begin(&x, TEXT_LANES_BELOW(0x8) "@!P0 BRA 0x400 ;\nEXIT ;\n");
  steps(&x, 3);
  pick(&x, 0x30, LOW);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_warp_choose(x.model, 0, 8));
  precise(&x, HEDDLE_TRAP_BAD_PC, 0x400, HIGH, 0x400);
  machine_free(&x);
}

/* ---- BSSY, BSYNC, BREAK, EXIT ---- */

/* Lanes wait for each other at different places, and each path goes on after its own. */
static void bsync_places(void **state) {
  (void)state;
  static const char *const text =
      TEXT_LANES_BELOW(0x8) "BSSY B2, 0x60 ;\n@!PT BSYNC B7 ;\n@P0 BRA 0x70 ;\n" /* 0x20 ... */
                            "BSYNC B2 ;\nEXIT ;\n"                               /* 0x50 */
                            "@!P0 NOP ;\nBSYNC B2 ;\nEXIT ;\n";                  /* 0x70 */
  struct machine x;
  begin(&x, text);
  steps(&x, 5);
  pick(&x, 0x50, HIGH);
  expect_hash(waiting(0, 0x70, LOW) ^ member(2, ~0u));
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_warp_choose(x.model, 0, 8)); /* parked lanes cannot be chosen */
  pick(&x, 0x70, LOW);
  expect_hash(parked(2, 0x50, HIGH) ^ member(2, ~0u));
  pick(&x, 0x80, LOW);
  pick(&x, 0x90, LOW);
  expect_hash(waiting(8, 0x60, HIGH));
  assert_false(e.warp_ended);
  pick(&x, 0x60, HIGH);
  expect_hash(exited(LOW));
  assert_true(e.warp_ended);
  machine_free(&x);

  begin(&x, TEXT_LANES_BELOW(0x8) "@P0 BSSY B2, 0x40 ;\nBSYNC B2 ;\nEXIT ;\n");
  steps(&x, 3);
  precise(&x, HEDDLE_TRAP_DIVERGENCE, 0x30, HIGH, 0);
  machine_free(&x);
}

/* Two paths that park at one barrier with one PC are one path from then on; a third one parks elsewhere. */
static void bsync_joins(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "ISETP.LT.U32.AND P1, PT, R0, 0x4, PT ;\n"
                                  "BSSY B2, 0x90 ;\n@P1 BRA 0x70 ;\n@P0 BRA 0x80 ;\n" /* 0x30 */
                                  "BSYNC B2 ;\n"                                      /* 0x60 */
                                  "NOP ;\nBSYNC B2 ;\nEXIT ;\n");
  steps(&x, 5);
  pick(&x, 0x50, 0xfffffff0u);
  expect_hash(waiting(0, 0x70, 0x0f) ^ member(2, ~0u));
  pick(&x, 0x60, HIGH);
  expect_hash(waiting(0, 0x70, 0x0f) ^ waiting(4, 0x80, 0xf0) ^ member(2, ~0u));
  pick(&x, 0x80, 0xf0);
  expect_hash(waiting(0, 0x70, 0x0f) ^ parked(2, 0x60, HIGH) ^ member(2, ~0u));
  pick(&x, 0x70, 0x0f);
  expect_hash(parked(2, 0x60, HIGH) ^ parked(2, 0x80, 0xf0) ^ member(2, ~0u));
  pick(&x, 0x80, 0x0f);
  pick(&x, 0x90, LOW);
  expect_hash(waiting(8, 0x70, HIGH));
  pick(&x, 0x70, HIGH);
  machine_free(&x);

  begin(&x, TEXT_LANES_BELOW(0x8) "BSSY B2, 0x60 ;\n@P0 BRA 0x50 ;\nNOP ;\nBSYNC B2 ;\nEXIT ;\n"); /* all at 0x50 */
  steps(&x, 4);
  pick(&x, 0x50, LOW);
  pick(&x, 0x40, HIGH);
  pick(&x, 0x50, HIGH);
  pick(&x, 0x60, ~0u);
  expect_hash(0);
  assert_true(e.warp_ended);
  machine_free(&x);
}

static void brk_and_exit(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "BSSY B0, 0x50 ;\nBSSY B6, 0x50 ;\n@P0 BRA 0x70 ;\n" /* 0x20 ... */
                                  "BSYNC B0 ;\nKILL ;\n"                               /* 0x50 */
                                  "BREAK B0 ;\nBSYNC B6 ;\nEXIT ;\n");                 /* 0x70 */
  steps(&x, 5);
  pick(&x, 0x50, HIGH);
  pick(&x, 0x70, LOW); /* no longer waited for */
  pick(&x, 0x80, LOW);
  expect_hash(waiting(8, 0x60, HIGH) ^ member(6, ~0u));
  pick(&x, 0x60, HIGH); /* KILL, and B6 needs these lanes no more */
  expect_hash(parked(6, 0x80, LOW) ^ member(6, ~0u));
  pick(&x, 0x90, LOW);
  expect_hash(exited(HIGH) ^ member(6, HIGH));
  assert_true(e.warp_ended);
  machine_free(&x);
}

static void deadlock(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "BSSY B0, 0x50 ;\nBSSY B1, 0x50 ;\n@P0 BRA 0x60 ;\nBSYNC B0 ;\nBSYNC B1 ;\n");
  steps(&x, 5);
  pick(&x, 0x60, LOW);
  pick(&x, 0x50, HIGH);
  assert_true(e.traps);
  expect_trap(&x, HEDDLE_TRAP_DEADLOCK, 0x50, ~0u, 0);
  machine_free(&x);
}

/* ---- WARPSYNC ---- */

static void warpsync(void **state) {
  (void)state;
  static const char *const text = TEXT_LANES_BELOW(0x8) "@!P0 BRA 0x60 ;\n" /* 0x20 */
                                                        "WARPSYNC 0xffff ;\nEXIT ;\nNOP ;\n"
                                                        "ISETP.LT.U32.AND P1, PT, R0, 0x10, PT ;\n" /* 0x60 */
                                                        "@P1 WARPSYNC 0xffff ;\n"
                                                        "EXIT ;\n";
  struct machine x;
  begin(&x, text);
  steps(&x, 3);
  pick(&x, 0x30, LOW);
  pick(&x, 0x60, HIGH);
  expect_hash(parked_w(0x30, LOW) ^ member_w(0xffff));
  pick(&x, 0x70, HIGH);
  pick(&x, 0x80, 0xffff0000u); /* the others are free again, each path by itself */
  expect_hash(waiting(0, 0x40, LOW) ^ waiting(8, 0x80, 0xff00));
  pick(&x, 0x80, 0xff00);
  pick(&x, 0x40, LOW);
  assert_true(e.warp_ended);
  machine_free(&x);

  begin(&x, TEXT_LANES_BELOW(0x8) "WARPSYNC 0x7fffffff ;\nEXIT ;\n"); /* lane 31 is a stranger */
  steps(&x, 2);
  after_operand(&x, HEDDLE_TRAP_DIVERGENCE, 0x20, 1u << 31);
  machine_free(&x);

  begin(&x, TEXT_LANES_BELOW(0x8) "@P0 WARPSYNC 0xffff ;\nWARPSYNC 0xffffff00 ;\nEXIT ;\n"); /* two masks at once */
  steps(&x, 3);
  after_operand(&x, HEDDLE_TRAP_DIVERGENCE, 0x30, HIGH);
  machine_free(&x);
}

/* The mask is that of the lowest executing lane; a member that exits is not waited for. */
static void warpsync_register(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "MOV R1, 0x1 ;\n@!P0 BRA 0x60 ;\n"
                                  "MOV R1, 0x1ff ;\nWARPSYNC R1 ;\n" /* 0x40 */
                                  "EXIT ;\n");
  steps(&x, 4);
  pick(&x, 0x40, LOW);
  pick(&x, 0x50, LOW);
  pick(&x, 0x60, HIGH);
  expect_hash(parked_w(0x50, LOW) ^ member_w(0x1ff));
  pick(&x, 0x60, LOW);
  expect_hash(exited(HIGH));
  machine_free(&x);
}

/* ---- YIELD ---- */

/* Lock holders that wait for the yielding lanes go on, and leave. */
static void yield_releases(void **state) {
  (void)state;
  static const char *const text = TEXT_LANES_BELOW(0x8) "BSSY B1, 0x60 ;\n@P0 BRA 0x60 ;\n" /* 0x20 */
                                                        "YIELD ;\nBRA 0x40 ;\n"             /* 0x40 */
                                                        "BSYNC B1 ;\nEXIT ;\n";
  struct machine x;
  begin(&x, text);
  steps(&x, 4);
  pick(&x, 0x60, LOW);
  pick(&x, 0x40, HIGH);
  expect_hash(parked(1, 0x60, LOW) ^ member(1, ~0u));
  pick(&x, 0x70, LOW);
  expect_hash(waiting(8, 0x50, HIGH) ^ member(1, HIGH));
  machine_free(&x);
}

/* Nothing happens while a member is elsewhere. */
static void yield_keeps(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "ISETP.LT.U32.AND P1, PT, R0, 0x9, PT ;\n"
                                  "BSSY B1, 0x80 ;\n@P0 BRA 0x80 ;\n" /* 0x30 */
                                  "@P1 YIELD ;\nYIELD ;\nNOP ;\n"     /* 0x50 */
                                  "BSYNC B1 ;\nEXIT ;\n");            /* 0x80 */
  steps(&x, 5);
  pick(&x, 0x80, LOW);
  pick(&x, 0x50, HIGH); /* lane 8 only */
  assert_int_equal(e.exec, 0x100);
  pick(&x, 0x60, HIGH);
  expect_hash(parked(1, 0x80, LOW) ^ member(1, ~0u));
  pick(&x, 0x70, HIGH);
  expect_hash(waiting(0, 0x90, LOW) ^ member(1, HIGH));
  machine_free(&x);
}

/* Only members go; a barrier without members keeps its lanes. */
static void yield_members(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "BSSY B1, 0x90 ;\n@P0 BRA 0x90 ;\n"      /* 0x20 */
                                  "BMOV.GET.CLEAR R5, B1 ;\nYIELD ;\n"     /* 0x40 */
                                  "BMOV.SET B1, 0x10f ;\nYIELD ;\nNOP ;\n" /* 0x60 */
                                  "BSYNC B1 ;\nEXIT ;\n");                 /* 0x90 */
  steps(&x, 4);
  pick(&x, 0x90, LOW);
  pick(&x, 0x40, HIGH);
  pick(&x, 0x50, HIGH);
  pick(&x, 0x60, HIGH);
  expect_hash(parked(1, 0x90, LOW));
  pick(&x, 0x70, HIGH);
  expect_hash(parked(1, 0x90, LOW) ^ member(1, 0x10f));
  pick(&x, 0xa0, 0x0f);
  expect_hash(waiting(8, 0x80, HIGH) ^ parked(1, 0x90, 0xf0) ^ member(1, 0x100));
  machine_free(&x);
}

/* Those at a WARPSYNC stay: what comes after it counts on all of them. */
static void yield_keeps_warpsync(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "@P0 BRA 0x50 ;\n"                  /* 0x20 */
                                  "YIELD ;\nNOP ;\n"                  /* 0x30 */
                                  "WARPSYNC 0xffffffff ;\nEXIT ;\n"); /* 0x50 */
  steps(&x, 3);
  pick(&x, 0x50, LOW);
  pick(&x, 0x30, HIGH);
  pick(&x, 0x40, HIGH);
  expect_hash(parked_w(0x50, LOW) ^ member_w(~0u));
  machine_free(&x);
}

/* ---- BMOV ---- */

/* A callee saves the caller's barrier, uses it, and brings it back, while lanes of the caller are parked on it. */
static void bmov(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "BSSY B3, 0x90 ;\n@P0 BRA 0x90 ;\n" /* 0x20 */
                                  "BMOV.GET.CLEAR R5, B3 ;\n"         /* 0x40 */
                                  "BSSY B3, 0x60 ;\nBSYNC B3 ;\n"     /* 0x50 */
                                  "@!PT BMOV.SET B3, 0x0 ;\n"         /* 0x70 */
                                  "BMOV.SET B3, R5 ;\n"               /* 0x80 */
                                  "BSYNC B3 ;\nEXIT ;\n");            /* 0x90 */
  steps(&x, 4);
  pick(&x, 0x90, LOW);
  pick(&x, 0x40, HIGH);
  assert_int_equal(e.rd_words, 1);
  assert_false(e.rd_pending);
  assert_int_equal(e.rd_value[0][8], ~0u);
  pick(&x, 0x50, HIGH);
  expect_hash(parked(3, 0x90, LOW)); /* they stay where they are */
  pick(&x, 0x60, HIGH);
  pick(&x, 0x70, HIGH);
  expect_hash(parked(3, 0x90, LOW));
  pick(&x, 0x80, HIGH);
  pick(&x, 0x90, HIGH);
  expect_hash(parked(3, 0x90, LOW) ^ member(3, ~0u));
  pick(&x, 0xa0, ~0u);
  expect_hash(0);
  machine_free(&x);

  begin(&x, TEXT_LANES_BELOW(0x8) "BSSY B3, 0x50 ;\n@P0 BRA 0x50 ;\n"
                                  "BMOV.SET B3, 0x3f ;\n"  /* 0x40: completes it for lanes 0-5 */
                                  "BSYNC B3 ;\nEXIT ;\n"); /* 0x50 */
  steps(&x, 4);
  pick(&x, 0x50, LOW);
  pick(&x, 0x40, HIGH);
  pick(&x, 0x60, 0x3f);
  expect_hash(waiting(8, 0x50, HIGH) ^ parked(3, 0x50, 0xc0));
  machine_free(&x);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(branches),
      cmocka_unit_test(register_targets),
      cmocka_unit_test(bad_targets),
      cmocka_unit_test(bsync_places),
      cmocka_unit_test(bsync_joins),
      cmocka_unit_test(brk_and_exit),
      cmocka_unit_test(deadlock),
      cmocka_unit_test(warpsync),
      cmocka_unit_test(warpsync_register),
      cmocka_unit_test(yield_members),
      cmocka_unit_test(yield_releases),
      cmocka_unit_test(yield_keeps),
      cmocka_unit_test(bmov),
      cmocka_unit_test(yield_keeps_warpsync),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
