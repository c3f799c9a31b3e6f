/* SPDX-License-Identifier: Apache-2.0
 * Instructions whose results nobody reads, dropped. */
#include "compiler/backend/live.h"

struct sweep {
  struct liveness *l;
  uint8_t *alive; /* by word */
};

static void set_all(struct sweep *s, struct mir_operand **x, unsigned n, uint8_t alive) {
  for (unsigned k = 0; k < n; k++)
    for (unsigned p = 0; p < x[k]->words; p++) s->alive[live_word_of(s->l, x[k], p)] = alive;
}

static bool any_alive(const struct sweep *s, struct mir_operand **x, unsigned n) {
  for (unsigned k = 0; k < n; k++)
    for (unsigned p = 0; p < x[k]->words; p++)
      if (s->alive[live_word_of(s->l, x[k], p)]) return true;
  return false;
}

static uint32_t sweep_block(struct sweep *s, struct live_block *lb) {
  struct mir_operand *x[LIVE_USES_MAX];
  uint32_t dropped = 0;
  for (uint32_t o = 0; o < lb->outs; o++) s->alive[lb->out[o]] = 1;
  for (struct mir_insn *i = lb->block->last, *prev; i; i = prev) {
    prev = i->prev;
    unsigned n = live_defs(i, x);
    if (live_is_pure(i) && !any_alive(s, x, n)) {
      mir_remove(lb->block, i);
      dropped++;
      continue;
    }
    set_all(s, x, n, 0);
    n = live_uses(i, x);
    set_all(s, x, n, 1);
  }
  /* Clean for the next block. */
  for (uint32_t o = 0; o < lb->outs; o++) s->alive[lb->out[o]] = 0;
  for (struct mir_insn *i = lb->block->first; i; i = i->next) {
    unsigned n = live_uses(i, x);
    set_all(s, x, n, 0);
  }
  return dropped;
}

uint32_t live_drop_dead(struct liveness *l) {
  struct sweep s = {.l = l, .alive = live_alloc(l->f, l->words + 1)};
  uint32_t dropped = 0;
  for (uint32_t k = 0; k < l->blocks; k++) dropped += sweep_block(&s, &l->block[l->order[k]->id]);
  return dropped;
}
