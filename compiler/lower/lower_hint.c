/* SPDX-License-Identifier: Apache-2.0
 *
 * Hints that change no result: priorities and policies of caches, dependent grids (there are none).
 */
#include "compiler/lower/lower.h"

/* createpolicy: whoever takes a policy ignores it */
void lower_policy(struct lower *l, const struct insn *in) {
  lower_copy(l, lower_write(l, &in->o[0], PTX_B64), ir_bits(0));
}
