/* SPDX-License-Identifier: Apache-2.0
 *
 * A thread's own arrays that stand apart, for sanitizers (heddle/ptx.h: shared_gap). */
#ifndef HEDDLE_PTX_LOWER_FRAME_H
#define HEDDLE_PTX_LOWER_FRAME_H

#include "compiler/lower/lower.h"

void lower_take_tables(struct ptx_module *m);                    /* out of its variables */
void lower_apart(struct lower *l, const struct ptx_variable *v); /* a local variable that has its place */
const struct ir_own **layout_own(struct ir_function *f);         /* lower_layout.c */

#endif
