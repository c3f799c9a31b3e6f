/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums of atomics that the host computes: by exact cases, and against integer arithmetic on halves.
 */
#include <string.h>

#include "tests/test.h"
#include "lab/verify/oracle/order/internal.h"

static uint64_t apply(unsigned aop, unsigned bytes, uint64_t v, uint64_t b) {
  const struct action a = {.act = ACT_ATOMIC, .bytes = (uint8_t)bytes, .aop = (uint8_t)aop};
  const uint32_t w[2] = {(uint32_t)b, (uint32_t)(b >> 32)}, none[2] = {0, 0};
  uint8_t p[8];
  memcpy(p, &v, 8);
  order_atomic_apply(&a, p, w, none);
  v = 0;
  memcpy(&v, p, bytes);
  return v;
}

static void test_float(void **state) {
  (void)state;
  assert_int_equal(apply(ISA_AOP_ADD_F32, 4, 0x3f800000, 0x3f800000), 0x40000000);
  assert_int_equal(apply(ISA_AOP_ADD_F32, 4, 0x7f800000, 0xff800000), 0x7fffffff); /* inf - inf */
  assert_int_equal(apply(ISA_AOP_ADD_F32, 4, 0x00000001, 0x00000001), 0x00000002); /* subnormals are kept */
  assert_int_equal(apply(ISA_AOP_ADD_F32, 4, 0x80000000, 0x80000000), 0x80000000); /* -0 + -0 */
  assert_int_equal(apply(ISA_AOP_ADD_F32, 4, 0x4b800000, 0x3f800000), 0x4b800000); /* a tie, to even */
  assert_true(apply(ISA_AOP_ADD_F64, 8, 0x7ff0000000000001, 0x3ff0000000000000) == 0x7ff8000000000001);
  assert_true(apply(ISA_AOP_ADD_F64, 8, 0x7ff0000000000001, 0xfff0000000000002) == 0xfff8000000000002); /* b first */
  assert_true(apply(ISA_AOP_ADD_F64, 8, 0x7ff0000000000000, 0xfff0000000000000) == 0xfff8000000000000);
}

static void test_half(void **state) {
  (void)state;
  assert_int_equal(apply(ISA_AOP_ADD_F16X2, 4, 0x3c003c00, 0x3c000000), 0x40003c00);
  assert_int_equal(apply(ISA_AOP_ADD_F16X2, 4, 0x7c00fbff, 0xfc008000), 0x7ffffbff); /* inf - inf; -65504 + -0 */
  assert_int_equal(apply(ISA_AOP_ADD_F16X2, 4, 0x7bff0001, 0x4c000001), 0x7c000002); /* overflow; subnormals */
  assert_int_equal(apply(ISA_AOP_ADD_F16X2, 4, 0x68006801, 0x3c003c00), 0x68006802); /* 2048 + 1: ties, to even */
  assert_int_equal(apply(ISA_AOP_ADD_F16X2, 4, 0xbc008000, 0x3c000000), 0x00000000);
  /* A half plus zero is itself, whatever it is: numbers of both signs, infinities. */
  for (uint32_t h = 0; h <= 0x7c00; h++) {
    const uint32_t both = h | (h | 0x8000u) << 16;
    if (apply(ISA_AOP_ADD_F16X2, 4, both, 0x80008000u) != both) fail_msg("0x%08x + -0 is something else", both);
  }
}

static void test_whole(void **state) {
  (void)state;
  assert_int_equal(apply(ISA_AOP_INC, 4, 7, 7), 0);
  assert_int_equal(apply(ISA_AOP_INC, 4, 6, 7), 7);
  assert_int_equal(apply(ISA_AOP_DEC, 4, 0, 7), 7);
  assert_int_equal(apply(ISA_AOP_DEC, 4, 8, 7), 7);
  assert_int_equal(apply(ISA_AOP_DEC, 4, 5, 7), 4);
  assert_int_equal(apply(ISA_AOP_MIN, 4, 0xffffffff, 1), 1);
  assert_int_equal(apply(ISA_AOP_MIN_S32, 4, 0xffffffff, 1), 0xffffffff);
  assert_int_equal(apply(ISA_AOP_MAX_S32, 4, 0xffffffff, 1), 1);
  assert_true(apply(ISA_AOP_MAX_U64, 8, 1, UINT64_MAX) == UINT64_MAX);
  assert_true(apply(ISA_AOP_MAX_S64, 8, 1, UINT64_MAX) == 1);
  assert_true(apply(ISA_AOP_ADD_64, 8, UINT64_MAX, 2) == 1);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_float), cmocka_unit_test(test_half),
                                     cmocka_unit_test(test_whole)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
