/* SPDX-License-Identifier: Apache-2.0
 *
 * A weaker code tried on the machine: its class, what is made weaker, what came of it.
 */
#ifndef HEDDLE_TESTS_ISA_LINT_CAMPAIGN_TRIAL_H
#define HEDDLE_TESTS_ISA_LINT_CAMPAIGN_TRIAL_H

#include <heddle/checker.h>
#include <heddle/lint.h>
#include <heddle/session.h>
#include "tests/isa/lint/campaign/subject.h"

enum hazard_file { FILE_R, FILE_P, FILE_UNIFORM, FILES };
enum hazard_use {
  USE_OPERAND,
  USE_ADDRESS,
  USE_DATA,   /* what a store or an atomic takes along */
  USE_TARGET, /* of a branch through a register */
  USE_GUARD,
  USE_PREDICATE, /* as a source */
  USE_WRITE,     /* written again */
  USE_LEAVE,     /* on its way where an indirect branch leads */
  USES
};

/* One number for a class: unit, file, use; behind them DEPBAR. */
enum { CLASS_DEPBAR = (int)ISA_UNIT_COUNT * FILES * USES, CLASSES };

unsigned class_of(const struct heddle_program *p, const struct heddle_lint_finding *f);
/* Hazards by the table of latencies that today's machines (rtl/issue/README.md) cannot show. A fixed-latency result
 * that another one overtakes, or that outlives a branch through a register: the pipes are too short for either. A
 * conversion used by a memory instruction: one cycle is all that its stall count can lack, and memory operands are read
 * one later. */
bool class_out_of_reach(unsigned class);
void class_name(unsigned class, char *buf, size_t size);

/* Does this finding foretell that poison? `exactly`: at that instruction, else at that register anywhere. */
bool poison_foretold(const struct heddle_lint_finding *f, const struct heddle_checker_difference *d, bool exactly);

/* Everything in the control codes of a program that can be made weaker, one thing at a time. */

/* Calls `f` for each: stall counts by one and down to 1, waits, write and read counters; in order of pc. */
void weakening_each(const struct heddle_program *p, void (*f)(void *ctx, struct heddle_lint_weaker w), void *ctx);

/* The word with that part made weaker. */
struct heddle_isa_word weakening_word(struct heddle_isa_word w, struct heddle_lint_weaker what);
void weakening_text(struct heddle_lint_weaker w, char *buf, size_t size);

/* Flags that must not change results: all off, all on (where the encoding has them), each at random. */
enum hints { HINTS_OFF, HINTS_ON, HINTS_RANDOM, HINTS_COUNT };
/* Sets reuse and yield flags of every legal word; `seed` is of HINTS_RANDOM. */
void hints_set(struct heddle_program *p, enum hints h, uint64_t seed);

/* One case of a subject on a fresh machine: its launches one after the other, then all buffers. */

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
