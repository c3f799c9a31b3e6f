/* SPDX-License-Identifier: Apache-2.0
 * What the assembler and the compiler's scheduler make of random programs is proven; and proofs agree with trying. */
#include <stdio.h>
#include <stdlib.h>

#include <heddle/lint.h>
#include <heddle/model.h>
#include "tests/test.h"
#include "lab/verify/random/random_program.h"
#include "tests/isa/lint/sources.h"

static const uint8_t stall[8] = {5, 6, 8, 7, 6, 12};

/* `dealt`: counters were dealt anew, so that a DEPBAR by hand asks one that others raise now: a wait more. */
struct told {
  const char *name;
  bool dealt;
  unsigned wrong;
};

static void complain(void *ctx, const struct heddle_lint_finding *f) {
  struct told *told = ctx;
  if (told->dealt && f->kind == HEDDLE_LINT_DEPBAR) return;
  told->wrong++;
  print_message("%s: 0x%04x: %s of 0x%04x: %s\n", told->name, f->pc, f->place, f->producer, f->advice);
}

static void must_be_proven(const struct heddle_program *p, const char *name, bool dealt) {
  struct told told = {.name = name, .dealt = dealt};
  const struct heddle_lint_options o = {.size = sizeof o, .finding = complain, .ctx = &told};
  struct heddle_lint_totals t = {.size = sizeof t};
  const enum heddle_lint_verdict verdict = heddle_lint(p, &o, &t);
  assert_int_equal(verdict, t.findings == 0 ? HEDDLE_LINT_PROVEN : HEDDLE_LINT_FOUND);
  assert_int_equal(told.wrong, 0);
  assert_true(t.instructions > 0 && t.results > 0);
}

static void random_programs_are_proven(void **state) {
  (void)state;
  const struct random_limits l = {
      .max_threads = 256, .max_regs = 255, .max_shared = 8192, .stall = {5, 6, 8, 7, 6, 12}};
  unsigned illegal = 0;
  for (uint64_t i = 0; i < 400; i++) {
    char name[32];
    (void)snprintf(name, sizeof name, "program %u", (unsigned)i);
    struct random_program *r = random_program_new(7, i, &l);
    unsigned warned = 0; /* of codes by hand, which are right for the latencies that the program names alone */
    struct heddle_program *p = assembled(random_program_text(r), name, &warned);
    must_be_proven(p, name, false);
    if (random_program_launch(r)->trap != HEDDLE_TRAP_ILLEGAL) {
      assert_true(heddle_schedule(p, 0, p->code_bytes, stall, NULL));
      must_be_proven(p, name, true);
    } else { /* nobody knows what its word does */
      assert_false(heddle_schedule(p, 0, p->code_bytes, stall, NULL));
      illegal++;
    }
    heddle_program_free(p);
    random_program_free(r);
  }
  assert_in_range(illegal, 1, 50);
}

/* 60,000 instructions in 20,000 blocks that all lead on to each other. */
static void large_programs_end(void **state) {
  (void)state;
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  (void)fprintf(f, ".kernel large\nl0:\n");
  for (unsigned i = 1; i <= 20000; i++)
    (void)fprintf(f, " FADD R%u, R%u, R1 ;\n LDS R%u, [R0] ;\n@P0 BRA l%u ;\nl%u:\n", i % 50 + 2, i % 47 + 3,
                  i % 41 + 2, (i * 7919u) % 20000, i);
  (void)fprintf(f, " EXIT ;\n.end\n");
  (void)fclose(f);
  struct heddle_program *p = assembled(text, "large", NULL);
  must_be_proven(p, "large", false);
  heddle_program_free(p);
  free(text);
}

/* Nothing waits for anything: as much as possible is on its way everywhere. It must end, in words. */
static void hostile_programs_end(void **state) {
  (void)state;
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  (void)fprintf(f, ".kernel hostile\nl0:\n");
  for (unsigned i = 1; i <= 3000; i++)
    (void)fprintf(f, "[B------:R-:W%u:-:S01] LDS R%u, [RZ] ;\n[B------:R-:W-:-:S01] @P0 BRA l%u ;\nl%u:\n", i % 6,
                  i % 60, (i * 7919u) % 3000, i);
  (void)fprintf(f, " EXIT ;\n.end\n");
  (void)fclose(f);
  unsigned warned = 0;
  struct heddle_program *p = assembled(text, "hostile", &warned);
  const enum heddle_lint_verdict v = heddle_lint(p, NULL, NULL);
  assert_true(v == HEDDLE_LINT_FOUND || v == HEDDLE_LINT_TOO_LARGE);
  heddle_program_free(p);
  free(text);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs_are_proven), cmocka_unit_test(large_programs_end),
                                     cmocka_unit_test(hostile_programs_end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
