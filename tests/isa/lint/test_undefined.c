/* SPDX-License-Identifier: Apache-2.0
 * What is used and no way to there has written. */
#include <stdio.h>
#include <string.h>

#include "tests/test.h"

#include <heddle/asm.h>
#include <heddle/lint.h>

static char said[512];

static void take(void *ctx, const struct heddle_lint_finding *f) {
  (void)ctx;
  const size_t used = strlen(said);
  if (f->kind == HEDDLE_LINT_UNDEFINED) snprintf(said + used, sizeof said - used, "%s at 0x%02x;", f->place, f->pc);
}

static void expect_in(const char *text, const char *want) {
  const struct heddle_asm_options o = {.size = sizeof o, .stall = {5, 6, 8, 6}, .long_words = true};
  struct heddle_program *p = heddle_assemble(text, strlen(text), "t.s", &o);
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
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(straight_code),
      cmocka_unit_test(what_only_carries),
      cmocka_unit_test(any_way_is_enough),
      cmocka_unit_test(what_it_does_not_know),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
