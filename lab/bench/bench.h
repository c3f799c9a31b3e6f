/* SPDX-License-Identifier: Apache-2.0
 *
 * What the benchmarks share. Figures, never a pass or fail. */
#ifndef HEDDLE_TOOL_BENCH_H
#define HEDDLE_TOOL_BENCH_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "run/command/option.h"
#include <heddle/ptx.h>

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
int bench_against(const struct bench_request *q, double lanes);
bool bench_against_found(const struct bench_request *q); /* both are there; else a message */
int bench_model(const struct bench_request *q);
int bench_compiler(const struct bench_request *q);
json_t *bench_executed(const struct bench_request *q, int *status); /* what kernels execute: a list of rows */
int bench_rate(int argc, char **argv);                              /* argv[0]: "rate"; takes its own options */

/* Takes the reference; writes it where --json says. */
int bench_json(const struct bench_request *q, json_t *root);
double bench_cpu_seconds(void);           /* of this process, all its threads */
double bench_thread_seconds(void);        /* CPU time of the thread that asks */
double bench_wall_seconds(void);          /* since some fixed moment */
double bench_median(double *v, size_t n); /* sorts v; n > 0 */

/* Of `rate`. */
extern const struct tool_option bench_rate_options[];

#endif
