/* SPDX-License-Identifier: Apache-2.0
 *
 * BAR.ARV and BAR.RED of isa/doc/05-barriers-traps.md: counts, results, what
 * may meet, misuse.
 */
#include <stdio.h>
#include <string.h>

#include "tests/cmodel/machine.h"
#include "tests/test.h"

static struct heddle_effect e;

static void begin(struct machine *x, const char *text, unsigned threads) {
  machine_init(x);
  machine_text(x, text);
  x->launch.block[0] = threads;
  machine_lockstep(x);
}

static void issue(struct machine *x, unsigned w, unsigned n) {
  while (n-- > 0) EXPECT(x, HEDDLE_SUCCESS, heddle_warp_issue(x->model, w, &e));
}

/* R0 = tid, P0 = odd, P1 = tid < 32, P2 = tid < 64: five instructions. */
#define THREADS                                                                                                        \
  "S2R R0, SR_TID.X ;\n"                                                                                               \
  "LOP3.LUT R1, R0, 0x1, RZ, 0xc0 ;\n"                                                                                 \
  "ISETP.NE.AND P0, PT, R1, RZ, PT ;\n"                                                                                \
  "ISETP.LT.U32.AND P1, PT, R0, 0x20, PT ;\n"                                                                          \
  "ISETP.LT.U32.AND P2, PT, R0, 0x40, PT ;\n"

/* Producer and consumer: the one that arrives goes on. */
static void arrive(void **state) {
  (void)state;
  struct machine x;
  begin(&x, THREADS "@P1 BRA 0x80 ;\nBAR.ARV 0x2, 0x40 ;\nEXIT ;\nBAR.SYNC 0x2, 0x40 ;\nEXIT ;\n", 64);
  issue(&x, 1, 7);
  assert_int_equal(e.bar_wait, 0);
  assert_false(heddle_warp_waiting(x.model, 1));
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_barrier_release(x.model, 0, 2));
  assert_non_null(strstr(heddle_model_diag(x.model), "warps 0x00000000 wait and 0x00000002 have arrived"));
  issue(&x, 1, 1); /* it may even end */
  assert_true(e.warp_ended);
  issue(&x, 0, 7);
  assert_int_equal(e.bar_wait, 1);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_barrier_release(x.model, 0, 2));
  issue(&x, 0, 1);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_block_end(x.model, 0));
  machine_free(&x);
}

/* The last one to come may be one that does not wait; and all of them may be such. */
static void arrive_last(void **state) {
  (void)state;
  struct machine x;
  begin(&x, THREADS "@P1 BRA 0x80 ;\nBAR.ARV 0x2, 0x40 ;\nEXIT ;\nBAR.SYNC 0x2, 0x40 ;\nEXIT ;\n", 64);
  issue(&x, 0, 7);
  issue(&x, 1, 7);
  assert_true(heddle_warp_waiting(x.model, 0));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_barrier_release(x.model, 0, 2));
  assert_false(heddle_warp_waiting(x.model, 0));
  machine_free(&x);

  begin(&x, "BAR.ARV 0x7, 0x40 ;\nBAR.ARV 0x7, 0x40 ;\nEXIT ;\n", 64);
  issue(&x, 0, 1);
  issue(&x, 1, 1);
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_warp_issue(x.model, 0, &e)); /* complete, and not released */
  EXPECT(&x, HEDDLE_SUCCESS, heddle_barrier_release(x.model, 0, 7));
  issue(&x, 0, 1);
  issue(&x, 1, 1);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_barrier_release(x.model, 0, 7));
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_barrier_release(x.model, 0, 7));
  machine_free(&x);

  machine_init(&x); /* the model alone releases too */
  machine_text(&x, "BAR.ARV 0x7, 0x40 ;\nBAR.ARV 0x7, 0x40 ;\nBAR.SYNC 0x7 ;\nEXIT ;\n");
  x.launch.block[0] = 64;
  EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
  machine_free(&x);
}

/* .POPC, .AND and .OR meet, with SYNC and ARV among them, which bring nothing. */
static void reduce(void **state) {
  (void)state;
  static const char *const text = THREADS "ISETP.GE.U32.AND P3, PT, R0, 0x60, PT ;\n" /* 0x50: warps 3, 4 */
                                          "ISETP.GE.U32.AND P4, PT, R0, 0x80, PT ;\n"
                                          "MOV R5, RZ ;\n"
                                          "@P1 BRA 0xf0 ;\n"
                                          "@P2 BRA 0x110 ;\n" /* 0x90 */
                                          "@P4 BRA 0x140 ;\n"
                                          "@P3 BRA 0x130 ;\n"
                                          "BAR.RED.OR P5, 0x4, 0xa0, !P0 ;\nEXIT ;\nNOP ;\n" /* 0xc0: warp 2 */
                                          "BAR.RED.POPC R5, 0x4, 0xa0, P0 ;\nEXIT ;\n"       /* 0xf0: warp 0 */
                                          "BAR.RED.AND P5, 0x4, 0xa0, !P0 ;\nEXIT ;\n"       /* 0x110: warp 1 */
                                          "BAR.SYNC 0x4, 0xa0 ;\n"         /* 0x130: warp 3, then into ARV */
                                          "BAR.ARV 0x4, 0xa0 ;\nEXIT ;\n"; /* 0x140: warp 4 */
  struct machine x;
  begin(&x, text, 146); /* warp 4 has 18 lanes */
  issue(&x, 0, 10);
  assert_int_equal(e.bar_wait, 1);
  assert_int_equal(e.rd_words, 1);
  assert_true(e.rd_pending);
  assert_false(e.bar_pd);
  assert_int_equal(heddle_reg(x.model, 0, 5, 3), 0); /* not yet */
  issue(&x, 1, 11);
  assert_int_equal(e.bar_wait, 1);
  assert_int_equal(e.rd_words, 0);
  assert_int_equal(e.pd_written, 0);
  assert_true(e.bar_pd);
  issue(&x, 4, 12);
  assert_int_equal(e.bar_wait, 0);
  issue(&x, 3, 13);
  assert_int_equal(e.bar_wait, 1);
  assert_false(e.bar_pd);
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_barrier_release(x.model, 0, 4));
  issue(&x, 2, 13);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_barrier_release(x.model, 0, 4));
  for (unsigned i = 0; i < 32; i++) {
    assert_int_equal(heddle_reg(x.model, 0, 5, i), 16 * 3); /* odd, even, even lanes of the three warps */
    assert_false(heddle_pred(x.model, 1, 5, i));
    assert_true(heddle_pred(x.model, 2, 5, i));
    assert_int_equal(heddle_reg(x.model, 3, 5, i), 0);
  }
  machine_free(&x);
}

/* .AND and .OR over what one, some or all lanes say; lanes that do not exist or have exited have no say. */
static void verdicts(void **state) {
  (void)state;
  static const struct {
    unsigned below; /* the predicate is tid < below */
    bool and, or ;
    unsigned sum;
  } row[] = {
      {0, false, false, 0}, {1, false, true, 1}, {39, false, true, 39}, {40, true, true, 40}, {64, true, true, 40}};
  for (unsigned i = 0; i < 5; i++) {
    struct machine x;
    char text[1024];
    machine_init(&x);
    (void)snprintf(text, sizeof text,
                   TEXT_ADDRESS "S2R R0, SR_TID.X ;\nIMAD.WIDE.U32 R2, R0, 0x4, R2 ;\n"
                                "ISETP.GE.U32.AND P0, PT, R0, 0x28, PT ;\n@P0 EXIT ;\n"
                                "ISETP.LT.U32.AND P1, PT, R0, 0x%x, PT ;\n"
                                "BAR.RED.AND P2, 0x0, 0x0, P1 ;\nBAR.RED.OR P3, 0x0, 0x0, P1 ;\n"
                                "BAR.RED.POPC R4, 0x0, 0x60, P1 ;\n"
                                "@P2 IADD3 R4, R4, 0x100, RZ ;\n@P3 IADD3 R4, R4, 0x200, RZ ;\n"
                                "STG.E [R2], R4 ;\nEXIT ;\n",
                   row[i].below);
    machine_text(&x, text);
    x.launch.block[0] = 45; /* five threads exit early; warp 1 has 13 */
    if (i == 0) {           /* a count that cannot be reached traps: three warps of two */
      EXPECT(&x, HEDDLE_ERROR_TRAPPED, machine_run(&x));
      assert_int_equal(heddle_model_trap(x.model)->cause, HEDDLE_TRAP_BARRIER);
    }
    char *count = strstr(text, "0x0, 0x60");
    memcpy(count, "0x0, 0x40", 9);
    machine_text(&x, text);
    EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
    const uint32_t want = row[i].sum + (row[i].and ? 0x100 : 0) + (row[i].or ? 0x200 : 0);
    for (unsigned t = 0; t < 40; t++) assert_int_equal(mem32(&x, 4 * t), want);
    machine_free(&x);
  }
}

/* Results count as written; a dropped one is none; with a false guard nothing happens; an undefined source is found. */
static void sources_and_results(void **state) {
  (void)state;
  struct machine x;
  begin(&x,
        TEXT_LANES_BELOW(0x8) "@!PT BAR.RED.POPC R5, 0x0, 0x0, P6 ;\n@!PT BAR.ARV 0x0, 0x20 ;\n"
                              "BAR.RED.POPC R5, 0x0, 0x0, P0 ;\n" /* 0x40 */
                              "BAR.RED.AND P6, 0x0, 0x0, P0 ;\n"
                              "MOV R6, R5 ;\n@P6 MOV R6, RZ ;\n"
                              "BAR.RED.POPC RZ, 0x0, 0x0, PT ;\n" /* 0x80 */
                              "BAR.RED.AND PT, 0x0, 0x0, !PT ;\n"
                              "BAR.RED.AND P6, 0x0, 0x0, P5 ;\n",
        32);
  issue(&x, 0, 4);
  assert_int_equal(e.bar_wait, 0);
  assert_int_equal(e.rd_words, 0);
  issue(&x, 0, 1);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_barrier_release(x.model, 0, 0));
  assert_int_equal(heddle_reg(x.model, 0, 5, 31), 8);
  issue(&x, 0, 1);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_barrier_release(x.model, 0, 0));
  issue(&x, 0, 3);
  assert_int_equal(e.rd_words, 0);
  assert_false(e.rd_pending);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_barrier_release(x.model, 0, 0));
  issue(&x, 0, 1);
  assert_false(e.bar_pd);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_barrier_release(x.model, 0, 0));
  EXPECT(&x, HEDDLE_ERROR_UNDEFINED, heddle_warp_issue(x.model, 0, &e));
  machine_free(&x);
}

static void expect_misuse(const char *text, unsigned w, unsigned before, unsigned threads) {
  struct machine x;
  begin(&x, text, threads);
  issue(&x, w, before);
  EXPECT(&x, HEDDLE_ERROR_TRAPPED, heddle_warp_issue(x.model, w, &e));
  const struct heddle_trap *t = heddle_model_trap(x.model);
  assert_int_equal(t->cause, HEDDLE_TRAP_BARRIER);
  assert_int_equal(t->seq, before);
  assert_int_equal(t->lanes, e.active);
  machine_free(&x);
}

static void misuse(void **state) {
  (void)state;
  expect_misuse("BAR.ARV 0x0, 0x0 ;\n", 0, 0, 64);
  expect_misuse("BAR.ARV 0x0, 0x30 ;\n", 0, 0, 64);
  expect_misuse("BAR.ARV 0x0, 0x60 ;\n", 0, 0, 64);
  expect_misuse("PLOP3.LUT P0, PT, PT, PT, PT, 0xff, 0x0 ;\nBAR.RED.AND P0, 0x0, 0x60, P0 ;\n", 0, 1, 64);
  expect_misuse("BAR.ARV 0x3, 0x40 ;\nBAR.ARV 0x3, 0x40 ;\n", 0, 1, 64); /* twice */
  expect_misuse("BAR.ARV 0x3, 0x40 ;\nBAR.SYNC 0x3, 0x40 ;\n", 0, 1, 64);
  expect_misuse("BAR.ARV 0x3, 0x40 ;\nBAR.SYNC 0x3 ;\n", 0, 1, 64);           /* another count */
  expect_misuse(TEXT_LANES_BELOW(0x8) "@P0 BAR.ARV 0x0, 0x20 ;\n", 0, 2, 64); /* not whole */
  expect_misuse(TEXT_LANES_BELOW(0x8) "@P0 BAR.RED.POPC R1, 0x0, 0x0, P0 ;\n", 0, 2, 64);
  expect_misuse(TEXT_LANES_BELOW(0x8) "@P0 BRA 0x40 ;\nNOP ;\nBAR.RED.OR P1, 0x0, 0x0, P0 ;\n", 0, 3, 64);
}

/* Under `its` too: lanes that were brought together are whole, and lanes that happen to stand there are not. */
static void whole_under_its(void **state) {
  (void)state;
  struct machine x;
  machine_init_as(&x, HEDDLE_ITS);
  machine_text(&x, TEXT_LANES_BELOW(0x8) "BSSY B0, 0x50 ;\n@P0 BRA 0x50 ;\nNOP ;\nBSYNC B0 ;\n"
                                         "BAR.RED.POPC R1, 0x0, 0x0, P0 ;\nEXIT ;\n");
  machine_lockstep(&x);
  issue(&x, 0, 8);
  assert_int_equal(e.active, ~0u);
  assert_int_equal(e.bar_wait, 1);
  machine_free(&x);

  machine_init_as(&x, HEDDLE_ITS);
  machine_text(&x, TEXT_LANES_BELOW(0x8) "@P0 BRA 0x40 ;\nNOP ;\nBAR.SYNC 0x0 ;\nEXIT ;\n");
  machine_lockstep(&x);
  issue(&x, 0, 3);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_warp_choose(x.model, 0, 8));
  issue(&x, 0, 1);
  EXPECT(&x, HEDDLE_ERROR_TRAPPED, heddle_warp_issue(x.model, 0, &e)); /* both stand at 0x40 */
  expect_trap(&x, HEDDLE_TRAP_BARRIER, 0x40, 0xffffff00u, 0);
  machine_free(&x);

  machine_init_as(&x, HEDDLE_ITS);
  machine_text(&x, TEXT_LANES_BELOW(0x8) "@P0 BRA 0x40 ;\nNOP ;\nBAR.SYNC 0x0 ;\nEXIT ;\n");
  machine_lockstep(&x);
  issue(&x, 0, 3);
  EXPECT(&x, HEDDLE_ERROR_TRAPPED, heddle_warp_issue(x.model, 0, &e)); /* the lanes below 8 alone */
  expect_trap(&x, HEDDLE_TRAP_BARRIER, 0x40, 0xff, 0);
  machine_free(&x);
}

/* Accesses come first. */
static void after_accesses(void **state) {
  (void)state;
  static const char *const text[] = {"BAR.ARV 0x0, 0x20 ;\n", "BAR.RED.POPC R9, 0x0, 0x0, PT ;\n",
                                     "BAR.RED.OR P0, 0x0, 0x0, PT ;\n"};
  for (unsigned i = 0; i < 3; i++) {
    struct machine x;
    char all[256];
    struct heddle_performed p;
    (void)snprintf(all, sizeof all, TEXT_ADDRESS "STG.E [R2], RZ ;\n%s", text[i]);
    begin(&x, all, 32);
    issue(&x, 0, 3);
    EXPECT(&x, HEDDLE_ERROR_STATE, heddle_warp_issue(x.model, 0, &e));
    EXPECT(&x, HEDDLE_SUCCESS, heddle_perform(x.model, 0, 2, ~0u, &p));
    issue(&x, 0, 1);
    machine_free(&x);
  }
}

/* Who waits, of a barrier that cannot complete: everybody. */
static void hang_lists_all(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  machine_text(&x, THREADS "@P1 BAR.SYNC 0x3, 0x60 ;\nBAR.SYNC 0x4, 0x60 ;\nEXIT ;\n");
  x.launch.block[0] = 96;
  EXPECT(&x, HEDDLE_ERROR_LIMIT, machine_run(&x));
  const char *d = heddle_model_diag(x.model);
  assert_int_equal(strncmp(d, "deadlock:", 9), 0);
  assert_non_null(strstr(d, "warp 0 seq 6 pc 0x00000060 BAR.SYNC: waits at barrier 3, where 1 of 3 warps are"));
  assert_non_null(strstr(d, "warp 1 seq 7 pc 0x00000070 EXIT: waits at barrier 4, where 2 of 3 warps are"));
  assert_non_null(strstr(d, "warp 2 seq 7 "));
  machine_free(&x);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arrive),          cmocka_unit_test(arrive_last),         cmocka_unit_test(reduce),
      cmocka_unit_test(verdicts),        cmocka_unit_test(sources_and_results), cmocka_unit_test(misuse),
      cmocka_unit_test(whole_under_its), cmocka_unit_test(after_accesses),      cmocka_unit_test(hang_lists_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
