/* SPDX-License-Identifier: Apache-2.0 */
#include "asm_text.h"
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

#include <heddle/lint.h>

struct heddle_message last;
unsigned errors, warnings;

static void note(void *ctx, const struct heddle_message *m) {
  (void)ctx;
  if (m->warning) {
    warnings++;
  } else if (errors++ > 0) {
    return; /* keep the first error */
  }
  last = *m;
}

/* What the assembler schedules without a complaint must be sufficient. */
static void complain(void *ctx, const struct heddle_lint_finding *f) {
  (void)ctx;
  print_message("0x%04x: %s of 0x%04x: %s\n", f->pc, f->place, f->producer, f->advice);
}

struct heddle_program *assemble(const char *text) {
  struct heddle_asm_options o = {.size = sizeof o, .stall = {5, 6, 8, 6}, .message = note, .long_words = true};
  errors = warnings = 0;
  memset(&last, 0, sizeof last);
  struct heddle_program *p;
  (void)heddle_assemble(text, strlen(text), "t.s", &o, &p);
  const struct heddle_lint_options lo = {.size = sizeof lo, .finding = complain};
  if (p && warnings == 0 && heddle_lint(p, &lo, NULL) != HEDDLE_LINT_PROVEN) fail_msg("not proven: %s", text);
  return p;
}

struct heddle_program *assemble_body(const char *body) {
  static char text[8192];
  int n = snprintf(text, sizeof text, ".kernel k\n%s\n.end\n", body);
  assert_true(n > 0 && (size_t)n < sizeof text);
  return assemble(text);
}

void expect_error(const char *text, unsigned line, unsigned column, const char *words) {
  struct heddle_program *p = assemble(text);
  assert_null(p);
  assert_int_equal(last.line, line);
  assert_int_equal(last.column, column);
  if (!strstr(last.text, words)) fail_msg("'%s' does not contain '%s'", last.text, words);
}

struct heddle_isa_dec decode_at(const struct heddle_program *p, unsigned index) {
  struct heddle_isa_dec d;
  assert_true(heddle_isa_decode(heddle_program_word(p, index * ISA_WORD_BYTES), &d)); /* words are long here */
  return d;
}
