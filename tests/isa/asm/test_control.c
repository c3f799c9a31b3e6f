/* SPDX-License-Identifier: Apache-2.0
 * Control codes of compiled code: what is on its way is known across branches. */
#include <stdio.h>
#include <string.h>

#include "tests/test.h"
#include "tests/isa/asm/asm_text.h"
#include <heddle/lint.h>

static const uint8_t stall[8] = {5, 6, 8, 6, 6, 12};

/* Assembled, then scheduled again, and proven. */
static struct heddle_program *schedule(const char *body, uint32_t *stalls) {
  struct heddle_program *p = assemble_body(body);
  struct heddle_lint_totals t = {.size = sizeof t};
  if (!p) fail_msg("%s", last.text);
  assert_int_equal(heddle_schedule(p, 0, p->code_bytes, stall, stalls), HEDDLE_SUCCESS);
  memcpy(p->kernel[0].stall, stall, sizeof stall);
  struct heddle_lint_options o = {.size = sizeof o, .stall = stall};
  if (heddle_lint(p, &o, &t) != HEDDLE_LINT_PROVEN) fail_msg("%s: not proven", body);
  return p;
}

static struct heddle_isa_ctl ctl(const struct heddle_program *p, unsigned index) {
  return decode_at(p, index).ctl;
}

static void a_load_is_awaited_where_it_is_used(void **state) {
  (void)state;
  struct heddle_program *p = schedule(" LDG.E R4, [R2] ;\n@P0 BRA away ;\n MOV R6, R8 ;\naway:\n MOV R5, R9 ;\n"
                                      " MOV R7, R4 ;\n EXIT ;",
                                      NULL);
  unsigned c = ctl(p, 0).wbar;
  assert_true(c < 6);
  for (unsigned k = 1; k < 4; k++) assert_int_equal(ctl(p, k).wait, 0);
  assert_int_equal(ctl(p, 4).wait, 1u << c);
  heddle_program_free(p);
}

/* A group keeps its counter over a loop, and nothing else is given that: what the code says waits for it. */
static void groups_have_their_counter(void **state) {
  (void)state;
  struct heddle_program *p = schedule("loop:\n LDGSTS.E [R8], [R2] ;\n LDGDEPBAR ;\n LDS R4, [R9] ;\n LDS R5, [R9] ;\n"
                                      " LDS R6, [R9] ;\n LDS R7, [R9] ;\n LDS R10, [R9] ;\n LDS R11, [R9] ;\n"
                                      " DEPBAR.LE SB5, 0x1 ;\n IADD3 R12, R4, R5, R6 ;\n IADD3 R13, R7, R10, R11 ;\n"
                                      "@P0 BRA loop ;\n EXIT ;",
                                      NULL);
  assert_int_equal(ctl(p, 0).wbar, 7);
  assert_int_equal(ctl(p, 1).wbar, 5);
  for (unsigned k = 2; k < 8; k++) assert_in_range(ctl(p, k).wbar, 0, 4);
  for (unsigned k = 0; k < 13; k++) assert_int_equal(ctl(p, k).wait >> 5, 0);
  heddle_program_free(p);
}

/* Without latencies an addition is awaited as a load is, in the loop that comes again too. */
static void unknown_latencies_are_awaited_by_counters(void **state) {
  (void)state;
  struct heddle_program *p =
      assemble_body("loop:\n IADD3 R4, R5, R6, RZ ;\n FADD R7, R4, R4 ;\n@P0 BRA loop ;\n EXIT ;");
  struct heddle_lint_totals t = {.size = sizeof t};
  uint32_t stalls = 1;
  if (!p) fail_msg("%s", last.text);
  assert_int_equal(heddle_schedule(p, 0, p->code_bytes, NULL, &stalls), HEDDLE_SUCCESS);
  assert_int_equal(stalls, 0);
  for (unsigned k = 0; k < 2; k++) assert_true(ctl(p, k).wbar < 6);
  assert_int_equal(ctl(p, 1).wait, 1u << ctl(p, 0).wbar);
  assert_true(ctl(p, 2).wait >> ctl(p, 1).wbar & 1);
  struct heddle_lint_options o = {.size = sizeof o, .stall = stall};
  assert_int_equal(heddle_lint(p, &o, &t), HEDDLE_LINT_PROVEN);
  heddle_program_free(p);
}

/* The block that comes again does not know of the load: the branch back waits. */
static void loops_begin_as_they_are_entered(void **state) {
  (void)state;
  struct heddle_program *p = schedule("loop:\n MOV R5, R4 ;\n LDG.E R4, [R2] ;\n@P0 BRA loop ;\n EXIT ;", NULL);
  assert_int_equal(ctl(p, 2).wait, 1u << ctl(p, 1).wbar);
  assert_int_equal(ctl(p, 0).wait, 0);
  heddle_program_free(p);
}

/* Before the loop and in it: then the first instruction that touches it waits, in every round. */
static void what_the_entry_brings_may_come_round(void **state) {
  (void)state;
  struct heddle_program *p =
      schedule(" LDG.E R4, [R2] ;\nloop:\n MOV R6, R7 ;\n MOV R5, R4 ;\n@P0 BRA loop ;\n EXIT ;", NULL);
  assert_int_equal(ctl(p, 1).wait, 0);
  assert_int_equal(ctl(p, 2).wait, 1u << ctl(p, 0).wbar);
  assert_int_equal(ctl(p, 3).wait, 0);
  heddle_program_free(p);
}

/* FADD takes 8: the branch need not stall when four instructions lie between it and the use, one of them a branch. */
static void stalls_at_a_branch_count_what_follows(void **state) {
  (void)state;
  static const struct {
    const char *body;
    unsigned at, stall;
  } table[] = {
      {" FADD R4, R5, R6 ;\n BRA away ;\naway:\n MOV R7, R4 ;\n EXIT ;", 1, 7},
      {" FADD R4, R5, R6 ;\n BRA away ;\naway:\n MOV R8, R9 ;\n MOV R10, R9 ;\n MOV R7, R4 ;\n EXIT ;", 1, 5},
      {" FADD R4, R5, R6 ;\n@P0 BRA away ;\n MOV R7, R4 ;\naway:\n MOV R8, R9 ;\n MOV R7, R4 ;\n EXIT ;", 1, 7},
      {" FADD R4, R5, R6 ;\n@P0 BRA away ;\n MOV R8, R9 ;\naway:\n MOV R7, R4 ;\n EXIT ;", 1, 7},
      {" FADD R4, R5, R6 ;\n BRA away ;\naway:\n MOV R8, R9 ;\n MOV R10, R9 ;\n MOV R7, R9 ;\n EXIT ;", 1, 3},
  };
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    struct heddle_program *p = schedule(table[k].body, NULL);
    if (ctl(p, table[k].at).stall != table[k].stall) fail_msg("%s: stall %u", table[k].body, ctl(p, table[k].at).stall);
    heddle_program_free(p);
  }
}

/* Parking changes nothing for a thread. */
static void convergence_is_straight(void **state) {
  (void)state;
  struct heddle_program *p = schedule(" BSSY B0, join ;\n LDG.E R4, [R2] ;\n@P0 BRA join ;\n MOV R6, R7 ;\njoin:\n"
                                      " BSYNC B0 ;\n MOV R5, R4 ;\n EXIT ;",
                                      NULL);
  assert_int_equal(ctl(p, 4).wait, 0);
  assert_int_equal(ctl(p, 5).wait, 1u << ctl(p, 1).wbar);
  heddle_program_free(p);
}

static void everything_is_ready_where_nobody_knows(void **state) {
  (void)state;
  struct heddle_program *p = schedule(" LDG.E R4, [R2] ;\n FADD R5, R6, R7 ;\n BRX R8 ;\n MOV R9, R4 ;\n EXIT ;", NULL);
  assert_int_equal(ctl(p, 2).wait, 1u << ctl(p, 0).wbar);
  assert_true(ctl(p, 1).stall + ctl(p, 2).stall >= 8);
  heddle_program_free(p);
}

/* Twelve loads, used two by two: pairs share, and nobody waits for a load that is needed much later. */
static void counters_are_shared_in_order(void **state) {
  (void)state;
  char body[4096];
  size_t at = 0;
  for (unsigned k = 0; k < 12; k++)
    at += (size_t)snprintf(body + at, sizeof body - at, " LDS R%u, [R2+%u] ;\n", 10 + k, 4 * k);
  for (unsigned k = 0; k < 12; k += 2)
    at += (size_t)snprintf(body + at, sizeof body - at, " FADD R%u, R%u, R%u ;\n", 30 + k, 10 + k, 11 + k);
  snprintf(body + at, sizeof body - at, " EXIT ;");
  struct heddle_program *p = schedule(body, NULL);
  unsigned seen = 0;
  for (unsigned k = 0; k < 6; k++) {
    unsigned a = ctl(p, 2 * k).wbar, b = ctl(p, 2 * k + 1).wbar;
    assert_int_equal(a, b);
    assert_int_equal(ctl(p, 12 + k).wait, 1u << a);
    seen |= 1u << a;
  }
  assert_int_equal(seen, 0x3f);
  heddle_program_free(p);
}

/* Far more loads than the counters can count, none of them used before all are under way; a loop of them. */
static void counters_stay_below_their_limit(void **state) {
  (void)state;
  static char body[8000];
  size_t at = (size_t)snprintf(body, sizeof body, "loop:\n");
  for (unsigned k = 4; k < 254; k++) at += (size_t)snprintf(body + at, sizeof body - at, "LDS R%u,[R2];\n", k);
  for (unsigned k = 4; k < 254; k++) at += (size_t)snprintf(body + at, sizeof body - at, "LDS R%u,[R3];\n", k);
  at += (size_t)snprintf(body + at, sizeof body - at, "@P0 BRA loop ;\n");
  snprintf(body + at, sizeof body - at, " EXIT ;");
  heddle_program_free(schedule(body, NULL)); /* the proof counts */
  for (unsigned k = 0; k < 2; k++) {         /* results that nobody looks at */
    at = (size_t)snprintf(body, sizeof body, "%s", k ? " LDS R200, [R2] ;\nloop:\n" : "loop:\n");
    for (unsigned r = 200; r < 204; r++) at += (size_t)snprintf(body + at, sizeof body - at, " LDS R%u, [R2] ;\n", r);
    snprintf(body + at, sizeof body - at, "@P0 BRA loop ;\n EXIT ;");
    heddle_program_free(schedule(body, NULL));
  }
}

static void repeated_operands_are_kept(void **state) {
  (void)state;
  struct heddle_program *p =
      schedule(" FFMA R4, R5, R6, R7 ;\n FFMA R8, R5, R9, R7 ;\n FFMA R9, R8, R9, R10 ;\n FFMA R10, R9, R9, R10 ;\n"
               "label:\n FFMA R11, R12, R9, R13 ;\n BRA label ;",
               NULL);
  assert_int_equal(ctl(p, 0).reuse, 5); /* R5 as a, R7 as c */
  assert_int_equal(ctl(p, 1).reuse, 2); /* R9 as b */
  assert_int_equal(ctl(p, 2).reuse, 4); /* R10 as c; R9 is written */
  assert_int_equal(ctl(p, 3).reuse, 0);
  heddle_program_free(p);
}

/* The first of a row asks; the others find it there. What is written, and a label, begin anew; units of variable
 * latency neither keep nor find anything. */
static void kept_operands_are_asked_for_once(void **state) {
  (void)state;
  struct heddle_program *p =
      schedule(" FFMA R4, R5, R6, R4 ;\n FFMA R7, R5, R8, R7 ;\n FFMA R9, R5, R10, R9 ;\n FFMA R5, R5, R11, R12 ;\n"
               " FFMA R4, R5, R6, R4 ;\n FFMA R7, R5, R8, R7 ;\n"
               "label:\n FFMA R9, R5, R10, R9 ;\n FFMA R4, R5, R6, R4 ;\n"
               " MUFU.RCP R13, R20 ;\n MUFU.RCP R14, R20 ;\n BRA label ;",
               NULL);
  static const unsigned want[] = {1, 0, 0, 0, 1, 0, 1, 0, 0, 0};
  for (unsigned k = 0; k < 10; k++) assert_int_equal(ctl(p, k).reuse, want[k]);
  heddle_program_free(p);
}

static void stalls_are_counted(void **state) {
  (void)state;
  uint32_t stalls = 99;
  heddle_program_free(schedule(" MOV R4, R5 ;\n MOV R6, R4 ;\n FADD R7, R8, R9 ;\n MOV R8, R7 ;\n EXIT ;", &stalls));
  assert_int_equal(stalls, 4 + 7);
}

static void illegal_words_change_nothing(void **state) {
  (void)state;
  struct heddle_program *p = assemble_body(" MOV R4, R5 ;\n MOV R6, R4 ;\n .word 0xffffffffffffffffffffffffffffffff ;");
  assert_non_null(p);
  unsigned before = ctl(p, 0).stall;
  assert_int_equal(heddle_schedule(p, 0, p->code_bytes, stall, NULL), HEDDLE_ERROR_INVALID_IMAGE);
  assert_int_equal(ctl(p, 0).stall, before);
  heddle_program_free(p);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_load_is_awaited_where_it_is_used),
      cmocka_unit_test(groups_have_their_counter),
      cmocka_unit_test(unknown_latencies_are_awaited_by_counters),
      cmocka_unit_test(loops_begin_as_they_are_entered),
      cmocka_unit_test(what_the_entry_brings_may_come_round),
      cmocka_unit_test(stalls_at_a_branch_count_what_follows),
      cmocka_unit_test(convergence_is_straight),
      cmocka_unit_test(everything_is_ready_where_nobody_knows),
      cmocka_unit_test(counters_are_shared_in_order),
      cmocka_unit_test(counters_stay_below_their_limit),
      cmocka_unit_test(repeated_operands_are_kept),
      cmocka_unit_test(kept_operands_are_asked_for_once),
      cmocka_unit_test(stalls_are_counted),
      cmocka_unit_test(illegal_words_change_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
