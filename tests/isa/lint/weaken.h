/* SPDX-License-Identifier: Apache-2.0
 *
 * Control codes made weaker, one part at a time. What lint says of the result must be what trying every path says
 * (replay.h), instruction by instruction; what is not found wrong must be shown spare in the program as it was, with a
 * reason. */
#ifndef HEDDLE_TEST_LINT_WEAKEN_H
#define HEDDLE_TEST_LINT_WEAKEN_H

#include <heddle/program.h>

struct weaken_tally {
  unsigned weaker, wrong, spare;
};

/* Proven (true) or not; fails the running test where lint and replay disagree. */
bool weaken_agree(const struct heddle_program *p, const char *name);
/* Every part of every code; adds to *t. The program is as it was afterwards. $LINT_VERBOSE prints the reasons. */
void weaken_all(struct heddle_program *p, const char *name, struct weaken_tally *t);

#endif
