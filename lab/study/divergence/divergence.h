/* SPDX-License-Identifier: Apache-2.0
 *
 * The study of one program: what its launches take under each rule, summed.
 */
#ifndef DIVERGENCE_DIVERGENCE_H
#define DIVERGENCE_DIVERGENCE_H

#include "lab/study/divergence/replay.h"

enum rule { RULE_STACK, RULE_ITS, RULE_FORMED, RULE_FORMED_LANES, RULE_COMPACTED, RULES };
const char *rule_name(enum rule r); /* "stack", "its", "dwf", "dwf_lanes", "tbc": of JSON and of options */

struct divergence_run {
  uint64_t launches, issues; /* as they were recorded */
  uint64_t hash;             /* of all that threads did */
};

struct divergence {
  struct divergence_run run[2]; /* under stack, under its */
  struct slots slots[RULES];    /* its: of the run under stack, unless there was none */
  uint64_t its_alone;           /* issues of the run under its, by the study's own replay */
  struct thread_work work;
  uint64_t apart; /* barriers that compaction met with a part of a block */
  struct branch *branch;
  uint32_t words;
};

struct divergence_options {
  struct formation formation; /* but for `lanes`: both ways are studied */
};

/* A launch, run by one of the units: it is replayed and compared issue by issue with what was recorded. `full`: all
 * other rules as well, and branches; the other way (a second run, by the other unit) only that. All launches of a
 * study must be of one program. False: `why`. */
bool divergence_add(struct divergence *d, const struct streams *s, bool its, bool full,
                    const struct divergence_options *o, char *why, size_t why_bytes);
/* After a run of each unit: where threads did the same in both, the replay of one must say what the other took. */
bool divergence_agree(const struct divergence *d, char *why, size_t why_bytes);
bool divergence_same_threads(const struct divergence *d);
void divergence_clear(struct divergence *d);

#endif
