/* SPDX-License-Identifier: Apache-2.0
 *
 * Which group issues under `its`: the model's own choice, its fairness, and
 * what a caller may choose.
 */
#include <stdio.h>
#include <string.h>

#include "assembly.h"
#include "step.h"

#define LOW 0xffu
#define HIGH 0xffffff00u

static void begin(struct machine *x, const char *text) {
  machine_init_as(x, HEDDLE_ITS);
  machine_text(x, text);
  machine_lockstep(x);
}

/* A taken branch is followed; at its end the next higher PC, cyclically; groups that meet are one. */
static void own_choice(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "@P0 BRA 0x60 ;\n"    /* 0x20 */
                                  "@P0 NOP ;\nNOP ;\n"  /* 0x30 */
                                  "@!PT EXIT ;\n"       /* 0x50 */
                                  "NOP ;\n@P0 EXIT ;\n" /* 0x60 */
                                  "EXIT ;\n");
  steps(&x, 3);
  step(&x, 0x60, LOW);
  step(&x, 0x70, LOW);
  step(&x, 0x30, HIGH);
  step(&x, 0x40, HIGH);
  step(&x, 0x50, HIGH);
  step(&x, 0x60, HIGH);
  step(&x, 0x70, HIGH);
  step(&x, 0x80, HIGH);
  assert_true(e.warp_ended);
  machine_free(&x);

  begin(&x, TEXT_LANES_BELOW(0x8) "@!P0 BRA 0x50 ;\n" /* 0x20 */
                                  "NOP ;\nBRA 0x60 ;\nNOP ;\nNOP ;\nEXIT ;\n");
  steps(&x, 3);
  pick(&x, 0x30, LOW);
  step(&x, 0x40, LOW);
  pick(&x, 0x50, HIGH);
  step(&x, 0x60, ~0u); /* met */
  step(&x, 0x70, ~0u);
  machine_free(&x);
}

/* The lowest lane is followed also when others that executed with it joined a group that was there before. */
static void lowest_lane_leads(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "ISETP.LT.U32.AND P1, PT, R0, 0x4, PT ;\nMOV R5, RZ ;\nMOV R4, 0x90 ;\n"
                                  "@P1 MOV R4, 0xa0 ;\n" /* 0x50: lanes 0-3 to 0xa0, 4-7 to 0x90 */
                                  "@!P0 BRA 0x90 ;\n"    /* 0x60 */
                                  "BRX R4 ;\nNOP ;\n"
                                  "EXIT ;\nEXIT ;\n"); /* 0x90 */
  steps(&x, 7);
  pick(&x, 0x70, LOW);
  step(&x, 0xa0, 0x0f);
  step(&x, 0x90, 0xfffffff0u);
  machine_free(&x);
}

/* Alone, groups that meet in straight-line code are one: counted instructions. */
static void meet_alone(void **state) {
  (void)state;
  struct machine x;
  machine_init_as(&x, HEDDLE_ITS);
  machine_text(&x, TEXT_LANES_BELOW(0x8) "@P0 BRA 0x50 ;\n" /* 0x20 */
                                         "NOP ;\nNOP ;\n"
                                         "@P0 NANOSLEEP 0x1 ;\n" /* 0x50: lanes 0-7 let the others come */
                                         "NOP ;\nNOP ;\nNOP ;\nEXIT ;\n");
  EXPECT(&x, HEDDLE_OK, machine_run(&x));
  assert_int_equal(x.retired, 3 + 1 + 2 + 1 + 4);
  machine_free(&x);
}

/* YIELD and NANOSLEEP: another group's turn, and the same one when there is no other. */
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
    step(&x, 0xa0, 0x0f); /* nobody executes it: no turn */
    step(&x, 0xb0, 0x0f);
    step(&x, 0x60, HIGH); /* above 0xc0 is nobody: the lowest one */
    step(&x, 0x90, 0xf0);
    step(&x, 0xc0, 0x0f);
    machine_free(&x);
  }
}

/* 64 taken branches backwards, then the next group; alone in the warp a loop goes on. */
static void loops(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "@P0 BRA 0x50 ;\n" /* 0x20 */
                                  "NOP ;\nBRA 0x30 ;\n"
                                  "NOP ;\nJMP 0x50 ;\n");
  steps(&x, 3);
  for (unsigned round = 0; round < 5; round++) {
    for (unsigned i = 0; i < 64; i++) {
      step(&x, 0x50, LOW);
      step(&x, 0x60, LOW);
    }
    for (unsigned i = 0; i < 64; i++) {
      step(&x, 0x30, HIGH);
      step(&x, 0x40, HIGH);
    }
  }
  machine_free(&x);
}

static void loop_of_one(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "@P0 BRA 0x40 ;\n" /* 0x20 */
                                  "BRA 0x30 ;\nBRA 0x40 ;\n");
  steps(&x, 3);
  for (unsigned round = 0; round < 3; round++) {
    for (unsigned i = 0; i < 64; i++) step(&x, 0x40, LOW);
    for (unsigned i = 0; i < 64; i++) step(&x, 0x30, HIGH);
  }
  machine_free(&x);
}

static void not_that_one(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "@P0 BRA 0x50 ;\nNOP ;\nNOP ;\nEXIT ;\n");
  steps(&x, 3);
  EXPECT(&x, HEDDLE_STATE, heddle_warp_choose(x.model, 0, 0x40));
  assert_non_null(strstr(heddle_model_diag(x.model), "no lane can run at pc 0x00000040"));
  EXPECT(&x, HEDDLE_STATE, heddle_warp_choose(x.model, 1, 0x30));
  EXPECT(&x, HEDDLE_STATE, heddle_warp_choose(x.model, 99, 0x30));
  EXPECT(&x, HEDDLE_OK, heddle_warp_choose(x.model, 0, 0x30));
  EXPECT(&x, HEDDLE_OK, heddle_warp_choose(x.model, 0, 0x50)); /* may change before the issue */
  step(&x, 0x50, LOW);
  pick(&x, 0x30, HIGH);
  steps(&x, 2);
  EXPECT(&x, HEDDLE_STATE, heddle_warp_choose(x.model, 0, 0x60));
  machine_free(&x);

  machine_init(&x); /* stack: no choice */
  machine_text(&x, TEXT_LANES_BELOW(0x8) "@P0 BRA 0x50 ;\nNOP ;\nNOP ;\nEXIT ;\n");
  machine_lockstep(&x);
  steps(&x, 3);
  EXPECT(&x, HEDDLE_STATE, heddle_warp_choose(x.model, 0, 0x30));
  pick(&x, 0x50, LOW);
  pick(&x, 0x30, HIGH);
  machine_free(&x);
}

/* A group may be passed over 4,096 times, not once more. */
static void fairness(void **state) {
  (void)state;
  static const uint32_t more[] = {0, 1};
  for (unsigned k = 0; k < 2; k++) {
    struct machine x;
    begin(&x, TEXT_LANES_BELOW(0x8) "@P0 BRA 0x40 ;\n" /* 0x20 */
                                    "EXIT ;\nYIELD ;\nBRA 0x40 ;\n");
    steps(&x, 3);
    for (unsigned i = 0; i < 4095 + more[k]; i++) {
      pick(&x, i % 2 != 0 ? 0x50 : 0x40, LOW);
    }
    if (k == 0) {
      pick(&x, 0x50, LOW); /* the 4,096th */
      pick(&x, 0x30, HIGH);
      machine_free(&x);
      continue;
    }
    EXPECT(&x, HEDDLE_STATE, heddle_warp_choose(x.model, 0, 0x40));
    assert_non_null(strstr(heddle_model_diag(x.model), "lanes 0xffffff00 at pc 0x00000030 has been passed over 4096"));
    pick(&x, 0x30, HIGH); /* nothing has happened */
    assert_int_equal(e.seq, 3 + 4096);
    machine_free(&x);
  }
}

/* Who joins a waiting group does not make it wait longer: by a branch, and by coming along. */
static void fair_to_joined(void **state) {
  (void)state;
  static const char *const text = TEXT_LANES_BELOW(0x8) "@P0 BRA 0x60 ;\n" /* 0x20 */
                                                        "NOP ;\nNOP ;\nEXIT ;\n"
                                                        "ISETP.EQ.AND P1, PT, R0, 0x7, PT ;\n" /* 0x60 */
                                                        "@P1 BRA 0x30 ;\n"
                                                        "YIELD ;\nBRA 0x80 ;\n"; /* 0x80 */
  for (unsigned along = 0; along < 2; along++) {
    struct machine x;
    begin(&x, text);
    steps(&x, 3);
    if (along != 0) pick(&x, 0x30, HIGH);
    pick(&x, 0x60, LOW);
    pick(&x, 0x70, LOW);
    if (along != 0) pick(&x, 0x30, 0x80);
    const unsigned since = 3 + along; /* issue that passed the others over first */
    while (e.seq + 1 < since + 4096) pick(&x, e.pc == 0x80 ? 0x90 : 0x80, 0x7f);
    EXPECT(&x, HEDDLE_STATE, heddle_warp_choose(x.model, 0, e.pc == 0x80 ? 0x90 : 0x80));
    pick(&x, 0x30 + 0x10 * along, HIGH | 0x80);
    machine_free(&x);
  }
}

/* Alone: 64 rounds through a body of 300 instructions would be too long for the group that waits. */
static void fair_alone(void **state) {
  (void)state;
  struct machine x;
  char text[8000];
  int n = snprintf(text, sizeof text,
                   TEXT_ADDRESS TEXT_LANES_BELOW(0x1) "MOV R5, 0x1 ;\nMOV R1, RZ ;\nBSSY B0, out ;\n@!P0 BRA loop ;\n"
                                                      "STG.E [R2], R5 ;\nEXIT ;\nloop:\n");
  for (unsigned i = 0; i < 296; i++) n += snprintf(text + n, sizeof text - (size_t)n, "NOP ;\n");
  (void)snprintf(text + n, sizeof text - (size_t)n,
                 "IADD3 R1, R1, 0x1, RZ ;\nLDG.E R6, [R2] ;\nISETP.EQ.AND P1, PT, R6, RZ, PT ;\n@P1 BRA loop ;\n"
                 "STG.E [R2+0x10], R1 ;\nout:\nEXIT ;\n");
  machine_init_as(&x, HEDDLE_ITS);
  machine_text(&x, text);
  EXPECT(&x, HEDDLE_OK, machine_run(&x));
  assert_in_range(mem32(&x, 0x10), 2, 4096 / 300);
  machine_free(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(own_choice),        cmocka_unit_test(turns),      cmocka_unit_test(loops),
      cmocka_unit_test(not_that_one),      cmocka_unit_test(fairness),   cmocka_unit_test(fair_alone),
      cmocka_unit_test(lowest_lane_leads), cmocka_unit_test(meet_alone), cmocka_unit_test(loop_of_one),
      cmocka_unit_test(fair_to_joined),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
