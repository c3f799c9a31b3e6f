/* SPDX-License-Identifier: Apache-2.0
 *
 * Subjects of the campaign: programs, each with one case (buffers, launches, what memory must hold afterwards). */
#ifndef HEDDLE_CAMPAIGN_SUBJECT_H
#define HEDDLE_CAMPAIGN_SUBJECT_H

#include <heddle/config.h>
#include <heddle/program.h>
#include "firmware/kernels/kernels.h"
#include <heddle/ptx.h>

struct subject {
  char name[48];
  const char *kind;               /* "asm", "ptx", "O0", "uniform", "silicon", "directed", "random" */
  struct heddle_program *program; /* owned */
  struct kernel_case c;           /* owned */
  uint8_t *bank[4];               /* constant banks 1 and 2; owned; NULL: there is none */
  uint32_t bank_bytes[4];
  bool model_expects; /* the case does not say what memory must hold afterwards: the model does (campaign.h) */
};

struct subjects {
  struct subject *at;
  size_t count, room;
  const char *only; /* names with ',' between; NULL: all */
  uint8_t stall[8]; /* what programs are scheduled for */
  uint32_t units;   /* of the machine, bit per enum heddle_isa_unit */
  uint64_t seed;
  bool failed; /* something could not be loaded: said on stderr */
};

/* Each adds to the list. `dir`: the folder with the sources. */
void subjects_kernels(struct subjects *s, const char *dir); /* firmware/kernels, every form */
void subjects_cases(struct subjects *s, const char *dir);   /* DIR/cases.json and its PTX */
void subjects_directed(struct subjects *s);                 /* classes that kernels lack */
void subjects_random(struct subjects *s, unsigned programs, const struct heddle_config *c); /* lab/verify/random */
void subjects_free(struct subjects *s);

#endif
