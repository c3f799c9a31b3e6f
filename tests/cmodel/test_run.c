/* SPDX-License-Identifier: Apache-2.0
 *
 * The model alone: whole small programs.
 */
#include <string.h>
#include "tests/cmodel/machine.h"
#include "tests/test.h"

/* c[i] = a[i] + b[i] as FP32, over several blocks, the last one partly empty. */
static void vector_add(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  x.launch.grid[0] = 5;
  x.launch.block[0] = 72;
  machine_emit(&x, s2r(0, ISA_SREG_SR_TID_X));
  machine_emit(&x, s2r(1, ISA_SREG_SR_CTAID_X));
  machine_emit(&x, WORD(ISA_ENC_IMAD_RCR, ISA_F_RD, 0, ISA_F_RA, 1, ISA_F_CBANK, 0, ISA_F_COFF, 0, ISA_F_RC, 0));
  machine_emit(&x, mov_imm(2, (uint32_t)MEM_BASE));
  machine_emit(&x, mov_imm(3, (uint32_t)(MEM_BASE >> 32)));
  machine_emit(&x, WORD(ISA_ENC_IMAD_WIDE_RIR, ISA_F_RD, 2, ISA_F_RA, 0, ISA_F_IMM, 4, ISA_F_RC, 2));
  machine_emit(&x, ldg(4, 2, 0, ISA_SIZE_32));
  machine_emit(&x, ldg(5, 2, 0x1000, ISA_SIZE_32));
  machine_emit(&x, WORD(ISA_ENC_FADD_RR, ISA_F_RD, 6, ISA_F_RA, 4, ISA_F_RB, 5));
  machine_emit(&x, stg(2, 0x2000, 6, ISA_SIZE_32));
  machine_emit(&x, exit_word());
  x.bank[0] = 72;
  for (uint32_t i = 0; i < 360; i++) {
    const float a = (float)i, b = 0.25f * (float)i;
    uint32_t u;
    memcpy(&u, &a, 4);
    set_mem32(&x, 4 * i, u);
    memcpy(&u, &b, 4);
    set_mem32(&x, 0x1000 + 4 * i, u);
  }
  EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
  assert_int_equal(x.retired, 5 * 3 * 11);
  assert_true(heddle_grid_done(x.model));
  for (uint32_t i = 0; i < 360; i++) {
    const float want = 1.25f * (float)i;
    uint32_t u;
    memcpy(&u, &want, 4);
    assert_int_equal(mem32(&x, 0x2000 + 4 * i), u);
  }
  assert_int_equal(mem32(&x, 0x2000 + 4 * 360), 0);
  machine_free(&x);
}

/* More blocks than fit: each adds one to a counter. */
static void many_blocks(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  x.launch.grid[0] = 7;
  x.launch.grid[1] = 5;
  x.launch.grid[2] = 3;
  x.launch.block[0] = 64;
  machine_emit(&x, mov_imm(2, (uint32_t)MEM_BASE));
  machine_emit(&x, mov_imm(3, (uint32_t)(MEM_BASE >> 32)));
  machine_emit(&x, mov_imm(4, 1));
  machine_emit(&x, WORD(ISA_ENC_RED_E_ST, ISA_F_RA, 2, ISA_F_RB, 4, ISA_F_OFF24, 0x40));
  machine_emit(&x, exit_word());
  EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
  assert_int_equal(mem32(&x, 0x40), 7 * 5 * 3 * 64);
  machine_free(&x);
}

static void limit_stops(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  machine_emit(&x, mov_imm(0, 1));
  machine_emit(&x, iadd(0, 0, 1)); /* without it no state would be new: tests/cmodel/test_lock.c */
  machine_emit(&x, bra(32, 16));
  EXPECT(&x, HEDDLE_ERROR_LIMIT, machine_run(&x));
  assert_int_equal(x.retired, 1000000);
  machine_free(&x);
}

/* Twelve warps store to one place and read there, in turns: what each has read is the schedule's. */
static const char race[] = TEXT_ADDRESS "S2R R0, SR_TID.X ;\n"
                                        "S2R R1, SR_CTAID.X ;\n"
                                        "IMAD R0, R1, 0x80, R0 ;\n"
                                        "IMAD.WIDE R8, R0, 0x4, R2 ;\n"
                                        "MOV R4, R0 ;\n"
                                        "MOV R6, RZ ;\n"
                                        "MOV R7, 0x4000 ;\n"
                                        "again:\n"
                                        "STG.E [R2], R4 ;\n"
                                        "LDG.E R5, [R2] ;\n"
                                        "IMAD R6, R6, 0x3, R5 ;\n"
                                        "IADD3 R4, R4, 0x8, RZ ;\n"
                                        "IADD3 R7, R7, -0x1, RZ ;\n"
                                        "ISETP.NE.AND P0, PT, R7, RZ, PT ;\n"
                                        "@P0 BRA again ;\n"
                                        "STG.E [R8+0x100], R6 ;\n"
                                        "EXIT ;\n";

enum { RACE_THREADS = 3 * 128, RACE_INSNS = 12 * (9 + 0x4000 * 7 + 2) };

static void start_race(struct machine *x) {
  machine_init(x);
  machine_text(x, race);
  x->launch.grid[0] = 3;
  x->launch.block[0] = RACE_THREADS / 3;
  EXPECT(x, HEDDLE_SUCCESS, machine_start(x));
}

static void pieces_make_no_difference(void **state) {
  (void)state;
  static const uint64_t cycles[] = {1000, 100000, UINT64_MAX};
  struct machine whole;
  start_race(&whole);
  EXPECT(&whole, HEDDLE_SUCCESS, heddle_model_run(whole.model, 0, &whole.retired));
  assert_int_equal(whole.retired, RACE_INSNS);
  for (size_t i = 0; i < sizeof cycles / sizeof *cycles; i++) {
    struct machine x;
    enum heddle_error s = HEDDLE_ERROR_NOT_READY;
    unsigned pieces = 0;
    start_race(&x);
    for (uint64_t passed = 0; s == HEDDLE_ERROR_NOT_READY; pieces++) {
      s = heddle_model_go_on(x.model, 0, cycles[i], &x.retired);
      passed += cycles[i];
      if (s == HEDDLE_ERROR_NOT_READY) assert_in_range(x.retired, passed, passed + HEDDLE_MODEL_AHEAD + 12 * 513);
    }
    EXPECT(&x, HEDDLE_SUCCESS, s);
    assert_int_equal(x.retired, RACE_INSNS);
    assert_true(cycles[i] == UINT64_MAX ? pieces == 1 : pieces > 3);
    for (uint32_t t = 0; t < RACE_THREADS; t++)
      assert_int_equal(mem32(&x, 0x100 + 4 * t), mem32(&whole, 0x100 + 4 * t));
    machine_free(&x);
  }
  machine_free(&whole);
}

/* A limit counts all pieces; a run that was not brought to its end leaves nothing behind. */
static void limit_of_pieces(void **state) {
  (void)state;
  struct machine x;
  enum heddle_error s = HEDDLE_ERROR_NOT_READY;
  start_race(&x);
  while (s == HEDDLE_ERROR_NOT_READY) s = heddle_model_go_on(x.model, 1000000, 1000, &x.retired);
  EXPECT(&x, HEDDLE_ERROR_LIMIT, s);
  assert_int_equal(x.retired, 1000000);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_model_launch(x.model, &x.launch));
  EXPECT(&x, HEDDLE_ERROR_NOT_READY, heddle_model_go_on(x.model, 0, 1, &x.retired));
  assert_non_null(strstr(heddle_model_live(x.model), " warp instructions so far\nblock (0,0,0) warp 0 seq "));
  machine_free(&x);
}

/* A warp that spins on a flag which another one sets: everybody must have a turn. */
static void spinning_is_fair(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  x.launch.block[0] = 64;
  emit_address(&x, 0, 0);
  machine_emit(&x, mov_imm(4, 7));
  machine_emit(&x, isetp(0, ISA_ICMP_GE, 0, 32));
  machine_emit(&x, word_guard(stg(2, 0, 4, ISA_SIZE_32), 0, false));
  const uint32_t loop = machine_emit(&x, ldg(5, 2, 0, ISA_SIZE_32));
  machine_emit(&x, isetp(1, ISA_ICMP_NE, 5, 7));
  const uint32_t at = machine_emit(&x, exit_word());
  machine_patch(&x, at, word_guard(bra(at, loop), 1, false));
  machine_emit(&x, exit_word());
  EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
  machine_free(&x);
}

static void launch_refuses(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  machine_emit(&x, exit_word());
  x.launch.block[0] = 1025;
  EXPECT(&x, HEDDLE_ERROR_INVALID_VALUE, machine_start(&x));
  x.launch.block[0] = 32;
  x.launch.grid[1] = 0;
  EXPECT(&x, HEDDLE_ERROR_INVALID_VALUE, machine_start(&x));
  x.launch.grid[1] = 1;
  x.launch.region[0].limit++;
  EXPECT(&x, HEDDLE_ERROR_INVALID_VALUE, machine_start(&x));
  x.launch.region[0].limit--;
  x.launch.regs = 256;
  EXPECT(&x, HEDDLE_ERROR_INVALID_VALUE, machine_start(&x));
  x.launch.regs = 0;
  EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
  machine_free(&x);
}

/* Blocks and their slots, named barriers and their traps. */

static struct heddle_effect e;

static void issue(struct machine *x, unsigned w, unsigned n) {
  while (n-- > 0) EXPECT(x, HEDDLE_SUCCESS, heddle_warp_issue(x->model, w, &e));
}

static void block_slots(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  x.launch.grid[0] = 2;
  x.launch.block[0] = 40;
  machine_emit(&x, exit_word());
  EXPECT(&x, HEDDLE_SUCCESS, machine_start(&x));
  static const uint32_t zero[3] = {0, 0, 0}, one[3] = {1, 0, 0}, two[3] = {2, 0, 0};
  static const uint8_t low[2] = {0, 1}, same[2] = {4, 4}, high[2] = {7, 2}, far[2] = {7, 200};
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_block_end(x.model, 0));
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_block_start(x.model, 0, two, low, 2));
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_block_start(x.model, 0, zero, low, 1));
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_block_start(x.model, 0, zero, same, 2));
  EXPECT(&x, HEDDLE_ERROR_INVALID_VALUE, heddle_block_start(x.model, 0, zero, far, 2));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_block_start(x.model, 0, zero, low, 2));
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_block_start(x.model, 0, one, high, 2));
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_block_start(x.model, 1, zero, high, 2)); /* twice */
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_block_start(x.model, 1, one, low, 2));   /* warp slots in use */
  EXPECT(&x, HEDDLE_SUCCESS, heddle_block_start(x.model, 1, one, high, 2));
  issue(&x, 2, 1);
  assert_int_equal(e.active, 0xff); /* threads 32 .. 39 */
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_block_end(x.model, 1));
  issue(&x, 7, 1);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_block_end(x.model, 1));
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_warp_issue(x.model, 7, &e));
  issue(&x, 0, 1);
  issue(&x, 1, 1);
  assert_false(heddle_grid_done(x.model));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_block_end(x.model, 0));
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
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_barrier_release(x.model, 0, 6));
  issue(&x, 0, 4);
  assert_int_equal(e.bar_wait, 1);
  assert_int_equal(e.bar_id, 6);
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_warp_issue(x.model, 0, &e));
  issue(&x, 1, 4);
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_barrier_release(x.model, 0, 6));
  issue(&x, 2, 3);
  assert_true(e.warp_ended);
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_barrier_release(x.model, 0, 5));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_barrier_release(x.model, 0, 6));
  assert_false(heddle_warp_waiting(x.model, 0));
  issue(&x, 0, 1);
  issue(&x, 1, 1);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_block_end(x.model, 0));
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
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_barrier_release(x.model, 0, 1));
  issue(&x, 0, 1);
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_warp_issue(x.model, 1, &e)); /* complete, and not released */
  EXPECT(&x, HEDDLE_SUCCESS, heddle_barrier_release(x.model, 0, 1));
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_barrier_release(x.model, 0, 1)); /* empty again */
  issue(&x, 1, 1);
  issue(&x, 2, 1);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_barrier_release(x.model, 0, 1));
  for (unsigned w = 0; w < 4; w++) issue(&x, w, 1);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_block_end(x.model, 0));
  machine_free(&x);
}

static void expect_misuse(struct machine *x, unsigned w, uint32_t pc, uint32_t lanes) {
  EXPECT(x, HEDDLE_ERROR_TRAPPED, heddle_warp_issue(x->model, w, &e));
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
  EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
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
  EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
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
  EXPECT(&x, HEDDLE_ERROR_LIMIT, machine_run(&x));
  assert_non_null(strstr(heddle_model_diag(x.model), "barrier 3"));
  machine_free(&x);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(vector_add),
                                     cmocka_unit_test(many_blocks),
                                     cmocka_unit_test(limit_stops),
                                     cmocka_unit_test(pieces_make_no_difference),
                                     cmocka_unit_test(limit_of_pieces),
                                     cmocka_unit_test(spinning_is_fair),
                                     cmocka_unit_test(launch_refuses),
                                     cmocka_unit_test(block_slots),
                                     cmocka_unit_test(barrier_of_all),
                                     cmocka_unit_test(barrier_with_count),
                                     cmocka_unit_test(barrier_counts_misused),
                                     cmocka_unit_test(barrier_while_diverged),
                                     cmocka_unit_test(barrier_alone),
                                     cmocka_unit_test(barrier_hang)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
