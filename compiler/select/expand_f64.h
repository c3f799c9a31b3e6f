/* SPDX-License-Identifier: Apache-2.0
 * Between the expansions of FP64. */
#ifndef HEDDLE_PTX_EXPAND_F64_H
#define HEDDLE_PTX_EXPAND_F64_H

#include "compiler/select/expand.h"

enum { F64_FIELD = 20, F64_ONE = 0x3ff00000, F64_LEAST = 0x00100000 }; /* upper words of 1 and 2^-1022 */

/* {MUFU.function of x's upper word : low} */
struct mir_operand ex_start64(struct mir_builder *m, unsigned function, struct mir_operand x, uint32_t low);

/* 1 / b from {MUFU.RCP64H : y}: once refined, or twice, so that it is correctly rounded. */
struct mir_operand ex_refine64(struct mir_builder *m, struct mir_operand b, struct mir_operand y, bool twice);

/* flag: the exponent field of hi is below `from` or at least `to`, or (sign) x is negative */
void ex_range64(struct mir_builder *m, struct mir_operand flag, struct mir_operand x, unsigned from, unsigned to,
                bool sign);

/* a / b for any operands into `result`; a is 1 when `a` is mir_none(). Only where there is no guard. */
void ex_divide_scaled64(struct mir_builder *m, struct mir_operand result, unsigned rnd, struct mir_operand a,
                        struct mir_operand b);

/* -b q + a */
static inline struct mir_operand ex_rest64(struct mir_builder *m, struct mir_operand b, struct mir_operand q,
                                           struct mir_operand a) {
  return ex_f64(m, ISA_OP_DFMA, ISA_RND_RN, ex_neg(b), q, a);
}

/* p * q + p */
static inline struct mir_operand ex_grow64(struct mir_builder *m, unsigned rnd, struct mir_operand p,
                                           struct mir_operand q) {
  return ex_f64(m, ISA_OP_DFMA, rnd, p, q, p);
}

#endif
