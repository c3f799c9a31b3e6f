/* SPDX-License-Identifier: Apache-2.0
 * Between the expansions of FP32. */
#ifndef HEDDLE_PTX_EXPAND_F32_H
#define HEDDLE_PTX_EXPAND_F32_H

#include "compiler/select/expand.h"

#define F32_ONE 0x3f800000u
#define F32_LEAST 0x00800000u /* 2^-126, the least normal number */

/* a / b for any operands into `result`; a is 1 when `a` is mir_none(). No branch. Only where there is no guard. */
void ex_divide_scaled(struct mir_builder *m, struct mir_operand result, unsigned rnd, bool ftz, struct mir_operand a,
                      struct mir_operand b);

/* r = -b q + a, which is exact for a q next to a / b. */
static inline struct mir_operand ex_rest(struct mir_builder *m, struct mir_operand b, struct mir_operand q,
                                         struct mir_operand a) {
  return ex_f32(m, ISA_OP_FFMA, ISA_RND_RN, ex_neg(b), q, a);
}

#endif
