/* SPDX-License-Identifier: Apache-2.0
 *
 * The divergence unit: register targets, loops, nesting, a full stack.
 */
#include "tests/test.h"
#include "tests/cmodel/step.h"

/* ---- register targets ---- */

/* Three targets, and lanes whose guard is false. */
static void brx(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  machine_emit(&x, s2r(0, ISA_SREG_SR_LANEID));
  machine_emit(&x, isetp(0, ISA_ICMP_LT, 0, 24)); /* 0x10 */
  machine_emit(
      &x, WORD(ISA_ENC_LOP3_LUT_RIR, ISA_F_RD, 1, ISA_F_RA, 0, ISA_F_IMM, 3, ISA_F_LUT, 0xc0)); /* 0x20: lane & 3 */
  machine_emit(&x, WORD(ISA_ENC_IMAD_RIR, ISA_F_RD, 4, ISA_F_RA, 1, ISA_F_IMM, 16, ISA_F_RC, ISA_RZ)); /* 0x30 */
  machine_emit(&x, mov_imm(5, 0));                                                                     /* 0x40 */
  const uint32_t pc =
      machine_emit(&x, word_guard(WORD(ISA_ENC_BRX_BRR, ISA_F_RA, 4, ISA_F_OFF32, 0x70), 0, false)); /* 0x50 */
  machine_emit(&x, exit_word());                                                                     /* 0x60 */
  for (unsigned i = 0; i < 4; i++) machine_emit(&x, exit_word());                                    /* 0x70 ... */
  machine_lockstep(&x);
  steps(&x, 5);
  step(&x, pc, ~0u);
  const uint32_t g = 0x00ffffffu, q = 0x11111111u;
  step(&x, 0x70, q & g);
  expect_hash(waiting(0, 0x60, ~g) ^ waiting(1, pc, ~q & g));
  step(&x, pc, ~q & g); /* the same instruction again, with a new sequence number */
  assert_int_equal(e.seq, 7);
  step(&x, 0x80, q << 1 & g);
  step(&x, pc, 0xccccccccu & g);
  step(&x, 0x90, q << 2 & g);
  step(&x, pc, 0x88888888u & g);
  step(&x, 0xa0, q << 3 & g);
  step(&x, 0x60, ~g);
  assert_true(e.warp_ended);
  machine_free(&x);
}

static void brx_bad_targets(void **state) {
  (void)state;
  static const struct {
    uint32_t lo, hi;
    uint64_t sum;
  } bad[] = {{0x18, 0, 0x1c}, {0x100, 0, 0x104}, {0x1c, 1, 0x100000020}, {0xffffffec, 0, 0xfffffff0}};
  for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    struct machine x;
    machine_init(&x);
    machine_emit(&x, s2r(0, ISA_SREG_SR_LANEID));
    machine_emit(&x, isetp(0, ISA_ICMP_EQ, 0, 9));
    machine_emit(&x, mov_imm(6, 0x0c));
    machine_emit(&x, mov_imm(7, 0));
    machine_emit(&x, word_guard(mov_imm(6, bad[i].lo), 0, false));
    machine_emit(&x, word_guard(mov_imm(7, bad[i].hi), 0, false));
    const uint32_t pc =
        machine_emit(&x, WORD(i % 2 != 0 ? ISA_ENC_RET_BRR : ISA_ENC_CALL_ABS_BRR, ISA_F_RA, 6, ISA_F_OFF32, 4));
    machine_lockstep(&x);
    steps(&x, 6);
    step(&x, pc, ~0u); /* has its issue record, found bad once the operands are read */
    assert_true(e.traps);
    expect_trap(&x, HEDDLE_TRAP_BAD_PC, pc, 1u << 9, bad[i].sum);
    assert_int_equal(heddle_model_trap(x.model)->seq, 6);
    EXPECT(&x, HEDDLE_STATE, heddle_warp_issue(x.model, 0, &e));
    machine_free(&x);
  }
}

/* Sum of pair and offset is one of 64 bits: a negative offset carries into the high word. */
static void brx_negative_offset(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  machine_emit(&x, mov_imm(4, 0x30));
  machine_emit(&x, mov_imm(5, 0));
  machine_emit(&x, WORD(ISA_ENC_BRX_BRR, ISA_F_RA, 4, ISA_F_OFF32, (uint32_t)-0x20));
  machine_lockstep(&x);
  steps(&x, 3);
  step(&x, 0x10, ~0u);
  machine_free(&x);
}

/* ---- loops, full stack ---- */

/* Lane i leaves after i + 1 rounds through a BREAK; all meet behind the BSYNC. */
static void loop_with_break(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  machine_emit(&x, s2r(0, ISA_SREG_SR_LANEID));
  machine_emit(&x, mov_imm(1, 0));
  machine_emit(&x, bssy(5));
  const uint32_t loop = machine_emit(&x, iadd(1, 1, 1));
  machine_emit(&x, WORD(ISA_ENC_ISETP_PRR, ISA_F_PD0, 0, ISA_F_ICMP, ISA_ICMP_GT, ISA_F_RA, 1, ISA_F_RB, 0));
  const uint32_t branch = machine_emit(&x, word_guard(bra(at(&x), loop), 0, true));
  assert_int_equal(branch, 0x50);
  machine_emit(&x, bsync(5));
  machine_emit(&x, exit_word());
  machine_lockstep(&x);
  uint32_t last = 0;
  while (e.pc != 0x70 || last == 0) {
    steps(&x, 1);
    last = e.active;
  }
  assert_int_equal(last, ~0u);
  for (unsigned i = 0; i < 32; i++) assert_int_equal(heddle_reg(x.model, 0, 1, i), i + 1);
  machine_free(&x);
}

/* 31 paths wait, the last lane is alone at a BSYNC that releases it at once. */
static void full_stack(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  machine_emit(&x, s2r(0, ISA_SREG_SR_LANEID));
  for (unsigned i = 0; i < 31; i++) {
    machine_emit(&x, isetp(0, ISA_ICMP_GT, 0, i));
    machine_emit(&x, word_guard(bra(at(&x), at(&x) + 32), 0, false));
    machine_emit(&x, exit_word()); /* lane i waits here */
  }
  machine_emit(&x, bssy(15));
  const uint32_t sync = machine_emit(&x, bsync(15));
  machine_emit(&x, exit_word());
  machine_lockstep(&x);
  steps(&x, 1 + 62 + 1);
  step(&x, sync, 0x80000000u);
  step(&x, sync + 16, 0x80000000u);
  for (unsigned i = 31; i > 0; i--) step(&x, 0x30 * i, 1u << (i - 1));
  assert_true(e.warp_ended);
  machine_free(&x);
}

static void nested(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  emit_lane_below(&x, 0, 16);
  machine_emit(&x, isetp(1, ISA_ICMP_LT, 0, 8));
  machine_emit(&x, bssy(0));                               /* 0x30 */
  machine_emit(&x, word_guard(bra(0x40, 0x80), 0, true));  /* 0x40: lanes 16.. to the join */
  machine_emit(&x, bssy(1));                               /* 0x50 */
  machine_emit(&x, word_guard(bra(0x60, 0x70), 1, false)); /* 0x60 */
  machine_emit(&x, bsync(1));                              /* 0x70 */
  machine_emit(&x, bsync(0));                              /* 0x80 */
  machine_emit(&x, exit_word());                           /* 0x90 */
  machine_lockstep(&x);
  steps(&x, 5);
  step(&x, 0x80, 0xffff0000u);
  step(&x, 0x50, 0xffff);
  step(&x, 0x60, 0xffff);
  step(&x, 0x70, 0xff);
  step(&x, 0x70, 0xff00);
  expect_hash(member(0, ~0u) ^ parked(0, 0x80, 0xffff0000u) ^ member(1, 0xffff) ^ parked(1, 0x70, 0xff));
  step(&x, 0x80, 0xffff);
  step(&x, 0x90, ~0u);
  machine_free(&x);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(brx),
      cmocka_unit_test(brx_bad_targets),
      cmocka_unit_test(brx_negative_offset),
      cmocka_unit_test(loop_with_break),
      cmocka_unit_test(full_stack),
      cmocka_unit_test(nested),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
