/* SPDX-License-Identifier: Apache-2.0
 *
 * Every PTX file of tests/silicon, compiled: its codes are proven, and trying every path says the same; the kernels'
 * codes are made weaker, too. Those of firmware/kernels are proven.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/lint.h>
#include <heddle/model.h>
#include <heddle/ptx.h>
#include "lab/verify/random/random_program.h"
#include "tests/isa/lint/replay.h"
#include "tests/isa/lint/sources.h"
#include "tests/test.h"

static void complain(void *ctx, const struct heddle_lint_finding *f) {
  print_message("%s: 0x%04x: %s of 0x%04x: %s\n", (const char *)ctx, f->pc, f->place, f->producer, f->advice);
}

static void note(void *ctx, const struct heddle_message *m) {
  (void)ctx;
  if (!m->warning) fail_msg("%s:%u:%u: %s", m->file, m->line, m->column, m->text);
}

static char *text_of(const char *path, size_t *size) {
  FILE *f = fopen(path, "rb");
  if (!f) fail_msg("%s", path);
  char *text = malloc(1 << 20);
  assert_non_null(text);
  *size = fread(text, 1, 1 << 20, f);
  (void)fclose(f);
  return text;
}

static struct heddle_program *proven(char *path, unsigned level, enum heddle_ptx_target target) {
  static const uint8_t stall[8] = {5, 6, 8, 7, 6, 12};
  struct heddle_ptx_options o = {
      .size = sizeof o, .target = target, .level = level, .message = note, .long_words = true};
  size_t size;
  char *text = text_of(path, &size);
  memcpy(o.stall, stall, sizeof stall);
  struct heddle_program *p;
  assert_int_equal(heddle_ptx_compile(text, size, path, &o, &p, NULL, NULL), HEDDLE_SUCCESS);
  const struct heddle_lint_options lo = {.size = sizeof lo, .finding = complain, .ctx = path};
  struct heddle_lint_totals t = {.size = sizeof t};
  const enum heddle_lint_verdict v = heddle_lint(p, &lo, &t);
  if (v != HEDDLE_LINT_PROVEN) fail_msg("%s: level %u: verdict %d, %u findings", path, level, (int)v, t.findings);
  free(text);
  return p;
}

static void prove(char *path, unsigned level, struct weaken_tally *tally) {
  struct heddle_program *p = proven(path, level, HEDDLE_PTX_TARGET_RTL);
  if (!weaken_agree(p, path)) fail_msg("%s: level %u", path, level);
  if (tally) weaken_all(p, path, tally);
  heddle_program_free(p);
}

/* Large ones: trying every path would take too long. */
static void prove_only(char *path, unsigned level, struct weaken_tally *tally) {
  (void)tally;
  heddle_program_free(proven(path, level, HEDDLE_PTX_TARGET_RTL));
  heddle_program_free(proven(path, level, HEDDLE_PTX_TARGET_MODEL));
}

static unsigned prove_folder(const char *folder, void (*one)(char *, unsigned, struct weaken_tally *),
                             struct weaken_tally *tally) {
  unsigned n = 0;
  DIR *d = opendir(folder);
  if (!d) fail_msg("%s", folder);
  for (const struct dirent *e = readdir(d); e != NULL; e = readdir(d)) {
    char path[1024];
    const size_t length = strlen(e->d_name);
    if (length < 4 || strcmp(e->d_name + length - 4, ".ptx") != 0) continue;
    (void)snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    for (unsigned level = 0; level <= 1; level++) one(path, level, level > 0 ? tally : NULL);
    n++;
  }
  (void)closedir(d);
  return n;
}

static void kernels_are_proven(void **state) {
  (void)state;
  struct weaken_tally t = {0, 0, 0};
  assert_true(prove_folder(SILICON_DIR "/kernels", prove, &t) >= 8);
  print_message("%u weaker: %u found wrong, %u spare with a reason\n", t.weaker, t.wrong, t.spare);
}

static void forms_are_proven(void **state) {
  (void)state;
  assert_true(prove_folder(OPS_DIR, prove, NULL) >= 385);
}

/* What clang -O2 and -O0 made of the kernels of firmware/kernels. */
static void own_kernels_are_proven(void **state) {
  (void)state;
  const unsigned n = prove_folder(OWN_KERNEL_DIR, prove_only, NULL);
  assert_true(n >= 20);
  /* All but what is PTX by hand: hgemm_mma, gemv_async. */
  assert_int_equal(prove_folder(OWN_KERNEL_DIR "/O0", prove_only, NULL) + 2, n);
}

/* What the assembler and the compiler's scheduler make of random programs is proven; and proofs agree with trying. */

static const uint8_t stall[8] = {5, 6, 8, 7, 6, 12};

/* `dealt`: counters were dealt anew, so that a DEPBAR by hand asks one that others raise now: a wait more. */
struct told {
  const char *name;
  bool dealt;
  unsigned wrong;
};

static void complain_of(void *ctx, const struct heddle_lint_finding *f) {
  struct told *told = ctx;
  if (told->dealt && f->kind == HEDDLE_LINT_DEPBAR) return;
  told->wrong++;
  print_message("%s: 0x%04x: %s of 0x%04x: %s\n", told->name, f->pc, f->place, f->producer, f->advice);
}

static void must_be_proven(const struct heddle_program *p, const char *name, bool dealt) {
  struct told told = {.name = name, .dealt = dealt};
  const struct heddle_lint_options o = {.size = sizeof o, .finding = complain_of, .ctx = &told};
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
      assert_int_equal(heddle_schedule(p, 0, p->code_bytes, stall, NULL), HEDDLE_SUCCESS);
      must_be_proven(p, name, true);
    } else { /* nobody knows what its word does */
      assert_int_equal(heddle_schedule(p, 0, p->code_bytes, stall, NULL), HEDDLE_ERROR_INVALID_IMAGE);
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

/* Every stall count, wait and counter of every program, made weaker. */

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
      assert_int_equal(heddle_schedule(p, 0, p->code_bytes, stall, NULL), HEDDLE_SUCCESS);
      if (!weaken_agree(p, name)) fail_msg("%s is not proven as the compiler schedules it", name);
      weaken_all(p, name, &all);
    }
    heddle_program_free(p);
  }
  print_message("compiled   %4u weaker: %4u found wrong, %3u spare with a reason\n", all.weaker, all.wrong, all.spare);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_are_proven),
                                     cmocka_unit_test(own_kernels_are_proven),
                                     cmocka_unit_test(forms_are_proven),
                                     cmocka_unit_test(random_programs_are_proven),
                                     cmocka_unit_test(large_programs_end),
                                     cmocka_unit_test(hostile_programs_end),
                                     cmocka_unit_test(every_code_is_needed_or_spare),
                                     cmocka_unit_test(compiled_codes_too)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
