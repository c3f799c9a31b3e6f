/* SPDX-License-Identifier: Apache-2.0
 * What the two spillers share. */
#ifndef HEDDLE_PTX_SPILL_H
#define HEDDLE_PTX_SPILL_H

#include "compiler/backend/allocate.h"

/* An instruction that is in no block yet. */
struct mir_insn *spill_insn(const struct mir_builder *m, enum heddle_isa_op op, struct mir_operand rd,
                            struct mir_operand a, struct mir_operand b);
/* Does the instruction overwrite its own guard? */
bool spill_loses_guard(const struct mir_insn *i);
/* Its guard in a predicate that outlives it. */
struct mir_operand spill_copy_guard(struct mir_function *f, struct mir_block *b, struct mir_insn *before,
                                    const struct mir_insn *i);
/* By register: the comparison that gives the chosen predicate wherever it is made; NULL: there is none. */
struct mir_insn **spill_comparisons(const struct allocation *a);

#endif
