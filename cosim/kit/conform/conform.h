/* SPDX-License-Identifier: Apache-2.0
 *
 * Traces to try an adapter, and a checker, with: right ones of every profile, and wrong ones with the verdict that must
 * come. README.md says what is in the folder that is made.
 */
#ifndef HEDDLE_CONFORM_H
#define HEDDLE_CONFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Makes golden/, spoiled/, mistakes/ in `dir` (it exists) and verdicts.json. False: `why` says what failed. */
bool conform_make(const char *dir, char *why, size_t why_bytes);

struct conform_result {
  unsigned traces, wrong; /* wrong: another verdict than the one that must come; each has been printed */
  unsigned kinds;         /* kinds of records of which a wrong one has been named */
};
/* Judges every trace of verdicts.json. False: it cannot be read. */
bool conform_check(const char *dir, FILE *out, struct conform_result *r, char *why, size_t why_bytes);

/* The table of docs/retire-port.md. */
void conform_mistakes(FILE *out);

#endif
