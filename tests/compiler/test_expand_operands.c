/* SPDX-License-Identifier: Apache-2.0
 * Operands of expansions that are no plain registers: immediates, RZ, constants, minus and absolute value. */
#include <math.h>
#include <string.h>

#include "tests/test.h"
#include "tests/compiler/expand_run.h"

enum { N = 64 };

static struct mir_operand changed(struct mir_operand x, bool neg, bool abs) {
  x.neg = neg;
  x.abs = abs;
  return x;
}

static const struct ir_insn nearest = {.op = IR_DIV, .arithmetic.round = IR_RN};

/* which: the operands in place of a, b */
static struct mir_operand divide32(struct mir_builder *m, const void *ctx, struct mir_operand a, struct mir_operand b) {
  const struct mir_operand first[] = {changed(a, true, false), changed(a, false, true), changed(a, true, true),
                                      mir_imm(0x40400000), mir_zero()};
  const unsigned *which = ctx;
  return expand_div_f32(m, &nearest, first[*which], changed(b, true, false));
}

static struct mir_operand divide64(struct mir_builder *m, const void *ctx, struct mir_operand a, struct mir_operand b) {
  const struct mir_operand first[] = {changed(a, true, false), changed(a, false, true), changed(a, true, true),
                                      mir_imm_f64(0x40080000), mir_zero()};
  const unsigned *which = ctx;
  return expand_div_f64(m, &nearest, first[*which], changed(b, true, false));
}

static double first_operand(unsigned which, double a) {
  const double v[] = {-a, fabs(a), -fabs(a), 3.0, 0.0};
  return v[which];
}

static void float_modifiers(void **state) {
  (void)state;
  float a[N], b[N], got[N];
  double wa[N], wb[N], wgot[N];
  for (unsigned k = 0; k < N; k++) {
    wa[k] = a[k] = (k % 2 ? -1.0f : 1.0f) * (float)(k + 1) * 1.37f;
    wb[k] = b[k] = (k % 3 ? -1.0f : 1.0f) * (float)(N - k) * 0.7f;
  }
  for (unsigned which = 0; which < 5; which++) {
    struct expand_job job = {.build = divide32, .ctx = &which, .width = {4, 4, 4}};
    struct expand_machine *x = expand_new(&job);
    expand_apply(x, a, b, got, N);
    expand_free(x);
    job = (struct expand_job){.build = divide64, .ctx = &which, .width = {8, 8, 8}};
    x = expand_new(&job);
    expand_apply(x, wa, wb, wgot, N);
    expand_free(x);
    for (unsigned k = 0; k < N; k++) {
      const float want = (float)first_operand(which, (double)a[k]) / -b[k];
      const double wide_want = first_operand(which, wa[k]) / -wb[k];
      assert_memory_equal(&got[k], &want, sizeof want);
      assert_memory_equal(&wgot[k], &wide_want, sizeof wide_want);
    }
  }
}

static struct mir_operand integer64(struct mir_builder *m, const void *ctx, struct mir_operand a,
                                    struct mir_operand b) {
  const unsigned *which = ctx;
  (void)b;
  switch (*which) {
  case 0:
    return expand_div_int(m, PTX_U64, false, a, mir_imm(1000)); /* one word: zero-extended */
  case 1:
    return expand_div_int(m, PTX_U64, true, mir_imm(0xffffffff), a);
  case 2:
    return expand_div_int(m, PTX_S64, false, a, mir_wide(m, 0 - UINT64_C(7)));
  default:
    return expand_div_int(m, PTX_U64, false, mir_zero(), a);
  }
}

static void integer_immediates(void **state) {
  (void)state;
  uint64_t a[N], got[N];
  for (unsigned k = 0; k < N; k++) a[k] = (UINT64_C(0x9e3779b97f4a7c15) >> k) + 1;
  for (unsigned which = 0; which < 4; which++) {
    const struct expand_job job = {.build = integer64, .ctx = &which, .width = {8, 0, 8}};
    struct expand_machine *x = expand_new(&job);
    expand_apply(x, a, NULL, got, N);
    expand_free(x);
    for (unsigned k = 0; k < N; k++) {
      const uint64_t want[] = {a[k] / 1000, 0xffffffff % a[k], (uint64_t)((int64_t)a[k] / -7), 0};
      assert_int_equal(got[k], want[which]);
    }
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(float_modifiers), cmocka_unit_test(integer_immediates)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
