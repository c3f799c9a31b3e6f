/* SPDX-License-Identifier: Apache-2.0
 *
 * Who is there at a time: blocks, and the warp slots that they hold in each partition. */
#include <string.h>

#include "lab/verify/coverage/collect.h"

static unsigned class_of_warps(unsigned n) {
  return n < 4 ? n - 1 : n < 8 ? 3 : 4;
}

/* Warp slots of a machine follow each other over its partitions. */
static uint64_t slots_of(const struct heddle_config *m, unsigned partition) {
  uint64_t slots = 0;
  for (unsigned s = partition; s < m->warps; s += m->partitions) slots |= UINT64_C(1) << s;
  return slots;
}

void room_begin(struct cov_collector *k, const struct heddle_record_block_start *r) {
  const struct heddle_config *m = k->c->machine;
  unsigned resident = 0;
  uint64_t held = 0;
  if (r->bslot >= m->blocks || r->warps == 0) return;
  k->block[r->bslot] = (struct cov_block){.resident = true, .slots = r->warps};
  for (unsigned b = 0; b < m->blocks; b++) {
    resident += k->block[b].resident;
    held |= k->block[b].slots;
  }
  HIT(k->c, G_RESIDENT, class_of_warps((unsigned)__builtin_popcountll(r->warps)), spread_of(resident));
  for (unsigned p = 0; p < m->partitions; p++) {
    const uint64_t mine = slots_of(m, p);
    if ((r->warps & mine) != 0) HIT(k->c, G_HELD, p, (unsigned)__builtin_popcountll(held & mine) - 1);
  }
}

void room_end(struct cov_collector *k, const struct heddle_record_block_end *r) {
  if (r->bslot >= k->c->machine->blocks) return;
  k->block[r->bslot].resident = false;
  k->block[r->bslot].slots = 0;
}
