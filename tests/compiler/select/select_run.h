/* SPDX-License-Identifier: Apache-2.0
 *
 * A graph (as ir_from_ssa leaves it) through selection, allocation and emit, and run on the model.
 */
#ifndef SELECT_RUN_H
#define SELECT_RUN_H

#include <heddle/model.h>
#include <heddle/program.h>
#include "compiler/ir/ir.h"

struct select_made {
  struct heddle_program *p; /* NULL: refused */
  unsigned uniform;         /* instructions of the uniform datapath in it */
  char message[300];        /* the first one */
};

/* Fails the test when a stage leaves something ill-formed. The program is the caller's. */
struct select_made select_make(struct ir_function *f);
/* The same for the whole machine, scheduled, with everything on the uniform datapath that can go there. */
struct select_made select_make_uniform(struct ir_function *f);
unsigned select_count_uniform(const struct heddle_program *p);

/* PTX text through the whole compiler; a refusal fails the test. The program is the caller's. */
struct heddle_program *select_compile(const char *text, unsigned level, const char *name);
/* ... for a machine with these units (heddle/ptx.h). SELECT_LEAST: those that every machine has. */
#define SELECT_LEAST                                                                                                   \
  (1u << ISA_UNIT_ALU | 1u << ISA_UNIT_FMA | 1u << ISA_UNIT_CVT | 1u << ISA_UNIT_MEM | 1u << ISA_UNIT_BR)
struct heddle_program *select_compile_for(const char *text, unsigned level, uint32_t units, const char *name);

/* ... with everything that the model has. */
struct heddle_program *select_compile_whole(const char *text, unsigned level, const char *name);

struct select_job {
  uint64_t base;   /* of global memory; a multiple of 16 */
  uint8_t *global; /* copied in before, out after */
  uint32_t bytes;
  uint32_t blocks, threads; /* of blocks; of a block */
  const uint8_t *param;     /* or NULL */
  uint32_t param_bytes;
  enum heddle_divergence unit;
  unsigned *late; /* not NULL: asynchronous copies as late as they may be (select_run.h), and how many */
};

/* The program's first kernel. NULL, or what went wrong. */
const char *select_launch(const struct heddle_program *p, const struct select_job *job);

/* A grid on the model with every asynchronous copy done as late as the program's own waits allow: a read before the
 * wait is found. */

/* Launched in one dimension. `copies` counts what was put off. */
enum heddle_error late_run(struct heddle_model *m, const struct heddle_launch *l, unsigned *copies);

#endif
