/* SPDX-License-Identifier: Apache-2.0
 *
 * An interpreter of the compiler's graphs (compiler/ir/ir.h), for tests: in any form, one warp of up to 32 threads,
 * with either divergence unit exactly as isa/doc/03-divergence.md has them. Written from PTX's definitions, not from
 * the passes that it tests.
 *
 * Where the graph leaves something open (upper bits of narrow numbers, undefined values, which side of a branch the
 * stack unit takes first, which group goes on), `seed` decides.
 */
#ifndef HEDDLE_TESTS_PTX_IR_WARP_H
#define HEDDLE_TESTS_PTX_IR_WARP_H

#include "compiler/ir/ir.h"

enum { WARP_GLOBAL = 16384, WARP_SHARED = 1024, WARP_LOCAL = 256, WARP_PARAM = 256 };
enum warp_unit { WARP_STACK, WARP_ITS };

struct ir_warp {
  const struct ir_function *f;
  uint32_t lanes; /* which threads there are: thread k has tid.x = laneid = k */
  enum warp_unit unit;
  uint64_t seed;
  uint64_t steps_most; /* instructions of the warp */
  /* 1: stop where threads that write a value marked uniform together write different numbers. 2: or where it could not
   * live in a register of the warp: a thread reads another value than any thread wrote last. */
  unsigned check_uniform;
  uint8_t global[WARP_GLOBAL], shared[WARP_SHARED], param[WARP_PARAM], local[32][WARP_LOCAL]; /* addresses from 0 */
  /* afterwards */
  uint64_t steps;
  const struct ir_insn *where; /* the last instruction */
  unsigned barriers;           /* bar.sync that were passed */
  uint32_t least_mask;         /* of threads at IR_ACTIVEMASK, ever: all ones but those missing once */
};

/* NULL: every thread has ended. Else what went wrong: "deadlock", "divergence_misuse", "barrier_misuse", "steps", ...
 */
const char *ir_warp_run(struct ir_warp *r);

/* ---- ir_eval.c: one thread's results of an operation without memory and without others; false: not known ---- */
bool ir_eval(const struct ir_insn *i, const uint64_t *src, uint64_t *dst);
/* Bits of narrow results that count, of dst[k]: 1, 8, 16, 32 or 64 low ones. */
unsigned ir_eval_bits(const struct ir_insn *i, unsigned k);

#endif
