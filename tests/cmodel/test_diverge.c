/* SPDX-License-Identifier: Apache-2.0
 *
 * The divergence unit: BRA, BSSY, BSYNC, BREAK, EXIT of the table in
 * isa/doc/03-divergence.md, their traps and the hash, on small programs.
 */
#include "tests/cmodel/step.h"
#include "tests/test.h"

/* ---- BRA, BSSY, BSYNC ---- */

/* if (lane < 8) R1 = 1; else R1 = 2; both sides meet. */
static void if_else(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  emit_lane_below(&x, 0, 8);
  machine_emit(&x, bssy(3));                               /* 0x20 */
  machine_emit(&x, word_guard(bra(0x30, 0x60), 0, false)); /* 0x30 */
  machine_emit(&x, mov_imm(1, 2));                         /* 0x40 */
  machine_emit(&x, bra(0x50, 0x70));                       /* 0x50 */
  machine_emit(&x, mov_imm(1, 1));                         /* 0x60 */
  machine_emit(&x, bsync(3));                              /* 0x70 */
  machine_emit(&x, exit_word());                           /* 0x80 */
  machine_lockstep(&x);
  step(&x, 0x00, ~0u);
  expect_hash(0);
  step(&x, 0x10, ~0u);
  step(&x, 0x20, ~0u);
  expect_hash(0);
  step(&x, 0x30, ~0u);
  expect_hash(member(3, ~0u));
  assert_int_equal(e.exec, 0xff);
  step(&x, 0x60, 0xff); /* the taken path first */
  expect_hash(member(3, ~0u) ^ waiting(0, 0x40, 0xffffff00u));
  step(&x, 0x70, 0xff);
  step(&x, 0x40, 0xffffff00u);
  expect_hash(member(3, ~0u) ^ parked(3, 0x70, 0xff));
  step(&x, 0x50, 0xffffff00u);
  step(&x, 0x70, 0xffffff00u);
  step(&x, 0x80, ~0u);
  expect_hash(0);
  assert_true(e.warp_ended);
  assert_int_equal(heddle_reg(x.model, 0, 1, 7), 1);
  assert_int_equal(heddle_reg(x.model, 0, 1, 8), 2);
  machine_free(&x);
}

static void bra_uniform(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  emit_lane_below(&x, 0, 32);
  machine_emit(&x, word_guard(bra(0x20, 0x00), 0, true));  /* nobody: next */
  machine_emit(&x, word_guard(bra(0x30, 0x50), 0, false)); /* everybody: jump, nothing pushed */
  machine_emit(&x, exit_word());
  machine_emit(&x, WORD(ISA_ENC_CALL_REL_BR, ISA_F_REL, (uint32_t)(0x70 - 0x60)));
  machine_emit(&x, exit_word());
  machine_emit(&x, bra(0x70, 0x4000)); /* outside: traps only when the warp would issue there */
  machine_lockstep(&x);
  steps(&x, 2);
  step(&x, 0x20, ~0u);
  assert_int_equal(e.exec, 0);
  step(&x, 0x30, ~0u);
  step(&x, 0x50, ~0u);
  expect_hash(0);
  step(&x, 0x70, ~0u);
  precise(&x, HEDDLE_TRAP_BAD_PC, 0x4000, ~0u, 0x4000);
  machine_free(&x);
}

/* BSYNC under a guard: the lanes that it does not hold run on first. */
static void bsync_guarded(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  emit_lane_below(&x, 0, 4);
  machine_emit(&x, word_guard(bsync(1), 7, true));  /* 0x20: nobody, nothing */
  machine_emit(&x, bssy(1));                        /* 0x30 */
  machine_emit(&x, word_guard(bsync(1), 0, false)); /* 0x40 */
  machine_emit(&x, word_guard(brk(1), 0, true));    /* 0x50: the others leave; the release pushes */
  machine_emit(&x, mov_imm(1, 9));                  /* 0x60 */
  machine_emit(&x, exit_word());                    /* 0x70 */
  machine_lockstep(&x);
  steps(&x, 4);
  step(&x, 0x40, ~0u);
  step(&x, 0x50, 0xfffffff0u);
  expect_hash(member(1, ~0u) ^ parked(1, 0x40, 0xf));
  step(&x, 0x60, 0xfffffff0u); /* goes on; the released path waits */
  expect_hash(waiting(0, 0x50, 0xf));
  step(&x, 0x70, 0xfffffff0u);
  step(&x, 0x50, 0xf);
  assert_int_equal(e.exec, 0);
  expect_hash(exited(0xfffffff0u));
  steps(&x, 2);
  assert_true(e.warp_ended);
  machine_free(&x);
}

static void bsync_misuse(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  emit_lane_below(&x, 0, 5);
  machine_emit(&x, word_guard(bssy(2), 0, false));
  machine_emit(&x, bsync(2)); /* 0x30: lanes 5.. are not members */
  machine_emit(&x, exit_word());
  machine_lockstep(&x);
  steps(&x, 3);
  precise(&x, HEDDLE_TRAP_DIVERGENCE, 0x30, ~0u << 5, 0);
  machine_free(&x);

  machine_init(&x);
  emit_lane_below(&x, 0, 5);
  machine_emit(&x, bssy(2));
  machine_emit(&x, word_guard(bsync(2), 0, false)); /* 0x30 */
  machine_emit(&x, bsync(2));                       /* 0x40: another PC */
  machine_emit(&x, exit_word());
  machine_lockstep(&x);
  steps(&x, 4);
  precise(&x, HEDDLE_TRAP_DIVERGENCE, 0x40, ~0u << 5, 0);
  assert_int_equal(heddle_model_trap(x.model)->seq, 4);
  machine_free(&x);
}

/* ---- EXIT ---- */

/* The last lanes that others wait for exit: those are released. */
static void exit_releases(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  emit_lane_below(&x, 0, 16);
  machine_emit(&x, bssy(0));                               /* 0x20 */
  machine_emit(&x, word_guard(bra(0x30, 0x50), 0, false)); /* 0x30 */
  machine_emit(&x, exit_word());                           /* 0x40: the others */
  machine_emit(&x, bsync(0));                              /* 0x50 */
  machine_emit(&x, exit_word());                           /* 0x60 */
  machine_lockstep(&x);
  steps(&x, 4);
  step(&x, 0x50, 0xffff);
  step(&x, 0x40, 0xffff0000u);
  step(&x, 0x60, 0xffff);
  expect_hash(exited(0xffff0000u) ^ member(0, 0xffff0000u)); /* exited members stay members */
  assert_true(e.warp_ended);
  machine_free(&x);
}

/* Two barriers are released by one EXIT: ascending, so the higher one runs first. */
static void exit_releases_two(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  emit_lane_below(&x, 0, 8);
  machine_emit(&x, isetp(1, ISA_ICMP_LT, 0, 16));
  machine_emit(&x, bssy(4));                               /* 0x30 */
  machine_emit(&x, bssy(9));                               /* 0x40 */
  machine_emit(&x, word_guard(bra(0x50, 0x80), 0, false)); /* 0x50: lanes 0-7 */
  machine_emit(&x, word_guard(bra(0x60, 0xa0), 1, false)); /* 0x60: lanes 8-15 */
  machine_emit(&x, exit_word());                           /* 0x70: lanes 16-31 */
  machine_emit(&x, brk(9));                                /* 0x80 */
  machine_emit(&x, bsync(4));                              /* 0x90 */
  machine_emit(&x, brk(4));                                /* 0xa0 */
  machine_emit(&x, bsync(9));                              /* 0xb0 */
  machine_emit(&x, exit_word());                           /* 0xc0 */
  machine_lockstep(&x);
  steps(&x, 6);
  step(&x, 0x80, 0xff);
  step(&x, 0x90, 0xff);
  step(&x, 0x60, 0xffffff00u);
  step(&x, 0xa0, 0xff00);
  step(&x, 0xb0, 0xff00);
  step(&x, 0x70, 0xffff0000u);
  step(&x, 0xc0, 0xff00);
  expect_hash(waiting(0, 0xa0, 0xff) ^ member(4, 0xffff0000u) ^ member(9, 0xffff0000u) ^ exited(0xffff0000u));
  step(&x, 0xa0, 0xff);
  machine_free(&x);
}

static void exit_guarded(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  x.launch.block[0] = 20;
  emit_lane_below(&x, 0, 3);
  machine_emit(&x, word_guard(exit_word(), 0, false)); /* 0x20 */
  machine_emit(&x, word_guard(exit_word(), 7, true));  /* 0x30: nobody */
  machine_emit(&x, exit_word());
  machine_lockstep(&x);
  step(&x, 0x00, 0xfffff);
  expect_hash(exited(0xfff00000u));
  steps(&x, 1);
  step(&x, 0x20, 0xfffff);
  step(&x, 0x30, 0xffff8);
  assert_false(e.warp_ended);
  step(&x, 0x40, 0xffff8);
  assert_true(e.warp_ended);
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_warp_issue(x.model, 0, &e));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_block_end(x.model, 0));
  machine_free(&x);
}

/* Members that never arrive and are nowhere else. */
static void deadlock(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  emit_lane_below(&x, 0, 6);
  machine_emit(&x, bssy(0));
  machine_emit(&x, bssy(1));
  machine_emit(&x, word_guard(bra(0x40, 0x60), 0, false)); /* 0x40 */
  machine_emit(&x, bsync(0));                              /* 0x50 */
  machine_emit(&x, bsync(1));                              /* 0x60 */
  machine_lockstep(&x);
  steps(&x, 5);
  step(&x, 0x60, 0x3f);
  assert_false(e.traps);
  step(&x, 0x50, ~0x3fu); /* takes effect, has its issue record, and is the end */
  assert_true(e.traps);
  expect_trap(&x, HEDDLE_TRAP_DEADLOCK, 0x50, ~0u, 0);
  assert_int_equal(heddle_model_trap(x.model)->seq, 6);
  machine_free(&x);
}

/* The divergence unit: register targets, loops, nesting, a full stack. */

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
    EXPECT(&x, HEDDLE_ERROR_STATE, heddle_warp_issue(x.model, 0, &e));
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(if_else),
                                     cmocka_unit_test(bra_uniform),
                                     cmocka_unit_test(bsync_guarded),
                                     cmocka_unit_test(bsync_misuse),
                                     cmocka_unit_test(exit_releases),
                                     cmocka_unit_test(exit_releases_two),
                                     cmocka_unit_test(exit_guarded),
                                     cmocka_unit_test(deadlock),
                                     cmocka_unit_test(brx),
                                     cmocka_unit_test(brx_bad_targets),
                                     cmocka_unit_test(brx_negative_offset),
                                     cmocka_unit_test(loop_with_break),
                                     cmocka_unit_test(full_stack),
                                     cmocka_unit_test(nested)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
