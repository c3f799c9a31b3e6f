/* SPDX-License-Identifier: Apache-2.0
 *
 * One planted use of what nobody has written in each of these programs: told at the right instruction, with the place
 * where it arose, alone and in lockstep. And what may be asked for besides: nothing, and stores (heddle_tell).
 */
#include <string.h>

#include "tests/test.h"
#include "tests/cmodel/marked.h"

#define ALL MARKED_ALL
#define SET_ADDRESS TEXT_ADDRESS /* R2:R3; two instructions */

struct planted {
  const char *text;
  struct marked_use use;
};

static void all_told(const struct planted *p, size_t n) {
  for (size_t i = 0; i < n; i++) marked_bad(p[i].text, &p[i].use);
}
#define TOLD(table) all_told(table, sizeof(table) / sizeof *(table))

static void addresses(void **state) {
  (void)state;
  static const struct planted programs[] = {
      {"LDS R1, [R5] ;\n", {0x00, ALL, "R5 (operand a)", "R5", 0x00}},
      {"MOV R6, R5 ;\nMOV R7, R6 ;\nLDS R1, [R7] ;\n", {0x20, ALL, "R7 (operand a)", "R5", 0x00}},
      {"STS [R5], RZ ;\n", {0x00, ALL, "R5 (operand a)", "R5", 0x00}},
      {"STL [R5], RZ ;\n", {0x00, ALL, "R5 (operand a)", "R5", 0x00}},
      {"MOV R2, 0x0 ;\nSTG.E [R2], RZ ;\n", {0x10, ALL, "R3 (operand a)", "R3", 0x10}},
      {"LD.E R1, [R4] ;\n", {0x00, ALL, "R4 (operand a)", "R4", 0x00}},
      {"LDC R1, c[0x0][R5] ;\n", {0x00, ALL, "R5 (operand a)", "R5", 0x00}},
      {"R2UR UR1, R5 ;\nULDC UR2, c[0x0][UR1] ;\n", {0x10, ALL, "UR1 (operand a)", "R5", 0x00}},
      {"UMOV UR1, UR5 ;\nMOV R1, UR1 ;\nLDS R2, [R1] ;\n", {0x20, ALL, "R1 (operand a)", "UR5", 0x00}},
      {"LDSM.16.M88.1 R4, [R5] ;\n", {0x00, 0xff, "R5 (operand a)", "R5", 0x00}}, /* eight addresses count */
      {SET_ADDRESS "LDGSTS.E [R5], [R2] ;\n", {0x20, ALL, "R5 (operand b)", "R5", 0x20}},
      {"CCTL.E.PF [R6] ;\n", {0x00, ALL, "R6 (operand a)", "R6", 0x00}},
      {TEXT_LANES_BELOW(0x4) "@P0 MOV R5, RZ ;\nLDS R6, [R5] ;\n",
       {0x30, 0xfffffff0u, "R5 (operand a)", "R5", 0x30}}, /* in some lanes */
  };
  TOLD(programs);
}

static void control(void **state) {
  (void)state;
  static const struct planted programs[] = {
      {"@P0 EXIT ;\n", {0x00, ALL, "guard P0", "P0", 0x00}},
      {"ISETP.EQ.AND P0, PT, R5, RZ, PT ;\n@P0 BRA 0x0 ;\n", {0x10, ALL, "guard P0", "R5", 0x00}},
      {"IADD3 R6, P1, PT, R5, 0x1, RZ ;\n@P1 EXIT ;\n", {0x10, ALL, "guard P1", "R5", 0x00}}, /* a carry */
      {"UISETP.EQ.AND UP0, UPT, UR5, URZ, UPT ;\n@UP0 UMOV UR1, URZ ;\n", {0x10, ALL, "guard UP0", "UR5", 0x00}},
      {"MOV R4, 0x20 ;\nBRX R4 ;\n", {0x10, ALL, "R5 (operand a)", "R5", 0x10}},
      {"CALL.ABS R4 ;\n", {0x00, ALL, "R4 (operand a)", "R4", 0x00}},
      {"MOV R5, RZ ;\nRET R4 ;\n", {0x10, ALL, "R4 (operand a)", "R4", 0x10}},
      {"BMOV.SET B0, R5 ;\n", {0x00, ALL, "R5 (operand b)", "R5", 0x00}},
      {"WARPSYNC R5 ;\n", {0x00, ALL, "R5 (operand b)", "R5", 0x00}},
      {"NANOSLEEP R5 ;\n", {0x00, ALL, "R5 (operand b)", "R5", 0x00}},
      {"BAR.RED.POPC R1, 0x0, 0x0, P3 ;\n", {0x00, ALL, "P3", "P3", 0x00}},
      {"R2P PR, RZ, R5 ;\n", {0x00, ALL, "R5 (operand b)", "R5", 0x00}}, /* which predicates */
  };
  TOLD(programs);
}

static void atomics(void **state) {
  (void)state;
  static const struct planted programs[] = {
      {"ATOMS.ADD R1, [RZ], R5 ;\n", {0x00, ALL, "R5 (operand b)", "R5", 0x00}},
      {"ATOMS.ADD R1, [RZ+0x8], RZ ;\n",
       {0x00, ALL, "shared bytes at 0x8 (lanes 0xffffffff)", "shared byte 0x8", 0x00}},
      {"STS.U16 [RZ], RZ ;\nATOMS.ADD R1, [RZ], RZ ;\n",
       {0x10, ALL, "shared bytes at 0x0 (lanes 0xffffffff)", "shared byte 0x2", 0x10}}, /* its upper half */
      {SET_ADDRESS "RED.E.ADD [R2], R5 ;\n", {0x20, ALL, "R5 (operand b)", "R5", 0x20}},
      {SET_ADDRESS "MOV R6, RZ ;\nATOMG.E.CAS R1, [R2], R6, R5 ;\n", {0x30, ALL, "R5 (operand c)", "R5", 0x30}},
      {SET_ADDRESS "STG.E [R2], R5 ;\nATOMG.E.ADD R1, [R2], RZ ;\n",
       {0x30, ALL, "global bytes at 0x200000000 (lanes 0xffffffff)", "R5", 0x20}},
  };
  TOLD(programs);
}

/* What is used has come a long way. */
static void origins(void **state) {
  (void)state;
#define USE "LDS R20, [R6] ;\n"
  static const struct planted programs[] = {
      {"LDS R6, [RZ+0x10] ;\n" USE, {0x10, ALL, "R6 (operand a)", "shared byte 0x10", 0x00}},
      {"STS.U16 [RZ], RZ ;\nLDS R6, [RZ] ;\n" USE, {0x20, ALL, "R6 (operand a)", "shared byte 0x2", 0x10}},
      {"LDL R6, [RZ+0x8] ;\nIADD3 R6, R6, 0x1, RZ ;\n" USE, {0x20, ALL, "R6 (operand a)", "local byte 0x8", 0x00}},
      {"STS [RZ], R5 ;\nLDS R6, [RZ] ;\n" USE, {0x20, ALL, "R6 (operand a)", "R5", 0x00}},
      {"MOV R4, RZ ;\nSTL.64 [RZ], R4 ;\nLDL R6, [RZ+0x4] ;\n" USE, {0x30, ALL, "R6 (operand a)", "R5", 0x10}},
      {SET_ADDRESS "STG.E [R2], R5 ;\nLDG.E R6, [R2] ;\nSTG.E [R2], RZ ;\n" USE,
       {0x50, ALL, "R6 (operand a)", "R5", 0x20}},
      {SET_ADDRESS "STG.E [R2], R5 ;\nLDGSTS.E [RZ], [R2] ;\nSTG.E [R2], RZ ;\nLDS R6, [RZ] ;\n" USE,
       {0x60, ALL, "R6 (operand a)", "R5", 0x20}},
      {"FADD R6, R5, R5 ;\nMUFU.RCP R6, R6 ;\nF2I R6, R6 ;\n" USE, {0x30, ALL, "R6 (operand a)", "R5", 0x00}},
      {"SEL R6, RZ, 0x4, P3 ;\n" USE, {0x10, ALL, "R6 (operand a)", "P3", 0x00}},
      {"MOV R4, RZ ;\nSEL R6, R4, R5, !PT ;\n" USE, {0x20, ALL, "R6 (operand a)", "R5", 0x10}},
      {"MOV R4, R9 ;\nLOP3.LUT R6, R4, R5, RZ, 0x3c ;\n" USE, {0x20, ALL, "R6 (operand a)", "R9", 0x00}}, /* a first */
      {"LOP3.LUT R6, R9, RZ, R5, 0xea ;\n" USE, {0x10, ALL, "R6 (operand a)", "R5", 0x00}}, /* (a and 0) or c */
      {"VOTE.ANY R6, PT, P3 ;\n" USE, {0x10, ALL, "R6 (operand a)", "P3", 0x00}},
      {"P2R R6, PR, RZ, 0x20 ;\n" USE, {0x10, ALL, "R6 (operand a)", "P5", 0x00}},
      {TEXT_LANES_BELOW(0x1) "@P0 MOV R5, RZ ;\nSHFL.IDX PT, R6, R5, 0x1, 0x1f ;\n" USE,
       {0x40, ALL, "R6 (operand a)", "R5", 0x30}},
      {"DADD R8, R4, R4 ;\nMOV R6, R9 ;\n" USE, {0x20, ALL, "R6 (operand a)", "R4", 0x00}},
      {SET_ADDRESS "STG.E [R2], R5 ;\nEXIT ;\n", {0x20, ALL, "memory that the host reads", "R5", 0x20}},
      {SET_ADDRESS "HADD2 R6, RZ, R5.H1_H1 ;\nSTG.E.U16 [R2], R6 ;\nEXIT ;\n",
       {0x30, ALL, "memory that the host reads", "R5", 0x20}},
  };
  TOLD(programs);
}

/* ---- what may be asked for */

static void begin_telling(struct machine *x, enum heddle_tell tell, const char *text) {
  marked_begin(x, text);
  heddle_model_free(x->model);
  const struct heddle_model_config c = {
      .size = sizeof c, .base = MEM_BASE, .bytes = MEM_BYTES, .warp_slots = 4, .block_slots = 1, .tell = tell};
  x->model = heddle_model_new(&c);
  assert_non_null(x->model);
}

/* What nobody has written is zero, in every block. */
static void nothing_may_be_told(void **state) {
  (void)state;
  for (unsigned way = 0; way < 2; way++) {
    struct machine x;
    begin_telling(&x, HEDDLE_TELL_NOTHING,
                  SET_ADDRESS
                  "LDS R6, [R5] ;\nLDL R7, [R5] ;\n@P3 MOV R6, 0x1 ;\nMOV R8, UR4 ;\nP2R R9, PR, RZ, 0x7f ;\n"
                  "IADD3 R6, R6, R7, R8 ;\nIADD3 R6, R6, R9, R10 ;\nRED.E.ADD [R2], R6 ;\n"
                  "MOV R12, 0x5 ;\nSTS [R5], R12 ;\nSTL [R5], R12 ;\nMOV R10, R12 ;\nUMOV UR4, 0x7 ;\n"
                  "R2P PR, R12, 0x7f ;\nSTG.E [R2+0x4], R11 ;\nMOV R5, RZ ;\nEXIT ;\n");
    x.launch.grid[0] = way == 0 ? 3 : 1;
    EXPECT(&x, HEDDLE_OK, marked_run(&x, way));
    assert_int_equal(mem32(&x, 0), 0);
    assert_null(heddle_model_defined(x.model));
    machine_free(&x);
  }
}

/* What a narrow store leaves out of its register does not count. */
static void narrow_stores_are_not_told(void) {
  struct machine x;
  begin_telling(&x, HEDDLE_TELL_STORES,
                SET_ADDRESS "LOP3.LUT R6, R5, 0xff00, RZ, 0xc0 ;\nSTG.E.U8 [R2], R6 ;\nEXIT ;\n");
  EXPECT(&x, HEDDLE_OK, marked_run(&x, 0));
  machine_free(&x);
}

static void stores_may_be_told(void **state) {
  (void)state;
  narrow_stores_are_not_told();
  static const char text[] =
      SET_ADDRESS "STS [RZ], R5 ;\nSTG.E [R2], RZ ;\nSTG.E.U8 [R2], R5 ;\nSTG.E [R2], RZ ;\nEXIT ;\n";
  marked_good(text);
  for (unsigned way = 0; way < 2; way++) {
    struct machine x;
    begin_telling(&x, HEDDLE_TELL_STORES, text);
    EXPECT(&x, HEDDLE_UNDEFINED, marked_run(&x, way));
    const struct heddle_undefined *u = heddle_model_undefined(x.model);
    assert_int_equal(u->pc, 0x40);
    assert_string_equal(u->origin, "R5");
    assert_int_equal(u->first_pc, 0x20);
    assert_false(u->at_end);
    machine_free(&x);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(addresses),
      cmocka_unit_test(control),
      cmocka_unit_test(atomics),
      cmocka_unit_test(origins),
      cmocka_unit_test(nothing_may_be_told),
      cmocka_unit_test(stores_may_be_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
