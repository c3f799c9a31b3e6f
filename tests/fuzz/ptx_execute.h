/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that the PTX compiler made, on the model: a small memory, one thread or a block, a bounded number of
 * instructions.
 */
#ifndef HEDDLE_FUZZ_PTX_EXECUTE_H
#define HEDDLE_FUZZ_PTX_EXECUTE_H

#include <heddle/model.h>
#include <heddle/program.h>

enum { EXECUTE_BYTES = 1 << 15 };

struct execution {
  enum heddle_status status;
  struct heddle_trap trap;
  char diag[256];
  uint8_t memory[EXECUTE_BYTES];
};

/* Parameters of eight bytes point into memory, which holds the same noise each time and the module's variables; others
 * are small numbers. */
void execute(const struct heddle_program *p, const struct heddle_kernel *k, uint32_t threads, uint64_t most_insns,
             struct execution *out);

#endif
