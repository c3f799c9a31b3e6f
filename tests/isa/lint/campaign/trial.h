/* SPDX-License-Identifier: Apache-2.0
 *
 * One case of a subject on a fresh machine: its launches one after the other, then all buffers. */
#ifndef HEDDLE_CAMPAIGN_TRIAL_H
#define HEDDLE_CAMPAIGN_TRIAL_H

#include <heddle/session.h>
#include "tests/isa/lint/campaign/subject.h"

enum trial_end {
  TRIAL_RIGHT,   /* ended, no difference, memory as it must be */
  TRIAL_POISON,  /* the checker saw a dependency broken */
  TRIAL_DIFFERS, /* any other difference, or an assertion of the RTL */
  TRIAL_WRONG,   /* memory is not what it must be */
  TRIAL_TRAP,
  TRIAL_STUCK, /* cycle limit, or no progress */
  TRIAL_ERROR  /* the machine could not be run */
};
const char *trial_end_name(enum trial_end e);

struct trial {
  enum trial_end end;
  struct heddle_checker_difference difference; /* POISON, DIFFERS */
  struct heddle_trap trap;                     /* TRAP */
  uint64_t cycles, insns;
  char why[256];
};

/* `config` NULL: on the model alone (limit: warp instructions), else in lockstep, control mode, adversarial memory
 * (limit: cycles of a launch). With `keep` the buffers' contents afterwards become what must be there. */
void trial_run(const struct subject *s, const char *config, uint64_t seed, uint64_t limit, struct kernel_case *keep,
               struct trial *out);

#endif
