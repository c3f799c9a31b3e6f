/* SPDX-License-Identifier: Apache-2.0
 *
 * What nobody has written: carried by MOV, loads and stores through every memory, told where something depends on it.
 * Each program runs alone and in lockstep, which must say the same.
 */
#include <stdio.h>
#include <string.h>

#include "tests/cmodel/assembly.h"
#include "tests/cmodel/check.h"
#include "tests/cmodel/step.h"

enum { SHARED = 0x200, LOCAL = 0x40 };

static void begin(struct machine *x, const char *text) {
  machine_init(x);
  x->launch.shared_bytes = SHARED;
  x->launch.local_bytes = LOCAL;
  machine_text(x, text);
}

/* One warp in lockstep, each access performed at once. */
static enum heddle_status in_lockstep(struct machine *x) {
  static struct heddle_performed p;
  machine_lockstep(x);
  for (;;) {
    enum heddle_status s = heddle_warp_issue(x->model, 0, &e);
    if (s == HEDDLE_OK && e.mem_lanes != 0) s = heddle_perform(x->model, 0, e.seq, e.mem_lanes, &p);
    if (s != HEDDLE_OK) return s;
    if (e.warp_ended) return heddle_model_end(x->model);
  }
}

static enum heddle_status run(struct machine *x, unsigned way) {
  return way == 0 ? machine_run(x) : in_lockstep(x);
}

static void good(const char *text) {
  for (unsigned way = 0; way < 2; way++) {
    struct machine x;
    begin(&x, text);
    EXPECT(&x, HEDDLE_OK, run(&x, way));
    machine_free(&x);
  }
}

/* pc of the use, or of the store that brought what is left at the end. */
static void bad(const char *text, uint32_t pc, uint32_t lanes, const char *what) {
  for (unsigned way = 0; way < 2; way++) {
    struct machine x;
    begin(&x, text);
    EXPECT(&x, HEDDLE_UNDEFINED, run(&x, way));
    const struct heddle_undefined *u = heddle_model_undefined(x.model);
    if (u->pc != pc || u->lanes != lanes || strcmp(u->what, what) != 0)
      fail_msg("way %u: '%s' at 0x%x lanes 0x%08x, want '%s' at 0x%x lanes 0x%08x", way, u->what, u->pc, u->lanes, what,
               pc, lanes);
    machine_free(&x);
  }
}

#define ALL 0xffffffffu
/* R2:R3 = the thread's 16 bytes of global memory, R1 = of shared memory. Five instructions. */
#define PLACES                                                                                                         \
  "S2R R0, SR_LANEID ;\nMOV R2, 0x0 ;\nMOV R3, 0x2 ;\nIMAD.WIDE.U32 R2, R0, 0x10, R2 ;\nIMAD R1, R0, 0x10, RZ ;\n"

/* struct { char c; int i; } at -O0: written by parts, copied as 8 bytes, read by parts. */
static void padding_is_copied(void **state) {
  (void)state;
  good(PLACES "STL.U8 [RZ], R0 ;\nSTL [RZ+0x4], R0 ;\nLDL.64 R4, [RZ] ;\nSTL.64 [RZ+0x8], R4 ;\n" /* in local memory */
              "LDL.64 R6, [RZ+0x8] ;\nSTS.64 [R1], R6 ;\nLDS.64 R8, [R1] ;\nSTL.64 [RZ+0x10], R8 ;\n"
              "LDL.U8 R10, [RZ+0x10] ;\nLDL R11, [RZ+0x14] ;\nIADD3 R10, R10, R11, RZ ;\nSTG.E [R2], R10 ;\nEXIT ;\n");
  bad(PLACES "STL.U8 [RZ], R0 ;\nSTL [RZ+0x4], R0 ;\nLDL.64 R4, [RZ] ;\nSTS.64 [R1], R4 ;\n"
             "LDS.U16 R6, [R1] ;\nIADD3 R6, R6, 0x1, RZ ;\nEXIT ;\n", /* c and a byte of the padding */
      0xa0, ALL, "R6 (operand a)");
}

/* A vector of which one element is changed, as clang -O0 does it. */
static void vectors_are_changed_by_parts(void **state) {
  (void)state;
  good(PLACES "LDL.128 R4, [RZ] ;\nMOV R6, R0 ;\nSTL.128 [RZ], R4 ;\nLDL.128 R8, [RZ] ;\nIADD3 R10, R10, 0x1, RZ ;\n"
              "STG.E [R2], R10 ;\nEXIT ;\n");
  bad(PLACES "LDL.128 R4, [RZ] ;\nMOV R6, R0 ;\nSTL.128 [RZ], R4 ;\nLDL.128 R8, [RZ] ;\nIADD3 R11, R11, 0x1, RZ ;\n",
      0x90, ALL, "R11 (operand a)");
}

static void a_move_carries_by_lane(void **state) {
  (void)state;
  good(TEXT_LANES_BELOW(0x4) "@P0 MOV R5, 0x1 ;\nMOV R6, R5 ;\n@P0 IADD3 R6, R6, 0x1, RZ ;\nMOV R6, RZ ;\n"
                             "IADD3 R6, R6, 0x1, RZ ;\nEXIT ;\n");
  bad(TEXT_LANES_BELOW(0x4) "@P0 MOV R5, 0x1 ;\nMOV R6, R5 ;\nMOV R7, R6 ;\nIADD3 R7, R7, 0x1, RZ ;\n", 0x50,
      0xfffffff0u, "R7 (operand a)");
}

static void extension_goes_with_its_byte(void **state) {
  (void)state;
  bad(PLACES "LDS.S8 R4, [R1] ;\nSTS [R1], R4 ;\nLDS.U8 R5, [R1+0x3] ;\nIADD3 R5, R5, 0x1, RZ ;\n", 0x80, ALL,
      "R5 (operand a)");
  good(PLACES "LDS.U8 R4, [R1] ;\nSTS [R1], R4 ;\nLDS.U8 R5, [R1+0x3] ;\nIADD3 R5, R5, 0x1, RZ ;\nEXIT ;\n");
}

static void every_use_is_told(void **state) {
  (void)state;
  bad(PLACES "LDS R2, [R1] ;\nSTG.E [R2], R0 ;\n", 0x60, ALL, "R2 (operand a)");                  /* address */
  bad(PLACES "LDS R4, [R1] ;\nISETP.EQ.AND P0, PT, R4, RZ, PT ;\n", 0x60, ALL, "R4 (operand a)"); /* predicate */
  bad(PLACES "ATOMS.ADD R4, [R1], R0 ;\n", 0x50, ALL, "shared bytes at 0x0 (lanes 0xffffffff)");
  bad(PLACES "LDS R4, [R1] ;\nRED.E.ADD [R2], R4 ;\n", 0x60, ALL, "R4 (operand b)");
  bad("@P3 MOV R1, RZ ;\n", 0, ALL, "guard P3");
}

/* Global memory takes marks; what the grid leaves there the host reads. */
static void global_memory_takes_marks(void **state) {
  (void)state;
  good(PLACES "STG.E [R2], R7 ;\nSTG.E [R2], R0 ;\nLDG.E R8, [R2] ;\nIADD3 R8, R8, 0x1, RZ ;\nEXIT ;\n");
  bad(PLACES "STG.E [R2], R7 ;\nLDG.E R8, [R2] ;\nIADD3 R8, R8, 0x1, RZ ;\nEXIT ;\n", 0x70, ALL, "R8 (operand a)");
  bad(PLACES "STG.E.U8 [R2], R0 ;\nSTG.E.U8 [R2+0x1], R9 ;\nEXIT ;\n", 0x60, ALL, "memory that the host reads");
  bad(PLACES "STG.E [R2], R7 ;\nRED.E.ADD [R2], R0 ;\nEXIT ;\n", 0x60, ALL,
      "global bytes at 0x200000000 (lanes 0xffffffff)");
  struct machine x;
  begin(&x, PLACES "STG.E [R2+0x4], R7 ;\nEXIT ;\n");
  EXPECT(&x, HEDDLE_UNDEFINED, machine_run(&x));
  assert_true(heddle_model_undefined(x.model)->at_end);
  assert_int_equal(heddle_model_undefined(x.model)->addr, MEM_BASE + 4);
  machine_free(&x);
}

/* What a lane brings is a mark only where its byte stays: the highest lane of one place wins. */
static void the_last_lane_wins(void **state) {
  (void)state;
  const char *good_last =
      TEXT_ADDRESS "S2R R0, SR_LANEID ;\nISETP.EQ.U32.AND P0, PT, R0, 0x1f, PT ;\n@P0 MOV R4, 0x5 ;\n"
                   "STG.E [R2], R4 ;\nLDG.E R5, [R2] ;\nIADD3 R5, R5, 0x1, RZ ;\nEXIT ;\n";
  const char *bad_last =
      TEXT_ADDRESS "S2R R0, SR_LANEID ;\nISETP.NE.U32.AND P0, PT, R0, 0x1f, PT ;\n@P0 MOV R4, 0x5 ;\n"
                   "STG.E [R2], R4 ;\nLDG.E R5, [R2] ;\nIADD3 R5, R5, 0x1, RZ ;\nEXIT ;\n";
  good(good_last);
  bad(bad_last, 0x70, ALL, "R5 (operand a)");
}

/* A block or a warp that comes later begins anew. */
static void the_next_block_begins_undefined(void **state) {
  (void)state;
  struct machine x;
  begin(&x, "S2R R0, SR_CTAID.X ;\nISETP.EQ.U32.AND P0, PT, R0, 0x0, PT ;\n@P0 STS [RZ], R0 ;\n@P0 STL [RZ], R0 ;\n"
            "LDS R4, [RZ] ;\nLDL R5, [RZ] ;\n@P0 IADD3 R4, R4, R5, RZ ;\n@!P0 IADD3 R4, R5, 0x1, RZ ;\nEXIT ;\n");
  x.launch.grid[0] = 100;
  EXPECT(&x, HEDDLE_UNDEFINED, machine_run(&x));
  assert_int_equal(heddle_model_undefined(x.model)->ctaid[0], 1);
  assert_int_equal(heddle_model_undefined(x.model)->pc, 0x70);
  machine_free(&x);
}

/* In lockstep the judge is told which lanes not to compare. */
static void a_judge_is_told(void **state) {
  (void)state;
  static struct heddle_performed p;
  struct machine x;
  begin(&x, TEXT_LANES_BELOW(0x8) "@P0 MOV R4, 0x1 ;\nMOV R5, R4 ;\nSTS.U8 [R0], R5 ;\nLDS R6, [RZ] ;\nEXIT ;\n");
  machine_lockstep(&x);
  steps(&x, 4);
  assert_int_equal(e.src_unknown[1], ~0xffu);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(padding_is_copied),      cmocka_unit_test(vectors_are_changed_by_parts),
      cmocka_unit_test(a_move_carries_by_lane), cmocka_unit_test(extension_goes_with_its_byte),
      cmocka_unit_test(every_use_is_told),      cmocka_unit_test(global_memory_takes_marks),
      cmocka_unit_test(the_last_lane_wins),     cmocka_unit_test(the_next_block_begins_undefined),
      cmocka_unit_test(a_judge_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
