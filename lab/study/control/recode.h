/* SPDX-License-Identifier: Apache-2.0
 *
 * A program with other control codes: mechanisms of the code left out, one by one, to see what each is worth. Nothing
 * but control codes changes, and what comes out is proven sufficient (heddle/lint.h), or marked for a machine with a
 * scoreboard, which proves it in hardware. */
#ifndef HEDDLE_STUDY_RECODE_H
#define HEDDLE_STUDY_RECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/program.h>

/* Parts of a control code, as a mask. */
enum recode_part {
  RECODE_STALL = 1,
  RECODE_YIELD = 2,
  RECODE_WBAR = 4,
  RECODE_RBAR = 8,
  RECODE_WAIT = 16,
  RECODE_REUSE = 32,
  RECODE_ALL = 63
};

struct recode {
  bool by_counters;  /* rewritten: every result is awaited by a counter, no stall count is above 1 */
  unsigned stalls;   /* rewritten for results of fixed latency that take so many cycles, 1 to 15; 0: as they are */
  unsigned counters; /* 1 to 6: that many are left, each for what several were for */
  unsigned clear;    /* mask of enum recode_part: to values without a request */
  bool yield_waits;  /* an instruction that waits for a counter yields */
  bool scoreboard;   /* for scoreboard mode: not proven, and the notes say so */
};
#define RECODE_DEFAULT ((struct recode){.counters = 6})

struct recode_counts {
  uint32_t instructions, stalls, stall_cycles;  /* instructions with a count above 1; cycles above 1 in all */
  uint32_t yields, wbars, rbars, waits, reuses; /* instructions that have one */
};

/* Changes the codes of `p`, and proves them. False: `why` says what they lack, or what went wrong; `p` is then of no
 * use. */
bool recode(struct heddle_program *p, const struct recode *r, char *why, size_t size);

void recode_count(const struct heddle_program *p, struct recode_counts *n);

/* The part that `name` names ("stall"), or 0. */
unsigned recode_part(const char *name);

#endif
