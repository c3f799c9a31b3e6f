/* SPDX-License-Identifier: Apache-2.0
 *
 * What nobody has written, in memory: carried by MOV, loads and stores through every space, and told where something
 * depends on it. Each program runs alone and in lockstep, which must say the same.
 */
#include <stdio.h>
#include <string.h>
#include "tests/cmodel/machine.h"
#include "tests/cmodel/step.h"
#include "tests/test.h"

#define ALL MARKED_ALL
#define PLACES MARKED_PLACES
/* P0 = bit 0 of a register; a guard that reads P0 decides. */
#define DECIDE(reg) "LOP3.LUT R20, " reg ", 0x1, RZ, 0xc0 ;\nISETP.NE.AND P0, PT, R20, RZ, PT ;\n@P0 MOV R21, RZ ;\n"

static void bad(const char *text, uint32_t pc, uint32_t lanes, const char *what) {
  const struct marked_use use = {pc, lanes, what, NULL, 0};
  marked_bad(text, &use);
}

/* struct { char c; int i; } at -O0: written by parts, copied as 8 bytes, read by parts. */
static void padding_is_copied(void **state) {
  (void)state;
  marked_good(PLACES
              "STL.U8 [RZ], R0 ;\nSTL [RZ+0x4], R0 ;\nLDL.64 R4, [RZ] ;\nSTL.64 [RZ+0x8], R4 ;\n" /* in local memory */
              "LDL.64 R6, [RZ+0x8] ;\nSTS.64 [R1], R6 ;\nLDS.64 R8, [R1] ;\nSTL.64 [RZ+0x10], R8 ;\n"
              "LDL.U8 R10, [RZ+0x10] ;\nLDL R11, [RZ+0x14] ;\nIADD3 R10, R10, R11, RZ ;\nSTG.E [R2], R10 ;\nEXIT ;\n");
  bad(PLACES "STL.U8 [RZ], R0 ;\nSTL [RZ+0x4], R0 ;\nLDL.64 R4, [RZ] ;\nSTS.64 [R1], R4 ;\n"
             "LDS.U16 R6, [R1] ;\nIADD3 R6, R6, 0x1, RZ ;\nLDS R7, [R6] ;\nEXIT ;\n", /* c and a byte of the padding */
      0xb0, ALL, "R6 (operand a)");
}

/* A vector of which one element is changed, as clang -O0 does it. */
static void vectors_are_changed_by_parts(void **state) {
  (void)state;
  marked_good(PLACES
              "LDL.128 R4, [RZ] ;\nMOV R6, R0 ;\nSTL.128 [RZ], R4 ;\nLDL.128 R8, [RZ] ;\nIADD3 R10, R10, 0x1, RZ ;\n"
              "STG.E [R2], R10 ;\nEXIT ;\n");
  bad(PLACES "LDL.128 R4, [RZ] ;\nMOV R6, R0 ;\nSTL.128 [RZ], R4 ;\nLDL.128 R8, [RZ] ;\nIADD3 R11, R11, 0x1, RZ ;\n"
             "STG.E [R2], R11 ;\nEXIT ;\n",
      0xa0, ALL, "memory that the host reads");
}

static void a_move_carries_by_lane(void **state) {
  (void)state;
  marked_good(TEXT_LANES_BELOW(0x4) "@P0 MOV R5, 0x0 ;\nMOV R6, R5 ;\n@P0 LDS R7, [R6] ;\nMOV R6, RZ ;\n"
                                    "LDS R7, [R6] ;\nEXIT ;\n");
  bad(TEXT_LANES_BELOW(0x4) "@P0 MOV R5, 0x0 ;\nMOV R6, R5 ;\nMOV R7, R6 ;\nLDS R8, [R7] ;\n", 0x50, 0xfffffff0u,
      "R7 (operand a)");
}

static void extension_goes_with_its_byte(void **state) {
  (void)state;
  bad(PLACES "LDS.S8 R4, [R1] ;\nSTS [R1], R4 ;\nLDS.U8 R5, [R1+0x3] ;\n" DECIDE("R5"), 0xa0, ALL, "guard P0");
  marked_good(PLACES "LDS.U8 R4, [R1] ;\nSTS [R1], R4 ;\nLDS.U8 R5, [R1+0x3] ;\n" DECIDE("R5") "EXIT ;\n");
  /* The sign of a half is in its upper byte. */
  bad(PLACES "STS.U8 [R1], R0 ;\nLDS.S16 R4, [R1] ;\nSHF.R.U32 R4, R4, 0x1f, RZ ;\n" DECIDE("R4"), 0xa0, ALL,
      "guard P0");
  marked_good(PLACES
              "STS.U8 [R1+0x1], R0 ;\nLDS.S16 R4, [R1] ;\nSHF.R.U32 R4, R4, 0x1f, RZ ;\n" DECIDE("R4") "EXIT ;\n");
}

/* A byte of which some bits are defined keeps them through memory. */
static void memory_holds_bits(void **state) {
  (void)state;
#define NIBBLE "LOP3.LUT R4, R9, 0xf0, RZ, 0xc0 ;\n" /* bits 7:4 are undefined */
  marked_good(PLACES NIBBLE "STS.U8 [R1], R4 ;\nLDS.U8 R5, [R1] ;\n" DECIDE("R5") "EXIT ;\n");
  marked_good(PLACES NIBBLE "STL.U8 [RZ], R4 ;\nLDL.U8 R5, [RZ] ;\n" DECIDE("R5") "EXIT ;\n");
  marked_good(PLACES NIBBLE "STG.E.U8 [R2], R4 ;\nLDG.E.U8 R5, [R2] ;\nSTG.E [R2], R0 ;\n" DECIDE("R5") "EXIT ;\n");
  bad(PLACES NIBBLE "STS.U8 [R1], R4 ;\nLDS.U8 R5, [R1] ;\nSHF.R.U32 R5, R5, 0x4, RZ ;\n" DECIDE("R5"), 0xb0, ALL,
      "guard P0");
  bad(PLACES NIBBLE "STG.E [R2], R4 ;\nEXIT ;\n", 0x60, ALL, "memory that the host reads");
  /* The sign is one of them, or not. */
  bad(PLACES NIBBLE "STS.U8 [R1], R4 ;\nLDS.S8 R5, [R1] ;\nSHF.R.U32 R5, R5, 0x8, RZ ;\n" DECIDE("R5"), 0xb0, ALL,
      "guard P0");
  marked_good(PLACES "LOP3.LUT R4, R9, 0x70, RZ, 0xc0 ;\nSTS.U8 [R1], R4 ;\nLDS.S8 R5, [R1] ;\n"
                     "SHF.R.U32 R5, R5, 0x8, RZ ;\n" DECIDE("R5") "EXIT ;\n");
}

/* Global memory takes marks; what the grid leaves there the host reads. */
static void global_memory_takes_marks(void **state) {
  (void)state;
  marked_good(PLACES "STG.E [R2], R7 ;\nSTG.E [R2], R0 ;\nLDG.E R8, [R2] ;\n" DECIDE("R8") "EXIT ;\n");
  bad(PLACES "STG.E [R2], R7 ;\nLDG.E R8, [R2] ;\nSTG.E [R2], R0 ;\n" DECIDE("R8"), 0xa0, ALL, "guard P0");
  bad(PLACES "STG.E.U8 [R2], R0 ;\nSTG.E.U8 [R2+0x1], R9 ;\nEXIT ;\n", 0x60, ALL, "memory that the host reads");
  bad(PLACES "STG.E [R2], R7 ;\nRED.E.ADD [R2], R0 ;\nEXIT ;\n", 0x60, ALL,
      "global bytes at 0x200000000 (lanes 0xffffffff)");
  struct machine x;
  marked_begin(&x, PLACES "STG.E [R2+0x4], R7 ;\nEXIT ;\n");
  EXPECT(&x, HEDDLE_ERROR_UNDEFINED, machine_run(&x));
  assert_true(heddle_model_undefined(x.model)->at_end);
  assert_int_equal(heddle_model_undefined(x.model)->addr, MEM_BASE + 4);
  assert_string_equal(heddle_model_undefined(x.model)->origin, "R7");
  machine_free(&x);
}

/* What a lane brings is a mark only where its byte stays: the highest lane of one place wins. */
static void the_last_lane_wins(void **state) {
  (void)state;
#define ONE_PLACE(which)                                                                                               \
  TEXT_ADDRESS "S2R R0, SR_LANEID ;\nISETP." which ".U32.AND P0, PT, R0, 0x1f, PT ;\n@P0 MOV R4, 0x5 ;\n"              \
               "STG.E [R2], R4 ;\nLDG.E R5, [R2] ;\nSTG.E [R2], R0 ;\n" DECIDE("R5") "EXIT ;\n"
  marked_good(ONE_PLACE("EQ"));
  bad(ONE_PLACE("NE"), 0xa0, ALL, "guard P0");
}

/* A block or a warp that comes later begins anew. */
static void the_next_block_begins_undefined(void **state) {
  (void)state;
  struct machine x;
  marked_begin(&x,
               "S2R R0, SR_CTAID.X ;\nISETP.EQ.U32.AND P0, PT, R0, 0x0, PT ;\n@P0 STS [RZ], R0 ;\n@P0 STL [RZ], R0 ;\n"
               "LDS R4, [RZ] ;\nLDL R5, [RZ] ;\n@P0 IADD3 R4, R4, R5, RZ ;\nLDS R4, [R4] ;\nEXIT ;\n");
  x.launch.grid[0] = 100;
  EXPECT(&x, HEDDLE_ERROR_UNDEFINED, machine_run(&x));
  assert_int_equal(heddle_model_undefined(x.model)->ctaid[0], 1);
  assert_int_equal(heddle_model_undefined(x.model)->pc, 0x70);
  assert_string_equal(heddle_model_undefined(x.model)->origin, "shared byte 0x0");
  machine_free(&x);
}

/* ... also of where it arose: what an earlier block has left in its memory is forgotten. */
static void origins_are_a_block_s_own(void **state) {
  (void)state;
  static const char *const load[] = {"LDS R4, [RZ] ;\n", "LDL R4, [RZ] ;\n"};
  static const char *const origin[] = {"shared byte 0x0", "local byte 0x0"};
  for (unsigned k = 0; k < 2; k++) {
    struct machine x;
    char text[300];
    snprintf(text, sizeof text,
             "S2R R0, SR_CTAID.X ;\nISETP.EQ.U32.AND P0, PT, R0, 0x0, PT ;\n@P0 STS [RZ], R5 ;\n@P0 STL [RZ], R5 ;\n%s"
             "@!P0 LDS R4, [R4] ;\nEXIT ;\n",
             load[k]);
    marked_begin(&x, text);
    heddle_model_free(x.model); /* one warp slot: the blocks follow each other */
    const struct heddle_model_config c = {
        .size = sizeof c, .base = MEM_BASE, .bytes = MEM_BYTES, .warp_slots = 1, .block_slots = 1};
    x.model = heddle_model_new(&c);
    x.launch.grid[0] = 2;
    EXPECT(&x, HEDDLE_ERROR_UNDEFINED, machine_run(&x));
    assert_int_equal(heddle_model_undefined(x.model)->ctaid[0], 1);
    assert_string_equal(heddle_model_undefined(x.model)->origin, origin[k]);
    machine_free(&x);
  }
}

/* In lockstep the judge is told what not to compare. */
static void a_judge_is_told(void **state) {
  (void)state;
  static struct heddle_performed p;
  struct machine x;
  marked_begin(&x,
               TEXT_LANES_BELOW(0x8) "@P0 MOV R4, 0x1 ;\nMOV R5, R4 ;\nSTS.U8 [R0], R5 ;\nLDS R6, [RZ] ;\nEXIT ;\n");
  machine_lockstep(&x);
  steps(&x, 4);
  assert_int_equal(e.src_unknown[1], ~0xffu);
  assert_int_equal(e.src_bits[1][0][8], ~0u);
  assert_int_equal(e.rd_unknown[0], ~0xffu);
  steps(&x, 1);
  assert_int_equal(e.src_unknown[1], ~0xffu);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_perform(x.model, 0, 4, 0xffff, &p));
  assert_int_equal(p.bytes_unknown, 0xff00);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_perform(x.model, 0, 4, 0xffff0000u, &p));
  assert_int_equal(p.bytes_unknown, 0xffff0000u);
  steps(&x, 1);
  EXPECT(&x, HEDDLE_SUCCESS, heddle_perform(x.model, 0, 5, ALL, &p));
  assert_int_equal(p.rd_unknown[0], 0); /* bytes 0 to 3 were written by lanes that know */
  machine_free(&x);
}

/* ... of predicates, uniform registers and parts of a word as well. */
static void a_judge_is_told_of_bits(void **state) {
  (void)state;
  struct machine x;
  marked_begin(&x,
               "LOP3.LUT R5, R4, 0xff, RZ, 0xc0 ;\nISETP.EQ.AND P1, PT, R5, RZ, PT ;\n"
               "PLOP3.LUT P2, PT, P1, !PT, PT, 0x80, 0x0 ;\nR2UR UR4, R5 ;\nUMOV UR5, UR4 ;\nP2R R6, PR, RZ, 0x6 ;\n"
               "MOV R7, 0x4 ;\nR2P PR, R5, 0x1 ;\nEXIT ;\n");
  machine_lockstep(&x);
  steps(&x, 1);
  assert_int_equal(e.rd_unknown[0], ALL);
  assert_int_equal(e.rd_bits[0][31], 0xff);
  steps(&x, 1);
  assert_int_equal(e.pd_unknown[0], ALL);
  steps(&x, 1);
  assert_int_equal(e.ps_unknown[0], ALL);
  assert_int_equal(e.pd_unknown[0], 0); /* P1 and false */
  steps(&x, 2);                         /* a uniform register knows of it */
  assert_int_equal(e.src_bits[1][0][0], 0xff);
  assert_int_equal(e.rd_unknown[0], ALL);
  steps(&x, 1);
  assert_int_equal(e.rd_bits[0][3], 2); /* P1, not P2 */
  steps(&x, 2);
  assert_int_equal(e.preds_unknown[0], ALL);
  machine_free(&x);
}

/* Carrying marks is no progress: a loop for ever is noticed. */
static void a_loop_that_carries_is_noticed(void **state) {
  (void)state;
  struct machine x;
  marked_begin(&x,
               "LDS R5, [RZ] ;\nIADD3 R6, R5, 0x1, RZ ;\nMOV R6, RZ ;\nLOP3.LUT R7, R9, 0xff, R5, 0xea ;\nBRA 0x0 ;\n");
  EXPECT(&x, HEDDLE_ERROR_LIMIT, machine_run(&x));
  assert_non_null(strstr(heddle_model_diag(x.model), "deadlock: no warp can go on; each spins"));
  machine_free(&x);
}

/* One planted use of what nobody has written in each of these programs: told at the right instruction, with the place
 * where it arose, alone and in lockstep. And what may be asked for besides: nothing, and stores (heddle_tell). */

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
    EXPECT(&x, HEDDLE_SUCCESS, marked_run(&x, way));
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
  EXPECT(&x, HEDDLE_SUCCESS, marked_run(&x, 0));
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
    EXPECT(&x, HEDDLE_ERROR_UNDEFINED, marked_run(&x, way));
    const struct heddle_undefined *u = heddle_model_undefined(x.model);
    assert_int_equal(u->pc, 0x40);
    assert_string_equal(u->origin, "R5");
    assert_int_equal(u->first_pc, 0x20);
    assert_false(u->at_end);
    machine_free(&x);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(padding_is_copied),
                                     cmocka_unit_test(vectors_are_changed_by_parts),
                                     cmocka_unit_test(a_move_carries_by_lane),
                                     cmocka_unit_test(extension_goes_with_its_byte),
                                     cmocka_unit_test(memory_holds_bits),
                                     cmocka_unit_test(global_memory_takes_marks),
                                     cmocka_unit_test(the_last_lane_wins),
                                     cmocka_unit_test(the_next_block_begins_undefined),
                                     cmocka_unit_test(origins_are_a_block_s_own),
                                     cmocka_unit_test(a_judge_is_told),
                                     cmocka_unit_test(a_judge_is_told_of_bits),
                                     cmocka_unit_test(a_loop_that_carries_is_noticed),
                                     cmocka_unit_test(addresses),
                                     cmocka_unit_test(control),
                                     cmocka_unit_test(atomics),
                                     cmocka_unit_test(origins),
                                     cmocka_unit_test(nothing_may_be_told),
                                     cmocka_unit_test(stores_may_be_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
