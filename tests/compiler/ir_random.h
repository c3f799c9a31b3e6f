/* SPDX-License-Identifier: Apache-2.0
 *
 * Random graphs as lowering makes them (values are variables), for tests of the passes: every variable is written
 * before it is read, no thread looks at what another writes, and at its end a thread stores all its variables in its
 * own part of global memory. The same shape gives the same function.
 */
#ifndef HEDDLE_TESTS_PTX_IR_RANDOM_H
#define HEDDLE_TESTS_PTX_IR_RANDOM_H

#include "compiler/ir/ir.h"
#include "tests/compiler/ir_warp.h"

enum { RANDOM_SLOT = 256 }; /* bytes of global memory a thread has, above which it loads and stores at random */

struct random_ir {
  uint64_t seed;
  unsigned blocks;        /* of a wild graph: edges at random, loops with several entries; 0: statements */
  unsigned depth, length; /* statements: nesting, how many in a sequence */
  unsigned work;          /* instructions in a row */
  bool guards, memory, narrow, floats, exits, barriers, polls;
  bool common; /* half of the variables are written from each other and constants alone: the same in all threads, unless
                * they are written where threads are apart */
};

struct random_made {
  struct ir_function *f;
  struct ptx_arena *arena;
};
struct random_made ir_random(const struct random_ir *shape);
void ir_random_free(struct random_made *m);

/* Expected memory: every thread by itself. False: it takes too long. */
bool ir_random_expect(const struct ir_function *f, uint8_t global[WARP_GLOBAL]);
/* What a pass has made of it, in SSA form or not: NULL when it is well formed and leaves the same; else what is wrong.
 */
const char *ir_random_check(const struct ir_function *f, bool ssa, const uint8_t expected[WARP_GLOBAL]);
/* The same function after passes: one warp. NULL: as expected; or what went wrong. */
const char *ir_random_compare(const struct ir_function *f, enum warp_unit unit, uint64_t seed, unsigned check_uniform,
                              const uint8_t global[WARP_GLOBAL]);

#endif
