/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks and their slots, named barriers and their traps.
 */
#include <string.h>

#include "tests/test.h"
#include "tests/cmodel/machine.h"

static struct heddle_effect e;

static void issue(struct machine *x, unsigned w, unsigned n) {
  while (n-- > 0) EXPECT(x, HEDDLE_OK, heddle_warp_issue(x->model, w, &e));
}

static void block_slots(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  x.launch.grid[0] = 2;
  x.launch.block[0] = 40;
  machine_emit(&x, exit_word());
  EXPECT(&x, HEDDLE_OK, machine_start(&x));
  static const uint32_t zero[3] = {0, 0, 0}, one[3] = {1, 0, 0}, two[3] = {2, 0, 0};
  static const uint8_t low[2] = {0, 1}, same[2] = {4, 4}, high[2] = {7, 2}, far[2] = {7, 200};
  EXPECT(&x, HEDDLE_STATE, heddle_block_end(x.model, 0));
  EXPECT(&x, HEDDLE_STATE, heddle_block_start(x.model, 0, two, low, 2));
  EXPECT(&x, HEDDLE_STATE, heddle_block_start(x.model, 0, zero, low, 1));
  EXPECT(&x, HEDDLE_STATE, heddle_block_start(x.model, 0, zero, same, 2));
  EXPECT(&x, HEDDLE_BAD_ARG, heddle_block_start(x.model, 0, zero, far, 2));
  EXPECT(&x, HEDDLE_OK, heddle_block_start(x.model, 0, zero, low, 2));
  EXPECT(&x, HEDDLE_STATE, heddle_block_start(x.model, 0, one, high, 2));
  EXPECT(&x, HEDDLE_STATE, heddle_block_start(x.model, 1, zero, high, 2)); /* twice */
  EXPECT(&x, HEDDLE_STATE, heddle_block_start(x.model, 1, one, low, 2));   /* warp slots in use */
  EXPECT(&x, HEDDLE_OK, heddle_block_start(x.model, 1, one, high, 2));
  issue(&x, 2, 1);
  assert_int_equal(e.active, 0xff); /* threads 32 .. 39 */
  EXPECT(&x, HEDDLE_STATE, heddle_block_end(x.model, 1));
  issue(&x, 7, 1);
  EXPECT(&x, HEDDLE_OK, heddle_block_end(x.model, 1));
  EXPECT(&x, HEDDLE_STATE, heddle_warp_issue(x.model, 7, &e));
  issue(&x, 0, 1);
  issue(&x, 1, 1);
  assert_false(heddle_grid_done(x.model));
  EXPECT(&x, HEDDLE_OK, heddle_block_end(x.model, 0));
  assert_true(heddle_grid_done(x.model));
  machine_free(&x);
}

/* Three warps, all of them expected; one ends instead. */
static void barrier_of_all(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  x.launch.block[0] = 96;
  machine_emit(&x, s2r(0, ISA_SREG_SR_TID_X));
  machine_emit(&x, isetp(0, ISA_ICMP_GE, 0, 64));
  machine_emit(&x, word_guard(exit_word(), 0, false));
  machine_emit(&x, bar_sync(6, 0));
  machine_emit(&x, exit_word());
  machine_lockstep(&x);
  EXPECT(&x, HEDDLE_STATE, heddle_barrier_release(x.model, 0, 6));
  issue(&x, 0, 4);
  assert_int_equal(e.bar_wait, 1);
  assert_int_equal(e.bar_id, 6);
  EXPECT(&x, HEDDLE_STATE, heddle_warp_issue(x.model, 0, &e));
  issue(&x, 1, 4);
  EXPECT(&x, HEDDLE_STATE, heddle_barrier_release(x.model, 0, 6));
  issue(&x, 2, 3);
  assert_true(e.warp_ended);
  EXPECT(&x, HEDDLE_STATE, heddle_barrier_release(x.model, 0, 5));
  EXPECT(&x, HEDDLE_OK, heddle_barrier_release(x.model, 0, 6));
  assert_false(heddle_warp_waiting(x.model, 0));
  issue(&x, 0, 1);
  issue(&x, 1, 1);
  EXPECT(&x, HEDDLE_OK, heddle_block_end(x.model, 0));
  machine_free(&x);
}

/* An explicit count of two warps among four, twice through the same barrier. */
static void barrier_with_count(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  x.launch.block[0] = 128;
  machine_emit(&x, bar_sync(1, 64));
  machine_emit(&x, exit_word());
  machine_lockstep(&x);
  issue(&x, 3, 1);
  EXPECT(&x, HEDDLE_STATE, heddle_barrier_release(x.model, 0, 1));
  issue(&x, 0, 1);
  EXPECT(&x, HEDDLE_STATE, heddle_warp_issue(x.model, 1, &e)); /* complete, and not released */
  EXPECT(&x, HEDDLE_OK, heddle_barrier_release(x.model, 0, 1));
  EXPECT(&x, HEDDLE_STATE, heddle_barrier_release(x.model, 0, 1)); /* empty again */
  issue(&x, 1, 1);
  issue(&x, 2, 1);
  EXPECT(&x, HEDDLE_OK, heddle_barrier_release(x.model, 0, 1));
  for (unsigned w = 0; w < 4; w++) issue(&x, w, 1);
  EXPECT(&x, HEDDLE_OK, heddle_block_end(x.model, 0));
  machine_free(&x);
}

static void expect_misuse(struct machine *x, unsigned w, uint32_t pc, uint32_t lanes) {
  EXPECT(x, HEDDLE_TRAPPED, heddle_warp_issue(x->model, w, &e));
  const struct heddle_trap *t = heddle_model_trap(x->model);
  assert_int_equal(t->cause, HEDDLE_TRAP_BARRIER);
  assert_int_equal(t->pc, pc);
  assert_int_equal(t->lanes, lanes);
  assert_int_equal(t->warp_in_block, w);
  machine_free(x);
}

static void barrier_counts_misused(void **state) {
  (void)state;
  static const unsigned bad[] = {33, 96, 4064};
  for (unsigned i = 0; i < 3; i++) {
    struct machine x;
    machine_init(&x);
    x.launch.block[0] = 33;
    machine_emit(&x, bar_sync(0, bad[i]));
    machine_lockstep(&x);
    expect_misuse(&x, 1, 0, 1);
  }
  struct machine x; /* two counts at one barrier */
  machine_init(&x);
  x.launch.block[0] = 96;
  machine_emit(&x, s2r(0, ISA_SREG_SR_TID_X));
  machine_emit(&x, isetp(0, ISA_ICMP_GE, 0, 64));
  machine_emit(&x, word_guard(bar_sync(2, 0), 0, false));
  machine_emit(&x, bar_sync(2, 96));
  machine_lockstep(&x);
  issue(&x, 2, 3);
  issue(&x, 0, 3); /* guard false in every lane: nothing */
  assert_int_equal(e.bar_wait, 0);
  expect_misuse(&x, 0, 0x30, ~0u);
}

/* The warp must be whole. */
static void barrier_while_diverged(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  machine_emit(&x, s2r(0, ISA_SREG_SR_LANEID));
  machine_emit(&x, isetp(0, ISA_ICMP_LT, 0, 9));
  machine_emit(&x, word_guard(bar_sync(0, 0), 0, false)); /* half of the active lanes */
  machine_lockstep(&x);
  issue(&x, 0, 2);
  expect_misuse(&x, 0, 0x20, ~0u);

  machine_init(&x);
  machine_emit(&x, s2r(0, ISA_SREG_SR_LANEID));
  machine_emit(&x, isetp(0, ISA_ICMP_LT, 0, 9));
  machine_emit(&x, word_guard(bra(0x20, 0x40), 0, false));
  machine_emit(&x, exit_word());
  machine_emit(&x, bar_sync(0, 0)); /* all active lanes, but others wait */
  machine_lockstep(&x);
  issue(&x, 0, 3);
  expect_misuse(&x, 0, 0x40, 0x1ff);

  machine_init(&x); /* exited lanes do not count */
  machine_emit(&x, s2r(0, ISA_SREG_SR_LANEID));
  machine_emit(&x, isetp(0, ISA_ICMP_LT, 0, 9));
  machine_emit(&x, word_guard(exit_word(), 0, false));
  machine_emit(&x, bar_sync(0, 0));
  machine_emit(&x, exit_word());
  EXPECT(&x, HEDDLE_OK, machine_run(&x));
  machine_free(&x);
}

/* Alone: what one warp stored before the barrier, another loads behind it. */
static void barrier_alone(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  x.launch.block[0] = 256;
  x.launch.grid[0] = 20;
  x.launch.shared_bytes = 1024;
  emit_address(&x, 0, 4);
  machine_emit(&x, WORD(ISA_ENC_IMAD_RIR, ISA_F_RD, 1, ISA_F_RA, 0, ISA_F_IMM, 4, ISA_F_RC, ISA_RZ));
  machine_emit(&x, sts(1, 0, 0, ISA_SIZE_32));
  machine_emit(&x, bar_sync(0, 0));
  machine_emit(&x, WORD(ISA_ENC_IADD3_RIR, ISA_F_RD, 4, ISA_F_RA, 1, ISA_F_NA, 1, ISA_F_IMM, 1020, ISA_F_RC, ISA_RZ));
  machine_emit(&x, lds(5, 4, 0, ISA_SIZE_32)); /* thread 255 - t */
  machine_emit(&x, stg(2, 0, 5, ISA_SIZE_32));
  machine_emit(&x, exit_word());
  EXPECT(&x, HEDDLE_OK, machine_run(&x));
  for (unsigned t = 0; t < 256; t++) assert_int_equal(mem32(&x, 4 * t), 255 - t);
  machine_free(&x);
}

static void barrier_hang(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  x.launch.block[0] = 64;
  machine_emit(&x, s2r(0, ISA_SREG_SR_TID_X));
  machine_emit(&x, isetp(0, ISA_ICMP_GE, 0, 32));
  machine_emit(&x, word_guard(exit_word(), 0, false));
  machine_emit(&x, bar_sync(3, 64)); /* two warps, but one has ended */
  EXPECT(&x, HEDDLE_LIMIT, machine_run(&x));
  assert_non_null(strstr(heddle_model_diag(x.model), "barrier 3"));
  machine_free(&x);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(block_slots),
      cmocka_unit_test(barrier_of_all),
      cmocka_unit_test(barrier_with_count),
      cmocka_unit_test(barrier_counts_misused),
      cmocka_unit_test(barrier_while_diverged),
      cmocka_unit_test(barrier_alone),
      cmocka_unit_test(barrier_hang),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
