/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose turn it is under `its`: the model's own order, what a caller may
 * choose, and how long a path may wait.
 */
#include <stdio.h>
#include <string.h>

#include "tests/test.h"
#include "tests/cmodel/machine.h"
#include "tests/cmodel/step.h"

#define LOW 0xffu
#define HIGH 0xffffff00u

static void begin(struct machine *x, const char *text) {
  machine_init_as(x, HEDDLE_ITS);
  machine_text(x, text);
  machine_lockstep(x);
}

static void expect_words(struct machine *x, const char *words) {
  if (strstr(heddle_model_diag(x->model), words) == NULL)
    fail_msg("\"%s\" does not say \"%s\"", heddle_model_diag(x->model), words);
}

/* ---- the model's own order ---- */

/* The taken side goes on; at its end the path that has waited longest. */
static void queue(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "ISETP.LT.U32.AND P1, PT, R0, 0x4, PT ;\n" /* 0x20 */
                                  "@P0 BRA 0x60 ;\nNOP ;\nEXIT ;\n"
                                  "@P1 BRA 0x80 ;\nEXIT ;\n" /* 0x60 */
                                  "EXIT ;\n");
  steps(&x, 4);
  step(&x, 0x60, LOW);
  step(&x, 0x80, 0x0f);
  expect_hash(waiting(8, 0x40, HIGH) ^ waiting(4, 0x70, 0xf0));
  step(&x, 0x40, HIGH);
  step(&x, 0x50, HIGH);
  step(&x, 0x70, 0xf0);
  assert_true(e.warp_ended);
  machine_free(&x);
}

/* What a barrier lets go comes after those who wait already. */
static void released_last(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "@P0 BRA 0x40 ;\nEXIT ;\n" /* 0x20 */
                                  "BSSY B0, 0x60 ;\nBSYNC B0 ;\nEXIT ;\n");
  steps(&x, 3);
  step(&x, 0x40, LOW);
  step(&x, 0x50, LOW);
  step(&x, 0x30, HIGH);
  expect_hash(waiting(0, 0x60, LOW));
  step(&x, 0x60, LOW);
  assert_true(e.warp_ended);
  machine_free(&x);
}

/* Alone, paths that come to one PC stay apart: counted instructions. */
static void apart_alone(void **state) {
  (void)state;
  struct machine x;
  machine_init_as(&x, HEDDLE_ITS);
  machine_text(&x, TEXT_LANES_BELOW(0x8) "@P0 BRA 0x50 ;\n" /* 0x20 */
                                         "NOP ;\nNOP ;\n"
                                         "@P0 NANOSLEEP 0x1 ;\n" /* 0x50: lanes 0-7 let the others come */
                                         "NOP ;\nNOP ;\nNOP ;\nEXIT ;\n");
  EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
  assert_int_equal(x.retired, 3 + 1 + 2 + 5 + 4);
  machine_free(&x);
}

/* YIELD and NANOSLEEP: the turn is over, if somebody executes it and another path waits. */
static void turns(void **state) {
  (void)state;
  static const char *const name[] = {"YIELD", "NANOSLEEP 0x20"};
  for (unsigned i = 0; i < 2; i++) {
    struct machine x;
    char text[512];
    (void)snprintf(text, sizeof text,
                   "%s ;\nNOP ;\n" TEXT_LANES_BELOW(0x8) "ISETP.LT.U32.AND P1, PT, R0, 0x4, PT ;\n" /* 0x20 */
                                                         "@P0 BRA 0x80 ;\n"                         /* 0x50 */
                                                         "%s ;\nEXIT ;\n"                           /* 0x60 */
                                                         "@P1 BRA 0xa0 ;\n"                         /* 0x80 */
                                                         "%s ;\n"                                   /* 0x90 */
                                                         "@!PT %s ;\n%s ;\nEXIT ;\n",               /* 0xa0 */
                   name[i], name[i], name[i], name[i], name[i]);
    begin(&x, text);
    steps(&x, 6);
    step(&x, 0x80, LOW);
    step(&x, 0xa0, 0x0f); /* nobody executes it: no end */
    step(&x, 0xb0, 0x0f);
    step(&x, 0x60, HIGH);
    step(&x, 0x90, 0xf0);
    step(&x, 0xc0, 0x0f);
    step(&x, 0x70, HIGH);
    step(&x, 0xa0, 0xf0);
    step(&x, 0xb0, 0xf0); /* alone by now: it goes on */
    step(&x, 0xc0, 0xf0);
    assert_true(e.warp_ended);
    machine_free(&x);
  }
}

/* Lanes that YIELD lets go come before those that yielded. */
static void yield_last(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "BSSY B1, 0x50 ;\n@P0 BRA 0x50 ;\nYIELD ;\n" /* 0x20 */
                                  "BSYNC B1 ;\nNOP ;\nEXIT ;\n");
  steps(&x, 4);
  step(&x, 0x50, LOW);
  step(&x, 0x40, HIGH);
  step(&x, 0x60, LOW);
  expect_hash(waiting(8, 0x50, HIGH) ^ member(1, HIGH));
  machine_free(&x);
}

/* 64 instructions that move lanes, then the next path; those that nobody executes, BSSY and BMOV.GET do not count. */
static void loops(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "@P0 BRA 0x50 ;\n" /* 0x20 */
                                  "NOP ;\nBRA 0x30 ;\n"
                                  "@!PT YIELD ;\nBSSY B3, 0x80 ;\nBMOV.GET RZ, B3 ;\nJMP 0x50 ;\n");
  steps(&x, 3);
  for (unsigned round = 0; round < 5; round++) {
    for (unsigned i = round == 0; i < 64; i++) /* the first one is the branch at 0x20 */
      for (uint32_t pc = 0x50; pc <= 0x80; pc += 0x10) step(&x, pc, LOW);
    for (unsigned i = 0; i < 64; i++) {
      step(&x, 0x30, HIGH);
      step(&x, 0x40, HIGH);
    }
  }
  machine_free(&x);
}

/* As many branches before anybody waits: the turn is over with the 64th, and ends as soon as there is another path. */
static void over_before(void **state) {
  (void)state;
  for (unsigned n = 60; n < 70; n++) {
    struct machine x;
    char text[512];
    (void)snprintf(text, sizeof text,
                   TEXT_LANES_BELOW(0x8) "MOV R1, RZ ;\n"
                                         "IADD3 R1, R1, 0x1, RZ ;\n" /* 0x30 */
                                         "ISETP.LE.U32.AND P1, PT, R1, 0x%x, PT ;\n"
                                         "@P1 BRA 0x30 ;\n"
                                         "@P0 BRA 0x80 ;\n" /* 0x60 */
                                         "EXIT ;\nNOP ;\nEXIT ;\n",
                   n);
    begin(&x, text);
    steps(&x, 3 + 3 * (n + 1) + 1); /* n branches are taken */
    assert_int_equal(e.pc, 0x60);
    if (n + 1 < 64)
      step(&x, 0x80, LOW);
    else
      step(&x, 0x70, HIGH);
    machine_free(&x);
  }
}

/* A turn counts from its beginning: a path that ends early leaves nothing to the next. */
static void turn_of_its_own(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "ISETP.LT.U32.AND P1, PT, R0, 0x4, PT ;\n" /* 0x20 */
                                  "@P0 BRA 0x50 ;\nBRA 0x40 ;\n"
                                  "@P1 BRA 0x70 ;\nBRA 0x60 ;\n" /* 0x50 */
                                  "EXIT ;\n");
  steps(&x, 5);
  step(&x, 0x70, 0x0f);
  for (unsigned i = 0; i < 64; i++) step(&x, 0x40, HIGH);
  for (unsigned i = 0; i < 64; i++) step(&x, 0x60, 0xf0);
  for (unsigned i = 0; i < 64; i++) step(&x, 0x40, HIGH);
  machine_free(&x);
}

/* Alone: the other path waits for a turn, and no longer. */
static void waits_a_turn(void **state) {
  (void)state;
  struct machine x;
  machine_init_as(&x, HEDDLE_ITS);
  machine_text(&x,
               TEXT_ADDRESS TEXT_LANES_BELOW(
                   0x1) "MOV R5, 0x1 ;\nMOV R1, RZ ;\n@!P0 BRA loop ;\nSTG.E [R2], R5 ;\nEXIT ;\n"
                        "loop:\nNOP ;\nIADD3 R1, R1, 0x1, RZ ;\nLDG.E R6, [R2] ;\nISETP.EQ.AND P1, PT, R6, RZ, PT ;\n"
                        "@P1 BRA loop ;\nSTG.E [R2+0x10], R1 ;\nEXIT ;\n");
  EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
  assert_int_equal(mem32(&x, 0x10), 64); /* 63 rounds after the branch that parted them, and the one that sees it */
  machine_free(&x);
}

/* ---- choosing ---- */

static void not_that_one(void **state) {
  (void)state;
  static const char *const text = TEXT_LANES_BELOW(0x8) "BSSY B4, 0x50 ;\n@P0 BRA 0x60 ;\nNOP ;\nEXIT ;\n" /* 0x20 */
                                                        "BSYNC B4 ;\nEXIT ;\n";
  struct machine x;
  begin(&x, text);
  steps(&x, 4);
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_warp_choose(x.model, 0, 32));
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_warp_choose(x.model, 1, 0));
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_warp_choose(x.model, 99, 0));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_warp_choose(x.model, 0, 8));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_warp_choose(x.model, 0, 7)); /* may change before the issue; any lane will do */
  step(&x, 0x60, LOW);
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_warp_choose(x.model, 0, 5));
  expect_words(&x, "lane 5 is in no path that may issue next\nblock (0,0,0) warp 0 seq 5 pc 0x00000040 NOP: ");
  expect_words(&x, ": lanes 0xffffff00 run; lanes 0x000000ff parked at B4 at pc 0x00000060 until 0xffffff00 come");
  pick(&x, 0x40, HIGH);
  pick(&x, 0x50, HIGH);
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_warp_choose(x.model, 0, 8)); /* exited */
  pick(&x, 0x70, LOW);
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_warp_choose(x.model, 0, 0)); /* ended */
  machine_free(&x);

  machine_init(&x); /* stack: no choice */
  machine_text(&x, text);
  machine_lockstep(&x);
  steps(&x, 4);
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_warp_choose(x.model, 0, 8));
  expect_words(&x, "lanes 0x000000ff run; lanes 0xffffff00 wait for their turn at pc 0x00000040");
  pick(&x, 0x60, LOW);
  pick(&x, 0x40, HIGH);
  machine_free(&x);
}

/* A path that is not chosen goes to the end of the queue. */
static void put_back(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "ISETP.LT.U32.AND P1, PT, R0, 0x4, PT ;\n" /* 0x20 */
                                  "@P0 BRA 0x50 ;\nEXIT ;\n@P1 BRA 0x70 ;\nEXIT ;\nEXIT ;\n");
  steps(&x, 5);
  pick(&x, 0x60, 0xf0); /* lanes 0-3 were active */
  step(&x, 0x40, HIGH);
  step(&x, 0x70, 0x0f);
  machine_free(&x);
}

/* ---- how long a path may wait ---- */

/* 1,984 instructions of others that move lanes, and not one more; those that do not count may follow. */
static void fairness(void **state) {
  (void)state;
  for (unsigned more = 0; more < 2; more++) {
    struct machine x;
    begin(&x, TEXT_LANES_BELOW(0x8) "@P0 BRA 0x40 ;\n" /* 0x20 */
                                    "BRA 0x30 ;\n"
                                    "NOP ;\n@!PT BRA 0x30 ;\nYIELD ;\nBRA 0x40 ;\n");
    steps(&x, 3);
    for (unsigned i = 0; i < 1984 / 2; i++)
      for (uint32_t pc = 0x40; pc <= 0x70; pc += 0x10) pick(&x, pc, LOW);
    if (more != 0) {
      pick(&x, 0x40, LOW);
      pick(&x, 0x50, LOW);
      EXPECT(&x, HEDDLE_SUCCESS, heddle_warp_choose(x.model, 0, 0));
      EXPECT(&x, HEDDLE_ERROR_STATE, heddle_warp_issue(x.model, 0, &e));
      expect_words(&x, "lanes 0xffffff00 at pc 0x00000030 have waited for their turn while other paths of the warp "
                       "issued 1984 instructions that move lanes");
    }
    pick(&x, 0x30, HIGH); /* nothing has happened */
    assert_int_equal(e.seq, 3 + 2 * 1984 + 2 * more);
    for (unsigned i = 1; i < 1984; i++) pick(&x, 0x30, HIGH); /* and now the others wait, as long */
    EXPECT(&x, HEDDLE_SUCCESS, heddle_warp_choose(x.model, 0, 8));
    EXPECT(&x, HEDDLE_ERROR_STATE, heddle_warp_issue(x.model, 0, &e));
    expect_words(&x, more != 0 ? "lanes 0x000000ff at pc 0x00000060 have" : "lanes 0x000000ff at pc 0x00000040 have");
    machine_free(&x);
  }
}

/* All others together. One instruction of any kind ends a wait. */
static void fair_to_each(void **state) {
  (void)state;
  static const char *const text = TEXT_LANES_BELOW(0x8) "ISETP.LT.U32.AND P1, PT, R0, 0x4, PT ;\n" /* 0x20 */
                                                        "@P0 BRA 0x60 ;\n"
                                                        "NOP ;\nBRA 0x40 ;\n"
                                                        "@P1 BRA 0x80 ;\nBRA 0x70 ;\n" /* 0x60 */
                                                        "BRA 0x80 ;\n";
  for (unsigned issues = 0; issues < 2; issues++) {
    struct machine x;
    begin(&x, text);
    steps(&x, 5); /* the last one, of lanes 0-7, is the first that the others wait for */
    for (unsigned i = 1; i < 1000; i++) pick(&x, i % 3 != 0 ? 0x80 : 0x70, i % 3 != 0 ? 0x0f : 0xf0);
    if (issues != 0) pick(&x, 0x40, HIGH);
    for (unsigned i = 1000; i < 1984 + 1000 * issues; i++) pick(&x, i % 2 ? 0x80 : 0x70, i % 2 ? 0x0f : 0xf0);
    EXPECT(&x, HEDDLE_SUCCESS, heddle_warp_choose(x.model, 0, 0));
    EXPECT(&x, HEDDLE_ERROR_STATE, heddle_warp_issue(x.model, 0, &e));
    expect_words(&x, issues != 0 ? "lanes 0xffffff00 at pc 0x00000050 have" : "lanes 0xffffff00 at pc 0x00000040 have");
    machine_free(&x);
  }
}

/* The model's own order keeps the bound with as many paths as lanes, each in a loop. */
static void fair_by_itself(void **state) {
  (void)state;
  struct machine x;
  char text[4000];
  int n = snprintf(text, sizeof text, TEXT_LANES_BELOW(0x8) "IMAD R4, R0, 0x20, RZ ;\nMOV R5, RZ ;\nBRX R4+0x50 ;\n");
  for (unsigned i = 0; i < 32; i++)
    n += snprintf(text + n, sizeof text - (size_t)n, "NOP ;\nBRA 0x%x ;\n", 0x50 + 0x20 * i);
  begin(&x, text);
  unsigned waits[32] = {0}, longest = 0;
  e.seq = 0;
  while (e.seq < 120000) {
    steps(&x, 1);
    if (e.pc < 0x50 || (e.pc - 0x50) % 0x20 == 0) continue;
    const unsigned lane = (unsigned)__builtin_ctz(e.active);
    assert_int_equal(e.active, 1u << lane);
    for (unsigned i = 0; i < 32; i++) waits[i]++;
    const bool parted = e.seq > 100000; /* all lanes, by then */
    if (parted && waits[lane] - 1 > longest) longest = waits[lane] - 1;
    waits[lane] = 0;
  }
  assert_int_equal(longest, 1984);
  machine_free(&x);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(queue),        cmocka_unit_test(released_last),  cmocka_unit_test(apart_alone),
      cmocka_unit_test(turns),        cmocka_unit_test(yield_last),     cmocka_unit_test(loops),
      cmocka_unit_test(over_before),  cmocka_unit_test(waits_a_turn),   cmocka_unit_test(turn_of_its_own),
      cmocka_unit_test(not_that_one), cmocka_unit_test(put_back),       cmocka_unit_test(fairness),
      cmocka_unit_test(fair_to_each), cmocka_unit_test(fair_by_itself),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
