/* SPDX-License-Identifier: Apache-2.0
 * From the launch registers to the model's struct (docs/how-a-launch-travels.md, C 4). */
#include "launch_of_host.h"

#include <string.h>

static void regions(const struct heddle_host_launch *from, struct heddle_launch *l) {
  for (unsigned i = 0; i < HEDDLE_REGIONS; i++) {
    if (from->region_limit[i] <= from->region_base[i]) continue;
    l->region[l->regions++] =
        (struct heddle_region){from->region_base[i], from->region_limit[i], (from->region_write >> i & 1u) != 0};
  }
}

bool launch_of_host(const struct heddle_host_launch *from, launch_memory at, void *self, struct heddle_launch *l) {
  *l = (struct heddle_launch){.size = sizeof *l,
                              .entry_pc = from->entry_pc,
                              .regs = from->regs,
                              .shared_bytes = from->shared_bytes,
                              .code_bytes = from->code_bytes,
                              .code = at(self, from->code_base, from->code_bytes),
                              .code_at = from->code_base,
                              .local_bytes = from->local_bytes,
                              .local_at = from->local_base};
  memcpy(l->grid, from->grid, sizeof l->grid);
  memcpy(l->block, from->block, sizeof l->block);
  bool inside = l->code != NULL;
  for (unsigned i = 0; i < HEDDLE_CBANKS; i++) {
    l->cbank_bytes[i] = from->cbank_bytes[i];
    l->cbank_at[i] = from->cbank_base[i];
    if (l->cbank_bytes[i] == 0) continue;
    l->cbank[i] = at(self, from->cbank_base[i], l->cbank_bytes[i]);
    inside = inside && l->cbank[i] != NULL;
  }
  regions(from, l);
  return inside;
}
