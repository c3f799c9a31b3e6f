/* SPDX-License-Identifier: Apache-2.0
 *
 * Small programs with written control codes, and what is wrong with each. Latencies: alu 5, its predicates 6, fma 8,
 * cvt 7, half 6, uni 12. */
#ifndef HEDDLE_TEST_LINT_FAULTS_H
#define HEDDLE_TEST_LINT_FAULTS_H

#include <heddle/lint.h>

enum { KEPT = 8 };

struct heard {
  unsigned n;
  struct heddle_lint_finding f[KEPT];
};
struct heard lint(const struct heddle_program *p, struct heddle_lint_totals *t);

/* `body` between .kernel k and .end. */
struct heddle_program *program(const char *body);

struct fault {
  const char *body;
  int kind; /* the only finding: enum heddle_lint_kind; -1: nothing is wrong */
  unsigned insn;
  const char *place, *advice; /* advice: words in it */
};
void check(const struct fault *f);
void check_all(const struct fault *f, size_t n);
#define CHECK(table) check_all(table, sizeof table / sizeof *table)

#endif
