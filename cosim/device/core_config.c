/* SPDX-License-Identifier: Apache-2.0
 *
 * A core of somebody else's as a configuration: what programs need to know that are made, checked or refused for it.
 */
#include "cosim/attach/attached.h"
#include "cosim/device/core_device.h"

bool core_declared(const struct heddle_core_ops *core, struct heddle_core *out, char *why, size_t why_bytes) {
  if (!attach_declared(core->describe(), out, why, why_bytes)) return false;
  if (out->shown > 1) {
    snprintf(why, why_bytes, "it shows %u SMs: as a device a core is one; more go through heddle/attach.h, or a trace",
             out->shown);
    return false;
  }
  if (out->units == 0) /* all that hardware knows */
    out->units = ((1u << ISA_UNIT_COUNT) - 1) | 1u << ISA_PART_ASYNC | 1u << ISA_PART_FATOM;
  return true;
}

/* Codes are made for the shortest latencies that there are: whoever has longer ones waits by himself, or declares
 * scoreboard mode. */
void core_config(const struct heddle_core *c, struct heddle_config *out) {
  const unsigned regs = c->regs != 0 ? c->regs : 255 * (c->warp_slots / c->partitions);
  *out = (struct heddle_config){.name = c->name,
                                .lanes = c->lanes,
                                .beats = HEDDLE_LANES / c->lanes,
                                .lsu_lanes = c->lanes,
                                .partitions = c->partitions,
                                .warps = c->warp_slots,
                                .regs = regs * c->partitions,
                                .banks = c->register_banks,
                                .blocks = c->block_slots,
                                .shared_bytes = c->shared_bytes,
                                .shared_banks = c->shared_banks,
                                .axi_bits = 64,
                                .axi_ports = 1,
                                .its = c->its,
                                .pipes = c->units,
                                .stall_alu_reg = 1,
                                .stall_alu_pred = 1,
                                .stall_fma_reg = 1,
                                .stall_cvt_reg = 1};
  if ((out->pipes & HEDDLE_PIPE_HALF) != 0) out->stall_half_reg = 1;
  if ((out->pipes & HEDDLE_PIPE_UNI) != 0) out->stall_uni_reg = 1;
}
