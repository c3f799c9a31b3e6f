/* SPDX-License-Identifier: Apache-2.0
 *
 * Pairs of short words on the model, each rule of isa/doc/13-short-words.md by the smallest program that shows it.
 * Results lie at the beginning of memory, a word each lane.
 */
#include "tests/test.h"

#include <string.h>

#include "tests/cmodel/machine.h"

#define OUT 0x1000u

/* The instruction as a short word, with whatever control code the table has: the model alone heeds none. */
static uint64_t as_short(struct heddle_isa_word w) {
  uint64_t s;
  for (unsigned stall = 0; stall < 16; stall++)
    for (unsigned wait = 0; wait < 64; wait++)
      if (heddle_isa_shorten(heddle_isa_put(heddle_isa_put(w, ISA_F_STALL, stall), ISA_F_WAIT, wait), &s)) return s;
  fail_msg("no short form of 0x%016llx%016llx", (unsigned long long)w.hi, (unsigned long long)w.lo);
  return 0;
}

static uint32_t raw(struct machine *x, uint64_t first, uint64_t second) {
  return machine_emit(x, (struct heddle_isa_word){first, second});
}

/* Two in a place; the PC of the first. */
static uint32_t pair(struct machine *x, struct heddle_isa_word a, struct heddle_isa_word b) {
  return raw(x, as_short(a), as_short(b));
}

/* Relative targets of a short word at pc count from 8 behind it. */
static struct heddle_isa_word jump(uint32_t pc, uint32_t to) {
  return bra(pc - 8, to);
}

/* R2:R3 the address of the lane's word. */
static void begin(struct machine *x) {
  machine_init(x);
  emit_address(x, OUT, 4);
}

static void end(struct machine *x, unsigned r) {
  machine_emit(x, stg(2, 0, r, ISA_SIZE_32));
  machine_emit(x, exit_word());
}

static void all_are(struct machine *x, uint32_t want) {
  EXPECT(x, HEDDLE_SUCCESS, machine_run(x));
  for (unsigned i = 0; i < 32; i++) assert_int_equal(mem32(x, OUT + 4 * i), want);
  machine_free(x);
}

static void test_both(void **state) {
  (void)state;
  struct machine x;
  begin(&x);
  pair(&x, mov_imm(4, 5), iadd(4, 4, 7));
  pair(&x, iadd(4, 4, 0x100), iadd(4, 4, (uint32_t)-2)); /* a run of straight code over places */
  end(&x, 4);
  all_are(&x, 0x10a);
}

static void test_from_first(void **state) {
  (void)state;
  struct machine x;
  begin(&x);
  machine_emit(&x, mov_imm(4, 1));
  const uint32_t pc = 16 * x.n;
  pair(&x, jump(pc, pc + 16), mov_imm(4, 2)); /* the second is jumped over */
  end(&x, 4);
  all_are(&x, 1);
}

static void test_from_second(void **state) {
  (void)state;
  struct machine x;
  begin(&x);
  const uint32_t pc = 16 * x.n;
  pair(&x, mov_imm(4, 3), jump(pc + 8, pc + 32));
  machine_emit(&x, mov_imm(4, 2));
  end(&x, 4);
  all_are(&x, 3);
}

static void test_into_second(void **state) {
  (void)state;
  struct machine x;
  begin(&x);
  machine_emit(&x, mov_imm(4, 1));
  const uint32_t pc = 16 * x.n;
  machine_emit(&x, bra(pc, pc + 24));
  pair(&x, mov_imm(4, 9), iadd(4, 4, 4));
  end(&x, 4);
  all_are(&x, 5);
}

/* Lanes that do not branch go on 8 behind a short branch; they meet at a short BSYNC and go on behind it. */
static void test_diverged(void **state) {
  (void)state;
  struct machine x;
  begin(&x);
  machine_emit(&x, bssy(0));
  machine_emit(&x, isetp(0, ISA_ICMP_LT, 0, 16));
  machine_emit(&x, mov_imm(4, 1));
  const uint32_t pc = 16 * x.n;
  pair(&x, word_guard(jump(pc, pc + 16), 0, false), iadd(4, 4, 4)); /* lanes 16 and above */
  pair(&x, mov_reg(5, 4), bsync(0));
  machine_emit(&x, iadd(5, 5, 0x10));
  end(&x, 5);
  EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
  for (unsigned i = 0; i < 32; i++) assert_int_equal(mem32(&x, OUT + 4 * i), i < 16 ? 0x11 : 0x15);
  machine_free(&x);
}

/* A middle of a long word is no instruction; what is shown is the long word. */
static void test_middle(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  machine_emit(&x, bra(0, 24));
  machine_emit(&x, exit_word());
  EXPECT(&x, HEDDLE_ERROR_TRAPPED, machine_run(&x));
  expect_trap(&x, HEDDLE_TRAP_ILLEGAL, 24, ~0u, 0);
  machine_free(&x);
}

static void test_odd(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  machine_emit(&x, WORD(ISA_ENC_JMP_JM, ISA_F_ABS32, 20));
  machine_emit(&x, exit_word());
  EXPECT(&x, HEDDLE_ERROR_TRAPPED, machine_run(&x));
  expect_trap(&x, HEDDLE_TRAP_BAD_PC, 0, ~0u, 20);
  machine_free(&x);
}

/* Behind the last word, of a pair too, there is no code. */
static void test_end(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  pair(&x, mov_imm(4, 5), mov_imm(4, 6));
  EXPECT(&x, HEDDLE_ERROR_TRAPPED, machine_run(&x));
  expect_trap(&x, HEDDLE_TRAP_BAD_PC, 16, ~0u, 16);
  machine_free(&x);
}

/* Code is of whole places: half a pair is refused. */
static void test_half_a_place(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  pair(&x, exit_word(), mov_imm(4, 5));
  x.launch.code = x.code;
  x.launch.code_bytes = 8;
  EXPECT(&x, HEDDLE_ERROR_INVALID_VALUE, heddle_model_launch(x.model, &x.launch));
  machine_free(&x);
}

/* A first word whose bit 63 is 0 stands for none; the second is jumped to as ever. */
static void test_no_first(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  raw(&x, as_short(mov_imm(4, 5)) & ~(UINT64_C(1) << 63), as_short(exit_word()));
  EXPECT(&x, HEDDLE_ERROR_TRAPPED, machine_run(&x));
  expect_trap(&x, HEDDLE_TRAP_ILLEGAL, 0, ~0u, 0);
  x.launch.entry_pc = 8;
  EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
  machine_free(&x);
}

/* A bit that the long word reserves makes the short one illegal. */
static void test_reserved(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  raw(&x, as_short(exit_word()) | 0xff, as_short(exit_word())); /* EXIT has no rd */
  EXPECT(&x, HEDDLE_ERROR_TRAPPED, machine_run(&x));
  expect_trap(&x, HEDDLE_TRAP_ILLEGAL, 0, ~0u, 0);
  machine_free(&x);
}

/* Lockstep shows the PC of the half and the long word. */
static void test_effects(void **state) {
  (void)state;
  struct machine x;
  struct heddle_effect e;
  machine_init(&x);
  const uint64_t a = as_short(mov_imm(4, 5)), b = as_short(iadd(5, 4, 6));
  raw(&x, a, b);
  machine_emit(&x, exit_word());
  machine_lockstep(&x);
  for (unsigned i = 0; i < 2; i++) {
    const struct heddle_isa_word want = heddle_isa_lengthen(i == 0 ? a : b);
    EXPECT(&x, HEDDLE_SUCCESS, heddle_warp_issue(x.model, 0, &e));
    assert_int_equal(e.pc, 8 * i);
    assert_int_equal(e.seq, i);
    assert_true(e.dec.word.lo == want.lo && e.dec.word.hi == want.hi);
    assert_int_equal(e.rd_value[0][31], i == 0 ? 5 : 11);
  }
  EXPECT(&x, HEDDLE_SUCCESS, heddle_warp_issue(x.model, 0, &e));
  assert_int_equal(e.pc, 16);
  machine_free(&x);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_both),        cmocka_unit_test(test_from_first), cmocka_unit_test(test_from_second),
      cmocka_unit_test(test_into_second), cmocka_unit_test(test_diverged),   cmocka_unit_test(test_middle),
      cmocka_unit_test(test_odd),         cmocka_unit_test(test_end),        cmocka_unit_test(test_half_a_place),
      cmocka_unit_test(test_no_first),    cmocka_unit_test(test_reserved),   cmocka_unit_test(test_effects),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
