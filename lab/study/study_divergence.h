/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside heddle study divergence: requests and results.
 */
#ifndef HEDDLE_LAB_STUDY_STUDY_DIVERGENCE_H
#define HEDDLE_LAB_STUDY_STUDY_DIVERGENCE_H

#include <jansson.h>
#include <stdio.h>
#include "firmware/kernels/kernels.h"
#include "lab/study/divergence/divergence.h"
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

/* study_divergence_report.c: Markdown. */
void divergence_table(FILE *f, const struct study *s);
void divergence_branches(FILE *f, const struct study *s);
/* How many branches came apart, and how often. */
struct branch_sum {
  unsigned branches;
  uint64_t diverged;
};

/* study_divergence_report.c, study_divergence_report.c */
json_t *divergence_json(const struct divergence_request *q, const struct study *s);
int divergence_plot(const char *picture, const struct study *s);

#endif
