/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that answers with errors where code and constants are read: precise traps, by lines of 64 bytes.
 */
#include "tests/test.h"
#include "tests/cmodel/step.h"

#define CODE_AT UINT64_C(0x8000000130) /* a multiple of 16 alone */
#define BANK_AT UINT64_C(0x800000007c) /* of 4 alone */

static void set(struct machine *x, uint64_t base, uint64_t limit) {
  x->launch.code_at = CODE_AT;
  x->launch.cbank_at[0] = BANK_AT;
  x->launch.errors = (struct heddle_errors){base, limit};
}

static void begin(struct machine *x, uint64_t base, uint64_t limit) {
  machine_init(x);
  set(x, base, limit);
  machine_emit(x, s2r(0, ISA_SREG_SR_LANEID));
  for (unsigned i = 0; i < 8; i++) machine_emit(x, mov_imm(1, i));
  machine_emit(x, exit_word());
}

/* The line of 0x8000000140 holds pc 0x10 to 0x40: one byte of it is enough, whichever. */
static void fetch(void **state) {
  static const uint64_t byte[] = {0x8000000140, 0x800000015f, 0x8000000160, 0x800000017f};
  (void)state;
  for (unsigned i = 0; i < 4; i++) {
    struct machine x;
    begin(&x, byte[i], byte[i] + 1);
    machine_lockstep(&x);
    step(&x, 0, ~0u);
    precise(&x, HEDDLE_TRAP_BUS, 0x10, ~0u, UINT64_C(0x8000000140));
    machine_free(&x);
  }
}

/* The sector is that of the word, wherever in its line the error is. */
static void sector_of_the_word(void **state) {
  struct machine x;
  (void)state;
  machine_init(&x);
  set(&x, UINT64_C(0x8000000140), UINT64_C(0x8000000144));
  machine_emit(&x, bra(0, 0x40));
  for (unsigned i = 0; i < 3; i++) machine_emit(&x, mov_imm(1, i));
  machine_emit(&x, exit_word());
  machine_lockstep(&x);
  step(&x, 0, ~0u);
  precise(&x, HEDDLE_TRAP_BUS, 0x40, ~0u, UINT64_C(0x8000000160));
  machine_free(&x);
}

/* What is read ahead and never issues raises nothing; neighbouring lines have no part in it. */
static void not_reached(void **state) {
  (void)state;
  for (unsigned alone = 0; alone < 2; alone++) {
    struct machine x;
    machine_init(&x);
    set(&x, UINT64_C(0x8000000140), UINT64_C(0x8000000180));
    machine_emit(&x, bra(0, 0x50));
    for (unsigned i = 0; i < 4; i++) machine_emit(&x, mov_imm(1, i));
    machine_emit(&x, exit_word());
    if (alone) {
      EXPECT(&x, HEDDLE_OK, machine_run(&x));
    } else {
      machine_lockstep(&x);
      step(&x, 0, ~0u);
      step(&x, 0x50, ~0u);
    }
    machine_free(&x);
  }
}

/* It comes before illegal_instruction, bad_pc before it. */
static void order_of_causes(void **state) {
  struct machine x;
  (void)state;
  machine_init(&x);
  set(&x, CODE_AT, CODE_AT + 1);
  machine_emit(&x, (struct heddle_isa_word){~UINT64_C(0), ~UINT64_C(0)});
  machine_lockstep(&x);
  precise(&x, HEDDLE_TRAP_BUS, 0, ~0u, UINT64_C(0x8000000120));
  machine_free(&x);
  machine_init(&x);
  machine_emit(&x, mov_imm(1, 1));
  set(&x, CODE_AT + 0x10, CODE_AT + 0x50);
  machine_lockstep(&x);
  step(&x, 0, ~0u);
  precise(&x, HEDDLE_TRAP_BAD_PC, 0x10, ~0u, 0x10);
  machine_free(&x);
}

static void run_alone(void **state) {
  struct machine x;
  (void)state;
  begin(&x, UINT64_C(0x8000000150), UINT64_C(0x8000000151));
  EXPECT(&x, HEDDLE_TRAPPED, machine_run(&x));
  expect_trap(&x, HEDDLE_TRAP_BUS, 0x10, ~0u, UINT64_C(0x8000000140));
  assert_int_equal(x.retired, 1);
  machine_free(&x);
}

static struct heddle_isa_word add_constant(unsigned offset) {
  return WORD(ISA_ENC_IADD3_RCR, ISA_F_RD, 1, ISA_F_RA, 0, ISA_F_COFF, offset, ISA_F_RC, ISA_RZ);
}

/* Offset 0x4 begins the line of 0x8000000080. Whatever the guard says; the address is the offset. */
static void constant_operand(void **state) {
  (void)state;
  for (unsigned guard = 0; guard < 2; guard++) {
    struct machine x;
    machine_init(&x);
    set(&x, UINT64_C(0x80000000bf), UINT64_C(0x80000000c0));
    machine_emit(&x, s2r(0, ISA_SREG_SR_LANEID));
    machine_emit(&x, add_constant(0x0));
    machine_emit(&x, add_constant(0x44));
    machine_emit(&x, guard ? word_guard(add_constant(0x40), 7, true) : add_constant(0x40));
    machine_lockstep(&x);
    steps(&x, 3);
    precise(&x, HEDDLE_TRAP_BUS, 0x30, ~0u, 0x40);
    machine_free(&x);
  }
}

/* Outside of the bank comes first: nothing is read there. */
static void outside_first(void **state) {
  struct machine x;
  (void)state;
  machine_init(&x);
  set(&x, BANK_AT + 0x200, BANK_AT + 0x210);
  machine_emit(&x, add_constant(0x200));
  machine_lockstep(&x);
  precise(&x, HEDDLE_TRAP_CONST_RANGE, 0, ~0u, 0x200);
  machine_free(&x);
}

/* Of two words, either. The pair at 0x40 lies across a line's end. */
static void pair_of_words(void **state) {
  static const uint64_t byte[] = {UINT64_C(0x80000000bc), UINT64_C(0x80000000c0)};
  (void)state;
  for (unsigned i = 0; i < 2; i++) {
    struct machine x;
    machine_init(&x);
    set(&x, byte[i], byte[i] + 4);
    machine_emit(&x, WORD(ISA_ENC_DADD_RC, ISA_F_RD, 2, ISA_F_RA, ISA_RZ, ISA_F_COFF, 0x40));
    machine_lockstep(&x);
    precise(&x, HEDDLE_TRAP_BUS, 0, ~0u, 0x40);
    machine_free(&x);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fetch),         cmocka_unit_test(sector_of_the_word),
                                     cmocka_unit_test(not_reached),   cmocka_unit_test(order_of_causes),
                                     cmocka_unit_test(run_alone),     cmocka_unit_test(constant_operand),
                                     cmocka_unit_test(outside_first), cmocka_unit_test(pair_of_words)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
