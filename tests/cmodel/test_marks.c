/* SPDX-License-Identifier: Apache-2.0
 *
 * What nobody has written, in memory: carried by MOV, loads and stores through every space, and told where something
 * depends on it. Each program runs alone and in lockstep, which must say the same.
 */
#include <stdio.h>
#include <string.h>

#include "tests/test.h"
#include "tests/cmodel/marked.h"
#include "tests/cmodel/step.h"

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
  EXPECT(&x, HEDDLE_UNDEFINED, machine_run(&x));
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
  EXPECT(&x, HEDDLE_UNDEFINED, machine_run(&x));
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
    EXPECT(&x, HEDDLE_UNDEFINED, machine_run(&x));
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
  EXPECT(&x, HEDDLE_OK, heddle_perform(x.model, 0, 4, 0xffff, &p));
  assert_int_equal(p.bytes_unknown, 0xff00);
  EXPECT(&x, HEDDLE_OK, heddle_perform(x.model, 0, 4, 0xffff0000u, &p));
  assert_int_equal(p.bytes_unknown, 0xffff0000u);
  steps(&x, 1);
  EXPECT(&x, HEDDLE_OK, heddle_perform(x.model, 0, 5, ALL, &p));
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
  EXPECT(&x, HEDDLE_LIMIT, machine_run(&x));
  assert_non_null(strstr(heddle_model_diag(x.model), "deadlock: no warp can go on; each spins"));
  machine_free(&x);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(padding_is_copied),         cmocka_unit_test(vectors_are_changed_by_parts),
      cmocka_unit_test(a_move_carries_by_lane),    cmocka_unit_test(extension_goes_with_its_byte),
      cmocka_unit_test(memory_holds_bits),         cmocka_unit_test(global_memory_takes_marks),
      cmocka_unit_test(the_last_lane_wins),        cmocka_unit_test(the_next_block_begins_undefined),
      cmocka_unit_test(origins_are_a_block_s_own), cmocka_unit_test(a_judge_is_told),
      cmocka_unit_test(a_judge_is_told_of_bits),   cmocka_unit_test(a_loop_that_carries_is_noticed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
