/* SPDX-License-Identifier: Apache-2.0
 *
 * The model alone: whole small programs.
 */
#include <string.h>

#include "tests/cmodel/check.h"
#include "tests/cmodel/machine.h"

/* c[i] = a[i] + b[i] as FP32, over several blocks, the last one partly empty. */
static void vector_add(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  x.launch.grid[0] = 5;
  x.launch.block[0] = 72;
  machine_emit(&x, s2r(0, ISA_SREG_SR_TID_X));
  machine_emit(&x, s2r(1, ISA_SREG_SR_CTAID_X));
  machine_emit(&x, WORD(ISA_ENC_IMAD_RCR, ISA_F_RD, 0, ISA_F_RA, 1, ISA_F_CBANK, 0, ISA_F_COFF, 0, ISA_F_RC, 0));
  machine_emit(&x, mov_imm(2, (uint32_t)MEM_BASE));
  machine_emit(&x, mov_imm(3, (uint32_t)(MEM_BASE >> 32)));
  machine_emit(&x, WORD(ISA_ENC_IMAD_WIDE_RIR, ISA_F_RD, 2, ISA_F_RA, 0, ISA_F_IMM, 4, ISA_F_RC, 2));
  machine_emit(&x, ldg(4, 2, 0, ISA_SIZE_32));
  machine_emit(&x, ldg(5, 2, 0x1000, ISA_SIZE_32));
  machine_emit(&x, WORD(ISA_ENC_FADD_RR, ISA_F_RD, 6, ISA_F_RA, 4, ISA_F_RB, 5));
  machine_emit(&x, stg(2, 0x2000, 6, ISA_SIZE_32));
  machine_emit(&x, exit_word());
  x.bank[0] = 72;
  for (uint32_t i = 0; i < 360; i++) {
    const float a = (float)i, b = 0.25f * (float)i;
    uint32_t u;
    memcpy(&u, &a, 4);
    set_mem32(&x, 4 * i, u);
    memcpy(&u, &b, 4);
    set_mem32(&x, 0x1000 + 4 * i, u);
  }
  EXPECT(&x, HEDDLE_OK, machine_run(&x));
  assert_int_equal(x.retired, 5 * 3 * 11);
  assert_true(heddle_grid_done(x.model));
  for (uint32_t i = 0; i < 360; i++) {
    const float want = 1.25f * (float)i;
    uint32_t u;
    memcpy(&u, &want, 4);
    assert_int_equal(mem32(&x, 0x2000 + 4 * i), u);
  }
  assert_int_equal(mem32(&x, 0x2000 + 4 * 360), 0);
  machine_free(&x);
}

/* More blocks than fit: each adds one to a counter. */
static void many_blocks(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  x.launch.grid[0] = 7;
  x.launch.grid[1] = 5;
  x.launch.grid[2] = 3;
  x.launch.block[0] = 64;
  machine_emit(&x, mov_imm(2, (uint32_t)MEM_BASE));
  machine_emit(&x, mov_imm(3, (uint32_t)(MEM_BASE >> 32)));
  machine_emit(&x, mov_imm(4, 1));
  machine_emit(&x, WORD(ISA_ENC_RED_E_ST, ISA_F_RA, 2, ISA_F_RB, 4, ISA_F_OFF24, 0x40));
  machine_emit(&x, exit_word());
  EXPECT(&x, HEDDLE_OK, machine_run(&x));
  assert_int_equal(mem32(&x, 0x40), 7 * 5 * 3 * 64);
  machine_free(&x);
}

static void limit_stops(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  machine_emit(&x, mov_imm(0, 1));
  machine_emit(&x, iadd(0, 0, 1)); /* without it no state would be new: tests/cmodel/test_lock.c */
  machine_emit(&x, bra(32, 16));
  EXPECT(&x, HEDDLE_LIMIT, machine_run(&x));
  assert_int_equal(x.retired, 1000000);
  machine_free(&x);
}

/* A warp that spins on a flag which another one sets: everybody must have a turn. */
static void spinning_is_fair(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  x.launch.block[0] = 64;
  emit_address(&x, 0, 0);
  machine_emit(&x, mov_imm(4, 7));
  machine_emit(&x, isetp(0, ISA_ICMP_GE, 0, 32));
  machine_emit(&x, word_guard(stg(2, 0, 4, ISA_SIZE_32), 0, false));
  const uint32_t loop = machine_emit(&x, ldg(5, 2, 0, ISA_SIZE_32));
  machine_emit(&x, isetp(1, ISA_ICMP_NE, 5, 7));
  const uint32_t at = machine_emit(&x, exit_word());
  machine_patch(&x, at, word_guard(bra(at, loop), 1, false));
  machine_emit(&x, exit_word());
  EXPECT(&x, HEDDLE_OK, machine_run(&x));
  machine_free(&x);
}

static void launch_refuses(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  machine_emit(&x, exit_word());
  x.launch.block[0] = 1025;
  EXPECT(&x, HEDDLE_BAD_ARG, machine_start(&x));
  x.launch.block[0] = 32;
  x.launch.grid[1] = 0;
  EXPECT(&x, HEDDLE_BAD_ARG, machine_start(&x));
  x.launch.grid[1] = 1;
  x.launch.region[0].limit++;
  EXPECT(&x, HEDDLE_BAD_ARG, machine_start(&x));
  x.launch.region[0].limit--;
  x.launch.regs = 256;
  EXPECT(&x, HEDDLE_BAD_ARG, machine_start(&x));
  x.launch.regs = 0;
  EXPECT(&x, HEDDLE_OK, machine_run(&x));
  machine_free(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vector_add),       cmocka_unit_test(many_blocks),    cmocka_unit_test(limit_stops),
      cmocka_unit_test(spinning_is_fair), cmocka_unit_test(launch_refuses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
