/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks on several threads, and several SMs: memory, counts, traps and diagnoses do not depend on how many.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/cmodel/machine.h"
#include "tests/cmodel/step.h"
#include "tests/test.h"

enum { BLOCKS = 96, THREADS = 64 };

struct outcome {
  enum heddle_error status;
  struct heddle_trap trap;
  uint64_t retired;
  char diag[512];
  uint8_t memory[MEM_BYTES];
};

typedef void program_fn(struct machine *x);

/* R0 = thread of the grid, R2:R3 = base + 4 * R0. */
static void prologue(struct machine *x) {
  machine_emit(x, s2r(0, ISA_SREG_SR_TID_X));
  machine_emit(x, s2r(1, ISA_SREG_SR_CTAID_X));
  machine_emit(x, WORD(ISA_ENC_IMAD_RIR, ISA_F_RD, 0, ISA_F_RA, 1, ISA_F_IMM, THREADS, ISA_F_RC, 0));
  machine_emit(x, mov_imm(2, (uint32_t)MEM_BASE));
  machine_emit(x, mov_imm(3, (uint32_t)(MEM_BASE >> 32)));
  machine_emit(x, mov_reg(8, 2));
  machine_emit(x, mov_reg(9, 3));
  machine_emit(x, WORD(ISA_ENC_IMAD_WIDE_RIR, ISA_F_RD, 2, ISA_F_RA, 0, ISA_F_IMM, 4, ISA_F_RC, 2));
}

static struct heddle_isa_word red(uint64_t op, int offset, unsigned rb) {
  return WORD(ISA_ENC_RED_E_ST, ISA_F_ROP, op, ISA_F_RA, 8, ISA_F_RB, rb, ISA_F_OFF24, (uint64_t)(int64_t)offset);
}

/* Every thread writes its own word and counts itself, integer atomics without a result. */
static void apart(struct machine *x) {
  prologue(x);
  machine_emit(x, stg(2, 0x10000, 0, ISA_SIZE_32));
  machine_emit(x, mov_imm(4, 1));
  machine_emit(x, red(ISA_ROP_ADD, 0x100, 4));
  machine_emit(x, red(ISA_ROP_XOR, 0x104, 0));
  machine_emit(x, red(ISA_ROP_MAX_S32, 0x108, 0));
  machine_emit(x, exit_word());
}

/* Each thread draws a number and keeps it: who comes first shows. */
static void drawing(struct machine *x) {
  prologue(x);
  machine_emit(x, mov_imm(4, 1));
  machine_emit(
      x, WORD(ISA_ENC_ATOMG_E_AT, ISA_F_AOP, ISA_AOP_ADD, ISA_F_RD, 5, ISA_F_RA, 8, ISA_F_RB, 4, ISA_F_OFF24, 0x100));
  machine_emit(x, stg(2, 0x10000, 5, ISA_SIZE_32));
  machine_emit(x, exit_word());
}

/* A sum of floats of different size: the order shows in the last bits. */
static void float_sum(struct machine *x) {
  prologue(x);
  machine_emit(x, WORD(ISA_ENC_I2F_R, ISA_F_RD, 4, ISA_F_RB, 0));
  machine_emit(x, WORD(ISA_ENC_FMUL_RR, ISA_F_RD, 4, ISA_F_RA, 4, ISA_F_RB, 4));
  machine_emit(x, red(ISA_ROP_ADD_F32, 0x100, 4));
  machine_emit(x, exit_word());
}

/* One block of many stores outside memory; the others write words. */
static void one_traps(struct machine *x) {
  prologue(x);
  machine_emit(x, stg(2, 0x10000, 0, ISA_SIZE_32));
  machine_emit(x, isetp(0, ISA_ICMP_EQ, 1, 37));
  machine_emit(x, mov_imm(6, 0));
  machine_emit(x, mov_imm(7, 0));
  struct heddle_isa_word bad = stg(6, 0, 0, ISA_SIZE_32);
  machine_emit(x, heddle_isa_put(bad, ISA_F_PG, 0));
  machine_emit(x, stg(2, 0x20000, 0, ISA_SIZE_32));
  machine_emit(x, exit_word());
}

/* One block reads what was never written. */
static void one_undefined(struct machine *x) {
  prologue(x);
  machine_emit(x, isetp(0, ISA_ICMP_EQ, 1, 51));
  machine_emit(x, heddle_isa_put(lds(5, 6, 0, ISA_SIZE_32), ISA_F_PG, 0));
  machine_emit(x, stg(2, 0x10000, 0, ISA_SIZE_32));
  machine_emit(x, exit_word());
}

/* Blocks store what nobody has written, and only all but one store something behind it. */
static void one_leaves_marks(struct machine *x) {
  prologue(x);
  machine_emit(x, isetp(0, ISA_ICMP_NE, 1, 51));
  machine_emit(x, stg(2, 0x10000, 7, ISA_SIZE_32));
  machine_emit(x, heddle_isa_put(stg(2, 0x10000, 0, ISA_SIZE_32), ISA_F_PG, 0));
  machine_emit(x, exit_word());
}

static void all_store_again(struct machine *x) {
  prologue(x);
  machine_emit(x, stg(2, 0x10000, 7, ISA_SIZE_32));
  machine_emit(x, stg(2, 0x10000, 0, ISA_SIZE_32));
  machine_emit(x, exit_word());
}

static struct outcome *run(program_fn *program, unsigned threads, uint64_t limit) {
  struct outcome *o = calloc(1, sizeof *o);
  assert_non_null(o);
  struct machine x;
  machine_init(&x);
  heddle_model_free(x.model);
  const struct heddle_model_config c = {
      .size = sizeof c, .base = MEM_BASE, .bytes = MEM_BYTES, .warp_slots = 16, .block_slots = 8, .threads = threads};
  x.model = heddle_model_new(&c);
  assert_non_null(x.model);
  x.launch.grid[0] = BLOCKS;
  x.launch.block[0] = THREADS;
  program(&x);
  EXPECT(&x, HEDDLE_SUCCESS, machine_start(&x));
  o->status = heddle_model_run(x.model, limit, &o->retired);
  o->trap = *heddle_model_trap(x.model);
  if (o->status != HEDDLE_SUCCESS) strcpy(o->diag, heddle_model_diag(x.model));
  memcpy(o->memory, heddle_model_memory(x.model), MEM_BYTES);
  machine_free(&x);
  return o;
}

static void compare(program_fn *program, uint64_t limit, enum heddle_error want) {
  static const unsigned counts[] = {2, 3, 8};
  struct outcome *one = run(program, 1, limit);
  assert_int_equal(one->status, want);
  for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++)
    for (unsigned again = 0; again < 4; again++) {
      struct outcome *more = run(program, counts[i], limit);
      assert_int_equal(more->status, one->status);
      assert_int_equal(more->retired, one->retired);
      assert_int_equal(more->trap.cause, one->trap.cause);
      assert_memory_equal(more->trap.ctaid, one->trap.ctaid, sizeof one->trap.ctaid);
      assert_int_equal(more->trap.lanes, one->trap.lanes);
      assert_string_equal(more->diag, one->diag);
      assert_int_equal(memcmp(more->memory, one->memory, MEM_BYTES), 0);
      free(more);
    }
  free(one);
}

static uint32_t word_at(const struct outcome *o, size_t at) {
  uint32_t v;
  memcpy(&v, o->memory + at, sizeof v);
  return v;
}

static void independent_blocks(void **state) {
  (void)state;
  compare(apart, 0, HEDDLE_SUCCESS);
  struct outcome *o = run(apart, 4, 0);
  assert_int_equal(word_at(o, 0x100), BLOCKS * THREADS);
  assert_int_equal(word_at(o, 0x108), BLOCKS * THREADS - 1);
  for (uint32_t i = 0; i < BLOCKS * THREADS; i++) assert_int_equal(word_at(o, 0x10000 + 4 * i), i);
  free(o);
}

static void order_that_shows(void **state) {
  (void)state;
  compare(drawing, 0, HEDDLE_SUCCESS);
  compare(float_sum, 0, HEDDLE_SUCCESS);
}

static void traps_and_diagnoses(void **state) {
  (void)state;
  compare(one_traps, 0, HEDDLE_ERROR_TRAPPED);
  compare(one_undefined, 0, HEDDLE_ERROR_UNDEFINED);
  compare(one_leaves_marks, 0, HEDDLE_ERROR_UNDEFINED);
  compare(all_store_again, 0, HEDDLE_SUCCESS);
}

static void limits(void **state) {
  (void)state;
  compare(apart, 100, HEDDLE_ERROR_LIMIT);
  compare(apart, BLOCKS * 2 * 14 - 1, HEDDLE_ERROR_LIMIT); /* all but the last instruction */
  compare(apart, BLOCKS * 2 * 14, HEDDLE_SUCCESS);
}

/* A model of several SMs: slots and special registers of each, blocks that they share, local memory, traps apart. */

enum { SMS = 3, FIRST = 5, OF = 9, WARPS = 4, BLOCK_SLOTS = 2 };

static void machine_several(struct machine *x, unsigned threads) {
  const struct heddle_model_config c = {.size = sizeof c,
                                        .base = MEM_BASE,
                                        .bytes = MEM_BYTES,
                                        .warp_slots = WARPS,
                                        .block_slots = BLOCK_SLOTS,
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
    EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
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
  EXPECT(&x, HEDDLE_ERROR_INVALID_VALUE, machine_run(&x));
  x.launch.block[0] = 32 * WARPS;
  x.launch.grid[0] = 7;
  EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
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
  EXPECT(&x, HEDDLE_SUCCESS, machine_start(&x));
  for (uint32_t k = 0; k < SMS; k++) {
    const uint32_t id[3] = {k, 0, 0};
    EXPECT(&x, HEDDLE_SUCCESS, heddle_block_start_on(x.model, k, 1, id, slot, 2));
  }
  const uint32_t again[3] = {1, 0, 0}, last[3] = {3, 0, 0};
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_block_start_on(x.model, 0, 0, again, (const uint8_t[]){0, 2}, 2));
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_block_start_on(x.model, 0, 0, last, slot, 2)); /* slots in use */
  EXPECT(&x, HEDDLE_ERROR_INVALID_VALUE, heddle_block_start_on(x.model, SMS, 0, last, slot, 2));
  EXPECT(&x, HEDDLE_ERROR_INVALID_VALUE, heddle_block_start_on(x.model, 0, BLOCK_SLOTS, last, slot, 2));
  for (unsigned n = 0; n < 5; n++)
    for (unsigned k = 0; k < SMS; k++) {
      const unsigned w = k * WARPS + slot[0];
      EXPECT(&x, HEDDLE_SUCCESS, heddle_warp_issue(x.model, w, &e));
      static struct heddle_performed p;
      if (e.mem_lanes != 0) EXPECT(&x, HEDDLE_SUCCESS, heddle_perform(x.model, w, e.seq, e.mem_lanes, &p));
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
  EXPECT(&x, HEDDLE_SUCCESS, machine_start(&x));
  for (uint32_t k = 0; k < SMS; k++) {
    const uint32_t id[3] = {k, 0, 0};
    EXPECT(&x, HEDDLE_SUCCESS, heddle_block_start_on(x.model, k, 0, id, (const uint8_t[]){0}, 1));
    for (unsigned n = 0; n < 3; n++) EXPECT(&x, HEDDLE_SUCCESS, heddle_warp_issue(x.model, k * WARPS, &e));
  }
  EXPECT(&x, HEDDLE_SUCCESS, heddle_warp_issue(x.model, 2 * WARPS, &e));
  EXPECT(&x, HEDDLE_ERROR_TRAPPED, heddle_warp_issue(x.model, 2 * WARPS, &e));
  EXPECT(&x, HEDDLE_ERROR_TRAPPED, heddle_warp_issue(x.model, 1 * WARPS, &e));
  EXPECT(&x, HEDDLE_ERROR_STATE, heddle_warp_issue(x.model, 1 * WARPS, &e));
  for (unsigned n = 0; n < 3; n++) EXPECT(&x, HEDDLE_SUCCESS, heddle_warp_issue(x.model, 0, &e));
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(independent_blocks),  cmocka_unit_test(order_that_shows),
                                     cmocka_unit_test(traps_and_diagnoses), cmocka_unit_test(limits),
                                     cmocka_unit_test(shares_a_grid),       cmocka_unit_test(fits_on_one),
                                     cmocka_unit_test(slots_apart),         cmocka_unit_test(traps_apart)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
