/* SPDX-License-Identifier: Apache-2.0
 * Two views of a partition's front: who may issue, and where the lanes of its warps are. */
#include "waves/rows.h"

/* Paths inside the issue stage; a bit a warp. */
static const struct row candidates[] = {
    {WAVE_HEX, PER_WARP, "warps that live", "u_ready.state_i.alive"},
    {WAVE_HEX, PER_WARP, "have an instruction", "u_ready.there"},
    {WAVE_HEX, PER_WARP, "may issue", "u_ready.eligible"},
    {WAVE_HEX, PER_WARP, "selected", "u_select.sel"},
};
static const struct row reasons[] = {
    {WAVE_HEX, PER_WARP, "stall count", "u_ready.state_i.stalled"},
    {WAVE_HEX, PER_WARP, "dependency", "u_ready.waits"},
    {WAVE_HEX, PER_WARP, "control or start", "u_ready.state_i.sync"},
    {WAVE_HEX, PER_WARP, "barrier", "u_ready.state_i.bar"},
    {WAVE_HEX, PER_WARP, "constant", "u_ready.no_cst"},
    {WAVE_HEX, PER_WARP, "memory drains", "u_ready.drains"},
    {WAVE_HEX, PER_WARP, "no place in a queue", "u_ready.ready_o.no_room"},
    {WAVE_HEX, PER_WARP, "the one before it", "u_ready.blocked"},
};
static const struct row stage[] = {
    {WAVE_BIT, 1, "holds one", "u_select.valid_q"},          {WAVE_DECIMAL, A_SLOT, "of warp", "u_select.slot_q"},
    {WAVE_BIT, 1, "commits", "u_select.act_i.commit"},       {WAVE_BIT, 1, "is refused", "u_select.act_i.refused"},
    {WAVE_BIT, 1, "operands: ready", "u_select.op_i.ready"}, {WAVE_BIT, 1, "operands: hold", "u_select.op_i.hold"},
};

/* Paths inside the divergence unit. */
static const struct row asked[] = {
    {WAVE_BIT, 1, "arrives", "is_ctl_valid_i"},
    {WAVE_HEX, 32, "pc", "is_ctl_uop_i.pc"},
    {WAVE_HEX, 32, "lanes", "is_ctl_uop_i.exec"},
};
static const struct row at_work[] = {
    {WAVE_DECIMAL, A_SLOT, "warp", "slot_q"},
    {WAVE_DECIMAL, 4, "kind", "work.kind"},
    {WAVE_HEX, 32, "pc (lowest bit: of a short word)", "work.at"},
    {WAVE_HEX, 32, "lanes", "work.exec"},
    {WAVE_HEX, 32, "target", "work.target"},
    {WAVE_BIT, 1, "done", "dv_done_valid_o"},
    {WAVE_DECIMAL, A_SLOT, "of warp", "dv_done_slot_o"},
    {WAVE_HEX, 32, "goes on at", "dv_done_pc_o"},
    {WAVE_BIT, 1, "trap", "dv_trap_valid_o"},
};
static const struct row warp_state[] = {
    {WAVE_HEX, 32, "active", "row.active"},
    {WAVE_HEX, 32, "active then", "row_new.active"},
    {WAVE_HEX, 32, "live", "row.live"},
    {WAVE_DECIMAL, 6, "waiting paths", "row.depth"},
    {WAVE_DECIMAL, 6, "waiting then", "row_new.depth"},
};
static const struct row paths[] = {
    {WAVE_BIT, 1, "push", "push"},
    {WAVE_HEX, 32, "pushed lanes", "pushed.mask"},
    {WAVE_HEX, 32, "pushed pc", "pushed.pc"},
    {WAVE_HEX, 64, "as stored", "u_paths.u_paths.wr_data_i"},
    {WAVE_BIT, 1, "pop", "pop"},
    {WAVE_HEX, 32, "popped lanes", "top.mask"},
    {WAVE_HEX, 32, "popped pc", "top.pc"},
};
static const struct row convergence[] = {
    {WAVE_DECIMAL, 5, "barrier", "work.bx"},          {WAVE_HEX, 32, "members", "sets.members"},
    {WAVE_HEX, 32, "parked", "sets.parked"},          {WAVE_HEX, 32, "members then", "sets_new.members"},
    {WAVE_HEX, 32, "parked then", "sets_new.parked"}, {WAVE_BIT, 1, "released", "released"},
};

void wave_scheduling(const struct heddle_config *c, const struct wave_sink *s) {
  static const char unit[] = "u_front.u_issue.";
  const struct drawing d = {c, s};
  s->signal(s->ctx, WAVE_BIT, "clk", WAVE_TOP "clk_i");
  for (struct part p = {0, c->partitions}; p.number < p.of; p.number++) {
    wave_partition_group(&d, "candidates", candidates, COUNT(candidates), unit, p);
    wave_partition_group(&d, "what they wait for", reasons, COUNT(reasons), unit, p);
    wave_partition_group(&d, "second stage", stage, COUNT(stage), unit, p);
    wave_issue(&d, p);
  }
}

void wave_divergence(const struct heddle_config *c, const struct wave_sink *s) {
  static const char unit[] = "u_divergence.";
  const struct drawing d = {c, s};
  s->signal(s->ctx, WAVE_BIT, "clk", WAVE_TOP "clk_i");
  for (struct part p = {0, c->partitions}; p.number < p.of; p.number++) {
    wave_issue(&d, p);
    wave_partition_group(&d, "control instruction", asked, COUNT(asked), unit, p);
    wave_partition_group(&d, "at work", at_work, COUNT(at_work), unit, p);
    wave_partition_group(&d, "the warp", warp_state, COUNT(warp_state), unit, p);
    wave_partition_group(&d, "paths", paths, COUNT(paths), unit, p);
    wave_partition_group(&d, "convergence barrier", convergence, COUNT(convergence), unit, p);
  }
}
