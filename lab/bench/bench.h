/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the benchmarks. Figures, never a pass or fail.
 */
#ifndef HEDDLE_TOOL_BENCH_H
#define HEDDLE_TOOL_BENCH_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/ptx.h>
#include "run/command/option.h"

#define BENCH_RUNS_MAX 99u

struct bench_request {
  const char *config, *kernel, *json; /* compiler: config and kernel may be NULL, all of them */
  enum heddle_ptx_target target;      /* compiler */
  uint32_t without;                   /* compiler: passes left out */
  const char *against;                /* rtl: another build; compiler: figures of before; or NULL */
  bool test_variant;                  /* rtl: of the device, else its fast and bare variants */
  uint64_t runs, scale;               /* counted runs of each; size of the launch */
  char **file;                        /* compiler: PTX files */
  int files;
};

/* TOOL_OK, or the exit status after a message. */
int bench_rtl(const struct bench_request *q);
/* This build and another one, run in turn as processes. `lanes`: executing lanes of a warp instruction. */
int bench_model(const struct bench_request *q);
int bench_compiler(const struct bench_request *q);
int bench_rate(int argc, char **argv); /* argv[0]: "rate"; takes its own options */

/* Takes the reference; writes it where --json says. */
int bench_json(const struct bench_request *q, json_t *root);
double bench_cpu_seconds(void);           /* of this process, all its threads */
double bench_thread_seconds(void);        /* CPU time of the calling thread */
double bench_wall_seconds(void);          /* since some fixed moment */
double bench_median(double *v, size_t n); /* sorts v; n > 0 */

/* Texts for `rate`. */
extern const struct tool_option bench_rate_options[];

/* The ceiling of the model's speed: decoded operations as function pointers over rows of 32 lanes, and nothing else: no
 * masks, predicates, NaN rules, program counters. Operations and numbers are those of the kernels. */

enum bare_kind { BARE_FFMA, BARE_INTEGER, BARE_MIXED, BARE_KINDS };

/* Executes at least `operations` row operations of a kind; how many, exactly. */
uint64_t bare_run(enum bare_kind kind, uint64_t operations);

#endif
