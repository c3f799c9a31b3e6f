/* SPDX-License-Identifier: Apache-2.0
 * Options of libheddle-sim say their size: an older host's are taken, a newer one's unless they ask for what is not
 * there, and none without a size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/lint.h>
#include <heddle/model.h>
#include <heddle/ptx.h>
#include <heddle/session.h>

static const char text[] = ".kernel k\n.stalls 5 6 8 7 6 12\n EXIT ;\n.end\n";
static const char ptx[] = ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n";

static struct heddle_program *assembled(void) {
  struct heddle_program *p = heddle_assemble(text, sizeof text - 1, "k.s",
                                             &(struct heddle_asm_options){.size = sizeof(struct heddle_asm_options)});
  assert_non_null(p);
  return p;
}

/* Each: do these options work? */
static bool model(const void *o) {
  struct heddle_model *m = heddle_model_new(o);
  heddle_model_free(m);
  return m != NULL;
}

static bool session(const void *o) {
  char err[200];
  struct heddle_session *s = heddle_session_open(o, err, sizeof err);
  if (s) assert_true(heddle_session_close(s));
  return s != NULL;
}

static bool compiler(const void *o) {
  struct heddle_program *p = heddle_ptx_compile(ptx, sizeof ptx - 1, "k.ptx", o, NULL, NULL);
  heddle_program_free(p);
  return p != NULL;
}

static bool assembler(const void *o) {
  struct heddle_program *p = heddle_assemble(text, sizeof text - 1, "k.s", o);
  heddle_program_free(p);
  return p != NULL;
}

static bool lint(const void *o) {
  struct heddle_program *p = assembled();
  const enum heddle_lint_verdict v = heddle_lint(p, o, NULL);
  heddle_program_free(p);
  assert_true(v == HEDDLE_LINT_PROVEN || v == HEDDLE_LINT_BAD_OPTIONS);
  return v != HEDDLE_LINT_BAD_OPTIONS;
}

/* `old`: where an older release's options may have ended, all that works here being before it. */
static void sizes(bool (*works)(const void *), const void *good, size_t bytes, size_t old) {
  unsigned char *o = calloc(1, bytes + 16);
  assert_non_null(o);
  const size_t newer = bytes + 16, none = 0, less = sizeof(size_t) - 1, huge = SIZE_MAX;
  memcpy(o, good, bytes);
  assert_true(works(o));
  memcpy(o, &newer, sizeof newer); /* of it nothing is set */
  assert_true(works(o));
  o[bytes + 15] = 1;
  assert_false(works(o));
  memcpy(o, &none, sizeof none);
  assert_false(works(o));
  memcpy(o, &less, sizeof less);
  assert_false(works(o));
  memcpy(o, &huge, sizeof huge);
  assert_false(works(o));
  memcpy(o, &old, sizeof old);
  memset(o + old, 0xff, newer - old); /* not looked at */
  assert_true(works(o));
  free(o);
}

static void every_one_says_its_size(void **state) {
  (void)state;
  const struct heddle_model_config m = {.size = sizeof m, .bytes = 64, .warp_slots = 1, .block_slots = 1};
  const struct heddle_session_config s = {.size = sizeof s, .mode = HEDDLE_SESSION_MODEL, .memory_bytes = 64};
  const struct heddle_ptx_options c = {.size = sizeof c, .level = 1};
  const struct heddle_asm_options a = {.size = sizeof a};
  const struct heddle_lint_options l = {.size = sizeof l};
  sizes(model, &m, sizeof m, offsetof(struct heddle_model_config, sm));
  sizes(session, &s, sizeof s, offsetof(struct heddle_session_config, wave));
  sizes(compiler, &c, sizeof c, offsetof(struct heddle_ptx_options, max_regs));
  sizes(assembler, &a, sizeof a, offsetof(struct heddle_asm_options, message));
  sizes(lint, &l, sizeof l, offsetof(struct heddle_lint_options, finding));
}

static void lint_does_without(void **state) {
  (void)state;
  assert_true(lint(NULL));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_one_says_its_size), cmocka_unit_test(lint_does_without)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
