/* SPDX-License-Identifier: Apache-2.0
 *
 * One expansion as a kernel on the model: d[i] = op(a[i], b[i]). Every virtual register has a physical one of its own,
 * predicates are shared by lines of code. */
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
/* Arrays of n elements as wide as the job says. What is not computed (guarded) is 0xa5 bytes. Returns the number of
 * warp instructions that were issued, those of the frame (index, loads, store) taken off. */
uint64_t expand_apply(struct expand_machine *x, const void *a, const void *b, void *d, size_t n);
unsigned expand_size(const struct expand_machine *x); /* instructions, without the frame */

#endif
