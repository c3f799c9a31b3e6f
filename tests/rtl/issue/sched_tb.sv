// SPDX-License-Identifier: Apache-2.0
// The warp scheduler several times: with each policy built in, and with all of them and a strap.
// Latency: none of its own.
// Handshake: that of the schedulers; all see the same inputs, the bench looks at those that its policy concerns.
// It holds no state.
`include "heddle_assert.svh"

module sched_tb #(
  parameter int unsigned LIMIT = 20
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  core_pkg::policy_t              sched_i,
  input  logic [cfg_pkg::WARPS-1:0]      start_i,
  input  logic [cfg_pkg::WARPS-1:0]      eligible_i,
  input  logic [cfg_pkg::WARPS-1:0]      long_i,
  input  logic [cfg_pkg::WARPS-1:0]      yield_i,
  input  logic                           take_i,
  output logic [cfg_pkg::WARPS-1:0]      strap_sel_o,
  output logic [host_regs_pkg::POLICY_COUNT-1:0][63:0] sel_o,   // by policy; 0: the configuration's
  output logic [7:0]                     warps_o,
  output logic [7:0]                     active_o,
  output logic [15:0]                    limit_o,
  output core_pkg::policy_t              sched_o
);

  assign warps_o  = 8'(cfg_pkg::WARPS);
  assign active_o = 8'(issue_pkg::SCHED_ACTIVE);
  assign limit_o  = 16'(LIMIT);
  assign sched_o  = core_pkg::policy_t'(cfg_pkg::SCHED);

  logic [cfg_pkg::WARPS-1:0] strap_pick;
  warp_sched #(.STRAP(1'b1), .LIMIT(LIMIT)) u_strap (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .sched_i    (sched_i),
    .start_i    (start_i),
    .eligible_i (eligible_i),
    .long_i     (long_i),
    .yield_i    (yield_i),
    .pick_o     (strap_pick),
    .take_i     (take_i),
    .sel_o      (strap_sel_o)
  );
  // A pick that is not taken is none.
  `ASSERT(a_strap, strap_sel_o == (take_i ? strap_pick : '0))

  // A strap means nothing to these.
  for (genvar p = 0; p < host_regs_pkg::POLICY_COUNT; p++) begin : gen_policy
    logic [cfg_pkg::WARPS-1:0] sel, pick;
    assign sel_o[p] = 64'(sel);
    warp_sched #(.SCHED((p == 0) ? cfg_pkg::SCHED : p), .LIMIT(LIMIT)) u_sched (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .sched_i    (~sched_i),
      .start_i    (start_i),
      .eligible_i (eligible_i),
      .long_i     (long_i),
      .yield_i    (yield_i),
      .pick_o     (pick),
      .take_i     (take_i),
      .sel_o      (sel)
    );
    `ASSERT(a_policy, sel == (take_i ? pick : '0))
  end

endmodule
