/* SPDX-License-Identifier: Apache-2.0
 *
 * Random machine functions over virtual registers; an interpreter that runs them unchanged, one thread at a time; and
 * runs of the same on the model with physical registers. For the interpreter every word of every virtual
 * register is a variable, and operations are written down from isa/doc. Thread t of a block of RANDOM_THREADS
 * writes RANDOM_BYTES at t * RANDOM_BYTES, and uses RANDOM_SLOT bytes of shared memory at t * RANDOM_SLOT. */
#ifndef RANDOM_MIR_H
#define RANDOM_MIR_H

#include <heddle/program.h>
#include "compiler/ir/mir.h"

enum { RANDOM_THREADS = 64, RANDOM_BYTES = 2048, RANDOM_PARAMS = 8, RANDOM_SLOT = 32 };

struct random_shape {
  uint64_t seed;
  unsigned words, predicates; /* variables: words of them altogether, at most RANDOM_BYTES / 4; at least 1 predicate */
  unsigned statements;        /* roughly, of the whole */
  unsigned depth;             /* nesting of arms and loops */
};

/* A function with variables that are all written first and stored at the end. */
struct mir_function *random_mir(struct ptx_arena *arena, struct ptx_diag *diag, const struct random_shape *shape);

/* The output of all threads. False: a bug in the function (an operation that is not known, no end in sight). */
bool random_interpret(const struct mir_function *f, uint8_t *out);
/* The same on the model. NULL, or what went wrong. */
const char *random_run(const struct heddle_program *p, uint8_t *out);

uint32_t random_param(unsigned word); /* parameters 2 up; 0 and 1 are the address of the output */

#endif
