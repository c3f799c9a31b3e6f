/* SPDX-License-Identifier: Apache-2.0
 *
 * Float expansions under test: named operations, silicon's results, and the host's own arithmetic as the judge (IEEE
 * division and root in the four rounding directions). */
#ifndef EXPAND_FLOAT_H
#define EXPAND_FLOAT_H

#include "tests/compiler/expand_run.h"

struct expand_float {
  struct ir_insn i; /* op, type, round, ftz, approx, full */
  bool rtl;         /* as the RTL can do it */
};

/* "div.rn.ftz.f32": the words decide. */
struct expand_float expand_float_named(const char *name);
struct expand_machine *expand_float_new(const struct expand_float *o, bool guarded);
const char *expand_float_name(const struct expand_float *o, char text[32]);

/* All 2,048 inputs of tests/silicon/ops, plain and guarded; fails the test at the first difference. */
void expand_float_silicon(const char *directory, const char *name);

/* Warp instructions on the straight path, for operands in the middle of the range. */
unsigned expand_float_fast(const struct expand_float *o);

/* n results against what IEEE 754 says, by the host: a / b, 1 / a, sqrt(a); fails at the first difference. b may be
 * NULL. NaN: 7fffffff, in FP64 any. */
void expand_judge32(const struct expand_float *o, struct expand_machine *x, const uint32_t *a, const uint32_t *b,
                    unsigned n);
void expand_judge64(const struct expand_float *o, struct expand_machine *x, const uint64_t *a, const uint64_t *b,
                    unsigned n);

#endif
