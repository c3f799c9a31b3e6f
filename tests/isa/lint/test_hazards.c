/* SPDX-License-Identifier: Apache-2.0
 * Stall counts, counters and paths: what is wrong, and what would mend it. */
#include <stdio.h>
#include <string.h>

#include "tests/test.h"
#include "tests/isa/lint/faults.h"
#include "tests/isa/lint/sources.h"

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

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(stall_counts), cmocka_unit_test(counters),
                                     cmocka_unit_test(paths)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
