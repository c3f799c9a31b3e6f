/* SPDX-License-Identifier: Apache-2.0
 * A test as launches: for the file that says what is to run and what came (litmus_run.c). Jobs made of it travel as in
 * docs/how-a-launch-travels.md. */
#ifndef HEDDLE_TOOLS_LITMUS_LAUNCH_H
#define HEDDLE_TOOLS_LITMUS_LAUNCH_H

#include "lab/litmus/litmus.h"
#include "lab/verify/litmus/src/litmus_emit.h"
#include "run/job/job.h"
#include "run/cases/suite.h"

struct litmus_item {
  struct test test;
  bool ptx;
  unsigned narrow; /* litmus_mapping.h; of assembly */
  uint8_t layout;
  char name[96];
};

struct litmus_request {
  struct run_options run;
  struct litmus_models models;
  struct litmus_item *item;
  size_t items, room;
  uint64_t count, from_seed, groups, rounds, times, skew;
  const char *histogram, *only;
  unsigned narrow, part, parts; /* every parts-th, from part on (from 0); parts 0: all */
  bool asm_form, ptx_form, count_given, launches;
  int layout;       /* -1: in turns */
  unsigned counted; /* of those in turns */
};

struct litmus_launch {
  const struct litmus_item *i;
  struct emit_shape shape;
  uint32_t per_time, times, instances, stride, step, bytes;
  unsigned together; /* threads that wait for each other; 0: they do not */
  uint64_t alias;    /* --pages: bytes to the second name of memory (paged.h); 0: it has none */
  unsigned sms;      /* most that an instance's threads were on */
  struct heddle_program *program;
  struct job job;
  uint8_t *image;
};

/* How many instances there are, and where. NULL, or why the test has no kernel. */
const char *launch_shape(const struct litmus_request *q, struct litmus_launch *l);
/* Its program; false: v says why. */
bool launch_load(const struct litmus_request *q, struct litmus_launch *l, struct suite_verdict *v);
/* One round: adds to `times` how often each of the allowed outcomes came. False: it has failed, and v says why. */
bool launch_round(const struct litmus_request *q, struct litmus_launch *l, uint64_t round, struct runner *runner,
                  const struct outcomes *o, uint32_t *times, struct suite_verdict *v);

#endif
