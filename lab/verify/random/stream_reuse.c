/* SPDX-License-Identifier: Apache-2.0
 * Directed stream: the reuse cache beside the banks of the register file. Operands of few registers that lie in one
 * bank, or in two, most of them kept for reuse, results into the same ones, in pairs too: entries are found, missed and
 * dropped while other operands of the same instruction wait for the bank. */
#include "lab/verify/random/streams.h"

#include <stdio.h>

void stream_reuse(struct random_program *p, const struct node *n) {
  char text[320];
  (void)n;
  p->crowd_banks = 1 + random_below(p, 2);
  p->crowd_at = random_below(p, 4);
  for (unsigned i = 15 + random_below(p, 15); i-- > 0;) {
    random_insn(p, text, sizeof text);
    random_emit(p, "%s", text);
  }
  p->crowd_banks = 0;
}
