/* SPDX-License-Identifier: Apache-2.0
 * Every stall count, wait and counter of every program, made weaker. */

#include "tests/test.h"
#include "tests/isa/lint/sources.h"
#include "tests/isa/lint/weaken.h"

static void every_code_is_needed_or_spare(void **state) {
  (void)state;
  struct weaken_tally all = {0};
  const char *name;
  struct heddle_program *p;
  for (unsigned i = 0; (p = source_at(i, &name)) != NULL; i++) {
    struct weaken_tally t = {0};
    if (!weaken_agree(p, name)) fail_msg("%s is not proven as it is", name);
    weaken_all(p, name, &t);
    print_message("%-10s %4u weaker: %4u found wrong, %3u spare with a reason\n", name, t.weaker, t.wrong, t.spare);
    assert_true(t.wrong > 0);
    all.weaker += t.weaker;
    all.wrong += t.wrong;
    all.spare += t.spare;
    heddle_program_free(p);
  }
  print_message("total      %4u weaker: %4u found wrong, %3u spare with a reason\n", all.weaker, all.wrong, all.spare);
}

/* The codes that the compiler's scheduler makes for the same programs. */
static void compiled_codes_too(void **state) {
  (void)state;
  static const uint8_t stall[8] = {5, 6, 8, 7, 6, 12};
  const char *name;
  struct heddle_program *p;
  struct weaken_tally all = {0};
  for (unsigned i = 0; (p = source_at(i, &name)) != NULL; i++) {
    if (p->kernels == 1) {
      assert_true(heddle_schedule(p, 0, p->code_bytes, stall, NULL));
      if (!weaken_agree(p, name)) fail_msg("%s is not proven as the compiler schedules it", name);
      weaken_all(p, name, &all);
    }
    heddle_program_free(p);
  }
  print_message("compiled   %4u weaker: %4u found wrong, %3u spare with a reason\n", all.weaker, all.wrong, all.spare);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_code_is_needed_or_spare),
                                     cmocka_unit_test(compiled_codes_too)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
