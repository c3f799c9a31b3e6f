/* SPDX-License-Identifier: Apache-2.0
 *
 * The uniform datapath: its registers, predicates and guards, uniform operands
 * of ordinary instructions, uniform results of lanes, and what is undefined.
 */
#include <string.h>

#include <heddle/isa_tables.h>
#include "tests/cmodel/machine.h"
#include "tests/test.h"
#include "tests/cmodel/step.h"

static void begin(struct machine *x, const char *text) {
  machine_init(x);
  for (unsigned i = 0; i < sizeof x->bank; i++) x->bank[i] = (uint8_t)i;
  machine_text(x, text);
  machine_lockstep(x);
}

static void ureg(struct machine *x, unsigned r, uint32_t want) {
  const uint32_t got = heddle_ureg(x->model, 0, r);
  if (got != want) fail_msg("UR%u is 0x%08x, want 0x%08x", r, got, want);
}

static void lanes(struct machine *x, unsigned reg, uint32_t mask, uint32_t want) {
  for (unsigned i = 0; i < 32; i++)
    if ((mask >> i & 1) != 0 && heddle_reg(x->model, 0, reg, i) != want)
      fail_msg("R%u lane %u is 0x%08x, want 0x%08x", reg, i, heddle_reg(x->model, 0, reg, i), want);
}

static void arithmetic(void **state) {
  (void)state;
  struct machine x;
  begin(&x, "UMOV UR4, 0x7fffffff ;\n"
            "UMOV UR5, 0xfffffffe ;\n"
            "UIADD3 UR6, UP0, UPT, UR4, UR5, 0x5 ;\n"       /* 0x80000002, carry */
            "UIADD3.X UR7, UR4, ~UR5, URZ, UP0, !UPT ;\n"   /* 0x80000001 */
            "UIMAD.WIDE.U32 UR8, UR5, 0x2, URZ ;\n"         /* 0x1fffffffc */
            "ULOP3.LUT UR10, UR4, 0xff00, URZ, 0xc0 ;\n"    /* 0xff00 */
            "UISETP.GT.U32.AND UP1, UP2, UR5, UR4, UPT ;\n" /* true, false */
            "USEL UR11, UR4, 0x3, !UP1 ;\n"                 /* 3 */
            "USHF.L.U32 UR12, UR11, 0x4, URZ ;\n"           /* 0x30 */
            "UPOPC UR13, UR4 ;\n"                           /* 31 */
            "UMOV UR62, UR13 ;\n"
            "UMOV URZ, UR13 ;\n");
  steps(&x, 3);
  assert_int_equal(e.exec, ~0u);
  assert_int_equal(e.rd_words, 1);
  assert_true(e.rd_uniform);
  assert_int_equal(e.pd_written, 1);
  assert_int_equal(e.pd_value[0], ~0u);
  for (unsigned i = 0; i < 32; i++) {
    assert_int_equal(e.rd_value[0][i], 0x80000002u);
    assert_int_equal(e.src[0][0][i], 0x7fffffff);
  }
  steps(&x, 8);
  ureg(&x, 7, 0x80000001u);
  ureg(&x, 8, 0xfffffffcu);
  ureg(&x, 9, 1);
  ureg(&x, 10, 0xff00);
  assert_true(heddle_upred(x.model, 0, 1));
  assert_false(heddle_upred(x.model, 0, 2));
  ureg(&x, 11, 3);
  ureg(&x, 12, 0x30);
  ureg(&x, 62, 31);
  steps(&x, 1);
  assert_int_equal(e.rd_words, 0); /* URZ */
  machine_free(&x);
}

/* Whatever the active mask is; a false guard writes nothing. */
static void guards(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x3) "@P0 BRA 0x50 ;\n"                              /* 0x20 */
                                  "NOP ;\nNOP ;\n"                                /* 0x30: lanes 3 and up, later */
                                  "UISETP.EQ.U32.AND UP3, UPT, URZ, 0x0, UPT ;\n" /* 0x50: lanes 0 to 2 */
                                  "UMOV UR1, 0x11 ;\n"
                                  "@UP3 UMOV UR1, 0x22 ;\n"
                                  "@!UP3 UMOV UR1, 0x33 ;\n" /* 0x80 */
                                  "@!UPT UISETP.NE.U32.AND UP3, UPT, URZ, 0x0, UPT ;\n"
                                  "EXIT ;\n"); /* 0xa0 */
  x.n = 0;
  steps(&x, 3);
  for (unsigned i = 0; i < 3; i++) {
    step(&x, 0x50 + 16 * i, 7);
    assert_int_equal(e.exec, ~0u);
  }
  ureg(&x, 1, 0x22);
  step(&x, 0x80, 7);
  assert_int_equal(e.exec, 0);
  assert_int_equal(e.rd_words, 0);
  step(&x, 0x90, 7);
  assert_int_equal(e.pd_written, 0);
  ureg(&x, 1, 0x22);
  assert_true(heddle_upred(x.model, 0, 3));
  step(&x, 0xa0, 7);
  step(&x, 0x30, ~7u); /* what one path wrote, the next one sees */
  ureg(&x, 1, 0x22);
  machine_free(&x);
}

/* One value for every lane, plain and negated, pairs too. */
static void operands(void **state) {
  (void)state;
  struct machine x;
  begin(&x, "S2R R0, SR_LANEID ;\n"
            "UMOV UR4, 0x64 ;\n"
            "UMOV UR2, 0x0 ;\n"
            "UMOV UR3, 0x40080000 ;\n"   /* UR2:UR3 = 3.0 */
            "IADD3 R1, R0, UR4, RZ ;\n"  /* lane + 100 */
            "IADD3 R2, R0, -UR4, R0 ;\n" /* 2 lane - 100 */
            "MOV R3, UR4 ;\n"
            "DADD R4, -RZ, -UR2 ;\n" /* -0 - 3.0 */
            "IADD3 R6, R0, R0, UR4 ;\n"
            "IADD3 R7, R0, URZ, RZ ;\n"
            "UISETP.LT.U32.AND UP0, UP1, UR4, 0x5, UPT ;\n" /* false, true */
            "ISETP.LT.U32.AND P0, PT, R0, 0x10, PT ;\n"
            "@P0 UP2P P1, !UP0 ;\n"
            "@P0 UP2P P2, UP0 ;\n");
  steps(&x, 12);
  for (unsigned i = 0; i < 32; i++) {
    lanes(&x, 1, 1u << i, i + 100);
    lanes(&x, 2, 1u << i, 2 * i - 100);
    lanes(&x, 6, 1u << i, 2 * i + 100);
    lanes(&x, 7, 1u << i, i);
  }
  lanes(&x, 3, ~0u, 100);
  lanes(&x, 4, ~0u, 0);
  lanes(&x, 5, ~0u, 0xc0080000u);
  steps(&x, 1);
  assert_int_equal(e.exec, 0xffff);
  assert_int_equal(e.pd_value[0], 0xffff);
  assert_int_equal(e.ps[0], ~0u);
  steps(&x, 1);
  assert_int_equal(e.pd_written, 1);
  assert_int_equal(e.pd_value[0], 0);
  EXPECT(&x, HEDDLE_ERROR_TRAPPED, heddle_warp_issue(x.model, 0, &e)); /* the end of the code */
  machine_free(&x);
}

/* REDUX, R2UR, VOTEU: a uniform result of the executing lanes; of none, nothing. */
static void results_of_lanes(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "MOV R1, R0 ;\n"
                                  "ISETP.GE.U32.AND P1, P2, R0, 0x4, PT ;\n"
                                  "PLOP3.LUT P3, P4, P0, P1, PT, 0x80, 0x7f ;\n" /* P3: lanes 4 to 7 */
                                  "@P3 R2UR UR1, R0 ;\n"
                                  "@P3 REDUX.SUM UR2, R0 ;\n"
                                  "@P3 REDUX.MAX.U32 UR3, R0 ;\n"
                                  "@P0 VOTEU.ALL UR4, UP0, P1 ;\n"
                                  "@P0 VOTEU.ANY UR5, UP1, P1 ;\n"
                                  "UMOV UR6, 0x77 ;\n"
                                  "@!PT R2UR UR6, R0 ;\n"
                                  "@!PT VOTEU.ALL UR6, UP1, PT ;\n"
                                  "IADD3 R2, R0, UR2, RZ ;\n"); /* defined in all lanes */
  steps(&x, 6);
  assert_int_equal(e.exec, 0xf0);
  assert_true(e.rd_uniform);
  for (unsigned i = 0; i < 32; i++) assert_int_equal(e.rd_value[0][i], 4);
  steps(&x, 3);
  assert_int_equal(e.pd_value[0], 0);
  steps(&x, 1);
  assert_int_equal(e.pd_value[0], ~0u);
  ureg(&x, 1, 4);
  ureg(&x, 2, 4 + 5 + 6 + 7);
  ureg(&x, 3, 7);
  ureg(&x, 4, 0xf0);
  ureg(&x, 5, 0xf0);
  steps(&x, 3);
  assert_int_equal(e.rd_words, 0);
  assert_int_equal(e.pd_written, 0);
  ureg(&x, 6, 0x77);
  assert_false(heddle_upred(x.model, 0, 0));
  assert_true(heddle_upred(x.model, 0, 1));
  steps(&x, 1);
  lanes(&x, 2, 1u << 31, 31 + 22);
  machine_free(&x);
}

/* All seven predicates at once. */
static void predicates(void **state) {
  (void)state;
  struct machine x;
  begin(&x, "S2R R0, SR_LANEID ;\n"
            "R2P PR, R0, 0x1f ;\n" /* P0 to P4: the bits of the lane number */
            "MOV R9, 0x64 ;\n"
            "P2R R1, PR, R9, 0x1b ;\n" /* not P2; P5, P6 are undefined and not asked for */
            "UMOV UR1, 0x5 ;\n"
            "UR2UP UPR, UR1, 0x7f ;\n"
            "UP2UR UR2, UPR, URZ, 0x7f ;\n"
            "UR2UP UPR, URZ, 0x1 ;\n"
            "UP2UR UR3, UPR, UR2, 0x3 ;\n"
            "P2R R2, PR, RZ, 0x20 ;\nLDS R2, [R2] ;\n"); /* P5 was never written */
  steps(&x, 2);
  assert_int_equal(e.preds_written, 0x1f);
  assert_int_equal(e.preds_lanes[4], ~0u);
  assert_int_equal(e.preds_value[4], 0xffff0000u);
  assert_int_equal(e.preds_value[0], 0xaaaaaaaau);
  steps(&x, 2);
  for (unsigned i = 0; i < 32; i++) lanes(&x, 1, 1u << i, 0x64 | (i & 0x1b));
  steps(&x, 2);
  assert_int_equal(e.preds_written, 0x7f);
  assert_int_equal(e.preds_value[2], ~0u);
  assert_true(heddle_upred(x.model, 0, 0));
  assert_false(heddle_upred(x.model, 0, 1));
  assert_true(heddle_upred(x.model, 0, 2));
  assert_false(heddle_pred(x.model, 0, 0, 0)); /* not P0 */
  steps(&x, 3);
  ureg(&x, 2, 5);
  ureg(&x, 3, 4);
  steps(&x, 1);
  assert_int_equal(e.rd_bits[0][0], 0x20);
  EXPECT(&x, HEDDLE_ERROR_UNDEFINED, heddle_warp_issue(x.model, 0, &e));
  assert_non_null(strstr(heddle_model_diag(x.model), "R2 (operand a) in lanes 0xffffffff"));
  assert_non_null(strstr(heddle_model_diag(x.model), "P5 was never written"));
  machine_free(&x);
}

/* Only in the lanes that execute. */
static void predicates_of_some_lanes(void **state) {
  (void)state;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x10) "MOV R1, 0x2 ;\n"
                                   "@P0 R2P PR, R1, 0x6 ;\n"
                                   "@!P0 R2P PR, RZ, 0x2 ;\n"
                                   "P2R R2, PR, RZ, 0x2 ;\n"
                                   "P2R R3, PR, RZ, R1 ;\n" /* b is no immediate: it names P1 */
                                   "MOV R1, 0x4 ;\nP2R R3, PR, RZ, R1 ;\nLDS R3, [R3] ;\n");
  steps(&x, 4);
  assert_int_equal(e.preds_written, 6);
  assert_int_equal(e.preds_lanes[1], 0xffff);
  assert_int_equal(e.preds_value[1], 0xffff);
  assert_int_equal(e.preds_value[2], 0);
  steps(&x, 2);
  lanes(&x, 2, 0xffff, 2);
  lanes(&x, 2, 0xffff0000u, 0);
  assert_int_equal(e.rd_unknown[0], 0);
  steps(&x, 3);
  EXPECT(&x, HEDDLE_ERROR_UNDEFINED, heddle_warp_issue(x.model, 0, &e));
  assert_non_null(strstr(heddle_model_diag(x.model), "R3 (operand a) in lanes 0xffff0000"));
  assert_non_null(strstr(heddle_model_diag(x.model), "P2 was never written"));
  machine_free(&x);
}

static void constants(void **state) {
  (void)state;
  struct machine x;
  begin(&x, "UMOV UR1, 0x20 ;\n"
            "ULDC UR2, c[0x0][UR1+0x4] ;\n"
            "ULDC.64 UR4, c[0x0][URZ+0x8] ;\n"
            "@!UPT ULDC UR2, c[0x9][URZ+0x8] ;\n"
            "S2R R0, SR_LANEID ;\n"
            "ISETP.LT.U32.AND P0, PT, R0, 0x3, PT ;\n"
            "@P0 BRA 0x80 ;\n"
            "EXIT ;\n"
            "ULDC UR2, c[0x0][UR1+0x1e0] ;\n"); /* 0x80: one word beyond the bank */
  steps(&x, 2);
  assert_int_equal(e.mem_space, ISA_SPACE_CONST);
  assert_int_equal(e.mem_lanes, 0);
  assert_true(e.rd_uniform);
  assert_int_equal(e.rd_value[0][17], 0x27262524);
  steps(&x, 2);
  assert_int_equal(e.rd_words, 0);
  ureg(&x, 2, 0x27262524);
  ureg(&x, 4, 0x0b0a0908);
  ureg(&x, 5, 0x0f0e0d0c);
  steps(&x, 3);
  step(&x, 0x80, 7);
  assert_true(e.traps);
  expect_trap(&x, HEDDLE_TRAP_CONST_RANGE, 0x80, 7, sizeof x.bank); /* once, for the active lanes */
  machine_free(&x);
}

static void refused(const char *text, enum heddle_error want, const char *words) {
  for (unsigned alone = 0; alone < 2; alone++) {
    struct machine x;
    machine_init(&x);
    machine_text(&x, text);
    enum heddle_error s = HEDDLE_SUCCESS;
    if (alone == 1) {
      s = machine_run(&x);
    } else {
      machine_lockstep(&x);
      while (s == HEDDLE_SUCCESS) s = heddle_warp_issue(x.model, 0, &e);
    }
    EXPECT(&x, want, s);
    if (strstr(heddle_model_diag(x.model), words) == NULL)
      fail_msg("\"%s\" does not say \"%s\"", heddle_model_diag(x.model), words);
    machine_free(&x);
  }
}

static void undefined(void **state) {
  (void)state;
#define FIRST " was never written, first read at pc 0x0000"
#define SECOND " was never written, first read at pc 0x0010"
#define ADDRESS "ULDC UR9, c[0x0][UR1] ;\n"
  refused("UIADD3 UR1, UR5, 0x1, URZ ;\n" ADDRESS, HEDDLE_ERROR_UNDEFINED, "UR1 (operand a) in lanes 0xffffffff");
  refused("UIADD3 UR1, UR5, 0x1, URZ ;\n" ADDRESS, HEDDLE_ERROR_UNDEFINED, "UR5" FIRST);
  refused("MOV R1, UR7 ;\nLDS R2, [R1] ;\n", HEDDLE_ERROR_UNDEFINED, "UR7" FIRST);
  refused("UMOV UR6, 0x1 ;\nDADD R4, -RZ, UR6 ;\nLDS R2, [R5] ;\n", HEDDLE_ERROR_UNDEFINED,
          "UR7" SECOND); /* second word */
  refused("USEL UR1, URZ, 0x1, UP2 ;\n" ADDRESS, HEDDLE_ERROR_UNDEFINED, "UP2" FIRST);
  refused("@UP1 UMOV UR1, 0x1 ;\n", HEDDLE_ERROR_UNDEFINED, "guard UP1 in lanes 0xffffffff");
  refused("UP2P P0, UP4 ;\n@P0 EXIT ;\n", HEDDLE_ERROR_UNDEFINED, "UP4" FIRST);
  refused("UP2UR UR1, UPR, URZ, 0x8 ;\n" ADDRESS, HEDDLE_ERROR_UNDEFINED, "UP3" FIRST);
  refused("@!UPT UMOV UR1, 0x1 ;\n" ADDRESS, HEDDLE_ERROR_UNDEFINED, "UR1" SECOND); /* nobody wrote it */
  refused("@!PT R2UR UR1, RZ ;\n" ADDRESS, HEDDLE_ERROR_UNDEFINED, "UR1" SECOND);
}

/* The pair UR62:UR63 does not exist. */
static void pairs_end_below_urz(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  machine_emit(&x, WORD(ISA_ENC_ULDC_ULC, ISA_F_URD, 62, ISA_F_COFF16, 8, ISA_F_USIZE, ISA_USIZE_64));
  EXPECT(&x, HEDDLE_ERROR_TRAPPED, machine_run(&x));
  machine_patch(&x, 0, WORD(ISA_ENC_DADD_RU, ISA_F_RD, 4, ISA_F_URB, 62));
  EXPECT(&x, HEDDLE_ERROR_TRAPPED, machine_run(&x));
  expect_trap(&x, HEDDLE_TRAP_ILLEGAL, 0, ~0u, 0);
  machine_free(&x);
  refused("ULDC.64 URZ, c[0x0][URZ+0x8] ;\nDADD R4, -RZ, URZ ;\nBPT.TRAP ;\n", HEDDLE_ERROR_TRAPPED, "breakpoint");
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arithmetic),       cmocka_unit_test(guards),     cmocka_unit_test(operands),
      cmocka_unit_test(results_of_lanes), cmocka_unit_test(predicates), cmocka_unit_test(predicates_of_some_lanes),
      cmocka_unit_test(constants),        cmocka_unit_test(undefined),  cmocka_unit_test(pairs_end_below_urz),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
