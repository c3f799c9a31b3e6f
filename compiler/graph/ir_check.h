/* SPDX-License-Identifier: Apache-2.0
 *
 * What the two halves of ir_check share.
 */
#ifndef HEDDLE_PTX_IR_CHECK_H
#define HEDDLE_PTX_IR_CHECK_H

#include "compiler/ir/ir.h"

/* "b3: line 7: add: ..." as an arena string; b, i may be NULL. */
const char *check_failed(const struct ir_function *f, const struct ir_block *b, const struct ir_insn *i,
                         const char *format, ...) __attribute__((format(printf, 4, 5)));

/* NULL or what is wrong. ssa: one definition a value, phis, definitions above uses, old values of guarded instructions;
 * else: no phis. */
const char *check_ssa(const struct ir_function *f, bool ssa);

#endif
