/* SPDX-License-Identifier: Apache-2.0
 * Which banks of its register file an SM reads, by the instructions that issue. */
#include <string.h>

#include "run/profile/bounds_study.h"
#include <heddle/hazard.h>

void registers_begin(struct registers *r) {
  memset(r->kept, ISA_RZ, sizeof r->kept);
}

static void read_bank(void *ctx, unsigned place) {
  struct registers *r = ctx;
  if (place < ISA_RZ) r->bank[place % r->banks]++;
}

static void give_up_bank(void *ctx, unsigned place) {
  uint8_t *kept = ctx;
  for (unsigned i = 0; i < 3; i++)
    if (kept[i] == place) kept[i] = ISA_RZ;
}

/* All that it reads, but for those that the reuse cache has (isa/doc/01-words-and-control.md). */
void registers_read(struct registers *r, const struct heddle_isa_dec *d, unsigned slot) {
  uint8_t *kept = r->kept[slot];
  heddle_hazard_each_source(d, read_bank, r);
  for (unsigned i = 0; i < 3; i++) {
    const struct heddle_isa_src *s = &d->src[i];
    if (s->kind != ISA_REG || s->words != 1 || s->reg == ISA_RZ) continue;
    if (kept[i] == s->reg)
      r->bank[s->reg % r->banks]--;
    else if (d->ctl.reuse >> i & 1)
      kept[i] = s->reg;
  }
  heddle_hazard_each_reg_result(d, give_up_bank, kept);
}

uint64_t registers_most(const struct registers *r) {
  uint64_t most = 0;
  for (unsigned i = 0; i < r->banks; i++)
    if (r->bank[i] > most) most = r->bank[i];
  return most;
}
