/* SPDX-License-Identifier: Apache-2.0
 *
 * What lint says of a program whose codes have been made weaker, and whether trying every path says the same. */
#ifndef HEDDLE_CAMPAIGN_VERDICT_H
#define HEDDLE_CAMPAIGN_VERDICT_H

#include <heddle/lint.h>

enum { VERDICT_FINDINGS = 256 };

struct verdict {
  enum heddle_lint_verdict lint;
  unsigned findings; /* the first VERDICT_FINDINGS of them are kept */
  struct heddle_lint_finding finding[VERDICT_FINDINGS];
  bool replays; /* replay (../replay.h) finds exactly the same instructions */
};

void verdict_of(const struct heddle_program *p, struct verdict *v);

#endif
