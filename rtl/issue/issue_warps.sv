// SPDX-License-Identifier: Apache-2.0
// What is known of each warp between its instructions: stall count, waits, dependency counters,
// operations under way.
// Latency: an event of cycle t shows from t+1 on.
// Handshake: events only.
// It does not look at what the next instruction needs: issue_ready does.
module issue_warps (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from the dispatcher and the instruction buffer
  input  logic [cfg_pkg::WARPS-1:0]  start_i,
  input  issue_pkg::entry_t          ib_entry_i,
  // from S1, now and a cycle later
  input  stage_pkg::s1_t             s1_i,
  input  stage_pkg::verdict_t        verdict_i,
  input  stage_pkg::again_t          again_i,
  input  stage_pkg::act_t            act_i,
  input  stage_pkg::recent_t         recent_i,
  input  stage_pkg::begun_t          begun_i,
  // from operand, writeback, divergence, the barriers
  input  front_pkg::operand_t        op_i,
  input  stage_pkg::ends_t           ends_i,
  input  logic                       load_end_i,   // a late end is that of an ULDC,
  input  logic                       copy_end_i,   // of an asynchronous copy
  input  logic [cfg_pkg::WARPS-1:0]  unchecked_i,  // from trap control: warps with addresses that may still trap
  input  front_pkg::moved_t          dv_i,
  input  front_pkg::release_t        ba_release_i,
  // to S0, and to S1: DEPBAR's counter is above its limit
  output stage_pkg::state_t          state_o,
  output logic                       above_o,
  // to the dispatcher and trap control
  output logic [cfg_pkg::WARPS-1:0]  is_idle_o,
  output logic                       all_quiet_o
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;
  localparam int unsigned ENDS  = core_pkg::ENDS;

  logic [WARPS-1:0]  alive, stalled, sync, bar, mem_busy, copy_busy, mem_full, quiet, falls;
  logic [WARPS-1:0]  refused, dep_sleep_q;
  stage_pkg::sets_t  nonzero, near_full;

  warp_state u_state (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .start_i            (start_i),
    .is_valid_i         (act_i.commit),
    .is_slot_i          (s1_i.slot),
    .is_ctl_i           (stage_pkg::is_ctl(s1_i.head)),
    .is_bar_i           (verdict_i.arrives && !ib_entry_i.kind.arrive),
    .is_load_i          (kind_pkg::uniform_load(ib_entry_i.dec)),
    .is_stall_i         (ib_entry_i.dec.stall),
    .is_rows_i          (act_i.go && (s1_i.head.gen || (core_pkg::READERS > 1 && s1_i.head.coll))),
    .op_hold_i          (op_i.hold),
    .op_gone_i          (op_i.gone),
    .op_done_i          (op_i.done),
    .op_gone_slot_i     (op_i.gone_slot),
    .uop_fixed_i        (begun_i.fixed),
    .uop_coll_i         (begun_i.coll),
    .uop_copy_i         (begun_i.copy),
    .uop_slot_i         (begun_i.slot),
    .wb_done_valid_i    (ends_i.valid[ENDS-1:0]),
    .wb_done_slot_i     (ends_i.slot[ENDS-1:0]),
    .lt_done_valid_i    (ends_i.valid[ENDS]),
    .lt_done_slot_i     (ends_i.slot[ENDS]),
    .lt_done_load_i     (load_end_i),
    .lt_done_copy_i     (copy_end_i),
    .dv_done_valid_i    (dv_i.done_valid),
    .dv_done_slot_i     (dv_i.done_slot),
    .dv_done_ended_i    (dv_i.done_ended),
    .dv_trap_valid_i    (dv_i.trap_valid),
    .dv_trap_slot_i     (core_pkg::local_slot(dv_i.trap.id.slot)),
    .ba_release_valid_i (ba_release_i.valid),
    .ba_release_warps_i (ba_release_i.warps),
    .ws_alive_o         (alive),
    .ws_stall_o         (stalled),
    .ws_sync_o          (sync),
    .ws_bar_o           (bar),
    .ws_mem_busy_o      (mem_busy),
    .ws_copy_busy_o     (copy_busy),
    .ws_mem_full_o      (mem_full),
    .ws_quiet_o         (quiet)
  );

  dep_counters u_dep (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .start_i         (start_i),
    .raise_valid_i   (begun_i.valid),
    .raise_slot_i    (begun_i.slot),
    .raise_wbar_i    (begun_i.wbar),
    .raise_rbar_i    (begun_i.rbar),
    .op_disp_valid_i (op_i.disp_valid),
    .op_disp_slot_i  (op_i.disp_slot),
    .op_disp_rbar_i  (op_i.disp_rbar),
    .done_valid_i    (ends_i.valid),
    .done_slot_i     (ends_i.slot),
    .done_wbar_i     (ends_i.wbar),
    .dc_nonzero_o    (nonzero),
    .dc_near_full_o  (near_full),
    .q_slot_i        (s1_i.slot),
    .q_bar_i         (isa_pkg::f_sbn(ib_entry_i.word)),
    .q_limit_i       (isa_pkg::f_sbk(ib_entry_i.word)),
    .dc_above_o      (above_o),
    .dc_falls_o      (falls)
  );

  // A warp that DEPBAR refused looks again when one of its counters falls.
  assign refused = s1_i.here & {WARPS{act_i.refused && !verdict_i.absent}};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) dep_sleep_q <= '0;
    else         dep_sleep_q <= (dep_sleep_q | refused) & ~falls;
  end

  assign state_o.alive     = alive;
  assign state_o.stalled   = stalled;
  assign state_o.sync      = sync;
  assign state_o.bar       = bar;
  assign state_o.mem_busy  = mem_busy;
  assign state_o.copy_busy = copy_busy;
  assign state_o.unchecked = unchecked_i;
  assign state_o.mem_full  = mem_full;
  assign state_o.nonzero   = nonzero;
  assign state_o.near_full = near_full;
  assign state_o.dep_sleep = dep_sleep_q;

  // A warp that starts in this cycle is alive in the next: until then its block has not seen it
  // begin.
  assign is_idle_o   = ~alive & quiet & ~s1_i.here & ~recent_i.here;
  assign all_quiet_o = quiet == '1 && !recent_i.any && !ba_release_i.busy
    && (again_i.warps & ~bar) == '0;

  // Fields that concern others.
  logic unused;
  assign unused = ^{ib_entry_i, s1_i, verdict_i, again_i, act_i, op_i, ends_i, dv_i, ba_release_i};

endmodule
