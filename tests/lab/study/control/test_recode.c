/* SPDX-License-Identifier: Apache-2.0
 * Other control codes: what is asked for changes and nothing else does; what does not suffice is refused. */
#include <stdlib.h>
#include <string.h>

#include <heddle/lint.h>
#include "tests/test.h"
#include "lab/study/control/recode.h"
#include "tests/isa/lint/sources.h"

static const char chain[] = ".kernel chain\n"
                            "  LDG.E R4, [R2] ;\n"
                            "  IADD3 R5, R4, R6.reuse, RZ ;\n"
                            "  IADD3 R7, R5, R6, RZ ;\n"
                            "  FADD R8, R7, R7 ;\n"
                            "  STG.E [R2], R8 ;\n"
                            "  EXIT ;\n"
                            ".end\n";

static struct heddle_isa_ctl ctl(const struct heddle_program *p, uint32_t index) {
  struct heddle_isa_dec d;
  assert_true(heddle_isa_decode(heddle_program_word(p, index * ISA_WORD_BYTES), &d));
  return d.ctl;
}

static struct heddle_program *recoded(struct recode r) {
  char why[320];
  struct heddle_program *p = assembled(chain, "chain.s", NULL);
  if (!recode(p, &r, why, sizeof why)) fail_msg("%s", why);
  return p;
}

/* The words of two programs with the parts of `mask` made equal. */
static bool equal_but(const struct heddle_program *a, const struct heddle_program *b, enum heddle_isa_field but) {
  if (a->code_bytes != b->code_bytes) return false;
  for (uint32_t pc = 0; pc < a->code_bytes; pc += ISA_WORD_BYTES) {
    const struct heddle_isa_word x = heddle_isa_put(heddle_program_word(a, pc), but, 0);
    const struct heddle_isa_word y = heddle_isa_put(heddle_program_word(b, pc), but, 0);
    if (x.lo != y.lo || x.hi != y.hi) return false;
  }
  return true;
}

static void reuse_goes_and_all_else_stays(void **state) {
  (void)state;
  struct heddle_program *before = assembled(chain, "chain.s", NULL);
  struct heddle_program *after = recoded((struct recode){.counters = 6, .clear = RECODE_REUSE});
  assert_int_equal(ctl(before, 1).reuse, 2);
  for (uint32_t i = 0; i < 6; i++) assert_int_equal(ctl(after, i).reuse, 0);
  assert_true(equal_but(before, after, ISA_F_REUSE));
  assert_false(equal_but(before, after, ISA_F_YIELD)); /* the comparison can fail */
  heddle_program_free(before);
  heddle_program_free(after);
}

static void counters_await_everything(void **state) {
  (void)state;
  struct heddle_program *p = recoded((struct recode){.counters = 6, .by_counters = true});
  for (uint32_t i = 0; i < 6; i++) assert_int_equal(ctl(p, i).stall, 1);
  for (uint32_t i = 0; i < 4; i++) {
    assert_true(ctl(p, i).wbar < 6);
    assert_true(ctl(p, i + 1).wait >> ctl(p, i).wbar & 1);
  }
  heddle_program_free(p);
}

/* Of all programs that there are, branches and calls among them. */
static void counters_suffice_everywhere(void **state) {
  (void)state;
  const char *name;
  struct heddle_program *p;
  struct recode_counts n;
  char why[320];
  unsigned programs = 0;
  for (unsigned i = 0; (p = source_at(i, &name)) != NULL; i++, programs++) {
    if (!recode(p, &(struct recode){.counters = 6, .by_counters = true}, why, sizeof why))
      fail_msg("%s: %s", name, why);
    recode_count(p, &n);
    assert_int_equal(n.stalls, 0);
    assert_true(n.wbars > 0 && n.waits > 0);
    heddle_program_free(p);
  }
  assert_true(programs >= 8);
}

static void one_counter_is_enough(void **state) {
  (void)state;
  struct heddle_program *p = recoded((struct recode){.counters = 1, .by_counters = true});
  for (uint32_t i = 0; i < 4; i++) assert_int_equal(ctl(p, i).wbar, 0);
  for (uint32_t i = 1; i < 5; i++) assert_int_equal(ctl(p, i).wait, 1);
  heddle_program_free(p);
}

static void refuse(struct recode r, const char *words) {
  char why[320] = "";
  struct heddle_program *p = assembled(chain, "chain.s", NULL);
  assert_false(recode(p, &r, why, sizeof why));
  if (!strstr(why, words)) fail_msg("it says '%s', not '%s'", why, words);
  heddle_program_free(p);
}

static void what_lacks_a_wait_is_refused(void **state) {
  (void)state;
  refuse((struct recode){.counters = 6, .clear = RECODE_WAIT}, "R4 is not awaited: wait on SB");
  refuse((struct recode){.counters = 6, .clear = RECODE_WBAR}, "R4 is not awaited");
  refuse((struct recode){.counters = 6, .clear = RECODE_STALL}, "R5 is not awaited: stall");
  refuse((struct recode){.counters = 6, .by_counters = true, .clear = RECODE_WAIT}, "R4 is not awaited");
  refuse((struct recode){.counters = 6, .stalls = 2}, "R5 is not awaited");
}

/* How far results have come is told by a counter that nobody else raises. */
static void depbar_keeps_its_counter(void **state) {
  (void)state;
  char why[320];
  struct heddle_program *p = assembled(".kernel k\n  DEPBAR.LE SB0, 0x1 ;\n  EXIT ;\n.end\n", "k.s", NULL);
  assert_false(recode(p, &(struct recode){.counters = 3}, why, sizeof why));
  assert_non_null(strstr(why, "DEPBAR"));
  assert_true(recode(p, &RECODE_DEFAULT, why, sizeof why));
  heddle_program_free(p);
}

static void a_scoreboard_needs_no_codes(void **state) {
  (void)state;
  static const uint8_t none[8];
  struct heddle_program *p = recoded((struct recode){.counters = 6, .clear = RECODE_ALL, .scoreboard = true});
  struct recode_counts n;
  recode_count(p, &n);
  assert_int_equal(n.instructions, 6);
  assert_int_equal(n.stalls + n.waits + n.wbars + n.rbars + n.yields + n.reuses, 0);
  assert_memory_equal(p->kernel[0].stall, none, sizeof none);
  assert_int_equal(heddle_lint(p, NULL, NULL), HEDDLE_LINT_FOUND); /* whoever trusts codes is told */
  heddle_program_free(p);
}

static void who_waits_may_yield(void **state) {
  (void)state;
  struct heddle_program *p = recoded((struct recode){.counters = 6, .yield_waits = true});
  assert_true(ctl(p, 1).yield && ctl(p, 1).wait != 0);
  assert_false(ctl(p, 2).yield);
  heddle_program_free(p);
}

static void parts_have_names(void **state) {
  (void)state;
  assert_int_equal(recode_part("stall"), RECODE_STALL);
  assert_int_equal(recode_part("reuse"), RECODE_REUSE);
  assert_int_equal(recode_part("all"), RECODE_ALL);
  assert_int_equal(recode_part("stalls"), 0);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reuse_goes_and_all_else_stays),
      cmocka_unit_test(counters_await_everything),
      cmocka_unit_test(counters_suffice_everywhere),
      cmocka_unit_test(one_counter_is_enough),
      cmocka_unit_test(what_lacks_a_wait_is_refused),
      cmocka_unit_test(a_scoreboard_needs_no_codes),
      cmocka_unit_test(depbar_keeps_its_counter),
      cmocka_unit_test(who_waits_may_yield),
      cmocka_unit_test(parts_have_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
