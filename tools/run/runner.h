/* SPDX-License-Identifier: Apache-2.0
 *
 * Running jobs where --on says: the model alone, the RTL alone, both in lockstep. One runner keeps one device, so that
 * several launches share its caches and its memory. */
#ifndef HEDDLE_RUNNER_H
#define HEDDLE_RUNNER_H

#include "heddle/checker.h"
#include "heddle/explain.h"
#include "job.h"
#include <jansson.h>

#include "options.h"

/* What is known of a fault where it happened; program, buffers and so on come from the job (explained.h). */
#define RUN_WAITS 64u
struct run_fault {
  bool known;
  struct heddle_fault fault; /* without pointers */
  char cause[64];
  struct heddle_fault_wait wait[RUN_WAITS];
};

/* UNDEFINED: something depends on what nobody has written: the program's fault, as a trap is. */
enum run_status { RUN_OK, RUN_DIFFERENCE, RUN_TRAP, RUN_LIMIT, RUN_BAD_INPUT, RUN_MISSING, RUN_UNDEFINED };

#define RUN_COUNTERS 16u

/* What went wrong, in words that stay the same when the program around it changes: two runs that fail alike have equal
 * ones. All empty: RUN_OK. */
struct run_diagnosis {
  char kind[48]; /* the checker's name of the difference ("writeback.value"), else "trap", "limit", "hung", "device" ...
                  */
  char op[24];   /* mnemonic of the instruction that it belongs to, or empty */
  char detail[96]; /* the cause of a trap, the words of an assertion, or empty */
};

struct run_result {
  enum run_status status;
  struct run_diagnosis diagnosis;
  struct heddle_trap trap;        /* RUN_TRAP */
  uint64_t retired, cycles;       /* warp instructions; clock cycles (0 on the model) */
  struct checker_stats stats;     /* lockstep */
  uint64_t axi[8];                /* by enum run_axi; lockstep and rtl */
  uint32_t counter[RUN_COUNTERS]; /* by enum heddle_counter; lockstep and rtl */
  uint32_t printed, unprinted;    /* messages of printf: shown, and without room */
  struct run_fault fault;
  char message[2048];  /* why not RUN_OK */
  char *report;        /* a difference, a hang: whole text; owned */
  json_t *report_json; /* the same for programs; owned */
  json_t *refused;     /* RUN_BAD_INPUT: what the machine lacks (possible.h), or NULL; owned */
};

/* Data before address; reads reordered across ids; cycles in which AW, W, B, AR, R had to wait. */
enum run_axi { AXI_COUNT_W_BEFORE_AW, AXI_COUNT_R_REORDERED, AXI_COUNT_HELD, AXI_COUNTS = AXI_COUNT_HELD + 5 };

struct runner;

/* NULL: message on stderr, *status = TOOL_MISSING or TOOL_USAGE. */
struct runner *runner_new(const struct run_options *o, int *status);
void runner_free(struct runner *r);
/* Before processes are started that will each have a runner: they need not load the device each. False: it cannot be
 * loaded, and stderr has said why (TOOL_MISSING). */
bool runner_keep_device(const struct run_options *o);

/* Run one job; `image` (job->mem_bytes bytes) receives global memory as it was left, may be NULL. */
void runner_run(struct runner *r, const struct job *job, uint8_t *image, struct run_result *out);
void run_result_clear(struct run_result *r);

bool run_diagnosis_equal(const struct run_diagnosis *a, const struct run_diagnosis *b);
/* "writeback.value IADD3", "trap.unexpected EXIT deadlock"; buf as large as the parts together. */
const char *run_diagnosis_text(const struct run_diagnosis *d, char buf[176]);

int run_exit_status(enum run_status s); /* enum tool_exit */
const char *run_status_name(enum run_status s);

#endif
