// SPDX-License-Identifier: Apache-2.0
// What holds a warp back: stall count, operands of the last instruction still being collected, control and barrier waits,
// operations under way. One set of small counters a warp.
// Latency: flags follow events of cycle t in t+1, except `held`, which falls in the very cycle of op_disp.
// Handshake: events only.
// It does not look at the next instruction; eligibility is formed in `issue`.
`default_nettype none
`include "heddle_assert.svh"

module warp_state (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  input  logic [7:0]                           fault_i,
  // from the dispatcher
  input  logic [cfg_pkg::WARPS-1:0]            start_i,
  // from the check stage: an instruction issues
  input  logic                                 is_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]           is_slot_i,
  input  logic                                 is_collect_i,   // goes to a collector
  input  logic                                 is_ctl_i,       // goes to divergence
  input  logic                                 is_bar_i,       // arrives at a barrier
  input  logic [3:0]                           is_stall_i,
  // a cycle later: an operation is under way
  input  logic                                 uop_fixed_i,    // alu, fma, cvt
  input  logic                                 uop_mem_i,
  input  logic [cfg_pkg::WARP_W-1:0]           uop_slot_i,
  // from operand
  input  logic [1:0]                           op_disp_valid_i,
  input  logic [1:0][cfg_pkg::WARP_W-1:0]      op_disp_slot_i,
  // from writeback
  input  logic [2:0]                           wb_done_valid_i,
  input  logic [2:0][cfg_pkg::WARP_W-1:0]      wb_done_slot_i,
  // from the load/store unit
  input  logic                                 ls_done_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]           ls_done_slot_i,
  // from divergence
  input  logic                                 dv_done_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]           dv_done_slot_i,
  input  logic                                 dv_done_ended_i,
  input  logic                                 dv_trap_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]           dv_trap_slot_i,
  // from the barrier unit
  input  logic                                 ba_release_valid_i,
  input  logic [cfg_pkg::WARPS-1:0]            ba_release_warps_i,
  // to the scheduler
  output logic [cfg_pkg::WARPS-1:0]            ws_alive_o,
  output logic [cfg_pkg::WARPS-1:0]            ws_held_o,      // operands still being collected
  output logic [cfg_pkg::WARPS-1:0]            ws_stall_o,     // stall count has not run out
  output logic [cfg_pkg::WARPS-1:0]            ws_sync_o,      // waits for divergence or a barrier
  output logic [cfg_pkg::WARPS-1:0]            ws_mem_busy_o,  // memory operations not performed yet
  output logic [cfg_pkg::WARPS-1:0]            ws_mem_full_o,  // no more of them can be counted
  // to trap control and the dispatcher
  output logic [cfg_pkg::WARPS-1:0]            ws_quiet_o      // nothing of the warp is in flight
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;
  localparam int unsigned MEM_W = 6;
  localparam int unsigned FIX_W = 5;

  logic [WARPS-1:0]            alive_q, frozen_q, ctl_q, bar_q;
  logic [WARPS-1:0]            issue, fix_start, mem_start, disp, ctl_end, ended, mem_end;
  logic [WARPS-1:0][3:0]       stall_q;
  logic [WARPS-1:0][MEM_W-1:0] mem_q;
  logic [WARPS-1:0][FIX_W-1:0] fix_q;
  logic [WARPS-1:0][1:0]       fix_end;
  logic [3:0]                  stall, load;

  always_comb begin
    issue     = '0;
    fix_start = '0;
    mem_start = '0;
    disp      = '0;
    ctl_end   = '0;
    ended     = '0;
    mem_end   = '0;
    fix_end   = '0;
    if (is_valid_i) issue[is_slot_i] = 1'b1;
    if (uop_fixed_i) fix_start[uop_slot_i] = 1'b1;
    if (uop_mem_i) mem_start[uop_slot_i] = 1'b1;
    for (int unsigned i = 0; i < 2; i++) begin
      if (op_disp_valid_i[i]) disp[op_disp_slot_i[i]] = 1'b1;
    end
    if (dv_done_valid_i) ctl_end[dv_done_slot_i] = 1'b1;
    if (dv_trap_valid_i) ctl_end[dv_trap_slot_i] = 1'b1;
    if (dv_done_valid_i && dv_done_ended_i) ended[dv_done_slot_i] = 1'b1;
    if (ls_done_valid_i) mem_end[ls_done_slot_i] = 1'b1;
    for (int unsigned w = 0; w < WARPS; w++) begin
      for (int unsigned i = 0; i < 3; i++) begin
        if (wb_done_valid_i[i] && wb_done_slot_i[i] == cfg_pkg::WARP_W'(w)) fix_end[w] += 2'd1;
      end
    end
  end

  // The next instruction stands in the check stage `stall` cycles after this one left its collector (or, without a
  // collector, after this one stood there); selection is one cycle earlier.
  always_comb begin
    stall = (is_stall_i == '0) ? 4'd1 : is_stall_i;
    if (fault_i == core_pkg::FAULT_STALL_SHORT && stall != 4'd1) stall = stall - 4'd1;
    load = is_collect_i ? stall - 4'd1 : ((stall == 4'd1) ? 4'd0 : stall - 4'd2);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      alive_q  <= '0;
      frozen_q <= '0;
      ctl_q    <= '0;
      bar_q    <= '0;
      stall_q  <= '0;
      mem_q    <= '0;
      fix_q    <= '0;
    end else begin
      for (int unsigned w = 0; w < WARPS; w++) begin
        if (start_i[w])    alive_q[w] <= 1'b1;
        else if (ended[w]) alive_q[w] <= 1'b0;

        if (issue[w])      frozen_q[w] <= is_collect_i;
        else if (disp[w])  frozen_q[w] <= 1'b0;

        if (issue[w])      stall_q[w] <= load;
        else if (stall_q[w] != '0 && (!frozen_q[w] || disp[w])) stall_q[w] <= stall_q[w] - 4'd1;

        if (issue[w] && is_ctl_i)  ctl_q[w] <= 1'b1;
        else if (ctl_end[w])       ctl_q[w] <= 1'b0;

        // A release in the cycle of the arrival is this arrival's: its warp can't wait twice.
        if (ba_release_valid_i && ba_release_warps_i[w]) bar_q[w] <= 1'b0;
        else if (issue[w] && is_bar_i)                   bar_q[w] <= 1'b1;

        mem_q[w] <= mem_q[w] + MEM_W'(mem_start[w]) - MEM_W'(mem_end[w]);
        fix_q[w] <= fix_q[w] + FIX_W'(fix_start[w]) - FIX_W'(fix_end[w]);
      end
    end
  end

  always_comb begin
    for (int unsigned w = 0; w < WARPS; w++) begin
      ws_stall_o[w]    = stall_q[w] != '0;
      ws_mem_busy_o[w] = mem_q[w] != '0;
      ws_mem_full_o[w] = mem_q[w] == '1;
      ws_quiet_o[w]    = !frozen_q[w] && !ctl_q[w] && mem_q[w] == '0 && fix_q[w] == '0;
    end
  end
  assign ws_alive_o = alive_q;
  assign ws_held_o  = frozen_q & ~disp;
  assign ws_sync_o  = ctl_q | bar_q;

  // Nothing ends that was not issued, and no counter overflows.
  logic lost;
  always_comb begin
    lost = 1'b0;
    for (int unsigned w = 0; w < WARPS; w++) begin
      if (disp[w] && !frozen_q[w]) lost = 1'b1;
      if (mem_end[w] && mem_q[w] == '0) lost = 1'b1;
      if (FIX_W'(fix_end[w]) > fix_q[w]) lost = 1'b1;
      if (fix_start[w] && fix_q[w] == '1) lost = 1'b1;
      if (ctl_end[w] && !ctl_q[w]) lost = 1'b1;
    end
  end
  `ASSERT(a_lost, !lost)

endmodule

`default_nettype wire
