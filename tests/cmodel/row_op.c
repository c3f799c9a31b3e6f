/* SPDX-License-Identifier: Apache-2.0 */
#include "row_op.h"
#include "tests/test.h"

static const uint32_t all_on[SEM_LANES] = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u,
                                           ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u,
                                           ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u};

bool row_op_get(struct row_op *op, struct heddle_isa_word word, unsigned build) {
  struct heddle_isa_dec dec;
  const struct sem_build *b = sem_build(build);
  if (b == NULL) return false;
  if (!heddle_isa_decode(word, &dec))
    fail_msg("illegal word %016llx:%016llx", (unsigned long long)word.hi, (unsigned long long)word.lo);
  if (b->op[dec.op]->kind != SEM_ROW)
    fail_msg("%s is no row operation", heddle_isa_op_name((enum heddle_isa_op)dec.op));
  *op = (struct row_op){0};
  op->fn = b->op[dec.op]->pick(&dec, &op->par);
  return true;
}

void row_op_run(const struct row_op *op, uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c) {
  struct sem_io io = {.on = all_on, .exec = ~0u};
  op->fn(d, a, b, c, &io, &op->par);
}

unsigned row_op_best(void) {
  unsigned n = 0;
  while (sem_build(n + 1) != NULL) n++;
  return n;
}
