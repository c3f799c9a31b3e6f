/* SPDX-License-Identifier: Apache-2.0
 *
 * A model of several SMs: slots and special registers of each, blocks that they share, local memory, traps apart.
 */
#include <stdio.h>
#include <string.h>

#include "tests/cmodel/assembly.h"
#include "tests/test.h"
#include "tests/cmodel/step.h"

enum { SMS = 3, FIRST = 5, OF = 9, WARPS = 4, BLOCKS = 2 };

static void machine_several(struct machine *x, unsigned threads) {
  const struct heddle_model_config c = {.size = sizeof c,
                                        .base = MEM_BASE,
                                        .bytes = MEM_BYTES,
                                        .warp_slots = WARPS,
                                        .block_slots = BLOCKS,
                                        .sm = FIRST,
                                        .sms = OF,
                                        .shown = SMS,
                                        .threads = threads};
  machine_init(x);
  heddle_model_free(x->model);
  x->model = heddle_model_new(&c);
  assert_non_null(x->model);
}

/* Alone: word b is the SM that ran block b of one warp, then of how many, then its slot there. */
static void shares_a_grid(void **state) {
  (void)state;
  static struct machine x;
  for (unsigned threads = 1; threads < 5; threads += 3) {
    unsigned ran[SMS] = {0};
    machine_several(&x, threads);
    x.launch.grid[0] = 40;
    machine_text(&x, "S2R R0, SR_CTAID.X ;\nMOV R2, 0x0 ;\nMOV R3, 0x2 ;\nIMAD.WIDE.U32 R2, R0, 0xc, R2 ;\n"
                     "S2R R4, SR_SMID ;\nS2R R5, SR_NSMID ;\nS2R R6, SR_WARPID ;\n"
                     "STG.E [R2], R4 ;\nSTG.E [R2+0x4], R5 ;\nSTG.E [R2+0x8], R6 ;\nEXIT ;\n");
    EXPECT(&x, HEDDLE_OK, machine_run(&x));
    for (unsigned b = 0; b < 40; b++) {
      assert_in_range(mem32(&x, 12 * b), FIRST, FIRST + SMS - 1);
      assert_int_equal(mem32(&x, 12 * b + 4), OF);
      assert_in_range(mem32(&x, 12 * b + 8), 0, WARPS - 1);
      ran[mem32(&x, 12 * b) - FIRST]++;
    }
    for (unsigned k = 0; k < SMS; k++) assert_in_range(ran[k], 12, 15); /* in turns */
    machine_free(&x);
  }
}

/* A block of more warps than an SM has slots fits on none, however many there are. */
static void fits_on_one(void **state) {
  (void)state;
  struct machine x;
  machine_several(&x, 1);
  x.launch.block[0] = 32 * (WARPS + 1);
  machine_text(&x, "EXIT ;\n");
  EXPECT(&x, HEDDLE_BAD_ARG, machine_run(&x));
  x.launch.block[0] = 32 * WARPS;
  x.launch.grid[0] = 7;
  EXPECT(&x, HEDDLE_OK, machine_run(&x));
  machine_free(&x);
}

static void slots_apart(void **state) {
  (void)state;
  struct machine x;
  const uint8_t slot[2] = {3, 1};
  machine_several(&x, 1);
  x.launch.block[0] = 64;
  x.launch.grid[0] = 4;
  x.launch.local_bytes = 16;
  machine_text(&x, "S2R R1, SR_SMID ;\nS2R R2, SR_WARPID ;\nS2R R3, SR_NWARPID ;\nSTL [RZ], R1 ;\nLDL R4, [RZ] ;\n"
                   "EXIT ;\n");
  EXPECT(&x, HEDDLE_OK, machine_start(&x));
  for (uint32_t k = 0; k < SMS; k++) {
    const uint32_t id[3] = {k, 0, 0};
    EXPECT(&x, HEDDLE_OK, heddle_block_start_on(x.model, k, 1, id, slot, 2));
  }
  const uint32_t again[3] = {1, 0, 0}, last[3] = {3, 0, 0};
  EXPECT(&x, HEDDLE_STATE, heddle_block_start_on(x.model, 0, 0, again, (const uint8_t[]){0, 2}, 2));
  EXPECT(&x, HEDDLE_STATE, heddle_block_start_on(x.model, 0, 0, last, slot, 2)); /* slots in use */
  EXPECT(&x, HEDDLE_BAD_ARG, heddle_block_start_on(x.model, SMS, 0, last, slot, 2));
  EXPECT(&x, HEDDLE_BAD_ARG, heddle_block_start_on(x.model, 0, BLOCKS, last, slot, 2));
  for (unsigned n = 0; n < 5; n++)
    for (unsigned k = 0; k < SMS; k++) {
      const unsigned w = k * WARPS + slot[0];
      EXPECT(&x, HEDDLE_OK, heddle_warp_issue(x.model, w, &e));
      static struct heddle_performed p;
      if (e.mem_lanes != 0) EXPECT(&x, HEDDLE_OK, heddle_perform(x.model, w, e.seq, e.mem_lanes, &p));
    }
  for (unsigned k = 0; k < SMS; k++) {
    const uint32_t want[5] = {0, FIRST + k, slot[0], WARPS, FIRST + k};
    for (unsigned r = 1; r < 5; r++) assert_int_equal(heddle_reg(x.model, k * WARPS + slot[0], r, 17), want[r]);
  }
  machine_free(&x);
}

/* Each SM has a trap of its own; the first of all is the model's. A precise one stops its SM alone. */
static void traps_apart(void **state) {
  (void)state;
  struct machine x;
  machine_several(&x, 1);
  x.launch.grid[0] = 3;
  machine_text(&x,
               "S2R R1, SR_CTAID.X ;\nISETP.EQ.U32.AND P0, PT, R1, 0x1, PT ;\nISETP.EQ.U32.AND P1, PT, R1, 0x2, PT ;\n"
               "@P0 BPT.TRAP ;\n@P1 BPT.TRAP ;\nEXIT ;\n");
  EXPECT(&x, HEDDLE_OK, machine_start(&x));
  for (uint32_t k = 0; k < SMS; k++) {
    const uint32_t id[3] = {k, 0, 0};
    EXPECT(&x, HEDDLE_OK, heddle_block_start_on(x.model, k, 0, id, (const uint8_t[]){0}, 1));
    for (unsigned n = 0; n < 3; n++) EXPECT(&x, HEDDLE_OK, heddle_warp_issue(x.model, k * WARPS, &e));
  }
  EXPECT(&x, HEDDLE_OK, heddle_warp_issue(x.model, 2 * WARPS, &e));
  EXPECT(&x, HEDDLE_TRAPPED, heddle_warp_issue(x.model, 2 * WARPS, &e));
  EXPECT(&x, HEDDLE_TRAPPED, heddle_warp_issue(x.model, 1 * WARPS, &e));
  EXPECT(&x, HEDDLE_STATE, heddle_warp_issue(x.model, 1 * WARPS, &e));
  for (unsigned n = 0; n < 3; n++) EXPECT(&x, HEDDLE_OK, heddle_warp_issue(x.model, 0, &e));
  assert_true(e.warp_ended);
  assert_int_equal(heddle_model_trap_of(x.model, 0)->cause, HEDDLE_TRAP_NONE);
  for (unsigned k = 1; k < 3; k++) {
    const struct heddle_trap *t = heddle_model_trap_of(x.model, k);
    assert_int_equal(t->cause, HEDDLE_TRAP_BREAKPOINT);
    assert_int_equal(t->sm, FIRST + k);
    assert_int_equal(t->ctaid[0], k);
    assert_int_equal(t->seq, 2 + k);
  }
  assert_int_equal(heddle_model_trap(x.model)->sm, FIRST + 2);
  assert_null(heddle_model_trap_of(x.model, SMS));
  machine_free(&x);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shares_a_grid), cmocka_unit_test(fits_on_one),
                                     cmocka_unit_test(slots_apart), cmocka_unit_test(traps_apart)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
