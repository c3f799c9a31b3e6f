/* SPDX-License-Identifier: Apache-2.0
 *
 * Reconvergence: a warp of 32 threads on either unit gives every thread what it gives alone, nobody traps or waits for
 * ever, barriers between warps see all threads, and what is marked uniform could live in a register of the warp.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/compiler/ir_random.h"

static void middle(struct ir_function *f, uint64_t seed) {
  ir_to_ssa(f);
  if (seed % 4 != 1) ir_fold(f);
  if (seed % 4 != 2) ir_cse(f);
  ir_dead(f);
  ir_uniform(f);
  if (seed % 3) ir_if_convert(f);
  ir_converge(f);
}

static void compare(const struct ir_function *f, const uint8_t *expected, uint64_t seed, unsigned uniform,
                    const char *form) {
  for (unsigned n = 0; n < 4; n++) {
    enum warp_unit unit = n % 2 ? WARP_ITS : WARP_STACK;
    const char *wrong = ir_random_compare(f, unit, seed * 10 + n, uniform, expected);
    if (wrong)
      fail_msg("seed %llu, %s, %s unit, run %u: %s", (unsigned long long)seed, form, n % 2 ? "its" : "stack", n, wrong);
  }
}

static unsigned one(const struct random_ir *shape) {
  uint8_t expected[WARP_GLOBAL];
  struct random_made m = ir_random(shape);
  unsigned ran = ir_random_expect(m.f, expected);
  if (ran) {
    middle(m.f, shape->seed);
    const char *wrong = ir_check(m.f, true);
    if (wrong) fail_msg("seed %llu: %s", (unsigned long long)shape->seed, wrong);
    compare(m.f, expected, shape->seed, 2, "ssa");
    ir_from_ssa(m.f);
    wrong = ir_check(m.f, false);
    if (wrong) fail_msg("seed %llu, out of ssa: %s", (unsigned long long)shape->seed, wrong);
    compare(m.f, expected, shape->seed, 1, "out of ssa");
  }
  ir_random_free(&m);
  return ran;
}

static void statements(void **state) {
  (void)state;
  unsigned ran = 0;
  for (uint64_t seed = 1; seed <= 400; seed++) {
    struct random_ir shape = {
        .seed = seed, .depth = 3, .length = 3, .work = 3, .memory = seed % 3 == 0, .guards = seed % 5 == 0};
    ran += one(&shape);
  }
  assert_true(ran > 300);
}

/* Early ends, and barriers that everybody who has not ended comes to. */
static void barriers(void **state) {
  (void)state;
  unsigned ran = 0;
  for (uint64_t seed = 1; seed <= 400; seed++) {
    struct random_ir shape = {.seed = seed + 5000,
                              .depth = 3,
                              .length = 3,
                              .work = 3,
                              .exits = seed % 2,
                              .barriers = true,
                              .polls = seed % 3 == 0};
    ran += one(&shape);
  }
  assert_true(ran > 300);
}

/* Edges at random: loops with several entries, ends anywhere. */
static void wild(void **state) {
  (void)state;
  unsigned ran = 0;
  for (uint64_t seed = 1; seed <= 800; seed++) {
    struct random_ir shape = {.seed = seed + 10000, .blocks = 3 + (unsigned)(seed % 30), .work = 2, .exits = seed % 2};
    ran += one(&shape);
  }
  assert_true(ran > 500);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(statements), cmocka_unit_test(barriers), cmocka_unit_test(wild)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
