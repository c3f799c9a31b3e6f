// SPDX-License-Identifier: Apache-2.0
// What issue and fetch are told of a control instruction: that it is done, and where its warp goes on; or its trap.
// Latency: dv_done one cycle after the last step; a trap is shown while trap_i is high.
// Handshake: events.
// It does not find out which of the two comes. A trap is a bad register target, a WARPSYNC that does not fit, else a deadlock.
`include "heddle_idle.svh"

module divergence_result (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from the control unit
  input  divergence_pkg::ctl_t       work_i,
  input  logic                       done_i,
  input  logic                       redirect_i,
  input  logic                       moved_i,
  input  logic [31:0]                pc_i,
  input  logic                       ended_i,
  input  logic                       check_i,        // the instruction executes: does it fit?
  input  logic                       unwanted_i,
  input  logic                       trap_i,
  input  logic [31:0]                live_i,
  input  logic [31:0]                strangers_i,
  input  logic [31:0]                bad_i,
  input  logic [63:0]                bad_addr_i,     // zero if it is no target
  // to issue and fetch
  output logic                       dv_trap_valid_o,
  output core_pkg::trap_t            dv_trap_o,
  output logic                       dv_done_valid_o,
  output logic [cfg_pkg::WARP_W-1:0] dv_done_slot_o,
  output logic                       dv_done_redirect_o,
  output logic                       dv_done_moved_o,
  output logic [31:0]                dv_done_pc_o,
  output logic                       dv_done_ended_o
);

  logic                       done_q, redirect_q, moved_q, ended_q, misfit_q;
  logic [cfg_pkg::WARP_W-1:0] slot_q;
  logic [31:0]                pc_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) done_q <= 1'b0;
    else         done_q <= done_i;
  end

  always_ff @(posedge clk_i) begin
    if (done_i) begin
      slot_q     <= core_pkg::local_slot(work_i.id.slot);
      redirect_q <= redirect_i;
      moved_q    <= moved_i;
      pc_q       <= pc_i;
      ended_q    <= ended_i;
    end
    if (check_i) misfit_q <= unwanted_i;
  end

  assign dv_done_valid_o    = done_q;
  assign dv_done_slot_o     = slot_q;
  assign dv_done_redirect_o = redirect_q;
  assign dv_done_moved_o    = moved_q;
  assign dv_done_pc_o       = pc_q;
  assign dv_done_ended_o    = ended_q;

  logic no_target, no_sync;
  assign no_target       = work_i.kind == divergence_pkg::KIND_TARGET;
  assign no_sync         = work_i.kind == divergence_pkg::KIND_WARPSYNC && misfit_q;
  assign dv_trap_valid_o = trap_i;
  always_comb begin
    dv_trap_o = 'x;
    if (`HEDDLE_LIVE(trap_i)) begin
      dv_trap_o.cause = no_target ? core_pkg::TRAP_BAD_PC : no_sync ? core_pkg::TRAP_DIVERGENCE : core_pkg::TRAP_DEADLOCK;
      dv_trap_o.id    = work_i.id;
      dv_trap_o.pc    = divergence_pkg::pc_of(work_i.at);
      dv_trap_o.lanes = no_target ? bad_i : no_sync ? ((strangers_i != '0) ? strangers_i : work_i.exec) : live_i;
      dv_trap_o.addr  = bad_addr_i;
    end
  end

  // The rest of the instruction is for others.
  logic unused;
  assign unused = ^work_i;

endmodule
