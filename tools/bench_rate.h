/* SPDX-License-Identifier: Apache-2.0
 *
 * heddle bench rate: how near the RTL comes to what its configuration allows. Everything is counted in cycles of the
 * device, so that two runs of one build print the same.
 *
 * A figure is made of four launches: a loop with a body of `units` and one with half as many, each until one warp has
 * made `trips` or twice as many trips. The difference in trips says what a trip costs, with everything warm; that of
 * the bodies, what a unit inside a straight body costs: launch, first trip and the loop's own instructions cancel out.
 * How many trips all warps made together follows from the count of instructions that issued. */
#ifndef HEDDLE_TOOL_BENCH_RATE_H
#define HEDDLE_TOOL_BENCH_RATE_H

#include <stdio.h>

#include "runner.h"

/* What a loop body is made of. A unit is one instruction; of TAKEN a branch and the instruction that it leaps over. */
enum rate_body {
  RATE_FFMA,
  RATE_IADD3,
  RATE_I2F,
  RATE_MIXED, /* FFMA and IADD3 in turn */
  RATE_TAKEN,
  RATE_NOT_TAKEN,
  RATE_LDS,
  RATE_STS,
  RATE_LDG,
  RATE_HMMA /* of the largest shape: the unit's peak */
};

struct rate_shape {
  enum rate_body body;
  unsigned chains;    /* independent chains of a warp: 1 to 8 (both kinds of MIXED together) */
  unsigned warps;     /* of the one block */
  unsigned conflicts; /* FFMA: sources beside the first in one bank, 0 to 2; LDS: lanes of a bank, 1 and more */
};

#define RATE_UNITS_STEP 24u   /* bodies are multiples of it: every number of chains divides it */
#define RATE_UNITS_MAX 192u   /* of the long body */
#define RATE_SHARED_MAX 4096u /* bytes of shared memory that a program uses */

/* ---- programs ---- */

unsigned rate_units(const struct heddle_config *c, enum rate_body body); /* of the long body: it fits the cache */
/* Issue to issue of dependent instructions: the configuration's count, or the beats where there are more. */
unsigned rate_latency(const struct heddle_config *c, enum rate_body body);
/* Stall count of unit `i` of the body: a round of chains as fast as it can be, then what is left of the latency. Rounds
 * of several warps so find places beside each other; spread over the latency they might meet for ever. */
unsigned rate_stall(const struct heddle_config *c, const struct rate_shape *s, unsigned i);
unsigned rate_trip_insns(unsigned units);          /* instructions that a trip issues */
uint32_t rate_end(const struct heddle_program *p); /* pc of the trap that ends it */
/* Assembly of kernel "rate" (u64 data, u32 trips, u32 stop): malloc'ed; NULL: no memory. */
char *rate_text(const struct heddle_config *c, const struct rate_shape *s, unsigned units, size_t *size);

/* ---- measurement ---- */

struct rate_request {
  struct run_options run; /* where; config is found */
  const char *only, *json, *picture;
  uint64_t scale; /* of the kernels */
  bool little, check;
};

struct rate_figure {
  double cycles;              /* of the SM, a unit of one warp */
  double share[RUN_COUNTERS]; /* of the cycles of all warps, by enum heddle_counter; not of --little */
};

/* False after a message; *status then is the exit status. */
bool rate_measure(struct runner *r, const struct rate_request *q, const struct rate_shape *s, unsigned trips,
                  struct rate_figure *out, int *status);

/* ---- the table ---- */

#define RATE_NOTE 160u

struct rate_row {
  const char *name, *what;
  double cycles, limit; /* a warp instruction, or of all the kernel; limit 0: there is none */
  double bytes;         /* that a unit of one warp moves; 0 but for global memory */
  double issued;        /* kernels: of the places for instructions; else 0 */
  double share[RUN_COUNTERS];
  char missing[RATE_NOTE]; /* why there is no figure; empty: there is one */
};

#define RATE_KERNELS 3u
const char *rate_kernel_name(unsigned i); /* of the row: the kernel, or one of its forms */
/* Kernel `i`. False after a message; what this machine cannot run gives a row without figures. */
bool rate_kernel(struct runner *r, const struct rate_request *q, unsigned i, struct rate_row *out, int *status);

int rate_table(const struct rate_request *q);

/* ---- Little's law ---- */

struct rate_point {
  unsigned warps, chains;
  double rate, law; /* warp instructions a cycle */
};
#define RATE_POINTS_MAX 64u

int rate_little(const struct rate_request *q);

/* The same of one SM of an NVIDIA H200 (tests/silicon/README.md): four schedulers, one instruction a cycle each. */
#define RATE_SILICON_MAX 128u
#define RATE_SILICON_LATENCY 4u
#define RATE_SILICON_PEAK 4u
unsigned rate_silicon(struct rate_point p[RATE_SILICON_MAX]); /* how many; 0 after a message */
/* Of the text of a file, which it changes; `path` is for messages. */
unsigned rate_silicon_parse(char *text, const char *path, struct rate_point p[RATE_SILICON_MAX]);

/* The picture, with gnuplot: a panel for this machine, one for an NVIDIA H200. The exit status, after a message. */
int rate_plot_ready(const struct rate_request *q); /* before anything is measured */
int rate_plot(const struct rate_request *q, const struct rate_point *p, unsigned points);

#endif
