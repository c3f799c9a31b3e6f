/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs for these tests: the kernels of firmware/kernels, and text that reaches every unit and every kind of branch.
 */
#ifndef HEDDLE_TEST_LINT_SOURCES_H
#define HEDDLE_TEST_LINT_SOURCES_H

#include <heddle/asm.h>
#include <heddle/lint.h>

/* Assembled for latencies that differ by unit; fails the running test on errors, and on warnings unless `warned` counts
 * them. */
struct heddle_program *assembled(const char *text, const char *name, unsigned *warned);

/* The i-th program and its name; NULL behind the last. */
struct heddle_program *source_at(unsigned i, const char **name);

/* Small programs with written control codes, and what is wrong with each. Latencies: alu 5, its predicates 6, fma 8,
 * cvt 7, half 6, uni 12. */

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
