/* SPDX-License-Identifier: Apache-2.0
 * Every PTX file of tests/silicon, compiled: its codes are proven, and trying every path says the same; the kernels'
 * codes are made weaker, too. Those of firmware/kernels are proven. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/lint.h>
#include <heddle/ptx.h>
#include "tests/test.h"
#include "tests/isa/lint/weaken.h"

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
  struct heddle_program *p = heddle_ptx_compile(text, size, path, &o, NULL, NULL);
  assert_non_null(p);
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

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_are_proven), cmocka_unit_test(own_kernels_are_proven),
                                     cmocka_unit_test(forms_are_proven)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
