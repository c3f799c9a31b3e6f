/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls, tables of latencies, DEPBAR, full counters (no fault); each finding once; what is spare; hazards; what is read
 * and was never written.
 */
#include <stdio.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/lint.h>
#include "tests/isa/lint/sources.h"
#include "tests/test.h"

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

/* Stall counts, counters and paths: what is wrong, and what would mend it. */

static void stall_counts(void **state) {
  (void)state;
  static const struct fault table[] = {
      {"[B------:R-:W-:-:S05] MOV R4, R5 ;\n MOV R6, R4 ;\n EXIT ;", -1, 0, "", ""},
      {"[B------:R-:W-:-:S04] MOV R4, R5 ;\n MOV R6, R4 ;\n EXIT ;", HEDDLE_LINT_READ, 1, "R4",
       "stall 1 more at 0x0000 (S04 now)"},
      {"[B------:R-:W-:-:S02] FADD R4, R5, R5 ;\n[B------:R-:W-:-:S00] NOP ;\n[B------:R-:W-:-:S04] MOV R7, R8 ;\n"
       " MOV R6, R4 ;\n EXIT ;",
       HEDDLE_LINT_READ, 3, "R4", "stall 1 more at 0x0020 (S04 now)"}, /* 0 counts as 1 */
      {"[B------:R-:W-:-:S11] UMOV UR4, 0x1 ;\n[B------:R-:W-:-:S05] MOV R4, UR4 ;\n EXIT ;", HEDDLE_LINT_READ, 1,
       "UR4", "stall 1 more"},
      {"[B------:R-:W-:-:S05] ISETP.LT.AND P0, PT, R4, R5, PT ;\n@P0 EXIT ;\n EXIT ;", HEDDLE_LINT_READ, 1, "P0",
       "stall 1 more"},
      {"[B------:R-:W-:-:S05] F2I R4, R5 ;\n MOV R6, R4 ;\n EXIT ;", HEDDLE_LINT_READ, 1, "R4", "stall 2 more"},
      {"[B------:R-:W-:-:S05] FADD R4, R5, R5 ;\n MOV R4, R6 ;\n EXIT ;", HEDDLE_LINT_WRITE, 1, "R4", "stall 3 more"},
      {"[B------:R-:W-:-:S05] IMAD.WIDE R4, R6, R7, R8 ;\n MOV R6, R5 ;\n EXIT ;", HEDDLE_LINT_READ, 1, "R5",
       "stall 3 more"},
      {"[B------:R-:W-:-:S01] FADD R4, R5, R5 ;\n MOV R5, R6 ;\n EXIT ;", -1, 0, "", ""}, /* operands have been read */
      {"[B------:R-:W-:-:S01] FADD R4, R5, R5 ;\n MOV R6, RZ ;\n EXIT ;", -1, 0, "", ""},
      {"[B------:R-:W-:-:S01] FADD RZ, R5, R5 ;\n MOV R6, RZ ;\n EXIT ;", -1, 0, "", ""},
      {"[B------:R-:W-:-:S01] ISETP.LT.AND PT, PT, R4, R5, PT ;\n EXIT ;", -1, 0, "", ""},
      {"[B------:R-:W-:-:S02] ISETP.LT.AND P3, PT, R4, R5, PT ;\n P2R R6, PR, RZ, 0x7f ;\n EXIT ;", HEDDLE_LINT_READ, 1,
       "P3", "stall 4"},
      {"[B------:R-:W-:-:S02] R2P PR, R4, 0x1 ;\n@P6 EXIT ;\n EXIT ;", HEDDLE_LINT_READ, 1, "P6", "stall 4 more"},
      {"[B------:R-:W-:-:S01] BAR.RED.OR P1, 0x0, 0x0, P0 ;\n@P1 EXIT ;\n EXIT ;", HEDDLE_LINT_READ, 1, "P1",
       "stall 5 more"},
  };
  CHECK(table);
}

static void counters(void **state) {
  (void)state;
  static const struct fault table[] = {
      {"[B------:R-:W0:-:S01] LDG.E R4, [R2] ;\n[B0-----:R-:W-:-:S01] MOV R6, R4 ;\n EXIT ;", -1, 0, "", ""},
      {"[B------:R-:W0:-:S15] LDG.E R4, [R2] ;\n[B-1----:R-:W-:-:S01] MOV R6, R4 ;\n EXIT ;", HEDDLE_LINT_READ, 1, "R4",
       "wait on SB0"},
      {"[B------:R-:W-:-:S15] LDG.E R4, [R2] ;\n[B------:R-:W-:-:S01] MOV R6, R4 ;\n EXIT ;", HEDDLE_LINT_READ, 1, "R4",
       "give 0x0000 a write counter"},
      {"[B------:R-:W0:-:S01] LDG.E.128 R4, [R2] ;\n[B------:R-:W-:-:S01] MOV R7, R9 ;\n EXIT ;", HEDDLE_LINT_WRITE, 1,
       "R7", "wait on SB0"},
      {"[B------:R-:W5:-:S01] LDG.E R4, [R2] ;\n[B------:R-:W0:-:S01] LDS R4, [R0] ;\n EXIT ;", HEDDLE_LINT_WRITE, 1,
       "R4", "wait on SB5"},
      {"[B------:R-:W2:-:S01] DSETP.LT.AND P0, PT, R4, R6, PT ;\n[B01-345:R-:W-:-:S01] @!P0 EXIT ;\n EXIT ;",
       HEDDLE_LINT_READ, 1, "P0", "wait on SB2"},
      {"[B------:R-:W2:-:S01] R2UR UR4, R0 ;\n[B--2---:R-:W-:-:S01] MOV R4, UR4 ;\n EXIT ;", -1, 0, "", ""},
      /* a counter where a stall would do: either helps */
      {"[B------:R-:W1:-:S01] FADD R4, R5, R5 ;\n[B-1----:R-:W-:-:S01] MOV R6, R4 ;\n EXIT ;", -1, 0, "", ""},
      {"[B------:R-:W1:-:S08] FADD R4, R5, R5 ;\n[B------:R-:W-:-:S01] MOV R6, R4 ;\n EXIT ;", -1, 0, "", ""},
      {"[B------:R-:W1:-:S06] FADD R4, R5, R5 ;\n[B------:R-:W-:-:S01] MOV R6, R4 ;\n EXIT ;", HEDDLE_LINT_READ, 1,
       "R4", "stall 2 more at 0x0000 (S06 now), or wait on SB1"},
      /* nobody raises what is waited for */
      {"[B012345:R-:W-:-:S05] MOV R4, R5 ;\n[B012345:R-:W-:-:S01] MOV R6, R4 ;\n EXIT ;", -1, 0, "", ""},
      /* a false guard raises counters and is waited for all the same */
      {"[B------:R-:W0:-:S01] @P0 LDG.E R4, [R2] ;\n[B0-----:R-:W-:-:S01] @!P0 MOV R4, R5 ;\n EXIT ;", -1, 0, "", ""},
      {"[B------:R-:W0:-:S01] @P0 LDG.E R4, [R2] ;\n[B------:R-:W-:-:S01] @!P0 MOV R4, R5 ;\n EXIT ;",
       HEDDLE_LINT_WRITE, 1, "R4", "SB0"},
      /* read counters guard what is no hazard here */
      {"[B------:R3:W-:-:S01] STG.E [R2], R4 ;\n[B------:R-:W-:-:S01] MOV R4, R5 ;\n EXIT ;", -1, 0, "", ""},
      /* barriers await accesses (isa/doc/04), unless somebody may pass them by; and nothing else */
      {"[B------:R-:W-:-:S01] LDG.E R4, [R2] ;\n BAR.SYNC 0x0 ;\n MOV R6, R4 ;\n EXIT ;", -1, 0, "", ""},
      {"[B------:R-:W-:-:S01] LDG.E R4, [R2] ;\n MEMBAR.CTA ;\n MOV R6, R4 ;\n EXIT ;", -1, 0, "", ""},
      {"[B------:R-:W0:-:S01] LDG.E R4, [R2] ;\n@P0 MEMBAR.CTA ;\n[B------:R-:W-:-:S01] MOV R6, R4 ;\n EXIT ;",
       HEDDLE_LINT_READ, 2, "R4", "SB0"},
      {"[B------:R-:W0:-:S01] MUFU.RCP R4, R2 ;\n BAR.SYNC 0x0 ;\n[B------:R-:W-:-:S01] MOV R6, R4 ;\n EXIT ;",
       HEDDLE_LINT_READ, 2, "R4", "SB0"},
  };
  CHECK(table);
}

static void paths(void **state) {
  (void)state;
  static const struct fault table[] = {
      /* one of two ways is too short */
      {"[B------:R-:W-:-:S01] FADD R4, R5, R5 ;\n[B------:R-:W-:-:S02] @P0 BRA join ;\n"
       "[B------:R-:W-:-:S05] NOP ;\njoin:\n MOV R6, R4 ;\n EXIT ;",
       HEDDLE_LINT_READ, 3, "R4", "5 more cycles on every way to here"},
      {"[B------:R-:W-:-:S02] FADD R4, R5, R5 ;\n[B------:R-:W-:-:S06] @P0 BRA join ;\n"
       "[B------:R-:W-:-:S01] NOP ;\njoin:\n MOV R6, R4 ;\n EXIT ;",
       -1, 0, "", ""},
      /* awaited on one way only */
      {"[B------:R-:W0:-:S01] LDS R4, [R0] ;\n[B------:R-:W-:-:S01] @P0 BRA join ;\n"
       "[B0-----:R-:W-:-:S05] MOV R5, R4 ;\njoin:\n[B------:R-:W-:-:S01] MOV R6, R4 ;\n EXIT ;",
       HEDDLE_LINT_READ, 3, "R4", "wait on SB0"},
      /* round a loop the load would overtake itself */
      {"loop:\n[B0-----:R-:W0:-:S01] LDS R4, [R0] ;\n[B------:R-:W-:-:S01] @P0 BRA loop ;\n EXIT ;", -1, 0, "", ""},
      {"[B------:R-:W-:-:S01] MOV R4, R5 ;\nloop:\n[B------:R-:W-:-:S05] NOP ;\n"
       "[B------:R-:W-:-:S04] IADD3 R4, R4, R5, RZ ;\n@P0 BRA loop ;\n EXIT ;",
       -1, 0, "", ""},
      /* nobody goes on behind an EXIT or a BRA that all take */
      {"[B------:R-:W0:-:S01] LDS R4, [R0] ;\n[B------:R-:W-:-:S01] EXIT ;\n MOV R5, R4 ;\n EXIT ;", -1, 0, "", ""},
      {"[B------:R-:W0:-:S01] LDS R4, [R0] ;\n[B------:R-:W-:-:S01] @P0 EXIT ;\n[B------:R-:W-:-:S01] MOV R5, R4 ;\n "
       "EXIT ;",
       HEDDLE_LINT_READ, 2, "R4", "SB0"},
      {"[B------:R-:W0:-:S01] LDS R4, [R0] ;\n[B------:R-:W-:-:S01] @!PT BRA over ;\n"
       "[B0-----:R-:W-:-:S05] MOV R5, R4 ;\nover:\n MOV R6, R4 ;\n EXIT ;",
       -1, 0, "", ""},
      {"[B------:R-:W0:-:S01] LDS R4, [R0] ;\n[B------:R-:W-:-:S01] JMP over ;\n NOP ;\nover:\n"
       "[B------:R-:W-:-:S01] MOV R6, R4 ;\n EXIT ;",
       HEDDLE_LINT_READ, 3, "R4", "SB0"},
      /* an illegal word traps */
      {"[B------:R-:W0:-:S01] LDS R4, [R0] ;\n.word 0xffffffffffffffffffffffffffffffff\n"
       "[B------:R-:W-:-:S01] MOV R6, R4 ;\n EXIT ;",
       -1, 0, "", ""},
      /* where nobody knows where it leads, everything is there */
      {"[B------:R-:W0:-:S01] LDS R4, [R0] ;\n[B------:R-:W-:-:S01] BRX R6 ;\n EXIT ;", HEDDLE_LINT_LEAVE, 1, "R4",
       "wait on SB0"},
      {"[B------:R-:W0:-:S01] LDS R4, [R0] ;\n[B0-----:R-:W-:-:S01] BRX R6 ;\n EXIT ;", -1, 0, "", ""},
      {"[B------:R-:W-:-:S01] FADD R4, R5, R5 ;\n[B------:R-:W-:-:S06] BRX R6 ;\n EXIT ;", HEDDLE_LINT_LEAVE, 1, "R4",
       "stall 1 more at 0x0010 (S06 now)"},
      {"[B------:R-:W-:-:S01] FADD R4, R5, R5 ;\n[B------:R-:W-:-:S07] BRX R6 ;\n MOV R5, R4 ;\n EXIT ;", -1, 0, "",
       ""},
      {"[B------:R-:W-:-:S01] FADD R4, R5, R5 ;\n[B------:R-:W-:-:S01] @P0 BRX R6 ;\n EXIT ;", HEDDLE_LINT_LEAVE, 1,
       "R4", "stall 6 more"},
  };
  CHECK(table);
}

/* What is used and no way to there has written. */

static char said[512];

static void take(void *ctx, const struct heddle_lint_finding *f) {
  (void)ctx;
  const size_t used = strlen(said);
  if (f->kind == HEDDLE_LINT_UNDEFINED) snprintf(said + used, sizeof said - used, "%s at 0x%02x;", f->place, f->pc);
}

static void expect_in(const char *text, const char *want) {
  const struct heddle_asm_options o = {.size = sizeof o, .stall = {5, 6, 8, 6}, .long_words = true};
  struct heddle_program *p;
  (void)heddle_assemble(text, strlen(text), "t.s", &o, &p);
  struct heddle_lint_options lint = {.size = sizeof lint, .undefined = true, .finding = take};
  assert_non_null(p);
  said[0] = '\0';
  const enum heddle_lint_verdict v = heddle_lint(p, &lint, NULL);
  if (strcmp(said, want) != 0) fail_msg("'%s', expected '%s' of\n%s", said, want, text);
  assert_int_equal(v, want[0] ? HEDDLE_LINT_FOUND : HEDDLE_LINT_PROVEN);
  lint.undefined = false;
  assert_int_equal(heddle_lint(p, &lint, NULL), HEDDLE_LINT_PROVEN); /* only who asks is told */
  heddle_program_free(p);
}

static void expect(const char *body, const char *want) {
  char text[1024];
  snprintf(text, sizeof text, ".kernel k\n%s EXIT ;\n.end\n.func f\n IADD3 R9, R8, R8, RZ ;\n RET R20 ;\n.end\n", body);
  expect_in(text, want);
}

static void straight_code(void **state) {
  (void)state;
  expect("MOV R1, 0x1 ;\nIADD3 R2, R1, R1, RZ ;\n", "");
  expect("IADD3 R2, R1, R3, RZ ;\n", "R1 at 0x00;R3 at 0x00;");
  expect("@P2 MOV R1, 0x1 ;\n", "P2 at 0x00;");
  expect("SEL R1, RZ, 0x1, P3 ;\n", "P3 at 0x00;");
  expect("MOV R2, RZ ;\nLDG.E R1, [R2] ;\n", "R3 at 0x10;"); /* half of an address */
  expect("@!PT IADD3 R2, R1, R1, RZ ;\n", "");
}

/* As the model carries them. */
static void what_only_carries(void **state) {
  (void)state;
  expect("MOV R1, R5 ;\nMOV R2, R1 ;\n", "");
  expect("MOV R1, R5 ;\nMOV R2, R1 ;\nIADD3 R3, R2, 0x1, RZ ;\n", "R2 at 0x20;");
  expect("STL [RZ], R5 ;\n", "");
  expect("STS [R4], R4 ;\n", "R4 at 0x00;"); /* an address as well */
  expect("MOV R4, RZ ;\nMOV R5, RZ ;\nRED.E.ADD [R4], R6 ;\n", "R6 at 0x20;");
}

static void any_way_is_enough(void **state) {
  (void)state;
  const char *half = "S2R R0, SR_LANEID ;\nISETP.EQ.AND P0, PT, R0, RZ, PT ;\n@P0 BRA there ;\nMOV R1, 0x1 ;\nthere:\n"
                     "IADD3 R2, R1, 0x1, RZ ;\n";
  expect(half, "");
  expect("S2R R0, SR_LANEID ;\nISETP.EQ.AND P0, PT, R0, RZ, PT ;\n@P0 MOV R1, 0x1 ;\nIADD3 R2, R1, 0x1, RZ ;\n", "");
  expect("back:\nIADD3 R2, R1, 0x1, RZ ;\nMOV R1, 0x1 ;\nBRA back ;\n", "");
  expect("BRA there ;\nMOV R1, 0x1 ;\nthere:\nIADD3 R2, R1, 0x1, RZ ;\n", "R1 at 0x20;");
}

static void what_it_does_not_know(void **state) {
  (void)state;
  expect("CALL.REL f ;\nIADD3 R2, R1, 0x1, RZ ;\n", ""); /* the function may have written it */
  expect("UIADD3 UR1, UR2, 0x1, URZ ;\n", "");           /* another path of the warp may have */
  expect("IADD3 R2, R1, 0x1, RZ ;\nMOV R4, RZ ;\nMOV R5, RZ ;\nBRX R4 ;\n", "");
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(calls),
                                     cmocka_unit_test(tables_by_kernel),
                                     cmocka_unit_test(depbar),
                                     cmocka_unit_test(full_counters),
                                     cmocka_unit_test(each_finding_once),
                                     cmocka_unit_test(loops_lead_back),
                                     cmocka_unit_test(nothing_to_prove),
                                     cmocka_unit_test(spare_parts),
                                     cmocka_unit_test(stall_counts),
                                     cmocka_unit_test(counters),
                                     cmocka_unit_test(paths),
                                     cmocka_unit_test(straight_code),
                                     cmocka_unit_test(what_only_carries),
                                     cmocka_unit_test(any_way_is_enough),
                                     cmocka_unit_test(what_it_does_not_know)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
