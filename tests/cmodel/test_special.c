/* SPDX-License-Identifier: Apache-2.0
 *
 * Special registers: places, counts, clocks; operands of several words and
 * their signs; instructions that want the whole warp; words of a unit that the
 * machine does not have.
 */
#include <stdio.h>

#include "tests/cmodel/machine.h"
#include "tests/test.h"
#include "tests/cmodel/step.h"

static void lanes(struct machine *x, unsigned slot, unsigned reg, uint32_t want) {
  for (unsigned i = 0; i < 32; i++)
    if (heddle_reg(x->model, slot, reg, i) != want)
      fail_msg("R%u lane %u is 0x%08x, want 0x%08x", reg, i, heddle_reg(x->model, slot, reg, i), want);
}

static void places(void **state) {
  (void)state;
  static const uint32_t block[3] = {1, 0, 2};
  static const uint8_t slot[2] = {5, 3};
  const struct heddle_model_config c = {.size = sizeof c, .warp_slots = 12, .block_slots = 2, .sm = 3, .sms = 7};
  struct machine x;
  machine_init(&x);
  heddle_model_free(x.model);
  x.model = heddle_model_new(&c);
  x.launch.regions = 0;
  x.launch.block[0] = 64;
  x.launch.grid[0] = x.launch.grid[1] = x.launch.grid[2] = 3;
  machine_text(&x, "S2R R1, SR_WARPID ;\nS2R R2, SR_SMID ;\nS2R R3, SR_NWARPID ;\nS2R R4, SR_NSMID ;\nS2R R5, SRZ ;\n"
                   "S2UR UR1, SR_WARPID ;\nS2UR UR2, SR_SMID ;\nS2UR UR3, SR_NWARPID ;\nS2UR UR4, SR_NSMID ;\n"
                   "S2UR UR5, SR_CTAID.X ;\nS2UR UR6, SR_CTAID.Y ;\nS2UR UR7, SR_CTAID.Z ;\nS2UR UR8, SRZ ;\n");
  EXPECT(&x, HEDDLE_SUCCESS, machine_start(&x));
  EXPECT(&x, HEDDLE_SUCCESS, heddle_block_start(x.model, 1, block, slot, 2));
  for (unsigned k = 0; k < 2; k++) {
    const uint32_t want[9] = {0, slot[k], 3, 12, 7, 1, 0, 2, 0};
    for (unsigned n = 0; n < 13; n++) EXPECT(&x, HEDDLE_SUCCESS, heddle_warp_issue(x.model, slot[k], &e));
    for (unsigned r = 1; r < 9; r++) {
      if (r < 5) lanes(&x, slot[k], r, want[r]);
      assert_int_equal(heddle_ureg(x.model, slot[k], r), want[r]);
    }
    lanes(&x, slot[k], 5, 0);
  }
  machine_free(&x);
}

/* The model alone: how many instructions the warp has issued before. Skipped lanes count, false guards too. */
static void clock_counts_issues(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  machine_text(&x, TEXT_ADDRESS "S2R R4, SR_CLOCKLO ;\n" /* 2 */
                                "@!PT CS2R R6, SR_CLOCKLO ;\n"
                                "CS2R R6, SR_CLOCKLO ;\n" /* 4 */
                                "S2UR UR5, SR_CLOCKLO ;\n"
                                "MOV R5, UR5 ;\n" /* 5 */
                                "S2R R8, SR_CLOCKHI ;\n"
                                "CS2R R10, SRZ ;\n"
                                "MOV R9, R10 ;\n"
                                "STG.E.128 [R2], R4 ;\n"
                                "STG.E.128 [R2+0x10], R8 ;\n"
                                "EXIT ;\n");
  EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
  const uint32_t want[8] = {2, 5, 4, 0, 0, 0, 0, 0};
  for (unsigned i = 0; i < 8; i++) assert_int_equal(mem32(&x, 4 * i), want[i]);
  machine_free(&x);
}

/* Lockstep: what the implementation says, from then on. */
static void clock_is_told(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  machine_text(&x, "S2R R1, SR_CLOCKLO ;\nCS2R R2, SR_CLOCKLO ;\nS2UR UR1, SR_CLOCKHI ;\n");
  machine_lockstep(&x);
  steps(&x, 1);
  lanes(&x, 0, 1, 0);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_warp_clock(x.model, 0, UINT64_C(0x1234567890)));
  steps(&x, 1);
  assert_int_equal(e.rd_words, 2);
  assert_int_equal(e.rd_value[0][9], 0x34567890);
  assert_int_equal(e.rd_value[1][9], 0x12);
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_warp_clock(x.model, 0, UINT64_C(0x123456788f)));
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_warp_clock(x.model, 1, 0));
  steps(&x, 1);
  assert_int_equal(heddle_ureg(x.model, 0, 1), 0x12);
  machine_free(&x);
}

/* FP64 numbers, pairs of binary16, several immediates. */
static void operands(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  x.bank[0x168] = 0x78; /* 0x3ff0000000000078: 1 + 0x78 * 2^-52 */
  x.bank[0x16e] = 0xf0;
  x.bank[0x16f] = 0x3f;
  machine_text(&x, "DADD R4, -RZ, 2 ;\n"
                   "DADD R6, R4, -c[0x0][0x168] ;\n"
                   "DADD R8, R6, -|R4| ;\n"
                   "DADD R18, |R8|, -RZ ;\n"
                   "MOV R10, 0xc0003c00 ;\n"   /* -2, 1 */
                   "HADD2 R11, -R10, -RZ ;\n"  /* 2, -1 */
                   "HADD2 R12, |R10|, -RZ ;\n" /* 2, 1 */
                   "HADD2 R13, -|R10|.H0_H0, -RZ ;\n"
                   "I2F.F64.U64 R14, 0x80000001 ;\n" /* a 64-bit integer: the low word */
                   "F2I.S32.F64 R16, 0x40590000 ;\n" /* a 64-bit number: the upper word, 100.0 */
                   "S2R R0, SR_LANEID ;\n"
                   "SHFL.BFLY PT, R17, R0, 0x5, 0x1f ;\n");
  machine_lockstep(&x);
  steps(&x, 12);
  lanes(&x, 0, 4, 0);
  lanes(&x, 0, 5, 0x40000000);
  lanes(&x, 0, 6, 0xffffff10u); /* 1 - 0x78 * 2^-52 = (2^53 - 0xf0) * 2^-53 */
  lanes(&x, 0, 7, 0x3fefffffu);
  lanes(&x, 0, 8, 0x00000078); /* -(1 + 0x78 * 2^-52) */
  lanes(&x, 0, 9, 0xbff00000u);
  lanes(&x, 0, 18, 0x00000078);
  lanes(&x, 0, 19, 0x3ff00000);
  lanes(&x, 0, 11, 0x4000bc00);
  lanes(&x, 0, 12, 0x40003c00);
  lanes(&x, 0, 13, 0xbc00bc00u);
  lanes(&x, 0, 14, 0x00200000);
  lanes(&x, 0, 15, 0x41e00000);
  lanes(&x, 0, 16, 100);
  for (unsigned i = 0; i < 32; i++) assert_int_equal(heddle_reg(x.model, 0, 17, i), i ^ 5);
  machine_free(&x);
}

/* The last word of the pair lies outside the bank. */
static void wide_constant_range(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  x.launch.cbank_bytes[0] = 0x174;
  machine_text(&x, "DADD R4, -RZ, c[0x0][0x168] ;\n@!PT DADD R4, -RZ, c[0x0][0x170] ;\n");
  machine_lockstep(&x);
  steps(&x, 1);
  precise(&x, HEDDLE_TRAP_CONST_RANGE, 0x10, ~0u, 0x170);
  machine_free(&x);
}

/* Matrices: all 32 lanes or none; lanes that have exited do not execute. */
static void whole_warp(void **state) {
  (void)state;
  static const char *const insn[2] = {"LDSM.16.M88.1 R4, [RZ] ;\n", "IMMA.16816.S8.S8 R8, R8, R12, R16 ;\n"};
  for (unsigned n = 0; n < 4; n++) {
    char text[512];
    struct machine x;
    machine_init(&x);
    x.launch.shared_bytes = 64;
    x.launch.block[0] = n % 2 == 0 ? 32 : 20;
    (void)snprintf(text, sizeof text, TEXT_LANES_BELOW(0x1e) "@!PT %s@P0 %s", insn[n / 2], insn[n / 2]);
    machine_text(&x, text);
    EXPECT(&x, HEDDLE_ERROR_TRAPPED, machine_run(&x)); /* before its sources are looked at */
    expect_trap(&x, HEDDLE_TRAP_DIVERGENCE, 0x30, n % 2 == 0 ? 0xc0000000u : 0xfff00000u, 0);
    machine_lockstep(&x);
    steps(&x, 3);
    assert_int_equal(e.exec, 0);
    precise(&x, HEDDLE_TRAP_DIVERGENCE, 0x30, n % 2 == 0 ? 0xc0000000u : 0xfff00000u, 0);
    assert_int_equal(e.exec, 0);
    machine_free(&x);
  }
}

/* A machine without unit uni has no uniform registers and predicates either, whoever names them. */
static void without_uniform(void **state) {
  (void)state;
  static const char *const text[] = {"UMOV UR1, 0x1 ;\n", "MOV R1, UR1 ;\n", "UP2P P0, UP1 ;\n", "R2UR UR1, R1 ;\n",
                                     "VOTEU.ANY UP0, PT ;\n"};
  for (unsigned n = 0; n < sizeof text / sizeof text[0]; n++) {
    struct machine x;
    machine_init(&x);
    x.launch.units = ~(1u << ISA_UNIT_UNI);
    machine_text(&x, text[n]);
    EXPECT(&x, HEDDLE_ERROR_TRAPPED, machine_run(&x));
    expect_trap(&x, HEDDLE_TRAP_ILLEGAL, 0, ~0u, 0);
    machine_free(&x);
  }
}

static void local_size(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  machine_text(&x, "EXIT ;\n");
  x.launch.local_bytes = 24;
  EXPECT(&x, HEDDLE_ERROR_INVALID_VALUE, machine_start(&x));
  x.launch.local_bytes = (512u << 10) + 16;
  EXPECT(&x, HEDDLE_ERROR_INVALID_VALUE, machine_start(&x));
  x.launch.local_bytes = 512u << 10;
  EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
  machine_free(&x);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(places),          cmocka_unit_test(clock_counts_issues), cmocka_unit_test(clock_is_told),
      cmocka_unit_test(operands),        cmocka_unit_test(wide_constant_range), cmocka_unit_test(whole_warp),
      cmocka_unit_test(without_uniform), cmocka_unit_test(local_size),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
