/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of local memory and of generic accesses: what a correct machine shows is accepted, and each spoiled stream is
 * stopped by the check that it is meant for.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/cosim/bench.h"
#include "cosim/kit/conform/mutations.h"
#include "cosim/kit/conform/programs.h"

static struct heddle_checker_difference check(const struct fake_program *p, const struct fake_config *f,
                                              const struct stream *s, const uint8_t *memory) {
  struct bench b = {.p = *p, .f = *f, .s = *s};
  const struct heddle_checker_config cfg = {.partitions = FAKE_PARTITIONS, .banks = FAKE_BANKS, .regs = FAKE_REGS};
  bench_renew(&b, cfg, HEDDLE_CHECKER_NONE);
  (void)bench_whole(&b, memory); /* what it says is the first difference */
  const struct heddle_checker_difference d = *heddle_checker_first(b.c);
  bench_let_go(&b);
  return d;
}

static void accepts(void **state) {
  (void)state;
  static const unsigned lanes[] = {4, 8, 16, 32};
  static uint8_t image[FAKE_BYTES];
  struct fake_program p;
  fake_assemble(&p, program_local, 3, 50);
  for (unsigned i = 0; i < 4; i++)
    for (uint64_t seed = 1; seed <= 10; seed++) {
      const struct fake_config f = {lanes[i], 16, 3, seed, 0};
      struct stream s;
      fake_run(&p, &f, &s, image);
      const struct heddle_checker_difference d = check(&p, &f, &s, image);
      if (d.kind != HEDDLE_CHECKER_NONE)
        fail_msg("%u lanes: %s (%s)", lanes[i], heddle_checker_kind_name(d.kind), d.note);
      stream_free(&s);
    }
  fake_program_free(&p);
}

static void stops(void **state) {
  (void)state;
  static uint8_t image[FAKE_BYTES];
  const struct fake_config f = {8, 16, 3, 3, 3};
  struct fake_program p;
  struct stream good;
  fake_assemble(&p, program_local, 1, 32);
  fake_run(&p, &f, &good, image);
  for (unsigned i = 0; i < local_mutation_count; i++) {
    struct stream s;
    stream_copy(&s, &good);
    assert_true(local_mutations[i].spoil(&s));
    const struct heddle_checker_difference d = check(&p, &f, &s, image);
    if (d.kind != local_mutations[i].expect)
      fail_msg("%s: expected %s, got %s (%s)", local_mutations[i].name,
               heddle_checker_kind_name(local_mutations[i].expect), heddle_checker_kind_name(d.kind), d.note);
    stream_free(&s);
  }
  stream_free(&good);
  fake_program_free(&p);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(accepts), cmocka_unit_test(stops)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
