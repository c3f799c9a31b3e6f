/* SPDX-License-Identifier: Apache-2.0
 *
 * One expansion as a kernel on the model: d[i] = op(a[i], b[i]). Every virtual register has a physical one of its own,
 * predicates are shared by lines of code.
 */
#ifndef EXPAND_RUN_H
#define EXPAND_RUN_H

#include "compiler/ir/mir.h"

enum { EXPAND_MOST = 1 << 16 }; /* elements a run */

struct expand_job {
  struct mir_operand (*build)(struct mir_builder *m, const void *ctx, struct mir_operand a, struct mir_operand b);
  const void *ctx;
  unsigned width[3]; /* bytes of a, b, d: 4 or 8; b: 0 when there is none */
  bool rtl;          /* without what the RTL lacks, where it can be */
  bool guarded; /* odd elements only: everything under a predicate, operands undefined where it is false; and on the
                   `its` unit */
};

struct expand_machine;
/* Fails the test when the function does not pass mir_check or does not encode. */
struct expand_machine *expand_new(const struct expand_job *job);
void expand_free(struct expand_machine *x);
/* Arrays of n elements as wide as the job says. Guarded elements, not computed, are 0xa5 bytes. Returns the number of
 * warp instructions that were issued, those of the frame (index, loads, store) taken off. */
uint64_t expand_apply(struct expand_machine *x, const void *a, const void *b, void *d, size_t n);
unsigned expand_size(const struct expand_machine *x); /* instructions, without the frame */

/* Float expansions under test: named operations, silicon's results, and the host's own arithmetic as the judge (IEEE
 * division and root in the four rounding directions). */

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
