/* SPDX-License-Identifier: Apache-2.0
 *
 * Locks inside one warp, on the model alone: under `its` they work; under
 * `stack` the deadlock is reported, with who waits where. And what must not
 * be taken for a deadlock.
 */
#include <stdio.h>
#include <string.h>

#include "tests/cmodel/machine.h"
#include "tests/test.h"

#define LOCK "MOV R5, 0x1 ;\n"

/* Take the lock at [R2], count up [R2+4] in it, leave the lock. */
#define CRITICAL "LDG.E R7, [R2+0x4] ;\nIADD3 R7, R7, 0x1, RZ ;\nSTG.E [R2+0x4], R7 ;\nMEMBAR.GPU ;\nSTG.E [R2], RZ ;\n"

static enum heddle_error run(struct machine *x, enum heddle_divergence unit, const char *text, unsigned threads) {
  machine_init_as(x, unit);
  machine_text(x, text);
  x->launch.block[0] = threads;
  return machine_run(x);
}

static void expect_words(struct machine *x, const char *words) {
  if (strstr(heddle_model_diag(x->model), words) == NULL)
    fail_msg("\"%s\" does not say \"%s\"", heddle_model_diag(x->model), words);
}

static void expect_deadlock(struct machine *x, enum heddle_error got) {
  EXPECT(x, HEDDLE_ERROR_LIMIT, got);
  if (strncmp(heddle_model_diag(x->model), "deadlock:", 9) != 0) fail_msg("%s", heddle_model_diag(x->model));
}

/* The winner waits for the others at a BSYNC, and they spin. YIELD frees it. */
static const char *const holder_parked = TEXT_ADDRESS LOCK "BSSY B0, got ;\n" /* 0x30 */
                                                           "again:\n"
                                                           "ATOMG.E.CAS R6, [R2], RZ, R5 ;\n" /* 0x40 */
                                                           "ISETP.EQ.AND P0, PT, R6, RZ, PT ;\n"
                                                           "@P0 BRA got ;\n" /* 0x60 */
                                                           "YIELD ;\n"
                                                           "BRA again ;\n"
                                                           "got:\n"
                                                           "BSYNC B0 ;\n" /* 0x90 */
    CRITICAL "EXIT ;\n";

static void parked(void **state) {
  (void)state;
  for (unsigned threads = 32; threads <= 256; threads *= 8) {
    struct machine x;
    EXPECT(&x, HEDDLE_SUCCESS, run(&x, HEDDLE_ITS, holder_parked, threads));
    assert_int_equal(mem32(&x, 4), threads);
    machine_free(&x);
  }
  struct machine x;
  expect_deadlock(&x, run(&x, HEDDLE_STACK, holder_parked, 32));
  assert_in_range(x.retired, 1 << 16, 1 << 17);
  expect_words(&x, "block (0,0,0) warp 0 seq ");
  expect_words(&x, "lanes 0xfffffffe spin; lanes 0x00000001 parked at B0 at pc 0x00000090 until 0xfffffffe come");
  machine_free(&x);
}

/* All warps of all blocks spin: each has its line. */
static void parked_many(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  machine_text(&x, holder_parked);
  x.launch.block[0] = 160;
  x.launch.grid[0] = 3;
  expect_deadlock(&x, machine_run(&x));
  expect_words(&x, "block (0,0,0) warp 0 seq ");
  expect_words(&x, "block (0,0,0) warp 4 seq ");
  expect_words(&x, "block (2,0,0) warp 3 seq ");
  expect_words(&x, "lanes 0xffffffff spin");
  machine_free(&x);
}

/* The winner falls through, and the taken path, that of the losers, runs first. */
static void not_its_turn(void **state) {
  (void)state;
  static const char *const text = TEXT_ADDRESS LOCK "again:\n"
                                                    "ATOMG.E.CAS R6, [R2], RZ, R5 ;\n" /* 0x30 */
                                                    "ISETP.NE.AND P0, PT, R6, RZ, PT ;\n"
                                                    "@P0 BRA again ;\n" /* 0x50 */
      CRITICAL "EXIT ;\n";
  struct machine x;
  EXPECT(&x, HEDDLE_SUCCESS, run(&x, HEDDLE_ITS, text, 64));
  assert_int_equal(mem32(&x, 4), 64);
  machine_free(&x);
  expect_deadlock(&x, run(&x, HEDDLE_STACK, text, 32));
  expect_words(&x, "lanes 0xfffffffe spin; lanes 0x00000001 wait for their turn at pc 0x00000060");
  machine_free(&x);
}

/* The holder itself spins, on what a lane in another path has yet to do. */
static void holder_spins(void **state) {
  (void)state;
  static const char *const text = TEXT_ADDRESS LOCK TEXT_LANES_BELOW(0x10) /* 0x30 */
      "MOV R8, RZ ;\n"
      "@!P0 BRA give ;\n" /* 0x60 */
      "again:\n"
      "ATOMG.E.CAS R6, [R2], RZ, R5 ;\n" /* 0x70 */
      "ISETP.NE.AND P1, PT, R6, RZ, PT ;\n"
      "@P1 BRA again ;\n"
      "wait:\n"
      "LDG.E R7, [R2+0x8] ;\n" /* 0xa0 */
      "ISETP.NE.AND P1, PT, R7, 0x10, PT ;\n"
      "@P1 BRA wait ;\n" /* 0xc0 */
      CRITICAL "EXIT ;\n"
      "give:\n"
      "NOP ;\nNOP ;\n"
      "ISETP.LT.U32.AND P2, PT, R8, 0x40, PT ;\nIADD3 R8, R8, 0x1, RZ ;\n@P2 BRA give ;\n" /* some time later */
      "RED.E.ADD [R2+0x8], R5 ;\nEXIT ;\n";
  struct machine x;
  EXPECT(&x, HEDDLE_SUCCESS, run(&x, HEDDLE_ITS, text, 32));
  assert_int_equal(mem32(&x, 4), 16);
  machine_free(&x);
  expect_deadlock(&x, run(&x, HEDDLE_STACK, text, 32)); /* the losers run first: lanes 1-15 */
  expect_words(&x, "lanes 0x0000fffe spin; lanes 0x00000001 wait for their turn at pc 0x000000a0");
  machine_free(&x);
}

/* A lock that is never left: no unit helps. */
static void never_left(void **state) {
  (void)state;
  static const char *const text = TEXT_ADDRESS LOCK "again:\n"
                                                    "ATOMG.E.CAS R6, [R2], RZ, R5 ;\n"
                                                    "ISETP.NE.AND P0, PT, R6, RZ, PT ;\n"
                                                    "@P0 YIELD ;\n@P0 BRA again ;\nEXIT ;\n";
  for (unsigned unit = 0; unit < 2; unit++) {
    struct machine x;
    expect_deadlock(&x, run(&x, unit != 0 ? HEDDLE_ITS : HEDDLE_STACK, text, 96));
    machine_free(&x);
  }
}

/* Loops whose length does not divide a turn, and several warps in different ones. */
static void odd_lengths(void **state) {
  (void)state;
  static const char *const text = "S2R R0, SR_TID.X ;\nISETP.LT.U32.AND P0, PT, R0, 0x20, PT ;\n"
                                  "ISETP.LT.U32.AND P1, PT, R0, 0x40, PT ;\n@P0 BRA a ;\n@P1 BRA b ;\n"
                                  "c:\nNOP ;\nNOP ;\nNOP ;\nNOP ;\nBRA c ;\n"
                                  "a:\nNOP ;\nNOP ;\nBRA a ;\n"
                                  "b:\nNOP ;\nNOP ;\nNOP ;\nNOP ;\nNOP ;\nNOP ;\nBRA b ;\n";
  for (unsigned unit = 0; unit < 2; unit++) {
    struct machine x;
    expect_deadlock(&x, run(&x, unit != 0 ? HEDDLE_ITS : HEDDLE_STACK, text, 96));
    assert_in_range(x.retired, 1 << 16, 80000);
    machine_free(&x);
  }
}

/* A cycle that is longer than the first windows: found when they have grown. */
static void long_cycle(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  machine_text(&x, "a:\nMOV R1, RZ ;\nb:\nIADD3 R1, R1, 0x1, RZ ;\nISETP.EQ.AND P0, PT, R1, 0x4e20, PT ;\n"
                   "@P0 BRA a ;\nBRA b ;\n");
  EXPECT(&x, HEDDLE_SUCCESS, machine_start(&x));
  expect_deadlock(&x, heddle_model_run(x.model, 10000000, &x.retired));
  assert_in_range(x.retired, 300000, 4000000);
  machine_free(&x);
}

/* Each warp in turn counts for a long time while the other one repeats itself. */
static void take_turns(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  machine_text(&x, TEXT_ADDRESS LOCK
               "S2R R0, SR_TID.X ;\nISETP.LT.U32.AND P0, PT, R0, 0x20, PT ;\nMOV R8, RZ ;\n@P0 BRA c ;\n"
               "w:\nLDG.E R6, [R2] ;\nISETP.EQ.AND P1, PT, R6, RZ, PT ;\n@P1 BRA w ;\n"
               "c:\nIADD3 R8, R8, 0x1, RZ ;\nISETP.LT.U32.AND P1, PT, R8, 0x20000, PT ;\n"
               "@!P0 ISETP.LT.U32.AND P1, PT, R8, 0x100000, PT ;\n"
               "@P1 BRA c ;\n"
               "@P0 STG.E [R2], R5 ;\n@!P0 STG.E [R2+0x4], R5 ;\n"
               "v:\nLDG.E R6, [R2+0x4] ;\nISETP.EQ.AND P1, PT, R6, RZ, PT ;\n@P1 BRA v ;\nEXIT ;\n");
  x.launch.block[0] = 64;
  EXPECT(&x, HEDDLE_SUCCESS, machine_start(&x));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_run(x.model, 0, &x.retired));
  machine_free(&x);
}

/* Two paths of one warp that wait for each other's store. */
static void two_paths(void **state) {
  (void)state;
  struct machine x;
  expect_deadlock(&x, run(&x, HEDDLE_ITS,
                          TEXT_ADDRESS TEXT_LANES_BELOW(0x8) "@P0 BRA b ;\n"
                                                             "a:\nLDG.E R6, [R2] ;\nISETP.EQ.AND P1, PT, R6, RZ, PT ;\n"
                                                             "@P1 BRA a ;\nSTG.E [R2+0x4], R0 ;\nEXIT ;\n"
                                                             "b:\nNOP ;\nLDG.E R6, [R2+0x4] ;\n"
                                                             "ISETP.EQ.AND P1, PT, R6, RZ, PT ;\n@P1 BRA b ;\n"
                                                             "STG.E [R2], R0 ;\nEXIT ;\n",
                          32));
  expect_words(&x, " spin; lanes 0x");
  expect_words(&x, " wait for their turn at pc 0x000000");
  machine_free(&x);
}

/* All warps meet at a barrier in each round, for ever. */
static void barrier_rounds(void **state) {
  (void)state;
  struct machine x;
  expect_deadlock(&x, run(&x, HEDDLE_STACK, "a:\nBAR.SYNC 0x0 ;\nNOP ;\nBRA a ;\n", 96));
  machine_free(&x);
}

/* Two warps count to 127 and to 128, over and over, each by itself often in the same state; the barrier's verdict ends
 * it when both are at 0. */
static void barrier_verdict(void **state) {
  (void)state;
  static const char *const text = "S2R R0, SR_TID.X ;\nISETP.LT.U32.AND P0, PT, R0, 0x20, PT ;\nMOV R1, RZ ;\n"
                                  "MOV R2, 0x7f ;\n@P0 MOV R2, 0x80 ;\na:\n"
                                  "IADD3 R1, R1, 0x1, RZ ;\nISETP.EQ.AND P1, PT, R1, R2, PT ;\n@P1 MOV R1, RZ ;\n"
                                  "BAR.RED.AND P2, 0x0, 0x0, P1 ;\n@!P2 BRA a ;\nEXIT ;\n";
  struct machine x;
  EXPECT(&x, HEDDLE_SUCCESS, run(&x, HEDDLE_STACK, text, 64));
  assert_int_equal(x.retired, 2 * (5 + 127 * 128 * 5 + 1));
  machine_free(&x);
}

/* One spins, the other waits for it at a barrier. */
static void spin_and_barrier(void **state) {
  (void)state;
  struct machine x;
  expect_deadlock(&x, run(&x, HEDDLE_STACK,
                          "S2R R0, SR_TID.X ;\nISETP.LT.U32.AND P0, PT, R0, 0x20, PT ;\na:\n@P0 BRA a ;\n"
                          "BAR.SYNC 0x5 ;\nEXIT ;\n",
                          64));
  expect_words(&x, "warp 0 seq ");
  expect_words(&x, "warp 1 seq 4 pc 0x00000040 EXIT: waits at barrier 5, where 1 of 2 warps are");
  machine_free(&x);
}

/* Nothing repeats here: memory, a register, the clock. The instruction limit speaks, in the same way. */
static void no_deadlock(void **state) {
  (void)state;
  static const char *const text[] = {
      TEXT_ADDRESS "a:\nLDG.E R6, [R2] ;\nIADD3 R6, R6, 0x1, RZ ;\nSTG.E [R2], R6 ;\nMOV R6, RZ ;\nBRA a ;\n",
      "MOV R0, RZ ;\na:\nIADD3 R0, R0, 0x1, RZ ;\nBRA a ;\n",
      "a:\nS2R R0, SR_CLOCKLO ;\nMOV R0, RZ ;\nBRA a ;\n",
  };
  for (unsigned i = 0; i < 3; i++) {
    struct machine x;
    EXPECT(&x, HEDDLE_ERROR_LIMIT, run(&x, HEDDLE_STACK, text[i], 32));
    assert_int_equal(x.retired, 1000000);
    expect_words(&x, "limit of 1000000 warp instructions reached\nblock (0,0,0) warp 0 seq 1000000 pc");
    expect_words(&x, "lanes 0xffffffff run");
    machine_free(&x);
  }
}

/* A long wait that ends: the other warp counts to 200,000 before it gives way, and stores what is there already. */
static void long_wait(void **state) {
  (void)state;
  static const char *const text =
      TEXT_ADDRESS LOCK "S2R R0, SR_TID.X ;\nISETP.LT.U32.AND P0, PT, R0, 0x20, PT ;\nMOV R8, RZ ;\n@P0 BRA wait ;\n"
                        "count:\n"
                        "IADD3 R8, R8, 0x1, RZ ;\nISETP.LT.U32.AND P1, PT, R8, 0x10000, PT ;\nSTG.E [R2], RZ ;\n"
                        "@P1 BRA count ;\nSTG.E [R2], R5 ;\nEXIT ;\n"
                        "wait:\nLDG.E R6, [R2] ;\nISETP.EQ.AND P1, PT, R6, RZ, PT ;\n@P1 BRA wait ;\nEXIT ;\n";
  struct machine x;
  EXPECT(&x, HEDDLE_SUCCESS, run(&x, HEDDLE_STACK, text, 64));
  machine_free(&x);
}

/* Programs that end, after few or many instructions, with a store in between or without. */
static void ends(void **state) {
  (void)state;
  static const unsigned rounds[] = {13000, 13200, 30000, 50000, 160000, 800000, 3000000};
  for (unsigned i = 0; i < 7; i++) {
    struct machine x;
    char text[512];
    (void)snprintf(text, sizeof text,
                   TEXT_ADDRESS "MOV R8, RZ ;\na:\nIADD3 R8, R8, 0x1, RZ ;\nISETP.LT.U32.AND P1, PT, R8, 0x%x, PT ;\n"
                                "ISETP.EQ.AND P2, PT, R8, 0x5555, PT ;\n@P2 STG.E [R2], R8 ;\n@P1 BRA a ;\nEXIT ;\n",
                   rounds[i]);
    machine_init(&x);
    machine_text(&x, text);
    EXPECT(&x, HEDDLE_SUCCESS, machine_start(&x));
    EXPECT(&x, HEDDLE_SUCCESS, heddle_model_run(x.model, 0, &x.retired));
    assert_int_equal(x.retired, 5 * rounds[i] + 4);
    machine_free(&x);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parked),           cmocka_unit_test(parked_many),
      cmocka_unit_test(not_its_turn),     cmocka_unit_test(holder_spins),
      cmocka_unit_test(never_left),       cmocka_unit_test(odd_lengths),
      cmocka_unit_test(long_cycle),       cmocka_unit_test(take_turns),
      cmocka_unit_test(two_paths),        cmocka_unit_test(barrier_rounds),
      cmocka_unit_test(spin_and_barrier), cmocka_unit_test(no_deadlock),
      cmocka_unit_test(long_wait),        cmocka_unit_test(ends),
      cmocka_unit_test(barrier_verdict),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
