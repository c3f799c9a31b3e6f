/* SPDX-License-Identifier: Apache-2.0
 *
 * How many registers loops need, for the passes that make values live through them: an estimate.
 */
#ifndef HEDDLE_PTX_HOIST_H
#define HEDDLE_PTX_HOIST_H

#include "compiler/graph/pass.h"

struct hoist_alive {
  uint32_t words, predicates;
};

/* By block id; NULL: it takes too long. */
const struct hoist_alive *hoist_alive(struct ir_function *f, const struct pass_order *o);
/* What the results of an instruction take. */
struct hoist_alive hoist_results(const struct ir_insn *i);

#endif
