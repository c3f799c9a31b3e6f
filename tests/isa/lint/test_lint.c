/* SPDX-License-Identifier: Apache-2.0
 * Calls, tables of latencies, DEPBAR, full counters (no fault); each finding once; what is spare. */
#include <stdio.h>
#include <string.h>

#include "tests/test.h"
#include "tests/isa/lint/faults.h"
#include "tests/isa/lint/sources.h"

static void calls(void **state) {
  (void)state;
  unsigned warned = 0;
  /* what the caller left on its way is known in the function, and must be there when it returns */
  struct heddle_program *p =
      assembled(".kernel k\n[B------:R-:W0:-:S01] LDS R4, [R0] ;\n[B------:R-:W1:-:S01] LDS R5, [R0] ;\n"
                "[B------:R-:W-:-:S01] CALL.REL f ;\n MOV R7, R6 ;\n EXIT ;\n.end\n"
                ".func f\n[B------:R-:W-:-:S05] MOV R6, R4 ;\n[B------:R-:W-:-:S01] RET R20 ;\n.end\n",
                "t.s", &warned);
  struct heard h = lint(p, NULL);
  assert_int_equal(h.n, 2);
  assert_int_equal(h.f[0].kind, HEDDLE_LINT_READ);
  assert_string_equal(h.f[0].place, "R4");
  assert_string_equal(h.f[0].kernel->name, "f");
  assert_int_equal(h.f[1].kind, HEDDLE_LINT_LEAVE);
  assert_string_equal(h.f[1].place, "R5");
  assert_int_equal(h.f[1].producer, 16);
  heddle_program_free(p);
  /* a function that only registers lead to is looked at by itself, by the slowest table of the kernels */
  p = assembled(".kernel a\n.stalls 5 6 8 7 6 12\n EXIT ;\n.end\n.kernel b\n.stalls 9 9 9 9 9 9\n EXIT ;\n.end\n"
                ".func f\n[B------:R-:W-:-:S08] MOV R6, R4 ;\n[B------:R-:W-:-:S01] MOV R7, R6 ;\n"
                "[B------:R-:W-:-:S15] RET R20 ;\n.end\n",
                "t.s", &warned);
  h = lint(p, NULL);
  assert_int_equal(h.n, 1);
  assert_int_equal(h.f[0].missing, 1);
  heddle_program_free(p);
}

static void tables_by_kernel(void **state) {
  (void)state;
  unsigned warned = 0;
  struct heddle_program *p =
      assembled(".kernel a\n.stalls 2 2 2 2 2 2\n[B------:R-:W-:-:S02] MOV R4, R5 ;\n MOV R6, R4 ;\n EXIT ;\n.end\n"
                ".kernel b\n.stalls 3 3 3 3 3 3\n[B------:R-:W-:-:S02] MOV R4, R5 ;\n MOV R6, R4 ;\n EXIT ;\n.end\n"
                ".kernel c\n.stalls 2 2 2 2 2 2\n[B------:R-:W-:-:S01] MOV R4, R5 ;\n MOV R6, R4 ;\n EXIT ;\n.end\n",
                "t.s", &warned);
  struct heddle_lint_totals t = {.size = sizeof t};
  struct heard h = lint(p, &t);
  assert_int_equal(h.n, 2);
  assert_string_equal(h.f[0].kernel->name, "b");
  assert_string_equal(h.f[1].kernel->name, "c");
  assert_int_equal(t.kernels, 3);
  assert_int_equal(t.instructions, 9);
  assert_int_equal(t.results, 6);
  /* the caller's table goes before the notes' */
  static const uint8_t fast[8] = {1, 1, 1, 1, 1, 1};
  struct heddle_lint_options o = {.size = sizeof o, .stall = fast};
  assert_int_equal(heddle_lint(p, &o, NULL), HEDDLE_LINT_PROVEN);
  memset(p->kernel[1].stall, 0, 8); /* a note that assumes nothing */
  h = lint(p, NULL);
  assert_int_equal(h.n, 2);
  assert_int_equal(h.f[0].kind, HEDDLE_LINT_UNSCHEDULED);
  assert_string_equal(h.f[0].kernel->name, "b");
  heddle_program_free(p);
}

static void depbar(void **state) {
  (void)state;
  static const struct fault table[] = {
      {"[B------:R-:W0:-:S01] LDS R4, [R0] ;\n DEPBAR.LE SB0, 0x0 ;\n[B------:R-:W-:-:S01] MOV R6, R4 ;\n EXIT ;", -1,
       0, "", ""},
      {"[B------:R-:W0:-:S01] LDS R4, [R0] ;\n DEPBAR.LE SB1, 0x0 ;\n[B------:R-:W-:-:S01] MOV R6, R4 ;\n EXIT ;",
       HEDDLE_LINT_READ, 2, "R4", "SB0"},
      {"[B------:R-:W0:-:S01] LDS R4, [R0] ;\n@P0 DEPBAR.LE SB0, 0x0 ;\n[B------:R-:W-:-:S01] MOV R6, R4 ;\n EXIT ;",
       HEDDLE_LINT_READ, 2, "R4", "SB0"},
      /* special functions come in order: one behind it may still be on its way */
      {"[B------:R-:W0:-:S01] MUFU.RCP R4, R0 ;\n[B------:R-:W0:-:S01] MUFU.RCP R5, R0 ;\n DEPBAR.LE SB0, 0x1 ;\n"
       "[B------:R-:W-:-:S01] MOV R6, R4 ;\n EXIT ;",
       -1, 0, "", ""},
      {"[B------:R-:W0:-:S01] MUFU.RCP R4, R0 ;\n[B------:R-:W0:-:S01] MUFU.RCP R5, R0 ;\n DEPBAR.LE SB0, 0x1 ;\n"
       "[B------:R-:W-:-:S01] MOV R6, R5 ;\n EXIT ;",
       HEDDLE_LINT_READ, 3, "R5", "wait on SB0"},
      {"[B------:R-:W0:-:S01] MUFU.RCP R4, R0 ;\n[B------:R-:W0:-:S01] MUFU.RCP R5, R0 ;\n DEPBAR.LE SB0, 0x2 ;\n"
       "[B------:R-:W-:-:S01] MOV R6, R4 ;\n EXIT ;",
       HEDDLE_LINT_READ, 3, "R4", "wait on SB0"},
      /* not behind it on every way */
      {"[B------:R-:W0:-:S01] MUFU.RCP R4, R0 ;\n[B------:R-:W-:-:S01] @P0 BRA x ;\n[B------:R-:W0:-:S01] MUFU.RCP R5, "
       "R0 ;\nx:\n"
       "[B------:R-:W-:-:S01] DEPBAR.LE SB0, 0x1 ;\n[B------:R-:W-:-:S01] MOV R6, R4 ;\n EXIT ;",
       HEDDLE_LINT_READ, 4, "R4", "wait on SB0"},
      /* the count goes on across blocks */
      {"[B------:R-:W0:-:S01] MUFU.RCP R4, R0 ;\n[B------:R-:W0:-:S01] MUFU.RCP R5, R0 ;\n[B------:R-:W-:-:S01] @P0 "
       "BRA x ;\n"
       "[B------:R-:W0:-:S01] MUFU.RCP R8, R0 ;\nx:\n[B------:R-:W-:-:S01] DEPBAR.LE SB0, 0x1 ;\n"
       "[B------:R-:W-:-:S01] MOV R6, R4 ;\n EXIT ;",
       -1, 0, "", ""},
      /* memory answers in any order */
      {"[B------:R-:W0:-:S01] MUFU.RCP R4, R0 ;\n[B------:R-:W0:-:S01] LDS R5, [R0] ;\n DEPBAR.LE SB0, 0x1 ;\n EXIT ;",
       HEDDLE_LINT_DEPBAR, 2, "SB0", "unit mem"},
      {"[B------:R-:W0:-:S01] STS [R0], R5 ;\n DEPBAR.LE SB0, 0x1 ;\n EXIT ;", HEDDLE_LINT_DEPBAR, 1, "SB0",
       "unit mem"},
      {"[B------:R-:W0:-:S01] STS [R0], R5 ;\n[B0-----:R-:W-:-:S01] DEPBAR.LE SB0, 0x1 ;\n EXIT ;", -1, 0, "", ""},
      /* groups of copies come in order, beside what does too; copies themselves do not, and no barrier waits for them
       */
      {"LDGSTS.E [R4], [R2] ;\n[B------:R-:W0:-:S01] LDGDEPBAR ;\n DEPBAR.LE SB0, 0x1 ;\n EXIT ;", -1, 0, "", ""},
      {"[B------:R-:W0:-:S01] MUFU.RCP R4, R0 ;\n[B------:R-:W0:-:S01] LDGDEPBAR ;\n DEPBAR.LE SB0, 0x1 ;\n EXIT ;", -1,
       0, "", ""},
      {"[B------:R-:W0:-:S01] LDGSTS.E [R4], [R2] ;\n BAR.SYNC 0x0 ;\n DEPBAR.LE SB0, 0x1 ;\n EXIT ;",
       HEDDLE_LINT_DEPBAR, 2, "SB0", "unit mem"},
      {"[B------:R-:W0:-:S01] LDGSTS.E [R4], [R2] ;\n DEPBAR.LE SB0, 0x0 ;\n EXIT ;", -1, 0, "", ""},
  };
  CHECK(table);
}

/* Counters hold 63; an increment that would pass that waits (isa/doc/01): no hazard. */
static void full_counters(void **state) {
  (void)state;
  char body[8192] = "";
  for (unsigned n = 63; n <= 64; n++) {
    size_t used = 0;
    for (unsigned i = 0; i < n; i++)
      used += (size_t)snprintf(body + used, sizeof body - used, "[B------:R-:W3:-:S01] STS [R0], R4 ;\n");
    (void)snprintf(body + used, sizeof body - used, "EXIT ;");
    const struct fault f = {body, -1, 0, "", ""};
    check(&f);
  }
  static const struct fault table[] = {
      {"loop:\n[B------:R-:W3:-:S01] STS [R0], R4 ;\n[B------:R-:W-:-:S01] @P0 BRA loop ;\n EXIT ;", -1, 0, "", ""},
      {"loop:\n[B---3--:R-:W3:-:S01] STS [R0], R4 ;\n[B------:R-:W-:-:S01] @P0 BRA loop ;\n EXIT ;", -1, 0, "", ""},
      {"loop:\n[B------:R-:W3:-:S01] IADD3 R5, R6, R7, RZ ;\n[B------:R-:W-:-:S05] @P0 BRA loop ;\n EXIT ;", -1, 0, "",
       ""},
  };
  CHECK(table);
}

static void each_finding_once(void **state) {
  (void)state;
  struct heddle_program *p = program("[B------:R-:W0:-:S01] LDS R4, [R0] ;\n[B------:R-:W-:-:S01] FADD R4, R4, R4 ;\n"
                                     "[B------:R-:W-:-:S01] MOV R6, R4 ;\n[B------:R-:W-:-:S01] MOV R7, R4 ;\n EXIT ;");
  struct heddle_lint_totals t = {.size = sizeof t};
  const struct heard h = lint(p, &t);
  assert_int_equal(h.n, 2); /* the load once, the addition once */
  assert_int_equal(t.findings, 2);
  assert_int_equal(h.f[0].pc, 16);
  assert_int_equal(h.f[0].counter, 0);
  assert_int_equal(h.f[1].pc, 32);
  assert_int_equal(h.f[1].missing, 7);
  assert_int_equal(h.f[1].producer, 16);
  heddle_program_free(p);
}

static void loops_lead_back(void **state) {
  (void)state;
  struct heddle_program *p =
      program("loop:\n[B------:R-:W0:-:S01] LDS R4, [R0] ;\n[B------:R-:W-:-:S01] @P0 BRA loop ;\n EXIT ;");
  const struct heard h = lint(p, NULL);
  assert_int_equal(h.n, 1); /* the load overtakes itself */
  assert_int_equal(h.f[0].kind, HEDDLE_LINT_WRITE);
  assert_int_equal(h.f[0].pc, 0);
  assert_int_equal(h.f[0].producer, 0);
  heddle_program_free(p);
}

static void nothing_to_prove(void **state) {
  (void)state;
  struct heddle_program empty = {.code_bytes = 0};
  struct heddle_lint_totals t = {.size = sizeof t};
  assert_int_equal(heddle_lint(&empty, NULL, &t), HEDDLE_LINT_PROVEN);
  assert_int_equal(t.instructions, 0);
  char reason[80];
  assert_false(
      heddle_lint_spare(&empty, NULL, (struct heddle_lint_weaker){0, HEDDLE_LINT_STALL, 0}, reason, sizeof reason));
}

static void spare_parts(void **state) {
  (void)state;
  char reason[160];
  struct heddle_program *p =
      program("[B------:R2:W0:-:S01] LDS R4, [R0] ;\n[B0-----:R-:W-:-:S06] FADD R5, R4, R4 ;\n"
              "[B0-----:R-:W-:-:S03] FADD R6, R4, R4 ;\n[B------:R-:W-:-:S01] MOV R7, R5 ;\n EXIT ;");
  const struct {
    struct heddle_lint_weaker w;
    const char *reason; /* NULL: needed, or not there */
  } table[] = {{{0, HEDDLE_LINT_WBAR, 0}, NULL},
               {{0, HEDDLE_LINT_RBAR, 0}, "operands are read"},
               {{0, HEDDLE_LINT_STALL, 0}, NULL},
               {{16, HEDDLE_LINT_WAIT, 0}, NULL},
               {{16, HEDDLE_LINT_WAIT, 1}, NULL},
               {{16, HEDDLE_LINT_STALL, 0}, "R5 of 0x0010 is not touched so early"},
               {{32, HEDDLE_LINT_WAIT, 0}, "no result is on its way on SB0 here"},
               {{160, HEDDLE_LINT_STALL, 0}, NULL}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    const bool spare = heddle_lint_spare(p, NULL, table[i].w, reason, sizeof reason);
    if (spare != (table[i].reason != NULL) || (spare && !strstr(reason, table[i].reason)))
      fail_msg("%u: %d, %s", (unsigned)i, spare, spare ? reason : "");
  }
  heddle_program_free(p);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(calls),
                                     cmocka_unit_test(tables_by_kernel),
                                     cmocka_unit_test(depbar),
                                     cmocka_unit_test(full_counters),
                                     cmocka_unit_test(each_finding_once),
                                     cmocka_unit_test(loops_lead_back),
                                     cmocka_unit_test(nothing_to_prove),
                                     cmocka_unit_test(spare_parts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
