/* SPDX-License-Identifier: Apache-2.0
 *
 * Addresses, for select_memory.c and select_atomic.c.
 */
#ifndef HEDDLE_PTX_SELECT_MEMORY_H
#define HEDDLE_PTX_SELECT_MEMORY_H

#include "compiler/select/select.h"

struct sel_address {
  struct mir_operand base; /* a register pair in the global and the generic space, else one register; or RZ */
  int64_t offset;          /* fits its field */
};
struct sel_address sel_address(struct select *s); /* of the instruction at hand */
void sel_set_address(struct mir_insn *m, struct sel_address a);

#endif
