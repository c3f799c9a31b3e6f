/* SPDX-License-Identifier: Apache-2.0
 *
 * The campaign: what lint and a replay say of a weaker code, how a program is made smaller, what is counted.
 */
#ifndef HEDDLE_TESTS_ISA_LINT_CAMPAIGN_CAMPAIGN_H
#define HEDDLE_TESTS_ISA_LINT_CAMPAIGN_CAMPAIGN_H

#include <heddle/lint.h>
#include "tests/isa/lint/campaign/trial.h"
#include "tests/isa/lint/campaign/subject.h"

enum { VERDICT_FINDINGS = 256 };

struct verdict {
  enum heddle_lint_verdict lint;
  unsigned findings; /* the first VERDICT_FINDINGS of them are kept */
  struct heddle_lint_finding finding[VERDICT_FINDINGS];
  bool replays; /* replay (../replay.h) finds exactly the same instructions */
};

void verdict_of(const struct heddle_program *p, struct verdict *v);

/* The smallest part of a case that still executes, in some lane, every instruction that the whole case does. */

/* First the whole case runs on the model, which must leave the memory that the case expects. Then the grids of s->c are
 * cut as far as possible, and what its buffers must hold afterwards is what the model leaves. Returns the instructions
 * that no lane executes; reached[i]: instruction i is executed (room for all words of the program). False: why. */
bool shrink_case(struct subject *s, bool *reached, unsigned *idle, char *why, size_t size);

/* The campaign on one subject: every weakening judged by lint, then tried on the machine. */

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

/* Plain data: it is in memory that several processes share. */
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
