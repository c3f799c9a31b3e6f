/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside heddle study divergence: what was asked for, and what has been found. */
#ifndef HEDDLE_DIVERGENCE_STUDY_H
#define HEDDLE_DIVERGENCE_STUDY_H

#include <stdio.h>

#include <jansson.h>

#include "lab/study/divergence/divergence.h"
#include "lab/study/divergence/feed.h"
#include "firmware/kernels/kernels.h"
#include "run/options/options.h"

#define STUDY_MOST (UINT64_C(1) << 28) /* issues of a launch on the model, unless --max-cycles says */

struct divergence_request {
  struct run_options run;
  struct divergence_options how;
  uint64_t scale;
  bool branches;
  const char *trace, *out; /* --trace, -o */
};

struct studied {
  char name[192];   /* "spmv.ptx"; of a trace its file */
  char lacks[2048]; /* what the machine lacks for it; else it has been studied */
  struct divergence d;
  struct heddle_program *program; /* NULL: of a trace */
  uint8_t *code;                  /* of the program that ran */
  uint32_t code_bytes;
};

struct study {
  struct studied *of;
  size_t n, room;
};

/* divergence_run.c: one kernel under both units, compared with what the host computed; a trace. An exit status. */
int divergence_kernel(const struct divergence_request *q, const struct kernel_info *k, const char *dir,
                      struct studied *s);
int divergence_trace(const struct divergence_request *q, struct studied *s);

/* divergence_table.c: Markdown. */
void divergence_table(FILE *f, const struct study *s);
void divergence_branches(FILE *f, const struct study *s);
uint64_t divergence_slots(const struct studied *s, enum rule r);
uint64_t divergence_mimd(const struct studied *s); /* slots, rounded up */
/* How many branches came apart, and how often. */
struct branch_sum {
  unsigned branches;
  uint64_t diverged;
};
struct branch_sum divergence_branch_sum(const struct studied *s);
/* "mandelbrot.ptx:31", or "" where nobody knows. */
const char *divergence_line(const struct studied *s, uint32_t word, char *buf, size_t size);

/* divergence_json.c, divergence_plot.c */
json_t *divergence_json(const struct divergence_request *q, const struct study *s);
int divergence_plot(const char *picture, const struct study *s);

#endif
