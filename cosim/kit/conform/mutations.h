/* SPDX-License-Identifier: Apache-2.0
 *
 * Spoiled record streams: each must be stopped by one particular check.
 */
#ifndef HEDDLE_CONFORM_MUTATIONS_H
#define HEDDLE_CONFORM_MUTATIONS_H

#include "cosim/kit/conform/fake.h"

enum test_program {
  PROGRAM_MIX,
  PROGRAM_ILLEGAL,
  PROGRAM_ADDRESS,
  PROGRAM_TARGET,
  PROGRAM_UNDEFINED,
  PROGRAM_UNIFORM,
  PROGRAM_LOCAL, /* local_mutations alone */
  PROGRAM_COUNT
};

struct mutation {
  const char *name;
  enum heddle_checker_kind expect;
  enum test_program program;
  bool (*spoil)(struct stream *s); /* false: the stream has no place for it (a fault of the test) */
};

extern const struct mutation mutations[];
extern const unsigned mutation_count;

#endif
