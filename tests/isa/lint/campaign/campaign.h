/* SPDX-License-Identifier: Apache-2.0
 *
 * The campaign on one subject: every weakening judged by lint, then tried on the machine. */
#ifndef HEDDLE_CAMPAIGN_H
#define HEDDLE_CAMPAIGN_H

#include "tests/isa/lint/campaign/classes.h"
#include "tests/isa/lint/campaign/subject.h"

struct campaign_options {
  const char *config; /* machine */
  uint64_t seed;      /* first memory seed */
  unsigned seeds;     /* of what lint does not flag: all of them must be right */
  unsigned hit_seeds; /* of what it flags: until poison is seen */
  unsigned mixes;     /* random sets of weakenings more */
  unsigned reports;   /* of missed and failed ones kept */
};

enum { POISONS = 5, MISSED_MOST = 400 };

struct missed {
  struct heddle_lint_weaker w;
  uint16_t class; /* of its first finding */
};

/* Plain data: it lies in memory that several processes share. */
struct tally {
  char failure[400]; /* the first thing that is not as it must be; empty: none */
  unsigned failures;
  char lacks[160];              /* what the RTL lacks; not empty: judged, not run */
  unsigned insns, idle, blocks; /* of the program; executed by no lane; of the first launch */
  unsigned weakenings, flagged, spare;
  unsigned hit, missed, inexact; /* flagged and run: poison seen; never; seen, not where the finding says */
  unsigned hints, mixes, mixes_flagged, mixes_hit;
  uint64_t runs, spare_runs, warp_insns, cycles;
  unsigned poison[POISONS];        /* by kind, from HEDDLE_CHECKER_POISON_RAW on */
  unsigned class_flagged[CLASSES]; /* weakenings with such a finding */
  unsigned class_run[CLASSES];     /* of them, those that were run */
  unsigned class_hit[CLASSES];     /* poison that such a finding foretold */
  struct missed miss[MISSED_MOST];
};

void campaign_subject(const struct campaign_options *o, struct subject *s, struct tally *t);

#endif
