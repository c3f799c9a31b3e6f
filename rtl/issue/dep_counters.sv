// SPDX-License-Identifier: Apache-2.0
// Dependency counters SB0-SB5 of every warp, 6 bits each.
// Latency: an event of cycle t shows in the flags from t+1 on.
// Handshake: events; one warp raises (up to two) a cycle, six events may lower, several of them the same counter.
// It does not decide who waits: `nonzero` answers wait masks, `near_full` stops a warp that could pass 63.
`default_nettype none
`include "heddle_assert.svh"

module dep_counters (
  input  logic                                                clk_i,
  input  logic                                                rst_ni,
  input  logic [7:0]                                          fault_i,
  // from the dispatcher
  input  logic [cfg_pkg::WARPS-1:0]                           start_i,
  // from issue: 7 = none
  input  logic                                                raise_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]                          raise_slot_i,
  input  logic [2:0]                                          raise_wbar_i,
  input  logic [2:0]                                          raise_rbar_i,
  // from operand
  input  logic [1:0]                                          op_disp_valid_i,
  input  logic [1:0][cfg_pkg::WARP_W-1:0]                     op_disp_slot_i,
  input  logic [1:0][2:0]                                     op_disp_rbar_i,
  // from writeback (0 alu, 1 fma, 2 cvt) and, as number 3, the load/store unit
  input  logic [3:0]                                          done_valid_i,
  input  logic [3:0][cfg_pkg::WARP_W-1:0]                     done_slot_i,
  input  logic [3:0][2:0]                                     done_wbar_i,
  // to issue
  output logic [cfg_pkg::WARPS-1:0][issue_pkg::NSB-1:0]       dc_nonzero_o,
  output logic [cfg_pkg::WARPS-1:0][issue_pkg::NSB-1:0]       dc_near_full_o
);

  localparam int unsigned WARPS  = cfg_pkg::WARPS;
  localparam int unsigned WARP_W = cfg_pkg::WARP_W;
  localparam int unsigned NSB    = issue_pkg::NSB;

  logic [WARPS-1:0][NSB-1:0][5:0] count_q, count_d;
  logic [WARPS-1:0][NSB-1:0]      below;   // a counter would pass zero downwards
  logic                           hold_wbar;

  // Fault: the write counter is down again before anything is written.
  assign hold_wbar = fault_i != core_pkg::FAULT_SB_EARLY;

  function automatic logic hit(input logic valid, input logic [WARP_W-1:0] slot, input logic [2:0] bar,
                               input logic [WARP_W-1:0] w, input logic [2:0] n);
    hit = valid && slot == w && bar == n;
  endfunction

  logic [1:0] up;
  logic [2:0] down;
  always_comb begin
    up   = '0;
    down = '0;
    for (int unsigned w = 0; w < WARPS; w++) begin
      for (int unsigned n = 0; n < NSB; n++) begin
        up = 2'(hit(raise_valid_i && hold_wbar, raise_slot_i, raise_wbar_i, WARP_W'(w), 3'(n)))
           + 2'(hit(raise_valid_i, raise_slot_i, raise_rbar_i, WARP_W'(w), 3'(n)));
        down = 3'd0;
        for (int unsigned i = 0; i < 2; i++) down += 3'(hit(op_disp_valid_i[i], op_disp_slot_i[i], op_disp_rbar_i[i], WARP_W'(w), 3'(n)));
        for (int unsigned i = 0; i < 4; i++) down += 3'(hit(done_valid_i[i] && hold_wbar, done_slot_i[i], done_wbar_i[i], WARP_W'(w), 3'(n)));
        count_d[w][n] = count_q[w][n] + 6'(up) - 6'(down);
        below[w][n]   = 7'(count_q[w][n]) + 7'(up) < 7'(down);
        dc_nonzero_o[w][n]   = count_q[w][n] != '0;
        dc_near_full_o[w][n] = count_q[w][n][5:1] == 5'd31;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) count_q <= '0;
    else begin
      for (int unsigned w = 0; w < WARPS; w++) count_q[w] <= start_i[w] ? '0 : count_d[w];
    end
  end

  // A counter never falls more often than it was raised.
  `ASSERT(a_below, below == '0)

endmodule

`default_nettype wire
