/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks on several threads: memory, counts, traps and diagnoses do not depend on how many.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/cmodel/machine.h"

enum { BLOCKS = 96, THREADS = 64 };

struct outcome {
  enum heddle_status status;
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
  EXPECT(&x, HEDDLE_OK, machine_start(&x));
  o->status = heddle_model_run(x.model, limit, &o->retired);
  o->trap = *heddle_model_trap(x.model);
  if (o->status != HEDDLE_OK) strcpy(o->diag, heddle_model_diag(x.model));
  memcpy(o->memory, heddle_model_memory(x.model), MEM_BYTES);
  machine_free(&x);
  return o;
}

static void compare(program_fn *program, uint64_t limit, enum heddle_status want) {
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
  compare(apart, 0, HEDDLE_OK);
  struct outcome *o = run(apart, 4, 0);
  assert_int_equal(word_at(o, 0x100), BLOCKS * THREADS);
  assert_int_equal(word_at(o, 0x108), BLOCKS * THREADS - 1);
  for (uint32_t i = 0; i < BLOCKS * THREADS; i++) assert_int_equal(word_at(o, 0x10000 + 4 * i), i);
  free(o);
}

static void order_that_shows(void **state) {
  (void)state;
  compare(drawing, 0, HEDDLE_OK);
  compare(float_sum, 0, HEDDLE_OK);
}

static void traps_and_diagnoses(void **state) {
  (void)state;
  compare(one_traps, 0, HEDDLE_TRAPPED);
  compare(one_undefined, 0, HEDDLE_UNDEFINED);
  compare(one_leaves_marks, 0, HEDDLE_UNDEFINED);
  compare(all_store_again, 0, HEDDLE_OK);
}

static void limits(void **state) {
  (void)state;
  compare(apart, 100, HEDDLE_LIMIT);
  compare(apart, BLOCKS * 2 * 14 - 1, HEDDLE_LIMIT); /* all but the last instruction */
  compare(apart, BLOCKS * 2 * 14, HEDDLE_OK);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(independent_blocks), cmocka_unit_test(order_that_shows),
                                     cmocka_unit_test(traps_and_diagnoses), cmocka_unit_test(limits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
