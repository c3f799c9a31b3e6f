/* SPDX-License-Identifier: Apache-2.0
 * Machines: of configurations, and two that are none. */
#include <heddle/machine.h>

#include <stdio.h>
#include <string.h>

#include <heddle/host.h>

enum { WHOLE_WARPS = 32, WHOLE_SHARED = 228 << 10, WHOLE_BLOCKS = 32 };

void heddle_machine_whole(struct heddle_machine *m) {
  const uint32_t units = (1u << ISA_UNIT_COUNT) - 1, parts = 1u << ISA_PART_ASYNC | 1u << ISA_PART_FATOM;
  *m = (struct heddle_machine){.name = "the model",
                               .units = units | parts | 1u << ISA_PART_MODEL,
                               .lanes = 32,
                               .partitions = 1,
                               .warps = WHOLE_WARPS,
                               .regs = WHOLE_WARPS * 255,
                               .shared_bytes = WHOLE_SHARED,
                               .blocks = WHOLE_BLOCKS,
                               .axi_bits = 256,
                               .sms = 1};
}

static void fill_stalls(const struct heddle_config *c, uint8_t stall[8]) {
  const unsigned of[HEDDLE_STALL_COUNT] = {
      [HEDDLE_STALL_ALU_REG] = c->stall_alu_reg,   [HEDDLE_STALL_ALU_PRED] = c->stall_alu_pred,
      [HEDDLE_STALL_FMA_REG] = c->stall_fma_reg,   [HEDDLE_STALL_CVT_REG] = c->stall_cvt_reg,
      [HEDDLE_STALL_HALF_REG] = c->stall_half_reg, [HEDDLE_STALL_UNI_REG] = c->stall_uni_reg};
  for (unsigned i = 0; i < HEDDLE_STALL_COUNT; i++) stall[i] = (uint8_t)of[i];
}

void heddle_machine_of(const struct heddle_config *c, struct heddle_machine *m) {
  *m = (struct heddle_machine){.units = heddle_config_units(c),
                               .lanes = c->lanes,
                               .partitions = c->partitions,
                               .warps = c->warps,
                               .regs = c->regs,
                               .shared_bytes = c->shared_bytes,
                               .blocks = c->blocks,
                               .axi_bits = c->axi_bits,
                               .fp64_latency = heddle_config_fp64_latency(c),
                               .config_hash = c->hash,
                               .latency_hash = c->latency_hash,
                               .sms = c->sms,
                               .mmu = c->mmu != 0};
  snprintf(m->name, sizeof m->name, "%s", c->name);
  fill_stalls(c, m->stall);
}

bool heddle_machine_find(const char *name, struct heddle_machine *m) {
  char base[64];
  snprintf(base, sizeof base, "%.*s", (int)strcspn(name, "_"), name);
  const struct heddle_config *c = heddle_config_find(base);
  if (c) heddle_machine_of(c, m);
  return c != NULL;
}

void heddle_machine_slowest(struct heddle_machine *m) {
  heddle_machine_whole(m);
  for (size_t i = 0; i < heddle_config_count(); i++) {
    struct heddle_machine one;
    heddle_machine_of(heddle_config_at(i), &one);
    for (unsigned s = 0; s < HEDDLE_STALL_COUNT; s++)
      if (one.stall[s] > m->stall[s]) m->stall[s] = one.stall[s];
    if (one.fp64_latency > m->fp64_latency) m->fp64_latency = one.fp64_latency;
  }
}

bool heddle_machine_covered(const struct heddle_machine *m, const struct heddle_kernel *k) {
  for (unsigned i = 0; i < sizeof m->stall; i++)
    if (k->stall[i] < m->stall[i]) return false;
  return true;
}

/* The order of the checks is the hardware's (rtl/dispatch/cta_plan.sv). */
enum heddle_refuse heddle_machine_refuses(const struct heddle_machine *m, const uint32_t grid[3],
                                          const uint32_t block[3], uint32_t regs, uint32_t shared_bytes) {
  const uint64_t threads = (uint64_t)block[0] * block[1] * block[2], warps = (threads + 31) / 32;
  const uint64_t share = (warps + m->partitions - 1) / m->partitions; /* of a partition */
  const uint32_t shared = (shared_bytes + 127) / 128 * 128;
  const enum heddle_refuse shape = heddle_host_check_shape(grid, block);
  if (shape != HEDDLE_REFUSE_NONE) return shape;
  if (share > m->warps / m->partitions) return HEDDLE_REFUSE_WARPS;
  if (regs == 0 || regs > 255 || share * regs > m->regs / m->partitions) return HEDDLE_REFUSE_REGS;
  return shared > m->shared_bytes ? HEDDLE_REFUSE_SHARED : HEDDLE_REFUSE_NONE;
}
