/* SPDX-License-Identifier: Apache-2.0 */
#include "faults.h"

#include <stdio.h>
#include <string.h>

#include "tests/test.h"
#include "tests/isa/lint/sources.h"

static void hear(void *ctx, const struct heddle_lint_finding *f) {
  struct heard *h = ctx;
  if (h->n < KEPT) h->f[h->n] = *f;
  h->n++;
}

struct heard lint(const struct heddle_program *p, struct heddle_lint_totals *t) {
  struct heard h = {.n = 0};
  const struct heddle_lint_options o = {.size = sizeof o, .finding = hear, .ctx = &h};
  const enum heddle_lint_verdict v = heddle_lint(p, &o, t);
  assert_int_equal(v, h.n > 0 ? HEDDLE_LINT_FOUND : HEDDLE_LINT_PROVEN);
  return h;
}

struct heddle_program *program(const char *body) {
  static char text[8192];
  unsigned warned = 0;
  (void)snprintf(text, sizeof text, ".kernel k\n%s\n.end\n", body);
  return assembled(text, "t.s", &warned);
}

void check(const struct fault *f) {
  struct heddle_program *p = program(f->body);
  const struct heard h = lint(p, NULL);
  const bool right = f->kind < 0 ? h.n == 0
                                 : h.n == 1 && (int)h.f[0].kind == f->kind && h.f[0].pc == f->insn * 16 &&
                                       strcmp(h.f[0].place, f->place) == 0 && strstr(h.f[0].advice, f->advice) != NULL;
  if (!right)
    fail_msg("%s: %u findings, the first: kind %d at %u of %s: %s", f->body, h.n, (int)h.f[0].kind, h.f[0].pc / 16,
             h.f[0].place, h.f[0].advice);
  heddle_program_free(p);
}

void check_all(const struct fault *f, size_t n) {
  for (size_t i = 0; i < n; i++) check(&f[i]);
}
