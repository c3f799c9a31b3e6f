/* SPDX-License-Identifier: Apache-2.0
 * Result of a run, on any runner. */
#ifndef HEDDLE_RUN_RESULT_H
#define HEDDLE_RUN_RESULT_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include <heddle/checker.h>
#include <heddle/explain.h>
#include "cosim/checker/report.h"
#include "run/job/job.h"

#define RUN_WAITS 64u
#define RUN_COUNTERS 32u
#define RUN_CACHE_COUNTERS 16u /* from here on those of the cache */

/* Facts about a fault from its place; program, buffers and so on come from the job (struct explained). */
struct run_fault {
  bool known;
  struct heddle_fault fault; /* without pointers */
  char cause[64], origin[40];
  struct heddle_fault_wait wait[RUN_WAITS];
};

/* UNDEFINED: something depends on unwritten data: the program's fault, as a trap is. */
enum run_status {
  RUN_OK,
  RUN_DIFFERENCE,
  RUN_TRAP,
  RUN_LIMIT,
  RUN_BAD_INPUT,
  RUN_MISSING,
  RUN_UNDEFINED,
  RUN_FOUND /* it ended well, but the sanitizer has findings */
};

struct run_result {
  enum run_status status;
  struct signature diagnosis;        /* what went wrong; empty: RUN_OK */
  struct heddle_trap trap;           /* RUN_TRAP */
  uint64_t retired;                  /* warp instructions; 0: unknown (of a device alone, launches in its queue) */
  uint64_t cycles;                   /* of the clock; 0 on the model */
  unsigned launches;                 /* that have ended, where there are several on a device; else 0 */
  uint64_t *each;                    /* cycles of each of these; owned; NULL: there are not several, or no memory */
  uint64_t apart;                    /* from the first instruction of one to that of the next, on average; 0: unknown */
  bool uncounted;                    /* a device was stopped before its end: its last launch is in neither */
  struct heddle_checker_stats stats; /* lockstep */
  uint64_t stopped;                  /* on a device: its cycle of the difference, else that in which it stopped */
  uint64_t axi[8];                   /* by enum run_axi; lockstep and rtl */
  uint64_t counter[RUN_COUNTERS];    /* of all launches, by enum heddle_counter; 0: none was counted */
  uint32_t printed, unprinted;       /* messages of printf: shown, and without room */
  struct run_fault fault;
  char message[2048];        /* why not RUN_OK */
  char *report;              /* a difference, a hang: whole text; owned */
  json_t *report_json;       /* the same for programs; owned */
  struct findings *findings; /* --sanitize (run/sanitize); owned, or NULL */
  json_t *digests;           /* --replay: what was found of them (conclude.h); owned */
  uint8_t *issued;           /* if requested: for each word of the code, whether an instruction there has; owned */
  json_t *fidelity;          /* --fidelity: what is known of the executed forms (fidelity.h); owned */
  json_t *refused;           /* RUN_BAD_INPUT: what the machine lacks (possible.h), or NULL; owned */
};

/* Data before address; reads reordered across ids; cycles in which AW, W, B, AR, R had to wait. */
enum run_axi { AXI_COUNT_W_BEFORE_AW, AXI_COUNT_R_REORDERED, AXI_COUNT_HELD, AXI_COUNTS = AXI_COUNT_HELD + 5 };

void run_result_clear(struct run_result *r); /* what it owns */

int run_exit_status(enum run_status s); /* enum tool_exit */
const char *run_status_name(enum run_status s);

/* The device's event counters of a launch, as --profile shows them. */

/* A line, and one of the cache if it has counted; the model has no counters, only instructions. */
void profile_print(FILE *to, const char *name, uint64_t retired, uint64_t cycles, const uint64_t counter[RUN_COUNTERS]);
const char *profile_name(unsigned counter); /* by enum heddle_counter */
json_t *profile_json(const uint64_t counter[RUN_COUNTERS]);

/* The fault of a run, explained (heddle/explain.h) with data of its job: kernel, buffers by their parameters. */

struct explained {
  struct heddle_fault fault;
  struct heddle_fault_buffer *buffer; /* owned */
  struct heddle_explanation x;
};

/* False: the run has no fault, or no memory. The result and the job must stay. */
bool explained_make(struct explained *e, const struct job *job, const struct run_result *r);
void explained_clear(struct explained *e);
void explained_print(FILE *to, const struct job *job, const struct run_result *r);
/* NULL: no fault. */
json_t *explained_json(const struct job *job, const struct run_result *r);

#endif
