// SPDX-License-Identifier: Apache-2.0
// Class of the event counters of each warp of a partition in a cycle, for profiles. It is computed warp by warp, where `issue_counters`
// has masks of all: equal sums check each other.
// Bound from outside, in devices of the simulator alone; never synthesized. It costs nothing unless the program behind
// the device requests it, which it does while the SM is in reset.
module class_watch (
  input logic                       clk_i,
  input logic                       rst_ni,
  input logic [7:0]                 sm_i,
  input logic [cfg_pkg::PART_W-1:0] part_i,
  // registers of issue_counters: of the cycle before
  input logic [cfg_pkg::WARPS-1:0]  alive_i,
  input logic [cfg_pkg::WARPS-1:0]  s1_i,
  input logic [cfg_pkg::WARPS-1:0]  pick_i,
  input logic [cfg_pkg::WARPS-1:0]  sync_i,
  input logic [cfg_pkg::WARPS-1:0]  there_i,
  input logic [cfg_pkg::WARPS-1:0]  stalled_i,
  input logic [cfg_pkg::WARPS-1:0]  no_cst_i,
  input logic [cfg_pkg::WARPS-1:0]  waits_i,
  input logic [cfg_pkg::WARPS-1:0]  drains_i,
  input logic [cfg_pkg::WARPS-1:0]  no_room_i,
  input logic [cfg_pkg::WARPS-1:0]  no_rows_i,
  input logic                       issued_i,
  input logic                       redone_i,
  input logic                       s1_go_i,
  input logic                       s1_free_i,
  input logic                       run_i
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;
  localparam bit [3:0] NO_WARP = 4'd15;

  import "DPI-C" function bit heddle_classes_wanted();
  import "DPI-C" function void heddle_classes(input byte unsigned sm, input byte unsigned part, input bit [4*WARPS-1:0] of);

  // The first reason that applies.
  function automatic bit [3:0] class_of(int unsigned w);
    if (!alive_i[w])                  return NO_WARP;
    if (s1_i[w] && !s1_go_i)          return 4'(issue_pkg::CNT_PIPE);
    if (s1_i[w] && issued_i)          return 4'(issue_pkg::CNT_ISSUED);
    if (s1_i[w] && redone_i)          return 4'(issue_pkg::CNT_SYNC);
    if (s1_i[w])                      return 4'(issue_pkg::CNT_WAIT);
    if (pick_i[w] && s1_free_i)       return 4'(issue_pkg::CNT_STALL);
    if (sync_i[w])                    return 4'(issue_pkg::CNT_SYNC);
    if (!there_i[w])                  return 4'(issue_pkg::CNT_FETCH);
    if (stalled_i[w])                 return 4'(issue_pkg::CNT_STALL);
    if (no_cst_i[w])                  return 4'(issue_pkg::CNT_CONST);
    if (waits_i[w])                   return 4'(issue_pkg::CNT_WAIT);
    if (drains_i[w])                  return 4'(issue_pkg::CNT_SYNC);
    if (no_room_i[w])                 return 4'(issue_pkg::CNT_MEMORY);
    if (no_rows_i[w] || !s1_free_i)   return 4'(issue_pkg::CNT_PIPE);
    return run_i ? 4'(issue_pkg::CNT_NOT_SELECTED) : 4'(issue_pkg::CNT_OTHER);
  endfunction

  bit               on_q;
  bit [4*WARPS-1:0] of;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      on_q <= heddle_classes_wanted();
    end else if (on_q) begin
      for (int unsigned w = 0; w < WARPS; w++) of[4*w +: 4] = class_of(w);
      heddle_classes(sm_i, 8'(part_i), of);
    end
  end

endmodule

bind issue class_watch u_class_watch (
  .clk_i    (clk_i),
  .rst_ni   (rst_ni),
  .sm_i     (sm_i),
  .part_i   (part_i),
  .alive_i  (u_counters.alive_q),
  .s1_i     (u_counters.s1_q),
  .pick_i   (u_counters.pick_q),
  .sync_i   (u_counters.sync_q),
  .there_i  (u_counters.there_q),
  .stalled_i(u_counters.stalled_q),
  .no_cst_i (u_counters.no_cst_q),
  .waits_i  (u_counters.waits_q),
  .drains_i (u_counters.drains_q),
  .no_room_i(u_counters.no_room_q),
  .no_rows_i(u_counters.no_rows_q),
  .issued_i (u_counters.issued_q),
  .redone_i (u_counters.redone_q),
  .s1_go_i  (u_counters.s1_go_q),
  .s1_free_i(u_counters.s1_free_q),
  .run_i    (u_counters.run_q)
);
