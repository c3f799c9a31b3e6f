/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs for these tests: the kernels of firmware/kernels, and text that reaches every unit and every kind of branch.
 */
#ifndef HEDDLE_TEST_LINT_SOURCES_H
#define HEDDLE_TEST_LINT_SOURCES_H

#include <heddle/asm.h>

/* Assembled for latencies that differ by unit; fails the running test on errors, and on warnings unless `warned` counts
 * them. */
struct heddle_program *assembled(const char *text, const char *name, unsigned *warned);

/* The i-th program and its name; NULL behind the last. */
struct heddle_program *source_at(unsigned i, const char **name);

#endif
